//! Material classes: what each side has, colours aside.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use chuhe_movegen::{Board, Color, Piece, PieceType};

/// The kinds of a side's pieces besides its king, in the order of names: attackers, then defenders.
pub(crate) const KINDS: [PieceType; 6] =
    [PieceType::Rook, PieceType::Horse, PieceType::Cannon, PieceType::Pawn, PieceType::Advisor, PieceType::Elephant];

/// The kinds that can cross the river.
pub(crate) const ATTACKERS: [PieceType; 4] = [PieceType::Rook, PieceType::Horse, PieceType::Cannon, PieceType::Pawn];

/// Bits of a count within a code.
const COUNT_BITS: u32 = 4;

/// Bits of an [`Army::code`].
pub(crate) const CODE_BITS: u32 = COUNT_BITS * KINDS.len() as u32;

/// The material of one side, its king aside: at most what a side has at the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Army {
    /// By the order of [`KINDS`].
    counts: [u8; KINDS.len()],
}

/// Place of a kind in [`KINDS`]; kings have none.
const fn place(kind: PieceType) -> Option<usize> {
    match kind {
        PieceType::King => None,
        PieceType::Rook => Some(0),
        PieceType::Horse => Some(1),
        PieceType::Cannon => Some(2),
        PieceType::Pawn => Some(3),
        PieceType::Advisor => Some(4),
        PieceType::Elephant => Some(5),
    }
}

impl Army {
    /// How many pieces of a kind there are: for the king always one.
    #[inline]
    pub const fn count(&self, kind: PieceType) -> u8 {
        match place(kind) {
            Some(place) => self.counts[place],
            None => 1,
        }
    }

    /// Number of pieces, the king aside.
    pub fn len(&self) -> u32 {
        self.counts.iter().map(|&count| u32::from(count)).sum()
    }

    /// Whether the king stands alone.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is a piece that can cross the river.
    pub fn has_attackers(&self) -> bool {
        ATTACKERS.iter().any(|&kind| self.count(kind) > 0)
    }

    /// The army of one side of a position.
    pub fn of(board: &Board, color: Color) -> Army {
        Army { counts: KINDS.map(|kind| board.pieces(color, kind).count() as u8) }
    }

    /// The army without one piece of this kind, if it has one.
    pub fn without(&self, kind: PieceType) -> Option<Army> {
        let place = place(kind)?;
        let mut army = *self;
        army.counts[place] = army.counts[place].checked_sub(1)?;
        Some(army)
    }

    /// All counts in one number, four bits each.
    pub(crate) const fn code(&self) -> u32 {
        let mut code = 0;
        let mut place = 0;
        while place < KINDS.len() {
            code |= (self.counts[place] as u32) << (place as u32 * COUNT_BITS);
            place += 1;
        }
        code
    }

    /// The army with this code, if there is one.
    pub(crate) fn from_code(code: u32) -> Option<Army> {
        if code >> CODE_BITS != 0 {
            return None;
        }
        let mut army = Army::default();
        for (place, kind) in KINDS.into_iter().enumerate() {
            let count = code >> (place as u32 * COUNT_BITS) & ((1 << COUNT_BITS) - 1);
            if count > kind.max_count() {
                return None;
            }
            army.counts[place] = count as u8;
        }
        Some(army)
    }

    /// What decides which side of a class comes first: attacking force, then the rest. Only the order matters.
    fn rank(&self) -> (u32, [u8; KINDS.len()]) {
        let force = [9, 4, 4, 1, 0, 0];
        (self.counts.iter().zip(force).map(|(&count, force)| u32::from(count) * force).sum(), self.counts)
    }
}

impl fmt::Display for Army {
    /// `K` and the letters of the pieces: `KRC`, `KAABB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", PieceType::King.letter())?;
        for kind in KINDS {
            for _ in 0..self.count(kind) {
                write!(f, "{}", kind.letter())?;
            }
        }
        Ok(())
    }
}

