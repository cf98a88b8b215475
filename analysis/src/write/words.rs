//! What several forms of results say of a game, in English and in Chinese.

use chuhe_report::Language;
use chuhe_report::page::Mark;
use chuhe_rules::Ending;

use crate::{Judgement, Limits, MateNote, MoveAnalysis};

/// What a search might use.
pub(super) fn limits(limits: &Limits, language: Language) -> String {
    let Limits { depth, nodes, move_time } = limits;
    match language {
        Language::English => limits.to_string(),
        Language::Chinese if limits.is_unlimited() => "不限".to_owned(),
        Language::Chinese => {
            let depth = depth.map(|depth| format!("深度 {depth}"));
            let nodes = nodes.map(|nodes| format!("{nodes} 节点"));
            let time = move_time.map(|time| format!("{} 秒", time.as_secs_f64()));
            [depth, nodes, time].into_iter().flatten().collect::<Vec<_>>().join("、")
        }
    }
}

/// How a game ended, in a word or two.
pub(super) fn ending(ending: Ending, language: Language) -> String {
    let chinese = match ending {
        Ending::Checkmate(_) => "将死",
        Ending::Stalemate(_) => "困毙",
        Ending::Repetition(_) => "循环不变",
        Ending::NaturalLimit => "自然限着",
        Ending::DeadMaterial => "双方无进攻子力",
    };
    match language {
        Language::English => ending.name().replace('_', " "),
        Language::Chinese => chinese.to_owned(),
    }
}

/// The mark of a move that lost much.
pub(super) const fn mark(judgement: Judgement) -> Option<Mark> {
    match judgement {
        Judgement::Best | Judgement::Good => None,
        Judgement::Inaccuracy => Some(Mark::Inaccuracy),
        Judgement::Mistake => Some(Mark::Mistake),
        Judgement::Blunder => Some(Mark::Blunder),
    }
}

/// What a move is called that lost much, and how much: `blunder, lost 59.1 %`.
pub(super) fn lost(played: &MoveAnalysis, language: Language) -> Option<String> {
    let (name, percent) = (mark(played.judgement)?.name(language), 100.0 * played.loss);
    Some(match language {
        Language::English => format!("{name}, lost {percent:.1} %"),
        Language::Chinese => format!("{name}，胜率损失 {percent:.1} %"),
    })
}

/// What is to be said of a mate that is not seen from the score.
pub(super) fn mate(note: MateNote, language: Language) -> Option<String> {
    match (note, language) {
        (MateNote::Found(_), _) => None,
        (MateNote::Missed(moves), Language::English) => Some(format!("mate in {moves} missed")),
        (MateNote::Missed(moves), Language::Chinese) => Some(format!("错过 {moves} 步杀")),
        (MateNote::Allowed(moves), Language::English) => Some(format!("allows mate in {moves}")),
        (MateNote::Allowed(moves), Language::Chinese) => Some(format!("让对方有 {moves} 步杀")),
    }
}
