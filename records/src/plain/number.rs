//! Numbers in front of moves, in the many ways in which people type them: `1.`, `１、`, `1)`, `(1)`, `①`, `第1回合`, `一、`.

/// A number in front of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number {
    pub(super) value: u32,
    /// Whether dots stand behind it in place of Red's move.
    pub(super) has_dots: bool,
    /// Whether more than a blank shows that it is a number of a list.
    pub(super) has_mark: bool,
    /// Whether it is one character, `①`, and a blank or nothing follows: among moves that is a footnote.
    pub(super) is_footnote: bool,
}

/// The number with which a text begins, and what stands behind it and its dots. Digits alone are one when a blank follows.
pub(super) fn split(text: &str) -> Option<(Number, &str)> {
    let (value, rest, mut has_mark) = counted(text)
        .or_else(|| digits(text).map(|(value, rest)| (value, rest, false)))
        .or_else(|| bracketed(text))
        .or_else(|| enclosed(text))
        .or_else(|| listed(text))?;
    let behind = rest.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    let between = &rest[..rest.len() - behind.len()];
    if between.is_empty() && !has_mark && !rest.is_empty() {
        return None;
    }
    has_mark |= between.contains(is_mark);
    let is_enclosed = enclosed(text).is_some();
    let is_footnote = is_enclosed && (rest.is_empty() || rest.starts_with(char::is_whitespace));
    Some((Number { value, has_dots: has_dots(between), has_mark, is_footnote }, behind))
}

/// Dots in place of a move with which a text begins are passed over.
pub(super) fn skip_dots(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| DOTS.contains(&c) || c.is_whitespace());
    has_dots(&text[..text.len() - rest.len()]).then_some(rest)
}

const DOTS: [char; 3] = ['.', '．', '…'];

/// Whether dots stand in place of a move.
fn has_dots(text: &str) -> bool {
    text.contains('…') || text.chars().filter(|c| DOTS.contains(c)).count() > 1
}

fn is_mark(c: char) -> bool {
    ".．…。、:：)）,，;；".contains(c)
}

/// A number in digits of either width.
fn digits(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    let digits: String = text[..text.len() - rest.len()].chars().map(half_width).collect();
    Some((digits.parse().ok()?, rest))
}

fn half_width(c: char) -> char {
    match c {
        '０'..='９' => char::from(b'0' + (u32::from(c) - u32::from('０')) as u8),
        c => c,
    }
}

/// `第1回合`, `第十二着`, `1回合`.
fn counted(text: &str) -> Option<(u32, &str, bool)> {
    const UNITS: [&str; 5] = ["回合", "着", "步", "招", "手"];
    let (value, rest) = match text.strip_prefix('第').map(str::trim_start) {
        Some(rest) => digits(rest).or_else(|| chinese(rest))?,
        None => digits(text)?,
    };
    let rest = rest.trim_start();
    let unit = UNITS.into_iter().find(|unit| rest.starts_with(unit))?;
    Some((value, &rest[unit.len()..], true))
}

/// `(1)`.
fn bracketed(text: &str) -> Option<(u32, &str, bool)> {
    let (value, rest) = digits(text.strip_prefix(['(', '（', '[', '［'])?.trim_start())?;
    Some((value, rest.trim_start().strip_prefix([')', '）', ']', '］'])?, true))
}

/// `①`, `⑴`, `⒈`.
pub(super) fn enclosed(text: &str) -> Option<(u32, &str, bool)> {
    let c = text.chars().next()?;
    let (first, value) = match c {
        '①'..='⑳' => ('①', 1),
        '⑴'..='⒇' => ('⑴', 1),
        '⒈'..='⒛' => ('⒈', 1),
        '㉑'..='㉟' => ('㉑', 21),
        '㊱'..='㊿' => ('㊱', 36),
        _ => return None,
    };
    Some((u32::from(c) - u32::from(first) + value, &text[c.len_utf8()..], true))
}

/// `一、`: without the mark it may be the beginning of a move.
fn listed(text: &str) -> Option<(u32, &str, bool)> {
    let (value, rest) = chinese(text)?;
    rest.starts_with(is_mark).then_some((value, rest, true))
}

/// A number below a thousand in Chinese.
fn chinese(text: &str) -> Option<(u32, &str)> {
    const LARGEST: u32 = 999;
    let (mut total, mut digit) = (0, None);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '零' | '〇' => 0,
            _ => {
                let Some(value) = "一二三四五六七八九".chars().position(|one| one == c) else { break };
                if digit.is_some() {
                    return None;
                }
                digit = Some(value as u32 + 1);
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        total += digit.take().unwrap_or(1) * unit;
        if total > LARGEST {
            return None;
        }
        rest = &rest[c.len_utf8()..];
    }
    let value = total + digit.unwrap_or(0);
    (rest.len() < text.len() && value > 0).then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_however_they_are_written() {
        for (text, value, has_dots, rest) in [
            ("1. 炮二平五", 1, false, "炮二平五"),
            ("１２、炮二平五", 12, false, "炮二平五"),
            ("3)马8进7", 3, false, "马8进7"),
            ("(4) C2.5", 4, false, "C2.5"),
            ("⑤炮二平五", 5, false, "炮二平五"),
            ("⒍炮二平五", 6, false, "炮二平五"),
            ("㉒炮二平五", 22, false, "炮二平五"),
            ("第7回合 炮二平五", 7, false, "炮二平五"),
            ("第一百二十三回合：炮二平五", 123, false, "炮二平五"),
            ("8回合 炮二平五", 8, false, "炮二平五"),
            ("二十、炮二平五", 20, false, "炮二平五"),
            ("8 炮二平五", 8, false, "炮二平五"),
            ("9,炮二平五", 9, false, "炮二平五"),
            ("10. …… 车9平8", 10, true, "车9平8"),
            ("11...车9平8", 11, true, "车9平8"),
            ("12", 12, false, ""),
        ] {
            let (number, behind) = split(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((number.value, number.has_dots, behind), (value, has_dots, rest), "{text}");
        }
        for text in ["一兵平五", "炮二平五", "第1局 甲", "第三局", "h2e2", "3兵平4", "二二、", "", "99999999999. x"]
        {
            assert_eq!(split(text), None, "{text}");
        }
        assert_eq!(skip_dots("…… 马8进7"), Some("马8进7"));
        assert_eq!(skip_dots(". 马8进7"), None);
    }
}
