//! The inner loops. Every kernel gives the same numbers, bit for bit: sums of the hidden layer wrap around at 16 bits,
//! the output layer is exact.

pub(crate) mod scalar;
