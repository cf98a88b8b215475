//! Games for every command that reads them: from files of any kind, from folders of them and from standard input, one by
//! one. What is in a file is the business of `records`.
//!
//! | module | holds |
//! |---|---|
//! | [`source`] | what the command line names |
//! | [`stream`] | the games of sources in their order, cut out by a thread of its own |
//! | [`tally`] | what is told of sources, and how the command ends |

mod source;
mod stream;
mod tally;

pub(crate) use source::{InputArgs, Source};
pub(crate) use stream::{Event, Item, Stream};
pub(crate) use tally::{Note, Tally, games_of};
