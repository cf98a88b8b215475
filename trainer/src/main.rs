//! `chuhe-train`: makes the numbers of the evaluation from games of the engine against itself.

#![forbid(unsafe_code)]

mod commands;
mod display;
mod failure;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Makes the weights of Chuhe's evaluation from games of the engine against itself.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of the engine against itself into a game file
    Datagen(commands::datagen::DatagenArgs),
    /// Validate game files and show what they hold
    Inspect(commands::inspect::InspectArgs),
    /// Make a suite of openings for matches: random moves with a score within a window, as lines of moves
    Openings(commands::openings::OpeningsArgs),
    /// Search the positions of a game file again for new scores; moves and results stay
    Rescore(commands::rescore::RescoreArgs),
    /// Train a network on games
    Train(Box<commands::train::TrainArgs>),
    /// Compare a network's evaluation with the hand-written one on games
    Check(commands::check::CheckArgs),
    /// Write the hand-made start weights of the evaluation as a source file
    SeedHce(commands::seed_hce::SeedHceArgs),
    /// Tune all weights of the hand-written evaluation and write them as a source file
    #[command(after_help = commands::DATA_HELP)]
    TuneHce(commands::tune_hce::TuneHceArgs),
    /// Fit the constants of the model that turns scores into chances to win, draw and lose
    #[command(after_help = commands::DATA_HELP)]
    FitWdl(commands::fit_wdl::FitWdlArgs),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Datagen(args) => commands::datagen::run(args),
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Openings(args) => commands::openings::run(args),
        Command::Rescore(args) => commands::rescore::run(args),
        Command::Train(args) => commands::train::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::SeedHce(args) => commands::seed_hce::run(args),
        Command::TuneHce(args) => commands::tune_hce::run(args),
        Command::FitWdl(args) => commands::fit_wdl::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
