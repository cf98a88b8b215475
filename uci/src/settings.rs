//! The values of all options.

use std::path::PathBuf;

use chuhe_engine::{Options, Strength};
use chuhe_eval::Evaluation;

use crate::decision::Licence;

/// What the options of a session are set to.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Those the engine reads at the start of each search, but for its strength.
    pub(crate) engine: Options,
    /// The unit of the UCCI clock is the millisecond, not the second.
    pub(crate) milliseconds: bool,
    /// A finite search runs to its end whatever comes in.
    pub(crate) batch: bool,
    /// Tell what was read.
    pub(crate) debug: bool,
    /// Play from the opening books.
    pub(crate) use_book: bool,
    /// Opening books, all found.
    pub(crate) books: Vec<PathBuf>,
    /// Folders of endgame tables, all found.
    pub(crate) table_folders: Vec<PathBuf>,
    /// The evaluation, read and found good.
    pub(crate) evaluation: Evaluation,
    /// Show chances beside scores (UCI).
    pub(crate) show_wdl: bool,
    /// What may be said unasked.
    pub(crate) licence: Licence,
    /// `Skill Level`.
    pub(crate) skill_level: i64,
    /// `UCI_Elo`, if strength is to be limited by it.
    pub(crate) elo: i64,
    /// `UCI_LimitStrength`.
    pub(crate) limit_strength: bool,
    /// Where files are looked for first.
    pub(crate) program_folder: Option<PathBuf>,
}

impl Settings {
    /// All options at their defaults.
    pub(crate) fn new(program_folder: Option<PathBuf>) -> Settings {
        Settings {
            engine: Options::default(),
            milliseconds: true,
            batch: false,
            debug: false,
            use_book: true,
            books: Vec::new(),
            table_folders: Vec::new(),
            evaluation: Evaluation::embedded(),
            show_wdl: false,
            licence: Licence::default(),
            skill_level: MAX_SKILL_LEVEL,
            elo: i64::from(Strength::MAX_ELO),
            limit_strength: false,
            program_folder,
        }
    }

    /// The settings of the engine for a search.
    pub(crate) fn engine_options(&self) -> Options {
        let strength =
            if self.limit_strength { Strength::from_elo(self.elo) } else { Strength::from_level(self.skill_level) };
        Options { strength, ..self.engine.clone() }
    }
}

/// `Skill Level` of full strength.
pub(crate) const MAX_SKILL_LEVEL: i64 = 20;
