//! Words that are misspelt.

/// How much of a word must be right for another to be suggested in its place: 1 is all of it.
const LIKENESS: f64 = 0.6;

/// The known word that was probably meant by a misspelt one.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let likeness = |known: &str| strsim::normalized_damerau_levenshtein(&word, &known.to_lowercase());
    let alike = known.into_iter().map(|known| (likeness(known), known)).filter(|&(likeness, _)| likeness >= LIKENESS);
    alike.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, known)| known)
}

/// The question that ends a message about a misspelt word, if another is near enough; otherwise nothing.
///
/// ```
/// let known = ["system", "games"];
/// assert_eq!(chuhe_text::did_you_mean("sistem", known), "; did you mean `system`?");
/// assert_eq!(chuhe_text::did_you_mean("colour", known), "");
/// ```
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |known| format!("; did you mean `{known}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant_is_found_among_others() {
        let words = ["event", "system", "openings", "round-robin", "double-round-robin", "楚河"];
        for (word, meant) in [
            ("sistem", Some("system")),
            ("System", Some("system")),
            ("opennings", Some("openings")),
            ("roundrobin", Some("round-robin")),
            ("evnet", Some("event")),
            ("楚 河", Some("楚河")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, words), meant, "{word}");
        }
    }
}
