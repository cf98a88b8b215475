//! Classes that go together.

use std::fmt;
use std::str::FromStr;

use crate::material::Class;

/// A named set of classes; what they convert into is not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassSet {
    /// The practical endgames of few pieces, whose values are embedded.
    Standard,
    /// Bigger ones, for a folder.
    Large,
}

/// One attacker against guards; two attackers against few guards; one against one with guards. Besides what the
/// endgame cases have: cannon, horse and pawn against all guards, and cannon with advisor against all guards.
const STANDARD: &str = "RvAABB CvAABB NvAABB PvAABB CAvAABB CBv CPvA CPvB NPvAA NPvBB NNvAA NNvBB PPvAA PPvAB PPvBB \
                        RvNA RvNB RvCAA RvCB RvPP NvP";

/// Two pawns, pawn with horse or cannon, rook with cannon or horse against all guards; rook against all guards and a
/// piece; rook with a second piece against rook.
const LARGE: &str = "PPvAABB CPvAABB NPvAABB RNvAABB RCvAABB RvAABBN RvAABBC RPvR RNvR RCvR";

impl ClassSet {
    /// Both sets.
    pub const ALL: [ClassSet; 2] = [ClassSet::Standard, ClassSet::Large];

    /// The classes from which all of the set follow.
    pub fn classes(self) -> Vec<Class> {
        let names = match self {
            ClassSet::Standard => STANDARD,
            ClassSet::Large => LARGE,
        };
        names.split_whitespace().filter_map(|name| Class::from_str(name).ok()).collect()
    }
}

impl fmt::Display for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClassSet::Standard => "standard",
            ClassSet::Large => "large",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_set_is_a_class() {
        assert_eq!(ClassSet::Standard.classes().len(), STANDARD.split_whitespace().count());
        assert_eq!(ClassSet::Large.classes().len(), LARGE.split_whitespace().count());
    }
}
