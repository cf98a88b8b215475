//! Headings: who plays, where, when, and how it ended.

use crate::{GameResult, fen};

/// Words in front of a colon, or in capitals in front of a blank, and the tags that they stand for.
const HEADINGS: [(&str, &[&str]); 23] = [
    ("Title", &["标题", "標題", "棋局", "局名", "对局", "對局", "title", "game"]),
    ("EventType", &["分类", "分類", "赛事类型"]),
    ("Event", &["赛事", "賽事", "比赛", "比賽", "比赛名称", "赛事名称", "棋赛", "event"]),
    ("Site", &["地点", "地點", "比赛地点", "site", "place"]),
    ("Date", &["日期", "时间", "時間", "比赛日期", "比赛时间", "对局时间", "date"]),
    ("Round", &["轮次", "輪次", "第几轮", "round"]),
    ("Red", &["红方", "紅方", "红", "紅", "先手", "红方棋手", "红方选手", "red", "white"]),
    ("RedTeam", &["红方团体", "红方单位", "红方队伍", "redteam"]),
    ("RedName", &["红方姓名"]),
    ("Black", &["黑方", "黑", "后手", "後手", "黑方棋手", "黑方选手", "black"]),
    ("BlackTeam", &["黑方团体", "黑方单位", "黑方队伍", "blackteam"]),
    ("BlackName", &["黑方姓名"]),
    ("Result", &["结果", "結果", "比赛结果", "对局结果", "result"]),
    ("Termination", &["结束方式", "結束方式"]),
    ("TimeControl", &["记时规则", "計時規則", "用时规则", "时限"]),
    ("Type", &["棋局类型", "棋局類型"]),
    ("Opening", &["开局", "開局", "布局", "佈局", "opening", "open"]),
    ("Variation", &["变例", "variation"]),
    ("ECCO", &["ecco"]),
    ("Annotator", &["评注", "評註", "讲评", "评论员", "评论", "annotator"]),
    ("Author", &["作者", "记谱", "author"]),
    ("Source", &["来源网站", "來源網站", "来源"]),
    ("FEN", &["fen", "局面"]),
];

/// Headings of the World Xiangqi Federation's files, which have no colon.
const CAPITALS: [&str; 12] =
    ["FORMAT", "GAME", "RED", "BLACK", "EVENT", "SITE", "DATE", "ROUND", "RESULT", "OPEN", "AUTHOR", "FEN"];

/// The tag that a heading stands for.
pub(super) fn tag_of(heading: &str) -> Option<&'static str> {
    let heading = heading.trim().to_ascii_lowercase();
    HEADINGS.iter().find(|(_, words)| words.contains(&heading.as_str())).map(|&(tag, _)| tag)
}

/// Tags and values of headings, of which a line may have several, or a position that stands alone.
pub(super) fn of_line(text: &str) -> Vec<(&'static str, String)> {
    if text.split_whitespace().next().is_some_and(fen::looks_like_board) {
        return vec![("FEN", text.to_owned())];
    }
    let with_colon = |text: &str| {
        let (heading, value) = text.split_once([':', '：'])?;
        Some((tag_of(heading)?, value.trim().to_owned()))
    };
    let Some(first) = with_colon(text) else {
        let capitals = text.split_once([' ', '\t']).filter(|(heading, _)| CAPITALS.contains(heading));
        // The notation, which `FORMAT` names, shows anyway.
        let tag = |heading| tag_of(heading).unwrap_or("Format");
        return capitals.map_or_else(Vec::new, |(heading, value)| with_rating(tag(heading), value));
    };
    let mut headings = vec![first];
    // `红方：甲  黑方：乙`: blanks within the first heading or a value stay what they are.
    let words: Vec<&str> = text.split_whitespace().collect();
    let starts: Vec<usize> = (1..words.len()).filter(|&index| with_colon(words[index]).is_some()).collect();
    if let Some(&second) = starts.first() {
        let of_words = |words: &[&str]| with_colon(&words.join(" "));
        let ends = starts.iter().skip(1).copied().chain([words.len()]);
        headings = of_words(&words[..second]).into_iter().collect();
        headings.extend(starts.iter().zip(ends).filter_map(|(&start, end)| of_words(&words[start..end])));
    }
    headings
}

/// A heading of PlayOK, which puts the rating behind the name: `RED name ; 1137 ;;`.
fn with_rating(tag: &'static str, value: &str) -> Vec<(&'static str, String)> {
    let mut parts = value.split(';').map(str::trim);
    let mut headings = vec![(tag, parts.next().unwrap_or_default().to_owned())];
    let rating = parts.next().filter(|rating| !rating.is_empty() && rating.bytes().all(|byte| byte.is_ascii_digit()));
    match (tag, rating) {
        ("Red", Some(rating)) => headings.push(("RedElo", rating.to_owned())),
        ("Black", Some(rating)) => headings.push(("BlackElo", rating.to_owned())),
        ("Red" | "Black", None) => {}
        _ => headings[0].1 = value.trim().to_owned(),
    }
    headings
}

