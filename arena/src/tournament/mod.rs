//! A tournament while it is played: what comes next, who plays it, what is written down.
//!
//! [`Tournament`] is a function of the events of its [journal](crate::journal): whatever happens is written down first
//! and applied then. [`run`] hands its games to [`Table`]s and writes down what comes back.

mod acts_file;
mod course;
mod director;
mod roster;
mod scores;
mod state;
mod table;

pub use acts_file::{ActsFile, Left};
pub use course::Course;
pub use director::{Files, Observer, PlayedOut, RunEnd, RunError, Stop, Table, run};
pub use roster::{EngineId, Entrant, Roster, RosterError};
pub use scores::{Conduct, Meetings, Pairing, SequentialTest, Total};
pub use state::{ActError, GameJob, PlayedEntry, Step, Tournament, TournamentError};
pub use table::{EngineTable, Hall, Participant};
