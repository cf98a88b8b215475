//! What the command line says, and what is wrong with it, in one line.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::failure::say;

#[derive(Parser)]
#[command(version, about, after_help = "Without a command Chuhe waits for the commands of a GUI, in UCCI or UCI.")]
#[command(disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The British spelling is understood, but neither shown nor suggested.
const ALIAS_OF_ANALYZE: &str = "analyse";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Analyze games and positions, move by move
    #[command(alias = ALIAS_OF_ANALYZE)]
    Analyze(Box<crate::analyze::AnalyzeArgs>),
    /// Search fixed positions; the node count is the fingerprint of the engine
    Bench(crate::bench::BenchArgs),
    /// Make opening books and look positions up in them
    Book(crate::book::BookArgs),
    /// Print the completions of a shell
    Completions(crate::manual::CompletionsArgs),
    /// Convert game files to other formats and encodings
    Convert(Box<crate::convert::ConvertArgs>),
    /// Make endgame tables, check them and look positions up in them
    Endgame(crate::endgame::EndgameArgs),
    /// Show the static evaluation of a position and its parts
    Eval(crate::eval::EvalArgs),
    /// Judge repetitions by the rules, with the class of every move and the reason
    Judge(crate::judge::JudgeArgs),
    /// Print the manual page, or write a page for each command
    Man(crate::manual::ManArgs),
    /// Play matches and tournaments between engines
    Match(Box<crate::r#match::MatchArgs>),
    /// Count the leaves of the tree of legal moves
    Perft(crate::perft::PerftArgs),
    /// Solve mate puzzles
    Solve(crate::solve::SolveArgs),
}

/// All commands with their arguments.
pub(crate) fn grammar() -> clap::Command {
    forgiving(Arguments::command())
}

/// Reads the command line. Help and version are printed here.
///
/// # Errors
/// The exit code, when there is no command to be carried out; what is wrong has been said.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Command, ExitCode> {
    let matches = grammar().try_get_matches_from(arguments);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(arguments.command),
        Err(error) if !error.use_stderr() => {
            // A reader that has gone away is no fault.
            let _ = error.print();
            Err(ExitCode::SUCCESS)
        }
        Err(error) => {
            say(&message(&error));
            Err(ExitCode::from(2))
        }
    }
}

/// The grammar with all that makes for better messages: a negative number is a value (a wrong one, perhaps) and not an unknown
/// flag, and a command without its subcommand is an error and not a request for help.
fn forgiving(command: clap::Command) -> clap::Command {
    command
        .arg_required_else_help(false)
        .mut_args(|arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(forgiving)
}

/// What is wrong with the arguments: the first paragraph and the tip of clap's error, on one line.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let fault = plain(paragraphs.next().unwrap_or_default().trim_start_matches("error: "));
    let tip = paragraphs.find_map(|text| {
        let (_, similar) = text.split_once("tip: ")?.1.split_once("similar")?;
        let names = similar.split('\'').skip(1).step_by(2);
        // An alias and its command are alike.
        let mut names: Vec<&str> = names.filter(|&name| name != ALIAS_OF_ANALYZE).collect();
        names.dedup();
        (!names.is_empty()).then(|| format!("; did you mean `{}`?", names.join("` or `")))
    });
    let more = if error.kind() == ErrorKind::ValueValidation { "" } else { " (see --help)" };
    format!("{fault}{}{more}", tip.unwrap_or_default())
}

/// The messages of the standard library and clap about numbers in words for everybody.
fn plain(fault: &str) -> String {
    let mut fault = fault.to_owned();
    for (technical, plain) in [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
    ] {
        fault = fault.replace(technical, plain);
    }
    match fault.split_once(" is not in ").and_then(|(before, range)| Some((before, range.split_once("..")?))) {
        Some((before, (low, high))) => match high.trim_start_matches('=').parse::<u64>() {
            Ok(high) if high < u64::from(u16::MAX) => format!("{before} is not in {low} to {high}"),
            _ => format!("{before} is less than {low}"),
        },
        None => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &str) -> String {
        let error = grammar().try_get_matches_from(line.split(' ')).expect_err(line);
        message(&error)
    }

    #[test]
    fn the_grammar_is_consistent() {
        grammar().debug_assert();
    }

    #[test]
    fn faults_are_told_in_plain_words() {
        for (line, expected) in [
            ("chuhe analyze --nodes 0", "invalid value '0' for '--nodes <NODES>': 0 is less than 1"),
            ("chuhe analyze --nodes many", "invalid value 'many' for '--nodes <NODES>': expected a whole number"),
            ("chuhe analyze --multipv 200", "invalid value '200' for '--multipv <MULTIPV>': 200 is not in 1 to 128"),
            ("chuhe perft abc", "invalid value 'abc' for '<DEPTH>': expected a whole number"),
        ] {
            assert_eq!(fault(line), expected);
        }
        assert!(fault("chuhe analyze --nodes -5").starts_with("invalid value '-5' for '--nodes <NODES>'"));
        let without = fault("chuhe book");
        assert!(without.contains("requires a subcommand") && without.contains("build, probe"), "{without}");
    }

    #[test]
    fn misspelt_words_bring_a_suggestion() {
        for (line, meant) in [
            ("chuhe analise", "analyze"),
            ("chuhe endgames", "endgame"),
            ("chuhe analyze --node 5", "--nodes"),
            ("chuhe convert --to chinse", "chinese"),
            ("chuhe match standing", "standings"),
        ] {
            let message = fault(line);
            assert!(message.contains(&format!("did you mean `{meant}`")), "{message}");
        }
        assert!(grammar().try_get_matches_from(["chuhe", "analyse"]).is_ok(), "British spelling");
    }
}
