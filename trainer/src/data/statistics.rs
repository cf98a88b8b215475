//! What the games of a file are like.

use std::fmt;

use crate::data::GameOutcome;
use crate::data::filter::{Filter, Repeats};
use crate::data::game::{GameFault, Opening, PackedGame, Verdict};

/// Half-moves a column of the histogram of lengths.
const LENGTH_STEP: usize = 10;

/// Counts over games.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    games: u64,
    outcomes: [u64; GameOutcome::ALL.len()],
    verdicts: [u64; Verdict::ALL.len()],
    openings: [u64; Opening::ALL.len()],
    /// Games by length, [`LENGTH_STEP`] half-moves a column.
    lengths: Vec<u64>,
    longest: usize,
    plies: u64,
    positions: u64,
    filter: Filter,
}

impl Statistics {
    /// Adds a game.
    ///
    /// # Errors
    /// The first fault of the game; it is not counted then.
    pub fn add(&mut self, game: &PackedGame) -> Result<(), GameFault> {
        self.add_distinct(game, &mut |_| true)
    }

    /// As [`Statistics::add`], counting only positions that may be repeated once more.
    ///
    /// # Errors
    /// The first fault of the game; its positions before that count as seen.
    pub fn add_with_repeats(&mut self, game: &PackedGame, repeats: &mut Repeats) -> Result<(), GameFault> {
        self.add_distinct(game, &mut |key| repeats.admit(key))
    }

    fn add_distinct(&mut self, game: &PackedGame, admit: &mut dyn FnMut(u64) -> bool) -> Result<(), GameFault> {
        let mut positions = 0;
        for position in game.positions() {
            let position = position?;
            positions += u64::from(self.filter.keeps(&position) && admit(position.board.key()));
        }
        self.positions += positions;
        self.games += 1;
        self.outcomes[usize::from(game.outcome.code())] += 1;
        self.verdicts[game.verdict as usize] += 1;
        self.openings[game.opening as usize] += 1;
        self.plies += game.plies.len() as u64;
        self.longest = self.longest.max(game.length());
        let column = game.length() / LENGTH_STEP;
        if self.lengths.len() <= column {
            self.lengths.resize(column + 1, 0);
        }
        self.lengths[column] += 1;
        Ok(())
    }

    /// Games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Half-moves that were searched.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Positions that the default [`Filter`] keeps.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Games with this result for Red.
    pub fn outcome(&self, outcome: GameOutcome) -> u64 {
        self.outcomes[usize::from(outcome.code())]
    }

    /// Games that ended so.
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    /// The length, in half-moves with the opening, that so large a share of the games does not exceed.
    pub fn length_quantile(&self, share: f64) -> usize {
        let wanted = (self.games as f64 * share).ceil() as u64;
        let mut sum = 0;
        for (column, &count) in self.lengths.iter().enumerate() {
            sum += count;
            if sum >= wanted.max(1) {
                return (column * LENGTH_STEP + LENGTH_STEP - 1).min(self.longest);
            }
        }
        self.longest
    }
}

impl fmt::Display for Statistics {
    /// Several lines, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let share = |part: u64| percent(part, self.games);
        let mean = self.plies as f64 / self.games.max(1) as f64;
        writeln!(f, "games      {}", self.games)?;
        writeln!(
            f,
            "positions  {} kept of {} searched ({:.1} %)",
            self.positions,
            self.plies,
            percent(self.positions, self.plies)
        )?;
        writeln!(
            f,
            "results    Red won {:.1} %, drawn {:.1} %, Black won {:.1} %",
            share(self.outcome(GameOutcome::Win)),
            share(self.outcome(GameOutcome::Draw)),
            share(self.outcome(GameOutcome::Loss))
        )?;
        writeln!(
            f,
            "length     {mean:.1} plies searched on average; half of the games up to {}, nine in ten up to {}, all up to {}",
            self.length_quantile(0.5),
            self.length_quantile(0.9),
            self.longest
        )?;
        let openings: Vec<String> = Opening::ALL
            .into_iter()
            .map(|opening| format!("{opening:?} {:.1} %", share(self.openings[opening as usize])))
            .collect();
        writeln!(f, "openings   {}", openings.join(", "))?;
        write!(f, "ended by")?;
        for verdict in Verdict::ALL {
            write!(
                f,
                "\n  {:<16} {:>9} {:5.1} %",
                format!("{verdict:?}"),
                self.verdict(verdict),
                share(self.verdict(verdict))
            )?;
        }
        Ok(())
    }
}
