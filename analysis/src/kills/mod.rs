//! The kills (杀法): what mates are called.
//!
//! A mate often answers to several names, since some tell where a horse stands and others what a cannon does. Each name is
//! one pattern ([`Kill::pattern`] in words, `rules` in code), and all that fit are given, the most telling first. Most look
//! at the last position; those that name a combination look at the moves that led there too.

mod mate;
mod rules;

use chuhe_rules::Game;

use crate::Name;
use mate::Mate;

/// Defines the kills: the most telling first, which is the order in which they are given.
macro_rules! kills {
    ($(#[doc = $pattern:literal] $kill:ident = $chinese:literal, $english:literal, $rule:path;)+) => {
        /// A kill. «Winner» and «loser» are whoever they were; files are told from the winner's side.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kill {
            $(#[doc = $pattern] $kill,)+
        }

        impl Kill {
            /// All of them, the most telling first.
            pub const ALL: &[Kill] = &[$(Kill::$kill),+];

            /// What it is called.
            #[must_use]
            pub const fn name(self) -> Name {
                match self {
                    $(Kill::$kill => Name { chinese: $chinese, english: $english },)+
                }
            }

            /// What it looks like, in a sentence of English; files are counted from the winner's right.
            #[must_use]
            pub const fn pattern(self) -> &'static str {
                match self {
                    $(Kill::$kill => $pattern.trim_ascii(),)+
                }
            }

            fn fits(self, mate: &Mate) -> bool {
                match self {
                    $(Kill::$kill => $rule(mate),)+
                }
            }
        }
    };
}

kills! {
    /// A rook is sacrificed in the heart of the palace, and checks to the end follow.
    GreatBlade = "大刀剜心", "great blade to the heart", rules::great_blade;
    /// A pawn is sacrificed in the heart of the palace, and checks to the end follow.
    SmallBlade = "小刀剜心", "small blade to the heart", rules::small_blade;
    /// A pawn guarded by a cannon makes three steps forward, each a check.
    ThreePawnSteps = "三进兵", "three pawn steps", rules::three_pawn_steps;
    /// Rook and cannon check along the back rank and take what defends there.
    GrindingCannon = "炮碾丹沙", "cannon grinding cinnabar", rules::grinding_cannon;
    /// The cannon jumps away with a capture, and the rook behind it checks.
    DiscoveringCannon = "车炮抽杀", "cannon uncovering the rook", rules::discovering_cannon;
    /// The horse jumps away, and the rook behind it mates.
    SpringHorse = "拔簧马", "horse off the spring", rules::spring_horse;
    /// A cannon checks over its horse, which stands two points from the king.
    CannonBehindHorse = "马后炮", "cannon behind the horse", rules::cannon_behind_horse;
    /// A cannon checks over the other cannon.
    DoubledCannons = "重炮", "doubled cannons", rules::doubled_cannons;
    /// A cannon checks over one of the loser's pieces, and the others shut their own king in.
    SmotheredPalace = "闷宫", "smothered palace", rules::smothered_palace;
    /// One cannon ties down the middle file, another the back rank, and another piece mates.
    HeavenAndEarthCannons = "天地炮", "heaven and earth cannons", rules::heaven_and_earth_cannons;
    /// A cannon ties down the middle file, and a rook or pawn mates along the back rank.
    IronBolt = "铁门栓", "iron bolt", rules::iron_bolt;
    /// A rook and two cannons mate together; or rook and cannon check along one line.
    CannonsAndRook = "夹车炮", "cannons around the rook", rules::cannons_and_rook;
    /// Two rooks on neighbouring lines: one checks, the other holds the next line.
    AlternatingRooks = "双车错", "alternating rooks", rules::alternating_rooks;
    /// A horse on a corner of the palace holds the king on the corner opposite.
    OctagonalHorse = "八角马", "octagonal horse", rules::octagonal_horse;
    /// A horse on the third or seventh file and the loser's second rank checks or holds the king.
    ElbowHorse = "卧槽马", "elbow horse", rules::elbow_horse;
    /// A horse on a front corner of the palace checks or holds the king.
    CornerHorse = "挂角马", "palace-corner horse", rules::corner_horse;
    /// A horse on the third or seventh file and the loser's third rank checks or holds the king.
    AnglerHorse = "钓鱼马", "angler horse", rules::angler_horse;
    /// A horse on the third or seventh file and the loser's rank of pawns checks or holds the king.
    HighAnglerHorse = "高钓马", "high angler horse", rules::high_angler_horse;
    /// A horse on the second or eighth file and the loser's second rank checks or holds the king.
    GoldenHookHorse = "金钩马", "golden hook horse", rules::golden_hook_horse;
    /// Two horses mate.
    HorsesAtTheSpring = "双马饮泉", "two horses at the spring", rules::horses_at_the_spring;
    /// Two pawns at the palace mate or help to mate.
    GhostsAtTheGate = "二鬼拍门", "two ghosts at the gate", rules::ghosts_at_the_gate;
    /// A rook mates the king that a cannon on the back rank has driven from the middle.
    MoonFromTheSeaFloor = "海底捞月", "moon from the sea floor", rules::moon_from_the_sea_floor;
    /// A rook mates the bare king that a pawn on the back rank has driven from the middle.
    OldPawnInTheWood = "老兵搜林", "old pawn in the wood", rules::old_pawn_in_the_wood;
    /// A rook mates along the file beside the middle, helped by a horse.
    RibRookAndHorse = "肋马车", "rib rook and horse", rules::rib_rook_and_horse;
    /// The winner's king alone closes a flight, or ties down what stands between the kings.
    FacingKings = "白脸将", "facing kings", rules::facing_kings;
}

impl Kill {
    /// The names of the mate that a game ended with, the most telling first; none when it did not end so, and for mates
    /// without a name.
    #[must_use]
    pub fn of_game(game: &Game) -> Vec<Kill> {
        let Some(mate) = Mate::of(game) else { return Vec::new() };
        Kill::ALL.iter().copied().filter(|kill| kill.fits(&mate)).collect()
    }
}