/// What one piece adds to a [`material_key`]. Kings add nothing: there is one a side in every position.
pub(crate) const fn piece_key(piece: Piece) -> u64 {
    match place(piece.kind) {
        Some(place) => 1 << (place as u32 * COUNT_BITS + piece.color.index() as u32 * CODE_BITS),
        None => 0,
    }
}

/// The material of a position as a number: Red's army in the low bits, Black's above.
pub(crate) const fn material_key(red: Army, black: Army) -> u64 {
    red.code() as u64 | (black.code() as u64) << CODE_BITS
}

/// A material class: two armies, the one with more attacking force first.
///
/// Colours do not matter: "red rook against black horse" and "black rook against red horse" are one class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    strong: Army,
    weak: Army,
}

impl Class {
    /// The class of two armies, whichever comes first.
    pub fn new(one: Army, other: Army) -> Class {
        if one.rank() >= other.rank() { Class { strong: one, weak: other } } else { Class { strong: other, weak: one } }
    }

    /// The class of a position, and the colour of its strong side; in a class of equal armies that is Red.
    pub fn of(board: &Board) -> (Class, Color) {
        let [red, black] = Color::ALL.map(|color| Army::of(board, color));
        let class = Class::new(red, black);
        (class, if class.strong == red { Color::Red } else { Color::Black })
    }

    /// The side with more attacking force.
    pub const fn strong(&self) -> Army {
        self.strong
    }

    /// The other side.
    pub const fn weak(&self) -> Army {
        self.weak
    }

    /// The army of the strong side, for [`Color::Red`], or of the weak side: in tables the strong side is Red.
    pub(crate) const fn army(&self, color: Color) -> Army {
        match color {
            Color::Red => self.strong,
            Color::Black => self.weak,
        }
    }

    /// Number of pieces of both sides, kings included.
    pub fn pieces(&self) -> u32 {
        self.strong.len() + self.weak.len() + 2
    }

    /// Whether nobody has a piece that can cross the river. All positions of such classes are drawn: nobody can give
    /// check, and no king's own guards can shut it in.
    pub fn is_dead(&self) -> bool {
        !self.strong.has_attackers() && !self.weak.has_attackers()
    }

    /// The class after a capture of a piece of this kind, which belongs to the strong side if `color` is Red; and
    /// whether the sides change their places.
    pub(crate) fn after_capture(&self, color: Color, kind: PieceType) -> Option<(Class, bool)> {
        let (strong, weak) = match color {
            Color::Red => (self.strong.without(kind)?, self.weak),
            Color::Black => (self.strong, self.weak.without(kind)?),
        };
        let class = Class::new(strong, weak);
        Some((class, class.strong != strong))
    }

    /// The classes that one capture leads to, dead ones left out, each once.
    pub fn conversions(&self) -> Vec<Class> {
        let mut classes = Vec::new();
        for color in Color::ALL {
            for kind in KINDS {
                if let Some((class, _)) = self.after_capture(color, kind)
                    && !class.is_dead()
                    && !classes.contains(&class)
                {
                    classes.push(class);
                }
            }
        }
        classes
    }

    /// Armies by code, as files have them.
    pub(crate) fn codes(&self) -> [u32; 2] {
        [self.strong.code(), self.weak.code()]
    }

    /// The class with these codes, if its armies stand in their order.
    pub(crate) fn from_codes([strong, weak]: [u32; 2]) -> Option<Class> {
        let (strong, weak) = (Army::from_code(strong)?, Army::from_code(weak)?);
        let class = Class::new(strong, weak);
        (class.strong == strong).then_some(class)
    }
}

impl Ord for Class {
    /// Fewer pieces first, so that every class comes after those it converts into.
    fn cmp(&self, other: &Class) -> Ordering {
        let rank = |class: &Class| (class.pieces(), class.strong.rank(), class.weak.rank());
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Class) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Class {
    /// `KRvKAABB`: the two armies, strong side first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.strong, self.weak)
    }
}

/// A text is not the name of a class.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a material class: {reason}; expected the pieces of both sides, such as KRvKAABB")]
pub struct ParseClassError {
    text: String,
    reason: &'static str,
}

impl FromStr for Class {
    type Err = ParseClassError;

