//! Training of networks on the processor.
//!
//! The network is small (one sparse layer, one dense layer, see [`chuhe_eval::network`]), so that an ordinary machine
//! trains it faster than it makes data for it. What makes it fast is that everything stays in the caches: the hidden
//! layer is worked through in *tiles* of 64 neurons, each for thousands of positions before the next.
//!
//! | module | does |
//! |---|---|
//! | [`recipe`] | everything besides the data that decides what comes out |
//! | [`dataset`] | positions in memory, one game in a hundred held out |
//! | `order`, `batch`, `target` | which positions, as inputs, and what is to be learnt of them |
//! | `tensors`, `kernels`, `worker` | the numbers and the loops over them; one thread's share of a batch |
//! | [`trainer`] | a network in training, and one update of it |
//! | [`quantise`] | the integers that play |
//! | [`run`], [`checkpoint`] | epochs after epochs; going on after an interruption |
//! | [`run_record`], [`plot`] | what is written beside a network |
//! | [`check`] | a finished network on held-out positions |
//! | [`benchmark`] | how fast it is |
//!
//! The design follows what authors of chess engines have found (bullet by Jamie Whiting is the trainer that most use);
//! numbers of our own are in `docs/networks.md`.

mod batch;
pub mod benchmark;
pub mod check;
pub mod checkpoint;
pub mod dataset;
mod kernels;
mod order;
pub mod plot;
pub mod quantise;
pub mod recipe;
pub mod run;
pub mod run_record;
mod target;
mod tensors;
pub mod trainer;
mod worker;

#[cfg(test)]
mod tests;
