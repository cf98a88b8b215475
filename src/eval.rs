//! `chuhe eval`: the static evaluation of a position and its parts.

use std::io::{self, Write};

use chuhe_eval::{Breakdown, PHASE_MAX, Score, shown, wdl};
use chuhe_movegen::{Board, Color};
use serde_json::json;

use crate::failure::{CommandResult, Failure};
use crate::format::Format;

/// Arguments of `chuhe eval`.
#[derive(clap::Args)]
pub(crate) struct EvalArgs {
    /// The position; the start position if not given
    #[arg(long, default_value = Board::START_FEN, hide_default_value = true)]
    fen: String,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub(crate) fn run(args: &EvalArgs) -> CommandResult {
    let board = Board::from_fen(&args.fen).map_err(|error| Failure::Usage(format!("--fen: {error}")))?;
    let breakdown = Breakdown::of(&board);
    let mut out = io::stdout().lock();
    match args.format {
        Format::Text => print_table(&mut out, &board, &breakdown)?,
        Format::Json => writeln!(out, "{}", to_json(&board, &breakdown))?,
    }
    Ok(())
}

fn print_table(out: &mut impl Write, board: &Board, breakdown: &Breakdown) -> io::Result<()> {
    writeln!(out, "{board}")?;
    writeln!(out)?;
    writeln!(out, "                        Red             Black              Red - Black")?;
    writeln!(out, "term                 mg      eg       mg      eg       mg      eg   tapered")?;
    for line in &breakdown.lines {
        let [red, black] = line.sides;
        let difference = line.difference();
        writeln!(
            out,
            "{:<16} {:>6}  {:>6}   {:>6}  {:>6}   {:>+6}  {:>+6}    {:>+6}",
            line.term,
            red.mg,
            red.eg,
            black.mg,
            black.eg,
            difference.mg,
            difference.eg,
            difference.tapered(breakdown.phase)
        )?;
    }
    let Score { mg, eg } = breakdown.total;
    writeln!(out, "{:<16} {:>32}   {mg:>+6}  {eg:>+6}    {:>+6}", "total", "", breakdown.red_view)?;
    writeln!(out)?;
    let [win, draw, loss] = wdl(breakdown.red_view);
    writeln!(out, "phase            {} of {PHASE_MAX}, from the middlegame to 0", breakdown.phase)?;
    writeln!(out, "Red's view       {:+} (100 = an even chance to win)", shown(breakdown.red_view))?;
    writeln!(
        out,
        "chances          win {:.1} %, draw {:.1} %, loss {:.1} %",
        f64::from(win) / 10.0,
        f64::from(draw) / 10.0,
        f64::from(loss) / 10.0
    )?;
    writeln!(out, "internal         {:+} for {}, to move", breakdown.mover_view, board.side_to_move())?;
    if board.in_check() {
        writeln!(out, "{} is in check: search never asks for the value of such a position", board.side_to_move())?;
    }
    Ok(())
}

fn to_json(board: &Board, breakdown: &Breakdown) -> serde_json::Value {
    let score = |score: Score| json!({ "mg": score.mg, "eg": score.eg, "tapered": score.tapered(breakdown.phase) });
    let terms: Vec<_> = breakdown
        .lines
        .iter()
        .map(|line| json!({ "term": line.term.name(), "red": score(line.sides[0]), "black": score(line.sides[1]) }))
        .collect();
    json!({
        "fen": board.to_fen(),
        "side_to_move": if board.side_to_move() == Color::Red { "red" } else { "black" },
        "in_check": board.in_check(),
        "phase": breakdown.phase,
        "terms": terms,
        "total": score(breakdown.total),
        "internal_red": breakdown.red_view,
        "internal_mover": breakdown.mover_view,
        "shown_red": shown(breakdown.red_view),
        "wdl_red": wdl(breakdown.red_view),
    })
}
