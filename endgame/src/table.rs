//! A class solved, as it is while others are built on it.

use chuhe_movegen::{Color, PieceType, Square};

use crate::layout::{Layout, MAX_ATTACKERS, Placement};
use crate::material::Class;
use crate::scene::{Man, Scene, Step};
use crate::value::{RuleWins, Value};

/// Values of all slots, two bits each.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PackedValues(Vec<u8>);

impl PackedValues {
    /// Slots in a byte.
    pub(crate) const PER_BYTE: usize = 4;

    /// From one value a slot.
    pub(crate) fn pack(values: impl ExactSizeIterator<Item = Value>) -> PackedValues {
        let mut bytes = vec![0; values.len().div_ceil(PackedValues::PER_BYTE)];
        for (slot, value) in values.enumerate() {
            bytes[slot / PackedValues::PER_BYTE] |= (value as u8) << (slot % PackedValues::PER_BYTE * 2);
        }
        PackedValues(bytes)
    }

    pub(crate) fn get(&self, slot: usize) -> Value {
        Value::from_bits(self.0[slot / PackedValues::PER_BYTE] >> (slot % PackedValues::PER_BYTE * 2))
    }
}

/// Plies to mate of all slots.
pub(crate) enum Distances {
    /// As long as all fit.
    Narrow(Vec<u8>),
    /// For the deepest classes.
    Wide(Vec<u16>),
}

/// What [`Distances`] knows of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// No legal position.
    Void,
    /// Nobody can force mate.
    Undecided,
    /// Mate or stalemate after so many plies.
    Plies(u16),
}

impl Distances {
    /// What stands for [`Depth::Undecided`]; distances stand one higher.
    const UNDECIDED: u16 = 0;

    /// From one depth a slot, of which `longest` is the highest number.
    pub(crate) fn pack(depths: impl ExactSizeIterator<Item = Depth>, longest: u16) -> Distances {
        let code = |depth, void| match depth {
            Depth::Void => void,
            Depth::Undecided => Distances::UNDECIDED,
            Depth::Plies(plies) => plies + 1,
        };
        if longest + 1 < u16::from(u8::MAX) {
            Distances::Narrow(depths.map(|depth| code(depth, u16::from(u8::MAX)) as u8).collect())
        } else {
            Distances::Wide(depths.map(|depth| code(depth, u16::MAX)).collect())
        }
    }

    /// Number of slots.
    pub(crate) fn len(&self) -> usize {
        match self {
            Distances::Narrow(codes) => codes.len(),
            Distances::Wide(codes) => codes.len(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Depth {
        let (code, void) = match self {
            Distances::Narrow(codes) => (u16::from(codes[slot]), u16::from(u8::MAX)),
            Distances::Wide(codes) => (codes[slot], u16::MAX),
        };
        match code {
            Distances::UNDECIDED => Depth::Undecided,
            code if code == void => Depth::Void,
            code => Depth::Plies(code - 1),
        }
    }

    /// All slots in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Depth> + '_ {
        (0..self.len()).map(|slot| self.get(slot))
    }
}

/// A class solved, in memory and unpacked.
pub(crate) struct Table {
    pub(crate) layout: Layout,
    pub(crate) distances: Distances,
    /// Value of each slot; void ones hold anything.
    pub(crate) values: PackedValues,
    pub(crate) rule_wins: RuleWins,
}

/// The place of a position within a table: those with the strong side to move come first.
#[inline]
pub(crate) fn slot(layout: &Layout, index: u32, side: Color) -> usize {
    side.index() * layout.size() as usize + index as usize
}

/// A position of a smaller class, reached by a capture.
pub(crate) enum Converted<'a> {
    /// Nobody can win any more.
    Dead,
    /// A slot of a table, in which the side that was captured from is to move, and whether the sides have changed their
    /// places.
    Slot(&'a Table, usize, bool),
}

/// Where captures lead.
pub(crate) struct Conversions<'a> {
    /// By colour and kind of the captured piece; sides as in the class itself.
    targets: [[Target<'a>; PieceType::NUM]; Color::NUM],
    strong_attackers: usize,
}

/// Where the capture of one kind of piece leads.
#[derive(Clone, Copy)]
enum Target<'a> {
    /// There is no such piece.
    None,
    Dead,
    Table {
        table: &'a Table,
        is_flipped: bool,
    },
}

/// A class cannot be solved before one it converts into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{class} cannot be solved before {missing}")]
pub struct MissingClass {
    /// The class.
    pub class: Class,
    /// What it converts into.
    pub missing: Class,
}

impl<'a> Conversions<'a> {
    /// Finds the tables of all classes that a class converts into.
    pub(crate) fn new(
        layout: &Layout,
        table_of: impl Fn(Class) -> Option<&'a Table>,
    ) -> Result<Conversions<'a>, MissingClass> {
        let class = layout.class();
        let mut targets = [[Target::None; PieceType::NUM]; Color::NUM];
        for color in Color::ALL {
            for kind in PieceType::ALL {
                targets[color.index()][kind.index()] = match class.after_capture(color, kind) {
                    None => Target::None,
                    Some((missing, _)) if missing.is_dead() => Target::Dead,
                    Some((missing, is_flipped)) => {
                        let table = table_of(missing).ok_or(MissingClass { class, missing })?;
                        Target::Table { table, is_flipped }
                    }
                };
            }
        }
        let strong_attackers = layout.attackers().iter().filter(|piece| piece.color == Color::Red).count();
        Ok(Conversions { targets, strong_attackers })
    }

    /// Whether `color` may win by the rules of repetition in a class to which a capture by it leads.
    pub(crate) fn any_rule_wins(&self, color: Color) -> bool {
        self.targets[(!color).index()].iter().any(|target| match target {
            Target::Table { table, is_flipped } => table.rule_wins.of(if *is_flipped { !color } else { color }),
            _ => false,
        })
    }

    /// What a capture by `us` leads to.
    #[inline]
    pub(crate) fn convert(&self, scene: &Scene<'_>, us: Color, step: Step) -> Converted<'a> {
        let Some((victim, kind)) = scene.man_at(!us, step.to) else { return Converted::Dead };
        let Target::Table { table, is_flipped } = self.targets[(!us).index()][kind.index()] else {
            return Converted::Dead;
        };
        let mut placement = scene.moved(us, step.man, step.from, step.to);
        let mut strong_attackers = self.strong_attackers;
        match victim {
            Man::Guard(kind) => {
                let key = &mut placement.guards[(!us).index()];
                *key = key.without(kind, !us, step.to);
            }
            Man::Attacker(at) => {
                placement.attackers.copy_within(at + 1.., at);
                strong_attackers -= usize::from(at < strong_attackers);
            }
        }
        if is_flipped {
            placement = flipped(&placement, strong_attackers, table.layout.attackers().len());
        }
        let side = if is_flipped { us } else { !us };
        let indexed = table.layout.index(&placement);
        Converted::Slot(table, slot(&table.layout, indexed.index, side), is_flipped)
    }
}

/// The placement with the sides exchanged: the first `first` of `all` attackers go behind the others.
fn flipped(placement: &Placement, first: usize, all: usize) -> Placement {
    let mut attackers = [Square::at(0); MAX_ATTACKERS];
    let turned = placement.attackers[first..all].iter().chain(&placement.attackers[..first]);
    for (to, from) in attackers.iter_mut().zip(turned) {
        *to = from.rotate();
    }
    let [strong, weak] = placement.guards;
    Placement { guards: [weak, strong], attackers }
}
