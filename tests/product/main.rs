//! The product as its users meet it: the program itself, through its command line and its pipes.

mod analyze;
mod cli;
mod client;
mod convert;
mod judge;
mod latency;
mod peers;
mod play;
mod session;
mod tournament;

use std::ffi::OsString;
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
