//! Chuhe, a xiangqi engine. Without arguments it speaks UCCI or UCI on standard input and output; the subcommands are
//! tools around it.

mod analyze;
mod arguments;
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
mod manual;
mod r#match;
mod output;
mod paths;
mod perft;
mod platform;
mod position;
mod progress;
mod screen;
mod solve;

use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::process::ExitCode;

use arguments::Command;
use failure::{CommandResult, Failure};

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
        match arguments::parse(arguments) {
            Ok(command) => run(&command),
            Err(code) => return code,
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Writes what the libraries log to standard error, a line each, whatever it quotes. Silent unless `RUST_LOG` asks.
fn start_log() {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off"))
        .format(|out, record| {
            let message = record.args().to_string();
            writeln!(out, "[{:<5} {}] {}", record.level(), record.target(), chuhe_text::printable(&message))
        })
        .init();
}

/// What somebody reads who has started the engine at a terminal.
const GREETING: &str = concat!(
    "Chuhe ",
    env!("CARGO_PKG_VERSION"),
    ", a xiangqi engine. A GUI starts it and talks to it in UCCI or UCI.\n",
    "Type ucci or uci for its options, quit to leave. Games are analyzed, judged, converted and played by\n",
    "commands such as `chuhe analyze`; `chuhe --help` lists them.\n",
);

/// The engine on standard input and output.
fn session() -> CommandResult {
    platform::ignore_interrupt_under_gui();
    let is_at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_at_terminal {
        io::stdout().write_all(GREETING.as_bytes())?;
    }
    let config = chuhe_uci::SessionConfig { answers_unknown_words: is_at_terminal, ..Default::default() };
    chuhe_uci::run(BufReader::new(io::stdin()), io::stdout(), config)
        .map_err(|error| Failure::Resources(format!("cannot start the engine: {error}")))
}

fn run(command: &Command) -> CommandResult {
    match command {
        Command::Analyze(args) => analyze::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Judge(args) => judge::run(args),
        Command::Man(args) => manual::man(args),
        Command::Match(args) => r#match::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Book(args) => book::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Convert(args) => convert::run(args),
        Command::Endgame(args) => endgame::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Solve(args) => solve::run(args),
    }
}
