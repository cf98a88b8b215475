//! The text of a web page: what a reader sees of it, on the lines of the file.

/// Breaks a line where the page does and its file does not. Readers of text take it for the end of a line that does not
/// count as one.
pub(crate) const BREAK: char = '\u{c}';

/// Elements that do not break a line.
const INLINE: [&str; 28] = [
    "a", "abbr", "b", "big", "bdo", "cite", "code", "del", "em", "font", "i", "img", "ins", "kbd", "label", "mark",
    "nobr", "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "wbr",
];

/// The text of a page. Marks go, blocks stand on lines of their own, cells of a row on one line.
pub(crate) fn text(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut rest = page;
    // In a row of a table the ends of lines wait for its end.
    let mut lines_of_row = None;
    while let Some(at) = rest.find(['<', '&', '\n']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix('\n') {
            match &mut lines_of_row {
                Some(lines) => {
                    *lines += 1;
                    text.push(' ');
                }
                None => text.push('\n'),
            }
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix('&') {
            let entity = behind.bytes().take(LONGEST_ENTITY).position(|byte| byte == b';').map(|end| &behind[..end]);
            match entity.and_then(character) {
                Some(c) => {
                    text.push(c);
                    rest = &behind[entity.map_or(0, str::len) + 1..];
                }
                None => {
                    text.push('&');
                    rest = behind;
                }
            }
        } else {
            let (name, is_end, behind) = tag(rest);
            let skipped = &rest[..rest.len() - behind.len()];
            let name = name.to_ascii_lowercase();
            match (name.as_str(), is_end) {
                ("", _) if skipped == "<" => text.push('<'),
                ("td" | "th", _) => text.push('\t'),
                ("tr", false) => {
                    text.push(BREAK);
                    lines_of_row.get_or_insert(0);
                }
                ("tr" | "table" | "tbody", _) => {
                    text.push(BREAK);
                    text.extend(std::iter::repeat_n('\n', lines_of_row.take().unwrap_or(0)));
                }
                (name, _) if name.is_empty() || INLINE.contains(&name) => {}
                _ => text.push(BREAK),
            }
            let lines = skipped.matches('\n').count();
            match &mut lines_of_row {
                Some(waiting) => *waiting += lines,
                None => text.extend(std::iter::repeat_n('\n', lines)),
            }
            rest = behind;
        }
    }
    text.push_str(rest);
    text
}

/// The name of the element of the tag with which a text begins, whether it is an end tag, and what stands behind the tag.
/// Of comments and declarations the name is empty; scripts and styles are passed over as a whole.
fn tag(text: &str) -> (&str, bool, &str) {
    let inner = &text[1..];
    if let Some(comment) = inner.strip_prefix("!--") {
        return ("", false, comment.split_once("-->").map_or("", |(_, behind)| behind));
    }
    let is_end = inner.starts_with('/');
    let named = inner.strip_prefix('/').unwrap_or(inner);
    if !named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
        return ("", false, inner);
    }
    let len = named.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(named.len());
    let (name, rest) = named.split_at(len);
    let behind = rest.split_once('>').map_or("", |(_, behind)| behind);
    for skipped in ["script", "style"] {
        if !is_end && name.eq_ignore_ascii_case(skipped) {
            let end = behind.find("</").and_then(|_| find_end(behind, skipped)).unwrap_or(behind.len());
            return ("", false, &behind[end..]);
        }
    }
    (if name.is_ascii() { name } else { "" }, is_end, behind)
}

/// Where the end tag of an element begins.
fn find_end(text: &str, name: &str) -> Option<usize> {
    text.match_indices("</")
        .map(|(at, _)| at)
        .find(|&at| text.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)))
}

/// Bytes of an entity without its first and last character, at most.
const LONGEST_ENTITY: usize = 10;

/// The character that an entity stands for.
fn character(entity: &str) -> Option<char> {
    if let Some(number) = entity.strip_prefix('#') {
        let value = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return char::from_u32(value.ok()?).map(|c| if c.is_control() { ' ' } else { c });
    }
    Some(match entity {
        "nbsp" | "ensp" | "emsp" | "thinsp" => ' ',
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "hellip" => '…',
        "middot" => '·',
        "mdash" => '—',
        "ndash" => '–',
        "ldquo" => '“',
        "rdquo" => '”',
        "plusmn" => '±',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_text_on_their_lines() {
        let page = "<!DOCTYPE html>\n<html><head><style>p { x }\n</style><script>if (a < b) \"</p>\"</script></head>\n<body>\
            <p>1.&nbsp;炮二平五&#32;<b>马</b>8进7<br>2. a < b &amp; c &bogus; &#x4e00;</p>\n<!-- <p> -->\n\
            <table>\n<TR>\n<TD>1</td>\n<td>炮二平五</td>\n</TR>\n<tr><td>2<td>x</table>end";
        let text = text(page);
        assert_eq!(text.matches('\n').count(), page.matches('\n').count());
        let lines: Vec<String> = text
            .split(['\n', BREAK])
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(lines, ["1. 炮二平五 马8进7", "2. a < b & c &bogus; 一", "1 炮二平五", "2 x", "end"]);
    }

    #[test]
    fn broken_marks_end_with_the_page() {
        for page in ["<", "<p", "<!--", "&", "&#xffffffff;", "<script>", "</", "<p a=\"", "&amp", "<td", "< p>"] {
            let _ = text(page);
        }
        assert_eq!(text("a<3&&"), "a<3&&");
    }
}