/// Who played and how it ended, from a line such as `许银川 先胜 吕钦`, where the first has Red. Without 先 it does not show
/// who had Red.
pub(super) fn of_headline(text: &str) -> Option<[(&'static str, String); 3]> {
    const LONGEST_NAME: usize = 20;
    const WORDS: [(&str, GameResult); 5] = [
        ("先胜", GameResult::RedWins),
        ("先勝", GameResult::RedWins),
        ("先负", GameResult::BlackWins),
        ("先負", GameResult::BlackWins),
        ("先和", GameResult::Draw),
    ];
    let (word, result) = WORDS.into_iter().find(|(word, _)| text.contains(word))?;
    let (red, black) = text.split_once(word)?;
    let red = match red.strip_prefix('第').and_then(|rest| rest.split_once('局')) {
        Some((_, behind)) => behind.trim_start_matches(|c: char| c.is_whitespace() || "：:、.．".contains(c)),
        None => red,
    };
    let (red, black) = (red.trim(), black.trim());
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().count() <= LONGEST_NAME
            && !name.contains(['，', '。', ',', '；', '：', ':', '（', '(', '红', '紅', '黑'])
    };
    (is_name(red) && is_name(black))
        .then(|| [("Red", red.to_owned()), ("Black", black.to_owned()), ("Result", result.as_str().to_owned())])
}

/// Whether a line is a heading such as `第二局`, or `第3局 甲 和 乙`.
pub(super) fn numbers_game(text: &str) -> bool {
    const LONGEST: usize = 30;
    const LONGEST_NUMBER: usize = 5;
    let number = text.strip_prefix('第').and_then(|rest| rest.split_once(['局', '盘', '盤']));
    number.is_some_and(|(number, _)| (1..=LONGEST_NUMBER).contains(&number.trim().chars().count()))
        && text.chars().count() <= LONGEST
        && !text.contains(['，', '。', '；'])
}

/// The result that a text means which says nothing else: `红胜`, `（双方议和）`, `1-0`.
pub(super) fn result_alone(text: &str) -> Option<GameResult> {
    const LONGEST: usize = 16;
    const CHARACTERS: &str = "红紅黑方先后後手胜勝负負赢贏输輸和平棋局势勢了双雙议議战戰握言成作判定弈终終最结結果以获獲而告认認\
        超时時逾违違例本此致杀殺绝絕困毙斃不变變同意提出主动動投降中盘盤";
    let inner = text.trim_matches(|c: char| c.is_whitespace() || "()（）[]【】。.！!，,".contains(c));
    if let Ok(result) = inner.parse() {
        return Some(result);
    }
    let is_about_results = |c: char| CHARACTERS.contains(c) || c.is_whitespace() || "：:，,（）()".contains(c);
    let result = GameResult::of_words(inner);
    (result.is_known() && inner.chars().count() <= LONGEST && !inner.is_ascii() && inner.chars().all(is_about_results))
        .then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_alone() {
        for (text, result) in [
            ("红胜", GameResult::RedWins),
            ("（红先胜）", GameResult::RedWins),
            ("双方议和。", GameResult::Draw),
            ("和棋", GameResult::Draw),
            ("结果：和", GameResult::Draw),
            ("0-1", GameResult::BlackWins),
            ("*", GameResult::Unknown),
        ] {
            assert_eq!(result_alone(text), Some(result), "{text}");
        }
        for text in [
            "吕钦 和 李来群",
            "吕钦和李来群",
            "吕钦 先和 李来群",
            "第2局 甲 和 乙",
            "下一局：和棋",
            "许银川 先胜 吕钦",
            "d",
            "红优",
        ] {
            assert_eq!(result_alone(text), None, "{text}");
        }
    }

    #[test]
    fn headlines_name_players() {
        let red = |text| of_headline(text).map(|[(_, red), (_, black), (_, result)]| [red, black, result]);
        for (text, expected) in [
            ("许银川 先胜 吕钦", ["许银川", "吕钦", "1-0"]),
            ("第3局 吕钦先和李来群", ["吕钦", "李来群", "1/2-1/2"]),
            ("第一局：北方 甲 先负 南方 乙", ["北方 甲", "南方 乙", "0-1"]),
        ] {
            assert_eq!(red(text), Some(expected.map(str::to_owned)), "{text}");
        }
        for text in ["许银川 胜 吕钦", "红先胜", "先胜", "此局红方先胜，后来", "甲 先胜"] {
            assert_eq!(red(text), None, "{text}");
        }
    }
}
