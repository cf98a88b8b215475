//! Who takes part.

use chuhe_movegen::Color;

use crate::systems::{EntrantId, GameSlot};

/// An engine, by its place in the list of engines, from 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EngineId(pub usize);

/// An engine or a team in the starting list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// Its engines, one for each board.
    pub boards: Vec<EngineId>,
}

/// Engines and entrants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roster {
    engines: Vec<String>,
    entrants: Vec<Entrant>,
}

/// A roster that makes no tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RosterError {
    /// Two of one name.
    #[error("two entrants are called {0:?}: expected different names")]
    SameName(String),
    /// A team with an engine that is not in the list.
    #[error("team {team:?}: no engine is called {engine:?}")]
    UnknownEngine {
        /// The team.
        team: String,
        /// The engine's name.
        engine: String,
    },
    /// Teams of different sizes.
    #[error("team {team:?} has {found} engines: expected {expected}, as the first team has")]
    Boards {
        /// The team.
        team: String,
        /// Its engines.
        found: usize,
        /// The first team's.
        expected: usize,
    },
    /// An engine with two places: it would meet itself.
    #[error("engine {engine:?} is in team {first:?} and in team {second:?}: expected one place for each engine")]
    TwoPlaces {
        /// The engine's name.
        engine: String,
        /// The team of its first place.
        first: String,
        /// The team of its second place, which may be the same.
        second: String,
    },
    /// An engine that would not play.
    #[error("engine {0:?} is in no team: expected one place for each engine")]
    NoPlace(String),
    /// A team without engines.
    #[error("team {0:?} has no engines: expected one for each board")]
    EmptyTeam(String),
}

impl Roster {
    /// Single engines in the order of the starting list.
    ///
    /// # Errors
    /// When two have the same name.
    pub fn of_engines(engines: Vec<String>) -> Result<Roster, RosterError> {
        check_names(&engines)?;
        let entrants = engines.iter().enumerate();
        let entrants =
            entrants.map(|(i, name)| Entrant { name: name.clone(), boards: vec![EngineId(i)] }).collect::<Vec<_>>();
        Ok(Roster { engines, entrants })
    }

    /// Teams in the order of the starting list, each a name and the names of its engines by board.
    ///
    /// # Errors
    /// When names are not unique, an engine is unknown, has two places or none, or the teams differ in size.
    pub fn of_teams(engines: Vec<String>, teams: Vec<(String, Vec<String>)>) -> Result<Roster, RosterError> {
        check_names(&engines)?;
        check_names(&teams.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>())?;
        let expected = teams.first().map_or(0, |(_, members)| members.len());
        let mut entrants = Vec::with_capacity(teams.len());
        for (team, members) in teams {
            if members.is_empty() {
                return Err(RosterError::EmptyTeam(team));
            }
            if members.len() != expected {
                return Err(RosterError::Boards { team, found: members.len(), expected });
            }
            let boards = members
                .into_iter()
                .map(|engine| match engines.iter().position(|name| *name == engine) {
                    Some(i) => Ok(EngineId(i)),
                    None => Err(RosterError::UnknownEngine { team: team.clone(), engine }),
                })
                .collect::<Result<_, _>>()?;
            entrants.push(Entrant { name: team, boards });
        }
        for (id, engine) in engines.iter().enumerate() {
            let places = |entrant: &Entrant| entrant.boards.iter().filter(|board| board.0 == id).count();
            let places = entrants.iter().flat_map(|team| std::iter::repeat_n(&team.name, places(team)));
            match places.take(2).collect::<Vec<_>>()[..] {
                [] => return Err(RosterError::NoPlace(engine.clone())),
                [first, second] => {
                    let [first, second] = [first, second].map(String::clone);
                    return Err(RosterError::TwoPlaces { engine: engine.clone(), first, second });
                }
                _ => {}
            }
        }
        Ok(Roster { engines, entrants })
    }

    /// The names of the engines.
    #[must_use]
    pub fn engines(&self) -> &[String] {
        &self.engines
    }

    /// The starting list.
    #[must_use]
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// Boards of an encounter: 1 for single engines.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.entrants.first().map_or(1, |entrant| entrant.boards.len())
    }

    /// An entrant's name; its number when there is no such entrant.
    #[must_use]
    pub fn name(&self, entrant: EntrantId) -> String {
        let entry = entrant.index().and_then(|i| self.entrants.get(i));
        entry.map_or_else(|| format!("entrant {entrant}"), |entry| entry.name.clone())
    }

    /// The entrant of a name.
    #[must_use]
    pub fn entrant(&self, name: &str) -> Option<EntrantId> {
        let i = self.entrants.iter().position(|entrant| entrant.name == name)?;
        u16::try_from(i + 1).ok().map(EntrantId::new)
    }

    /// An engine's name.
    #[must_use]
    pub fn engine(&self, engine: EngineId) -> &str {
        self.engines.get(engine.0).map_or("?", String::as_str)
    }

    /// The engine that has a colour in a game; `None` when the roster has no such entrant or board.
    #[must_use]
    pub fn player(&self, slot: &GameSlot, color: Color) -> Option<EngineId> {
        let entrant = if color == Color::Red { slot.red() } else { slot.black() };
        let entrant = self.entrants.get(entrant.index()?)?;
        entrant.boards.get(usize::from(slot.board).checked_sub(1)?).copied()
    }
}

fn check_names(names: &[String]) -> Result<(), RosterError> {
    let mut seen = std::collections::BTreeSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(RosterError::SameName(name.clone())),
        None => Ok(()),
    }
}
