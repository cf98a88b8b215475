//! What several forms of results say of a game, in English and in Chinese.

use chuhe_records::Tags;
use chuhe_report::Language;
use chuhe_report::page::Mark;
use chuhe_report::ruling::Explanation;
use chuhe_rules::Ending;

use crate::{GameAnalysis, Judgement, Limits, MateNote, MoveAnalysis};

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

/// What a record says of where and when it was played: event, title, date, as far as it does.
pub(super) fn event(tags: &Tags) -> Vec<&str> {
    let is_said = |text: &&str| !matches!(text.trim(), "" | "?" | "????.??.??");
    let mut all: Vec<&str> =
        [tags.event(), tags.get("Title"), tags.date()].into_iter().flatten().filter(is_said).collect();
    all.dedup();
    all
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

/// What the rules say of the game's repetition, if it has one; that it ended nothing where the record goes on.
pub(super) fn ruling(analysis: &GameAnalysis, language: Language) -> Option<String> {
    analysis.ruling.repetition.as_ref()?;
    let sentence = Explanation::new(&analysis.game(), &analysis.ruling, language).sentence;
    Some(match (analysis.played_through(), language) {
        (None, _) => sentence,
        (Some(moves), Language::English) => {
            format!(
                "After half-move {moves} a position had occurred for the third time, but the record continues. {sentence}"
            )
        }
        (Some(moves), Language::Chinese) => format!("第{moves}个半回合后局面第三次出现，而记录仍在继续。{sentence}"),
    })
}

/// That a record is not whole.
pub(super) fn damage(error: &str, language: Language) -> String {
    match language {
        Language::English => format!("The record is damaged and is analyzed up to the damage: {error}"),
        Language::Chinese => format!("棋谱有损，只分析可读部分：{error}"),
    }
}

/// What a move is called that lost much, and how much: `blunder, lost 59.1 %`.
pub(super) fn lost(played: &MoveAnalysis, language: Language) -> Option<String> {
    let mark = mark(played.judgement)?;
    let (name, percent) = (mark.name(language), 100.0 * played.loss);
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

/// Whether one of these words of ours stands between two commas, in either language, and which glyph of PGN goes with it.
pub(super) fn own(text: &str) -> Option<Option<u8>> {
    const LANGUAGES: [Language; 2] = [Language::English, Language::Chinese];
    let word = text.split_once("，胜率损失 ").map_or(text, |(word, _)| word);
    let is = |mark: Mark| LANGUAGES.iter().any(|&language| word == mark.name(language));
    let slips = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];
    if let Some(slip) = slips.into_iter().find(|&slip| mark(slip).is_some_and(is)) {
        return Some(slip.nag());
    }
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_between = |before: &str, after: &str| {
        text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some_and(digits)
    };
    let is_own = is(Mark::Book)
        || is_between("lost ", " %")
        || is_between("mate in ", " missed")
        || is_between("allows mate in ", "")
        || is_between("错过 ", " 步杀")
        || is_between("让对方有 ", " 步杀");
    is_own.then_some(None)
}
