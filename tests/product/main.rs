//! The product as its users meet it: the program itself, through its command line and its pipes.

mod analyze;
mod cli;
mod client;
mod convert;
mod endgame;
mod foreign;
mod judge;
mod latency;
mod output;
mod peers;
mod play;
mod scripts;
mod session;
mod tournament;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The program under test: this build, or another one that the environment names (`scripts/test-windows.sh` does).
fn program() -> OsString {
    std::env::var_os("CHUHE_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_chuhe").into())
}

/// Taken for writing by tests that measure time, so that no other test takes the processor from them.
static MACHINE: RwLock<()> = RwLock::new(());

/// Shares the machine with other tests.
fn among_others() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Has the machine alone.
fn alone() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a command of `chuhe` with this on standard input.
fn run_with_input(command: &str, args: &[&str], input: &[u8]) -> Output {
    let mut process = Command::new(program())
        .arg(command)
        .args(args)
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("chuhe starts");
    let mut pipe = process.stdin.take().expect("piped");
    let input = input.to_vec();
    // A program that refuses its arguments reads nothing.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = process.wait_with_output().expect("chuhe ends");
    writer.join().expect("the writer ends");
    output
}
