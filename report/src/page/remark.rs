//! What programs write behind their moves in game files.
//!
//! The form is that of cutechess and fastchess, which most tools write: `+0.35/12 0.123s, tl=1.877s, n=51200, White
//! mates` is the mover's score over the depth, the time used, what the clock shows, positions searched, and words. Mates
//! are counted in half-moves: `+M5` is a mate in three moves. `book` stands behind moves of the opening.

use std::time::Duration;

use super::game::ShownScore;

/// The parts of a comment.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Remark {
    pub(super) score: Option<ShownScore>,
    pub(super) depth: Option<u32>,
    pub(super) time: Option<Duration>,
    pub(super) clock: Option<Duration>,
    /// The move was given.
    pub(super) book: bool,
    /// What remains.
    pub(super) words: String,
}

impl Remark {
    /// Takes a comment apart. What is not in the form remains as words.
    pub(super) fn parse(comment: &str) -> Remark {
        let mut remark = Remark::default();
        let mut words = Vec::new();
        for (index, field) in comment.split(", ").map(str::trim).enumerate() {
            let rest = if index == 0 { remark.take_search(field) } else { field };
            match rest.split_once('=') {
                Some(("tl", time)) if seconds(time).is_some() => remark.clock = seconds(time),
                Some(("n", nodes)) if nodes.bytes().all(|byte| byte.is_ascii_digit()) => {}
                _ if index == 0 && rest == "book" => remark.book = true,
                _ if rest.is_empty() => {}
                _ => words.push(rest),
            }
        }
        remark.words = words.join(", ");
        remark
    }

    /// Takes score, depth and time from the beginning of a comment and gives what follows.
    fn take_search<'a>(&mut self, text: &'a str) -> &'a str {
        let mut rest = text;
        let (word, after) = split_word(rest);
        if let Some((score, depth)) =
            word.split_once('/').and_then(|(left, right)| Some((score(left)?, right.parse().ok()?)))
        {
            self.score = Some(score);
            self.depth = Some(depth).filter(|&depth| depth > 0);
            rest = after;
        }
        let (word, after) = split_word(rest);
        if let Some(time) = seconds(word) {
            self.time = Some(time);
            rest = after;
        }
        rest
    }
}

/// The first word and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// `+0.35`, `-M4`.
fn score(text: &str) -> Option<ShownScore> {
    let magnitude = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1 } else { 1 };
    if let Some(plies) = magnitude.strip_prefix('M') {
        let plies: i32 = plies.parse().ok().filter(|&plies| plies >= 0)?;
        return Some(ShownScore::Mate(sign * (plies / 2 + plies % 2)));
    }
    let (pawns, hundredths) = magnitude.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(pawns) || hundredths.len() != 2 || !digits(hundredths) {
        return None;
    }
    let value = pawns.parse::<i32>().ok()?.checked_mul(100)?.checked_add(hundredths.parse().ok()?)?;
    Some(ShownScore::Cp(sign * value))
}

/// `0.123s`.
fn seconds(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s')?;
    if !number.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(milliseconds: u64) -> Option<Duration> {
        Some(Duration::from_millis(milliseconds))
    }

    #[test]
    fn comments_of_match_programs_are_taken_apart() {
        let table = [
            (
                "+0.35/12 0.123s, tl=1.877s, n=51200",
                Remark {
                    score: Some(ShownScore::Cp(35)),
                    depth: Some(12),
                    time: time(123),
                    clock: time(1877),
                    ..Remark::default()
                },
            ),
            (
                "-M4/20 1s, Red mates, as it must",
                Remark {
                    score: Some(ShownScore::Mate(-2)),
                    depth: Some(20),
                    time: time(1000),
                    words: "Red mates, as it must".to_owned(),
                    ..Remark::default()
                },
            ),
            (
                "+M5/9 0.01s",
                Remark { score: Some(ShownScore::Mate(3)), depth: Some(9), time: time(10), ..Remark::default() },
            ),
            ("-12.07/0 2.5s", Remark { score: Some(ShownScore::Cp(-1207)), time: time(2500), ..Remark::default() }),
            ("0.5s", Remark { time: time(500), ..Remark::default() }),
            ("book", Remark { book: true, ..Remark::default() }),
            (
                "book, time overstepped",
                Remark { book: true, words: "time overstepped".to_owned(), ..Remark::default() },
            ),
            ("", Remark::default()),
        ];
        for (comment, remark) in table {
            assert_eq!(Remark::parse(comment), remark, "{comment}");
        }
    }

    #[test]
    fn other_comments_remain() {
        for comment in
            ["a strong move", "1/2 is fair", "+0.3/x 1s", "infs", "the book, again", "9999999999.99/3", "tl=soon"]
        {
            assert_eq!(Remark::parse(comment), Remark { words: comment.to_owned(), ..Remark::default() });
        }
    }
}
