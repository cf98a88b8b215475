//! Hashes of the scripts and styles that pages hold: their content security policy allows these and nothing else.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// Names of the hashes, and the files.
const ASSETS: [(&str, &str); 3] =
    [("PAGE_CSS", "src/page/page.css"), ("VIEWER_JS", "src/page/viewer.js"), ("SHEET_CSS", "src/ruling/sheet.css")];

fn main() {
    for (name, path) in ASSETS {
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read_to_string(path).expect("the file is part of the package");
        // A browser sees line ends as HTML has them, however the files were checked out.
        let hash = STANDARD.encode(Sha256::digest(text.replace("\r\n", "\n")));
        println!("cargo::rustc-env={name}_HASH=sha256-{hash}");
    }
}
