//! Tags, as the field writes them.

use super::is_name_byte;
use super::words::beginning;

/// The line with which a text begins, or as much of it as a tag may have: a line may hold any number of them.
pub(super) fn first_line(text: &str) -> &str {
    const LONGEST: usize = 16 << 10;
    beginning(text, LONGEST).split('\n').next().unwrap_or_default()
}

/// Takes a tag apart: name, value, and number of bytes up to its end.
pub(super) fn split_tag(line: &str) -> Option<(&str, String, usize)> {
    let inner = line.strip_prefix('[')?;
    let name_at = line.len() - inner.trim_ascii_start().len();
    let name_len = line[name_at..].bytes().position(|byte| !is_name_byte(byte))?;
    let name = &line[name_at..name_at + name_len];
    if name.is_empty() {
        return None;
    }
    let after_name = &line[name_at + name_len..];
    let value_at = line.len() - after_name.trim_ascii_start().len();
    let Some(quoted) = line[value_at..].strip_prefix('"') else {
        // A value without quotation marks.
        let len = line[value_at..].find(']')?;
        return Some((
            name,
            plain(line[value_at..value_at + len].trim().trim_matches(['“', '”', '„', '＂'])),
            value_at + len + 1,
        ));
    };
    let closes = |index: usize| -> Option<usize> {
        let rest = &quoted[index + 1..];
        let trimmed = rest.trim_ascii_start();
        trimmed.starts_with(']').then(|| line.len() - trimmed.len() + 1)
    };
    let mut value = String::new();
    let mut is_escaped = false;
    for (index, c) in quoted.char_indices() {
        match c {
            '"' if !is_escaped => match closes(index) {
                Some(len) => return Some((name, plain(&value), len)),
                // A mark that nobody escaped, within the value.
                None => value.push('"'),
            },
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            '"' | '\\' => value.push(c),
            _ => {
                if is_escaped {
                    value.push('\\');
                }
                value.push(c);
            }
        }
        is_escaped = false;
    }
    // A value that ends in a backslash that nobody doubled, or has no mark behind it.
    match quoted.rfind('"').and_then(|index| Some((index, closes(index)?))) {
        Some((index, len)) => Some((name, plain(&quoted[..index]), len)),
        None => {
            let value = quoted.trim_end();
            Some((name, plain(value.strip_suffix(']').unwrap_or(value)), line.len()))
        }
    }
}

/// A value in one line.
fn plain(value: &str) -> String {
    value.replace(char::is_control, " ")
}
