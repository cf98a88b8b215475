//! Finding out what an engine speaks, once, before any game.
//!
//! The words `uci`, `ucci` and `xboard` are tried in this order, each on a process of its own, because some engines
//! leave at a word they do not know. So an engine that knows both UCI and UCCI is spoken to in UCI, which says more
//! exactly what scores, mates and times mean; who wants its draw offers and the full meaning of banned moves asks for
//! `proto=ucci`.
//!
//! Whether an engine counts ranks from 0 or from 1 (Sjaak II does that even in UCCI) is told by its move in a position
//! where no legal move can be read both ways. The same move shows whether it has understood the letters of the FEN: in
//! the start position, which an engine keeps that has not, none of these moves is legal.

use std::time::Duration;

use chuhe_movegen::Board;
use chuhe_protocol::{Dialect, Ranks, WireMove};

use crate::player::{Fault, FaultKind};
use crate::process::Launch;
use crate::session::{READY_PATIENCE, seconds};
use crate::time_control::TimeControl;
use crate::universal::{Habits, Introduction, UniversalClient};
use crate::xboard::XboardClient;
use crate::{EngineSpec, FenLetters, Protocol};

/// A quiet position with horses and elephants; see the module's description and the tests.
const PROBE_FEN: &str = "3ak4/4a4/2n1b4/9/9/9/9/2N1B4/4A4/3AK4 w - - 0 1";
/// How long an engine may take to understand a FEN, and to make a move at depth 1.
const PROBE_PATIENCE: Duration = Duration::from_secs(2);

/// What has been found out about an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detected {
    /// What it speaks.
    pub protocol: Protocol,
    /// What it calls itself.
    pub id: Option<String>,
    /// How it counts ranks.
    pub ranks: Ranks,
    /// How it writes a FEN.
    pub letters: FenLetters,
    /// Whether a game can begin elsewhere than at the start position.
    pub takes_fen: bool,
    /// Options of the description that it has not announced. It may know them all the same; under XBoard they are not
    /// sent.
    pub unknown_options: Vec<String>,
}

impl Detected {
    /// Whether the protocol has words for this time control.
    ///
    /// # Errors
    /// [`FaultKind::Refusal`], with what is missing.
    pub fn check_time_control(&self, control: &TimeControl) -> Result<(), Fault> {
        let limits = control.limits;
        let whole_seconds = |time: Duration| time.subsec_nanos() == 0;
        let detail = match self.protocol {
            Protocol::Xboard if limits.nodes.is_some() => "xboard engines know no limit of nodes",
            Protocol::Xboard if limits.move_time.is_some_and(|time| !whole_seconds(time)) => {
                "xboard engines take a time for each move in whole seconds only"
            }
            Protocol::Xboard if limits.move_time.is_some() && control.clock.is_some() => {
                "xboard engines take either a clock or a time for each move"
            }
            _ => return Ok(()),
        };
        Err(Fault { kind: FaultKind::Refusal, detail: detail.to_owned(), dialogue: Vec::new() })
    }
}

/// Starts an engine, finds out what the description leaves open, and ends it.
///
/// # Errors
/// [`Fault`] with one line that says why this engine cannot play: there is no such program, it says nothing for 10
/// seconds, it does not know xiangqi.
pub fn detect(spec: &EngineSpec, launch: &Launch) -> Result<Detected, Fault> {
    if let Some(protocol) = spec.protocol {
        return try_protocol(spec, protocol, launch, READY_PATIENCE);
    }
    let mut faults = Vec::new();
    // 10 seconds in all; most of them for the first, at whose word an engine may still be loading.
    for (protocol, patience) in [(Protocol::Uci, 4), (Protocol::Ucci, 3), (Protocol::Xboard, 3)] {
        match try_protocol(spec, protocol, launch, Duration::from_secs(patience)) {
            Ok(detected) => return Ok(detected),
            Err(fault) if fault.kind == FaultKind::NoStart => return Err(fault),
            Err(fault) => faults.push((protocol, fault)),
        }
    }
    Err(sum_up(faults))
}

/// One fault for an engine that none of the protocols suits.
fn sum_up(mut faults: Vec<(Protocol, Fault)>) -> Fault {
    // An engine that speaks a protocol but not xiangqi says most about itself.
    if let Some(at) = faults.iter().position(|(_, fault)| fault.kind == FaultKind::Refusal) {
        return faults.swap_remove(at).1;
    }
    let all: Vec<String> =
        faults.iter().map(|(protocol, fault)| format!("to `{protocol}`: {}", fault.detail)).collect();
    let dialogue = faults.into_iter().flat_map(|(_, fault)| fault.dialogue).collect();
    let patience = seconds(READY_PATIENCE);
    let detail = format!("answers none of `uci`, `ucci` and `xboard` within {patience} ({})", all.join("; "));
    Fault { kind: FaultKind::NoHandshake, detail, dialogue }
}

fn try_protocol(spec: &EngineSpec, protocol: Protocol, launch: &Launch, patience: Duration) -> Result<Detected, Fault> {
    match protocol {
        Protocol::Uci => detect_universal(spec, Dialect::Uci, launch, patience),
        Protocol::Ucci => detect_universal(spec, Dialect::Ucci, launch, patience),
        Protocol::Xboard => detect_xboard(spec, launch, patience),
    }
}

