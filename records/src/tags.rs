//! Tags: what is said about a game as a whole.

/// Names with values in a fixed order. Names are told apart without regard to case.
///
/// The result and the start position are not kept here, since [`crate::Record`] holds them; nor is what belongs to a
/// file rather than to a game, such as the notation of its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

/// Accessors for tags that most formats know.
macro_rules! well_known {
    ($($(#[$doc:meta])* $method:ident: $name:literal,)*) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $method(&self) -> Option<&str> {
            self.get($name).filter(|value| !value.is_empty())
        })*
    };
}

impl Tags {
    /// No tags.
    #[must_use]
    pub const fn new() -> Tags {
        Tags(Vec::new())
    }

    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value: in its place if there is one of this name, behind the others if not.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            Some(tag) => tag.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// Takes a tag out and gives its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(self.0.remove(index).1)
    }

    /// All tags in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    well_known! {
        /// The tournament; `None` when missing or empty, as with the others.
        event: "Event",
        /// Where it was played.
        site: "Site",
        /// When, usually `yyyy.mm.dd`.
        date: "Date",
        /// The round.
        round: "Round",
        /// Who played Red.
        red: "Red",
        /// Who played Black.
        black: "Black",
        /// The opening's name.
        opening: "Opening",
        /// The name of its variation.
        variation: "Variation",
        /// The opening's code in ECCO.
        ecco: "ECCO",
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Tags {
        let mut tags = Tags::new();
        for (name, value) in pairs {
            tags.set(name, value);
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_keeps_its_place_and_its_case() {
        let mut tags: Tags = [("Event", "Cup"), ("Red", "A"), ("BLACK", "B")].into_iter().collect();
        tags.set("red", "C");
        tags.set("Round", "");
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("Event", "Cup"), ("Red", "C"), ("BLACK", "B"), ("Round", "")]);
        assert_eq!((tags.black(), tags.round(), tags.site()), (Some("B"), None, None));
        assert_eq!(tags.remove("EVENT").as_deref(), Some("Cup"));
        assert_eq!((tags.remove("Event"), tags.len()), (None, 3));
    }
}
