//! Pages as a reader meets them: in a browser, with keys, mouse and finger.

#[path = "../common/chase.rs"]
mod chase;
#[path = "../common/mod.rs"]
mod common;
mod devtools;
mod peers;
mod screen;
mod study;