fn detect_universal(
    spec: &EngineSpec,
    dialect: Dialect,
    launch: &Launch,
    patience: Duration,
) -> Result<Detected, Fault> {
    let habits = Habits { ranks: spec.ranks.unwrap_or_default(), letters: spec.letters.unwrap_or_default() };
    let (mut client, introduction) = UniversalClient::start(spec, dialect, habits, launch, patience)?;
    client.clear()?;
    let found = find_habits(&mut client, spec.ranks, spec.letters);
    client.session().quit();
    let (ranks, letters) = found?;
    Ok(Detected {
        protocol: match dialect {
            Dialect::Ucci => Protocol::Ucci,
            Dialect::Uci => Protocol::Uci,
        },
        unknown_options: unknown_options(spec, &introduction),
        id: introduction.name,
        ranks,
        letters: letters.unwrap_or_default(),
        takes_fen: letters.is_some(),
    })
}

fn unknown_options(spec: &EngineSpec, introduction: &Introduction) -> Vec<String> {
    let names = spec.options.iter().map(|(name, _)| name);
    names.filter(|name| introduction.meant(name).is_none()).cloned().collect()
}

/// Ranks and letters; no letters when the engine understands no FEN.
fn find_habits(
    client: &mut UniversalClient,
    ranks: Option<Ranks>,
    letters: Option<FenLetters>,
) -> Result<(Ranks, Option<FenLetters>), Fault> {
    if let (Some(ranks), Some(letters)) = (ranks, letters) {
        return Ok((ranks, Some(letters)));
    }
    let board = Board::from_fen(PROBE_FEN).unwrap_or_else(|_| unreachable!("a test reads it"));
    let both = [FenLetters::KnightBishop, FenLetters::HorseElephant];
    for letters in both.into_iter().filter(|&candidate| letters.is_none_or(|letters| letters == candidate)) {
        let answer = client.probe(&format!("position fen {}", letters.apply(PROBE_FEN)), PROBE_PATIENCE)?;
        if let Some(found) = answer.and_then(|mv| counting(mv, &board, ranks)) {
            return Ok((found, Some(letters)));
        }
    }
    let answer = client.probe("position startpos", READY_PATIENCE)?;
    match answer.and_then(|mv| counting(mv, &Board::startpos(), ranks)) {
        Some(found) => Ok((found, None)),
        None => {
            let answer = answer.map_or_else(|| "no move".to_owned(), |mv| format!("`{mv}`"));
            let detail = format!("it answers {answer} at the start position, where that is not legal");
            Err(client.session().fault(FaultKind::Refusal, detail))
        }
    }
}

/// How ranks are counted by one who calls this a legal move.
fn counting(mv: WireMove, board: &Board, known: Option<Ranks>) -> Option<Ranks> {
    [Ranks::FromZero, Ranks::FromOne]
        .into_iter()
        .filter(|&ranks| known.is_none_or(|known| known == ranks))
        .find(|&ranks| mv.decode(ranks).is_some_and(|mv| board.legal_moves().contains(&mv)))
}

fn detect_xboard(spec: &EngineSpec, launch: &Launch, patience: Duration) -> Result<Detected, Fault> {
    let letters = spec.letters.unwrap_or(FenLetters::HorseElephant);
    let mut client = XboardClient::start(spec, letters, launch, patience)?;
    client.begin(&Board::startpos())?;
    let board = Board::from_fen(PROBE_FEN).unwrap_or_else(|_| unreachable!("a test reads it"));
    // Whatever the engine makes of this, it is asked to leave next.
    let takes_fen = client.begin(&board).is_ok();
    client.session().quit();
    let features = client.features();
    Ok(Detected {
        protocol: Protocol::Xboard,
        id: features.name.clone(),
        ranks: spec.ranks.unwrap_or_default(),
        letters,
        takes_fen,
        unknown_options: spec
            .options
            .iter()
            .map(|(name, _)| name)
            .filter(|name| !features.knows(name))
            .cloned()
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All legal moves as written by one who counts so.
    fn texts(fen: &str, ranks: Ranks) -> Vec<String> {
        let board = Board::from_fen(fen).unwrap();
        board.legal_moves().iter().map(|&mv| WireMove::new(mv, ranks).to_string()).collect()
    }

    #[test]
    fn a_move_of_the_probe_tells_how_it_is_counted_and_where_it_was_made() {
        let probes = [PROBE_FEN, Board::START_FEN].map(|fen| [Ranks::FromZero, Ranks::FromOne].map(|r| texts(fen, r)));
        let all: Vec<&Vec<String>> = probes.iter().flatten().collect();
        for (index, one) in all.iter().enumerate() {
            assert!(one.len() > 10, "{one:?}");
            for other in &all[index + 1..] {
                assert!(one.iter().all(|text| !other.contains(text)), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_is_known_is_not_guessed() {
        let board = Board::startpos();
        let mv: WireMove = "h3e3".parse().unwrap();
        assert_eq!(counting(mv, &board, None), Some(Ranks::FromOne));
        assert_eq!(counting(mv, &board, Some(Ranks::FromZero)), None);
    }
}
