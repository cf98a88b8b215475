//! Chuhe, a xiangqi engine. Without arguments it speaks UCCI or UCI on standard input and output; the subcommands are
//! tools around it.

mod analyze;
mod bench;
mod book;
mod choice;
mod convert;
mod endgame;
mod eval;
mod evaluation;
mod failure;
mod format;
mod games;
mod judge;
mod lang;
mod r#match;
mod output;
mod paths;
mod perft;
mod platform;
mod progress;
mod screen;
mod solve;

use std::ffi::OsString;
use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::{CommandResult, Failure, say};

#[derive(Parser)]
#[command(version, about, after_help = "Without a command Chuhe waits for the commands of a GUI, in UCCI or UCI.")]
#[command(disable_help_subcommand = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Analyse games and positions, move by move
    Analyze(Box<analyze::AnalyzeArgs>),
    /// Search fixed positions; the node count is the fingerprint of the engine
    Bench(bench::BenchArgs),
    /// Count the leaves of the tree of legal moves
    Perft(perft::PerftArgs),
    /// Make opening books and ask them
    Book(book::BookArgs),
    /// Convert game files to other formats and encodings
    Convert(Box<convert::ConvertArgs>),
    /// Make endgame tables, check them and ask them
    Endgame(endgame::EndgameArgs),
    /// Show the static evaluation of a position and its parts
    Eval(eval::EvalArgs),
    /// Judge repetitions by the rules, with the class of every move and the reason
    Judge(judge::JudgeArgs),
    /// Play matches and tournaments between engines
    Match(Box<r#match::MatchArgs>),
    /// Solve mate puzzles
    Solve(solve::SolveArgs),
}

fn main() -> ExitCode {
    if let Err(code) = platform::require_cpu() {
        return code;
    }
    start_log();

    // A GUI waits for its engine: no argument, no parsing of arguments.
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let result = if arguments.len() <= 1 {
        session()
    } else {
        match Arguments::try_parse_from(arguments) {
            Ok(arguments) => run(&arguments.command),
            Err(error) => return refuse(&error),
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Has what the libraries tell written to standard error, a line for each, whatever it quotes. Silent unless `RUST_LOG` asks.
fn start_log() {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off"))
        .format(|out, record| {
            let message = record.args().to_string();
            writeln!(out, "[{:<5} {}] {}", record.level(), record.target(), chuhe_text::printable(&message))
        })
        .init();
}

/// The engine on standard input and output.
fn session() -> CommandResult {
    platform::ignore_interrupt_under_gui();
    chuhe_uci::run(BufReader::new(io::stdin()), io::stdout(), chuhe_uci::SessionConfig::default())
        .map_err(|error| Failure::Resources(format!("cannot start the engine: {error}")))
}

fn run(command: &Command) -> CommandResult {
    match command {
        Command::Analyze(args) => analyze::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Judge(args) => judge::run(args),
        Command::Match(args) => r#match::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Book(args) => book::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Endgame(args) => endgame::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Solve(args) => solve::run(args),
    }
}

/// Prints help and version where they were asked for, and what is wrong with the arguments on one line otherwise.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A reader that has gone away is no fault.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let message = first.split_whitespace().collect::<Vec<_>>().join(" ");
    say(&format!("{} (--help tells more)", message.trim_start_matches("error: ")));
    ExitCode::from(2)
}
