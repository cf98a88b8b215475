//! A move for a game within limits: alpha-beta search with its hash table, move ordering, time management and
//! threads. It reports typed events and never prints.

pub mod clock;
mod control;
mod engine;
mod event;
mod history;
mod limits;
mod memory;
pub mod params;
mod path;
mod picker;
mod root;
mod run;
mod score;
mod search;
mod stepper;
mod strength;
mod tables;
mod threads;
mod time;
mod tt;
mod vote;

pub use control::Control;
pub use engine::{DEFAULT_HASH_MIB, Engine, HashKnowledge, HashRefused, MAX_THREADS, Options, Prober};
pub use event::{Bound, Event, Outcome, Report};
pub use limits::{Clock, Limits};
pub use score::{MAX_PLY, Score};
pub use stepper::{Slice, Stepper};
pub use strength::{SkillLevel, Strength};
