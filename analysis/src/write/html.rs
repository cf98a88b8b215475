//! The page to step through analyzed games, which `chuhe_report` draws.

use chuhe_movegen::Color;
use chuhe_records::Record;
use chuhe_report::analysis::{AnalysisPage, render};
use chuhe_report::page::{GameView, LineView, Mark, MoveStudy, PlayerStudy, Reading, ShownScore, Study};
use chuhe_report::{Fact, Heading, Language};
use chuhe_rules::Ending;
use serde_json::Value;

use super::{Setup, words};
use crate::{Decision, GameAnalysis, Judgement, Line, MateNote, MoveAnalysis, Opening, PlayerSummary, Score};

/// A page of its own for these games, and for those that could not be analyzed: their ids, and why. It is called by the
/// number of its games; that of one game by its players, by its event or title when it does not name them, or by its id.
#[must_use]
pub fn page(setup: &Setup, games: Vec<GameView>, faults: Vec<(Value, String)>, reading: Reading) -> String {
    let title = match &games[..] {
        [game] => title_of(game),
        games => format!("{} {}", games.len(), reading.language.choose("局棋", "games")),
    };
    let faults = faults.into_iter().map(|(id, fault)| (super::id_text(&id), fault)).collect();
    let facts = vec![
        Fact::new("引擎", "Engine", &setup.engine),
        Fact::new("每着", "For each move", words::limits(&setup.limits, reading.language)),
        Fact::new("变例数", "Lines", setup.multi_pv.to_string()),
    ];
    render(&AnalysisPage { title, reading, facts, games, faults })
}

fn title_of(game: &GameView) -> String {
    let name = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
    match (game.red.is_empty() && game.black.is_empty(), &game.study) {
        (false, _) => format!("{} – {}", name(&game.red), name(&game.black)),
        (true, Some(Study { event, .. })) if !event.is_empty() => event.clone(),
        (true, Some(Study { source, .. })) => source.clone(),
        (true, None) => String::new(),
    }
}

/// What the page shows of a game: the record with its comments, and what was found out about it, what is said of its end in
/// this language. `analysis` must be of this record.
#[must_use]
pub fn view(id: &Value, record: &Record, analysis: &GameAnalysis, language: Language) -> GameView {
    let mut view = GameView::from(record);
    for (shown, played) in view.moves.iter_mut().zip(&analysis.moves) {
        shown.score = Some(score(played.score));
        shown.depth = Some(played.before.depth);
        shown.study = Some(move_study(played));
    }
    view.opening_plies = analysis.moves.iter().take_while(|played| played.is_book).count();
    match analysis.ended_by {
        // The reason says it.
        Some(Ending::Repetition(_)) => view.termination.clear(),
        Some(ending) => view.termination = words::ending(ending, language),
        None => {}
    }
    if let Some(ruling) = words::ruling(analysis, language) {
        view.reason = ruling;
    }
    for name in [&mut view.red, &mut view.black] {
        if name.trim() == "?" {
            name.clear();
        }
    }
    view.study = Some(Study {
        source: super::id_text(id),
        event: words::event(&analysis.tags).join(", "),
        damage: analysis.damage.as_ref().map_or_else(String::new, |error| words::damage(error, language)),
        opening: analysis.opening.map_or_else(Heading::default, opening_heading),
        players: Color::ALL.map(|color| player_study(analysis.player(color))),
        kills: analysis.kills.iter().map(|kill| kill.name().into()).collect(),
        last_lines: analysis.last_position.iter().flat_map(|last| &last.lines).map(line).collect(),
    });
    view
}

fn opening_heading(opening: &Opening) -> Heading {
    let named = |language| format!("{} {}", opening.code, opening.full_name(language));
    Heading::new(named(Language::Chinese), named(Language::English))
}

fn move_study(played: &MoveAnalysis) -> MoveStudy {
    MoveStudy {
        red_chance: played.red_chances().win_probability(),
        loss: played.loss,
        mark: mark(played),
        lines: played.before.lines.iter().map(line).collect(),
    }
}

/// The most remarkable of what there is to be said.
fn mark(played: &MoveAnalysis) -> Option<Mark> {
    match played.mate {
        Some(MateNote::Missed(_)) => Some(Mark::MissedMate),
        _ => words::mark(played.judgement).or(played.is_book.then_some(Mark::Book)),
    }
}

fn player_study(summary: &PlayerSummary) -> PlayerStudy {
    PlayerStudy {
        moves: summary.moves,
        accuracy: summary.accuracy,
        average_loss: summary.average_loss,
        average_cp_loss: summary.average_cp_loss,
        best: summary.count(Judgement::Best),
        good: summary.count(Judgement::Good),
        inaccuracies: summary.count(Judgement::Inaccuracy),
        mistakes: summary.count(Judgement::Mistake),
        blunders: summary.count(Judgement::Blunder),
        missed_mates: summary.missed_mates,
        book: summary.book_moves,
    }
}

fn line(line: &Line) -> LineView {
    LineView { score: score(line.score), depth: line.depth, moves: line.moves.clone() }
}

fn score(score: Score) -> ShownScore {
    match (score, score.decided_in()) {
        (_, Some((Decision::Mate, moves))) => ShownScore::Mate(moves),
        (_, Some((Decision::Rule, moves))) => ShownScore::Rule(moves),
        (score, None) => ShownScore::Cp(score.capped_cp(i32::MAX)),
    }
}
