//! A value for each side.

use std::ops::{Index, IndexMut};

use crate::Color;

/// A value for each side, by name or by [`Color`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByColor<T> {
    /// Red's.
    pub red: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// What `value` gives for each side, Red first.
    pub fn from_fn(mut value: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { red: value(Color::Red), black: value(Color::Black) }
    }

    /// The sides with their values, Red first.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &T)> {
        [(Color::Red, &self.red), (Color::Black, &self.black)].into_iter()
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        match color {
            Color::Red => &self.red,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Red => &mut self.red,
            Color::Black => &mut self.black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_side() {
        let mut signs = ByColor::from_fn(|color| if color == Color::Red { 1 } else { -1 });
        assert_eq!((signs.red, signs[Color::Red], signs.black, signs[Color::Black]), (1, 1, -1, -1));
        signs[Color::Black] = 7;
        assert!(signs.iter().eq([(Color::Red, &1), (Color::Black, &7)]));
    }
}
