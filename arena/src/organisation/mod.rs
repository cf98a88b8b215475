//! Around the games: engines tried out and openings checked before the first, files opened, and the organiser's decisions.
//!
//! | module | does |
//! |---|---|
//! | [`hall`] | everything that must be in order before the first game |
//! | [`files`] | opens journal and file of games, new or gone on with, so that nothing that exists is lost |
//! | [`decisions`] | writes decisions into a journal, or leaves them for the run that has it open |

pub mod decisions;
pub mod files;
pub mod hall;
