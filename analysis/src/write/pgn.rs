//! The game with evaluations, glyphs and better moves.
//!
//! Behind each move stands a comment in the form that match programs write and most viewers read: the mover's score, in
//! hundredths or as `M` with the half-moves to mate, over the depth, then words. A move that lost much has its glyph (`$6`
//! for `?!`, `$2` for `?`, `$4` for `??`) and the lines that were better as variations. What the record said before stays,
//! but for what an earlier analysis of ours said.

use std::fmt::Write as _;

use chuhe_movegen::{Color, Move};
use chuhe_records::{GameTree, NodeId, Record, Tags};
use chuhe_report::Language;
use chuhe_report::page::Mark;

use super::{Setup, words};
use crate::{Decision, GameAnalysis, Line, MoveAnalysis, Opening, Score};

/// How much of a better line is shown, in half-moves.
const MAX_VARIATION: usize = 12;

/// The end of what we call ourselves as an annotator.
const A_MOVE: &str = " a move";

/// The record with what was found out about it, in the words of this language. `analysis` must be of this record.
#[must_use]
pub fn annotated(record: &Record, setup: &Setup, analysis: &GameAnalysis, language: Language) -> Record {
    let mut annotated = record.clone();
    if record.tags.get("Annotator").is_some_and(|name| name.ends_with(A_MOVE)) {
        forget_own_remarks(&mut annotated.tree);
    }
    let mut parent = NodeId::ROOT;
    for played in &analysis.moves {
        let Some(node) = annotated.tree.next(parent) else { break };
        annotate(&mut annotated, parent, node, played, language);
        parent = node;
    }
    if let Some(error) = &analysis.damage {
        annotated.tree.append_comment(parent, &words::damage(error, language));
    }
    let tags = &mut annotated.tags;
    tags.set("Annotator", format!("{}, {}{A_MOVE}", setup.engine, setup.limits));
    if let Some(opening) = analysis.opening {
        name_opening(tags, opening);
    }
    for (tag, color) in [("RedAccuracy", Color::Red), ("BlackAccuracy", Color::Black)] {
        if let Some(percent) = analysis.player(color).accuracy {
            tags.set(tag, format!("{percent:.1}"));
        }
    }
    annotated
}

/// Says what the opening is, as far as the record does not; what the record says otherwise is not gone into further.
fn name_opening(tags: &mut Tags, opening: &Opening) {
    let variation = opening.variation.map_or("", |variation| variation.chinese);
    for (tag, value) in [("ECCO", opening.code), ("Opening", opening.name.chinese), ("Variation", variation)] {
        match tags.get(tag) {
            None | Some("") if value.is_empty() => {}
            None | Some("") => tags.set(tag, value.to_owned()),
            Some(said) if said == value => {}
            Some(_) => break,
        }
    }
}

/// Takes out what an earlier analysis has written: evaluations, words and the glyphs that go with them. Its variations are
/// lines like others, and stay.
fn forget_own_remarks(tree: &mut GameTree) {
    let nodes: Vec<NodeId> = tree.walk().map(|(_, node)| node).collect();
    for node in nodes {
        let Some((own, rest)) = own_remark(tree.comment(node)) else {
            if let Some(rest) = without_players_score(tree.comment(node)) {
                let rest = rest.to_owned();
                tree.set_comment(node, rest);
            }
            continue;
        };
        let nags = tree.nags(node).iter().copied().filter(|&nag| !own.contains(&Some(nag))).collect();
        let rest = rest.to_owned();
        tree.set_comment(node, rest);
        tree.set_nags(node, nags);
    }
}

/// What a match says of a move (`+0.04/9 0.123s, tl=1.9s`) without the player's own score, beside which that of the analysis
/// could not be told apart.
fn without_players_score(comment: &str) -> Option<&str> {
    let (score, rest) = comment.split_once(' ')?;
    let (time, _) = rest.split_once(", ").unwrap_or((rest, ""));
    let is_time = time.strip_suffix('s').is_some_and(|time| time.parse::<f64>().is_ok());
    (is_time && own_remark(score).is_some()).then_some(rest)
}

