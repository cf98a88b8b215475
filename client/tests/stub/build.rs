//! The stub engine for tests of other packages: Cargo tells only a package's own tests where its programs are.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The stub engine's program, in the folder of the programs that are tested.
pub(crate) fn stub() -> &'static str {
    static STUB: OnceLock<String> = OnceLock::new();
    STUB.get_or_init(|| {
        let test = std::env::current_exe().expect("a test is a program");
        // Tests are in a folder beside the programs, which is called as their profile, inside the target folder.
        let programs = test.parent().and_then(Path::parent).expect("tests are in a folder of their own");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "chuhe-client", "--bin", "chuhe-stub-engine"]);
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        build.arg("--target-dir").arg(programs.parent().expect("inside the target folder"));
        if programs.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo starts").success(), "the stub engine does not build");
        programs.join(format!("chuhe-stub-engine{}", std::env::consts::EXE_SUFFIX)).display().to_string()
    })
}
