//! Weaker play on purpose.

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// As strong as possible.
    #[default]
    Full,
    /// At a level below full strength.
    Level(SkillLevel),
}

/// A level of play, 0 (weakest) to 19; 20 would be full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SkillLevel(u8);

impl SkillLevel {
    /// The strongest limited level.
    pub const MAX: SkillLevel = SkillLevel(19);

    /// 0 (weakest) to 19.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Strength {
    /// Elo of level 0 on the scale of `UCI_Elo`.
    pub const MIN_ELO: i32 = 1000;
    /// Elo of level 19 on that scale.
    pub const MAX_ELO: i32 = 2900;

    /// The strength of `Skill Level` 0–20; 20 and above is full strength.
    pub fn from_level(level: i64) -> Strength {
        if level >= 20 { Strength::Full } else { Strength::Level(SkillLevel(level.max(0) as u8)) }
    }

    /// The level nearest to an Elo of [`Strength::MIN_ELO`] to [`Strength::MAX_ELO`].
    pub fn from_elo(elo: i64) -> Strength {
        let (min, max) = (i64::from(Strength::MIN_ELO), i64::from(Strength::MAX_ELO));
        let elo = elo.clamp(min, max);
        Strength::Level(SkillLevel(((elo - min) * 19 / (max - min)) as u8))
    }
}