/// The glyphs that go with the remark of ours that a comment begins with, and the rest of the comment; `None` when there is
/// no such remark.
fn own_remark(comment: &str) -> Option<(Vec<Option<u8>>, &str)> {
    let (evaluation, mut rest) = comment.split_once(", ").unwrap_or((comment, ""));
    let (score, depth) = evaluation.strip_prefix(['+', '-'])?.split_once('/')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_score = match score.strip_prefix('M') {
        Some(plies) => is_number(plies),
        None => score.split_once('.').is_some_and(|(whole, cents)| is_number(whole) && is_number(cents)),
    };
    if !is_score || !is_number(depth) {
        return None;
    }
    let mut glyphs = Vec::new();
    while !rest.is_empty() {
        let (words, behind) = rest.split_once(", ").unwrap_or((rest, ""));
        let Some(glyph) = words::own(words) else { break };
        glyphs.push(glyph);
        rest = behind;
    }
    Some((glyphs, rest))
}

fn annotate(record: &mut Record, parent: NodeId, node: NodeId, played: &MoveAnalysis, language: Language) {
    let said = record.tree.comment(node).trim().to_owned();
    let mut comment = evaluation(played.score, played.before.depth);
    if played.is_book {
        let _ = write!(comment, ", {}", Mark::Book.name(language));
    }
    for words in
        [words::lost(played, language), played.mate.and_then(|note| words::mate(note, language))].into_iter().flatten()
    {
        let _ = write!(comment, ", {words}");
    }
    if !said.is_empty() {
        let _ = write!(comment, ", {said}");
    }
    record.tree.set_comment(node, comment);
    let Some(nag) = played.judgement.nag() else { return };
    if !record.tree.nags(node).contains(&nag) {
        record.tree.add_nag(node, nag);
    }
    for line in played.before.lines.iter().filter(|line| line.moves.first() != Some(&played.mv)) {
        add_variation(record, parent, line);
    }
}

/// Adds a line in place of the main move, unless the record has it. Where it has the beginning, the rest is added there.
fn add_variation(record: &mut Record, parent: NodeId, line: &Line) {
    let tree = &mut record.tree;
    let child = |tree: &GameTree, parent, mv: Move| tree.children(parent).find(|&id| tree.mv(id) == Some(mv));
    let mut at = parent;
    for (index, &mv) in line.moves.iter().take(MAX_VARIATION).enumerate() {
        at = child(tree, at, mv).unwrap_or_else(|| tree.add(at, mv));
        if index == 0 {
            let said = tree.comment(at).trim().to_owned();
            let comment = evaluation(line.score, line.depth);
            tree.set_comment(at, if said.is_empty() { comment } else { format!("{comment}, {said}") });
        }
    }
}

/// `+0.35/12`, `-M4/9`. What is decided by rule counts as hopeless, not as mated.
fn evaluation(score: Score, depth: u32) -> String {
    const BY_RULE: i32 = 20_000;
    let cp = match score {
        Score::Win { by: Decision::Mate, plies } => return format!("+M{plies}/{depth}"),
        Score::Loss { by: Decision::Mate, plies } => return format!("-M{plies}/{depth}"),
        score => score.capped_cp(BY_RULE),
    };
    format!("{}/{depth}", Score::Cp(cp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_of_a_player_makes_room_for_that_of_the_analysis() {
        assert_eq!(without_players_score("+0.04/9 0.123s, tl=1.9s, n=7"), Some("0.123s, tl=1.9s, n=7"));
        assert_eq!(without_players_score("-M3/12 0.001s"), Some("0.001s"));
        for comment in ["book", "+0.04/9", "+0.04/9, better", "good move 5s", ""] {
            assert_eq!(without_players_score(comment), None, "{comment}");
        }
    }
}
