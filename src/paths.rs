//! Paths as people read them.

use std::path::Path;

/// A path for people. One that is not in UTF-8, as those of old Chinese systems, is read as GB18030 (GBK); what that is not
/// either is written as escapes, so that no two paths look the same.
pub(crate) fn readable(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let bytes = path.as_os_str().as_encoded_bytes();
    match encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(text) => text.into_owned(),
        None => bytes.escape_ascii().to_string(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn names_in_gbk_are_readable_and_no_two_look_the_same() {
        let name = |bytes| readable(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(name(b"\xb6\xd4\xbe\xd6.pgn"), "对局.pgn");
        assert_ne!(name(b"\xff\xfe"), name(b"\xff\xff"));
    }
}
