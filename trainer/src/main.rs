//! `chuhe-train`: fits the numbers of the evaluation to games.

mod seed;
mod weights;

fn main() {
    print!("{}", weights::to_source(&seed::weights(), "hand-written start (`chuhe-train seed-hce`)"));
}
