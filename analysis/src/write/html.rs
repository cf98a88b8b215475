//! The page to step through analysed games, which `chuhe_report` draws.

use chuhe_movegen::Color;
use chuhe_records::Record;
use chuhe_report::analysis::{AnalysisPage, render};
use chuhe_report::page::{GameView, LineView, Mark, MoveStudy, PlayerStudy, Score as ShownScore, Study};
use chuhe_report::ruling::{Explanation, Language};
use chuhe_report::{Fact, Heading};

use super::{Setup, ending_name};
use crate::{Decision, GameAnalysis, Judgement, Line, MateNote, MoveAnalysis, PlayerSummary, Score};

/// A page of its own for these games.
#[must_use]
pub fn page(title: &str, setup: &Setup, games: Vec<GameView>) -> String {
    let facts = vec![
        Fact::new("引擎", "Engine", &setup.engine),
        Fact::new("每着", "For each move", setup.limits.to_string()),
        Fact::new("变例", "Lines", setup.multi_pv.to_string()),
    ];
    render(&AnalysisPage { title: title.to_owned(), facts, games })
}

/// What the page shows of a game: the record with its comments, and what was found out about it. `analysis` must be of
/// this record.
#[must_use]
pub fn view(record: &Record, analysis: &GameAnalysis) -> GameView {
    let mut view = GameView::from(record);
    for (shown, played) in view.moves.iter_mut().zip(&analysis.moves) {
        shown.score = Some(score(played.score));
        shown.depth = Some(played.before.depth);
        shown.study = Some(move_study(played));
    }
    view.opening_plies = analysis.moves.iter().take_while(|played| played.is_book).count();
    let ruling = &analysis.ruling;
    if let Some(ending) = ruling.ended_by {
        view.termination = ending_name(ending).replace('_', " ");
    }
    if ruling.repetition.is_some() {
        view.reason = Explanation::new(&analysis.game(), ruling, Language::English).sentence;
    }
    let tags = &analysis.tags;
    let event: Vec<&str> = [tags.event(), tags.date()].into_iter().flatten().filter(|text| *text != "?").collect();
    view.study = Some(Study {
        event: event.join(", "),
        opening: analysis.opening.as_ref().map_or_else(Heading::default, |opening| {
            Heading::new(format!("{} {}", opening.code, opening.name.chinese), opening.name.english.clone())
        }),
        players: Color::ALL.map(|color| player_study(analysis.player(color))),
        kills: analysis.kills.iter().map(|kill| Heading::new(kill.chinese(), kill.english())).collect(),
        last_lines: analysis.last_position.iter().flat_map(|last| &last.lines).map(line).collect(),
    });
    view
}

fn move_study(played: &MoveAnalysis) -> MoveStudy {
    let red_chances = match played.mover {
        Color::Red => played.chances,
        Color::Black => played.chances.seen_by_other(),
    };
    MoveStudy {
        red_chance: red_chances.win_probability(),
        loss: played.loss,
        mark: mark(played),
        lines: played.before.lines.iter().map(line).collect(),
    }
}

/// The most remarkable of what there is to be said.
fn mark(played: &MoveAnalysis) -> Option<Mark> {
    match (played.mate, played.judgement) {
        (Some(MateNote::Missed(_)), _) => Some(Mark::MissedMate),
        (_, Judgement::Blunder) => Some(Mark::Blunder),
        (_, Judgement::Mistake) => Some(Mark::Mistake),
        (_, Judgement::Inaccuracy) => Some(Mark::Inaccuracy),
        (_, Judgement::Best | Judgement::Good) => played.is_book.then_some(Mark::Book),
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
