//! What the page's program says, in one language.

use serde::Serialize;

use super::study::Mark;
use crate::Language;

/// The words of `viewer.js`, which reads them as JSON. In `{…}` stands what it fills in.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Words {
    /// Where this language stands among names in Chinese and in English.
    place: usize,
    /// What players without names are called.
    red: &'static str,
    black: &'static str,
    /// Headings of the moves' columns.
    #[serde(rename = "move")]
    mv: &'static str,
    score: &'static str,
    depth: &'static str,
    time: &'static str,
    clock: &'static str,
    /// Names of the graphs, of the bar below the board, and of a line's depth.
    win_probability: &'static str,
    scores: &'static str,
    balance: &'static str,
    at_depth: &'static str,
    best: &'static str,
    /// Between what is told and its reason.
    colon: &'static str,
    /// The list of games.
    count: &'static str,
    first_listed: &'static str,
    marks: Vec<MarkWords>,
    summary: Vec<Row>,
}

/// A mark's name in the data, its sign and what it is called.
#[derive(Serialize)]
struct MarkWords(&'static str, &'static str, &'static str);

/// A line of the summary: its key in the data, what it is called, and the mark that it counts.
#[derive(Serialize)]
struct Row(&'static str, &'static str, Option<&'static str>);

impl Words {
    /// All words in this language.
    pub(super) fn new(language: Language) -> Words {
        let say = |chinese, english| language.choose(chinese, english);
        let row = |key, chinese, english| Row(key, say(chinese, english), None);
        let marked = |key, chinese, english, mark: Mark| Row(key, say(chinese, english), Some(mark.key()));
        Words {
            place: language.choose(0, 1),
            red: say("红方", "Red"),
            black: say("黑方", "Black"),
            mv: say("着法", "move"),
            score: say("红方分数", "Red's score"),
            depth: say("深度", "depth"),
            time: say("用时", "time"),
            clock: say("剩余时间", "clock"),
            win_probability: say("红方胜率", "Red's win probability"),
            scores: say("分数", "scores"),
            balance: say("红方 {red}，黑方 {black}", "Red {red}, Black {black}"),
            at_depth: say("深度 {depth}", "depth {depth}"),
            best: say("最佳：", "best: "),
            colon: say("：", ": "),
            count: say("{listed} 局，共 {all} 局", "{listed} of {all} games"),
            first_listed: say("，列出前 {most} 局", ", the first {most} listed"),
            marks: Mark::ALL
                .iter()
                .map(|mark| MarkWords(mark.key(), mark.sign(language), mark.name(language)))
                .collect(),
            summary: vec![
                row("accuracy", "准确率", "Accuracy"),
                row("loss", "平均胜率损失", "Average loss"),
                row("cp", "平均分数损失", "Average centipawn loss"),
                row("best", "最佳", "Best"),
                row("good", "良好", "Good"),
                marked("inaccuracies", "缓着", "Inaccuracies", Mark::Inaccuracy),
                marked("mistakes", "错着", "Mistakes", Mark::Mistake),
                marked("blunders", "漏着", "Blunders", Mark::Blunder),
                marked("missed", "漏杀", "Missed mates", Mark::MissedMate),
                row("book", "谱着", "Book moves"),
                row("moves", "着数", "Moves"),
            ],
        }
    }
}
