//! `chuhe eval`: the static evaluation of a position and its parts.

use std::io::{self, Write};

use chuhe_eval::network::{Network, NetworkBreakdown};
use chuhe_eval::{Breakdown, Evaluation, PHASE_MAX, Tapered, shown, wdl};
use chuhe_movegen::{Board, ByColor, Color, FILES, RANKS, Square};
use serde_json::{Map, Value, json};

use crate::evaluation::EvaluationArgs;
use crate::failure::CommandResult;
use crate::format::Format;
use crate::position::FenArgs;

/// Arguments of `chuhe eval`.
#[derive(clap::Args)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    position: FenArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub(crate) fn run(args: &EvalArgs) -> CommandResult {
    let board = args.position.playable()?;
    let evaluation = args.evaluation.load()?;
    let mut out = io::stdout().lock();
    match (&evaluation, args.format) {
        (Evaluation::HandWritten, Format::Text) => {
            let breakdown = Breakdown::of(&board);
            writeln!(out, "{board}")?;
            print_terms(&mut out, &breakdown)?;
            print_summary(&mut out, &board, &evaluation, breakdown.red_view)?;
        }
        (Evaluation::Network(network), Format::Text) => {
            let breakdown = NetworkBreakdown::of(network, &board);
            writeln!(out, "{board}")?;
            print_pieces(&mut out, &board, &breakdown)?;
            print_summary(&mut out, &board, &evaluation, breakdown.red_view)?;
        }
        (_, Format::Json) => writeln!(out, "{}", to_json(&board, &evaluation))?,
    }
    Ok(())
}

/// The terms of the hand-written evaluation.
fn print_terms(out: &mut impl Write, breakdown: &Breakdown) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "                        Red             Black              Red - Black")?;
    writeln!(out, "term                 mg      eg       mg      eg       mg      eg   tapered")?;
    for line in &breakdown.lines {
        let ByColor { red, black } = line.sides;
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
    let Tapered { mg, eg } = breakdown.total;
    writeln!(out, "{:<16} {:>32}   {mg:>+6}  {eg:>+6}    {:>+6}", "total", "", breakdown.red_view)?;
    writeln!(out)?;
    writeln!(out, "phase            {} of {PHASE_MAX}, from the middlegame to 0", breakdown.phase)
}

/// What each piece is worth to a network, where it stands, and what each output bucket makes of the position.
fn print_pieces(out: &mut impl Write, board: &Board, breakdown: &NetworkBreakdown) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "By how much Red's view would be lower without each piece:")?;
    writeln!(out)?;
    for rank in (0..RANKS as u8).rev() {
        write!(out, "{rank} ")?;
        for file in 0..FILES as u8 {
            let here = Square::from_coords(file, rank);
            let value = breakdown.pieces.iter().find(|(square, ..)| Some(*square) == here);
            match (value, here.and_then(|square| board.piece_at(square))) {
                (Some((_, piece, value)), _) => write!(out, " {piece}{value:<+6}")?,
                (None, Some(king)) => write!(out, " {king}      ")?,
                (None, None) => write!(out, " .      ")?,
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "   a       b       c       d       e       f       g       h       i")?;
    writeln!(out)?;
    if let [_, _, ..] = *breakdown.by_bucket {
        write!(out, "output buckets  ")?;
        for (bucket, value) in breakdown.by_bucket.iter().enumerate() {
            let is_used = bucket == breakdown.output_bucket;
            write!(out, "{}{value:+}{}", if is_used { " [" } else { " " }, if is_used { "]" } else { "" })?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The value itself, in all units.
fn print_summary(out: &mut impl Write, board: &Board, evaluation: &Evaluation, red_view: i32) -> io::Result<()> {
    let [win, draw, loss] = wdl(red_view).map(|chance| f64::from(chance) / 10.0);
    let mover_view = if board.side_to_move() == Color::Red { red_view } else { -red_view };
    writeln!(out, "evaluation       {evaluation}")?;
    writeln!(out, "Red's view       {:+} (100 = an even chance to win)", shown(red_view))?;
    writeln!(out, "chances          win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %")?;
    writeln!(out, "internal         {mover_view:+} for {}, to move", board.side_to_move())?;
    if board.in_check() {
        writeln!(out, "{} is in check: search never asks for the value of such a position", board.side_to_move())?;
    }
    Ok(())
}

fn to_json(board: &Board, evaluation: &Evaluation) -> Value {
    let (red_view, mut fields) = match evaluation {
        Evaluation::HandWritten => terms(&Breakdown::of(board)),
        Evaluation::Network(network) => pieces(network, &NetworkBreakdown::of(network, board)),
    };
    let common = json!({
        "fen": board.to_fen(),
        "side_to_move": if board.side_to_move() == Color::Red { "red" } else { "black" },
        "in_check": board.in_check(),
        "evaluation": evaluation.to_string(),
        "internal_red": red_view,
        "internal_mover": if board.side_to_move() == Color::Red { red_view } else { -red_view },
        "shown_red": shown(red_view),
        "wdl_red": wdl(red_view),
    });
    if let Value::Object(common) = common {
        fields.extend(common);
    }
    Value::Object(fields)
}

/// Red's view, and the terms of the hand-written evaluation.
fn terms(breakdown: &Breakdown) -> (i32, Map<String, Value>) {
    let score = |score: Tapered| json!({ "mg": score.mg, "eg": score.eg, "tapered": score.tapered(breakdown.phase) });
    let terms: Value = breakdown
        .lines
        .iter()
        .map(|line| json!({ "term": line.term.name(), "red": score(line.sides.red), "black": score(line.sides.black) }))
        .collect();
    let fields = [("phase", breakdown.phase.into()), ("terms", terms), ("total", score(breakdown.total))];
    (breakdown.red_view, fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
}

/// Red's view, and what the pieces are worth to a network.
fn pieces(network: &Network, breakdown: &NetworkBreakdown) -> (i32, Map<String, Value>) {
    let pieces: Value = breakdown
        .pieces
        .iter()
        .map(|(square, piece, value)| {
            json!({ "square": square.to_string(), "piece": piece.to_string(), "value_red": value })
        })
        .collect();
    let fields = [
        ("network", network.hash().to_string().into()),
        ("description", network.description().into()),
        ("pieces", pieces),
        ("output_bucket", breakdown.output_bucket.into()),
        ("by_bucket_red", breakdown.by_bucket.clone().into()),
    ];
    (breakdown.red_view, fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
}