    /// Reads `KRvKAABB`, in either order of the sides; kings may be left out (`RvAABB`, `Pv`), blanks and plus signs
    /// are ignored (`R+C v AABB`), `H` and `E` stand for horse and elephant as in FEN.
    fn from_str(text: &str) -> Result<Class, ParseClassError> {
        let error = |reason| ParseClassError { text: chuhe_text::excerpt(text, 40), reason };
        let mut armies = [Army::default(); 2];
        let mut sides = 0;
        for letters in text.split(['v', 'V']) {
            let army = armies.get_mut(sides).ok_or_else(|| error("it has more than one `v`"))?;
            sides += 1;
            let mut kings = 0;
            for letter in letters.chars().filter(|letter| !letter.is_whitespace() && *letter != '+') {
                let kind = match letter.to_ascii_uppercase() {
                    'K' if kings == 0 => {
                        kings += 1;
                        continue;
                    }
                    'H' => PieceType::Horse,
                    'E' => PieceType::Elephant,
                    upper => KINDS
                        .into_iter()
                        .find(|kind| kind.letter() == upper)
                        .ok_or_else(|| error("a letter is none of KRNCPAB"))?,
                };
                if let Some(place) = place(kind) {
                    if u32::from(army.counts[place]) == kind.max_count() {
                        return Err(error("a side has more pieces of a kind than at the start"));
                    }
                    army.counts[place] += 1;
                }
            }
        }
        if sides != 2 {
            return Err(error("no `v` stands between the sides"));
        }
        Ok(Class::new(armies[0], armies[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> Class {
        text.parse().unwrap()
    }

    #[test]
    fn classes_are_read_in_either_order_and_written_in_one() {
        for text in ["KRvKAABB", "RvAABB", "AABBvR", "k r v b a b a", "R v EAEA"] {
            assert_eq!(class(text).to_string(), "KRvKAABB", "{text}");
        }
        assert_eq!(class("R+C v AABB").to_string(), "KRCvKAABB");
        assert_eq!(class("vP").to_string(), "KPvK");
        assert_eq!(class("CNvR").to_string(), "KRvKNC");
    }

    #[test]
    fn a_text_that_names_no_class_is_rejected_with_the_reason() {
        for (text, reason) in [
            ("", "no `v`"),
            ("R", "no `v`"),
            ("RvNvP", "more than one `v`"),
            ("RxN", "none of KRNCPAB"),
            ("RRRv", "more pieces"),
            ("KKRv", "none of KRNCPAB"),
            ("PPPPPPv", "more pieces"),
        ] {
            let message = text.parse::<Class>().unwrap_err().to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }

    #[test]
    fn a_class_and_its_colour_are_found_from_a_board() {
        let board = Board::from_fen("3k5/4r4/9/9/9/9/9/9/4A4/3AK4 w").unwrap();
        assert_eq!(Class::of(&board), (class("RvAA"), Color::Black));
        assert_eq!(Class::of(&board.swap_colors()), (class("RvAA"), Color::Red));
    }

    #[test]
    fn captures_lead_to_smaller_classes_and_may_exchange_the_sides() {
        let names = |text: &str| class(text).conversions().iter().map(Class::to_string).collect::<Vec<_>>();
        assert_eq!(names("RvAABB"), ["KRvKABB", "KRvKAAB"]);
        assert_eq!(names("RvN"), ["KNvK", "KRvK"]);
        assert_eq!(names("RvR"), ["KRvK"]);
        assert_eq!(class("RvN").after_capture(Color::Red, PieceType::Rook), Some((class("NvK"), true)));
        assert_eq!(class("RvN").after_capture(Color::Black, PieceType::Pawn), None);
    }

    #[test]
    fn codes_name_classes_uniquely() {
        let rook = class("KRCPPvKAABB");
        assert_eq!(Class::from_codes(rook.codes()), Some(rook));
        let [strong, weak] = rook.codes();
        assert_eq!(Class::from_codes([weak, strong]), None);
        assert_eq!(Class::from_codes([u32::MAX, 0]), None);
        assert_eq!(Class::from_codes([3, 0]), None);
    }
}
