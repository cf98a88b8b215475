//! What tables there are, for people and as data.

use chuhe_text::{Align, aligned};
use serde::Serialize;

use crate::{Counts, TableInfo, Tables};

/// What is known of a table, as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Listed {
    class: String,
    placements: u32,
    longest_plies: u16,
    has_distances: bool,
    strong_to_move: Numbers,
    weak_to_move: Numbers,
    strong_may_win_by_rule: bool,
    weak_may_win_by_rule: bool,
    values_xxh3: String,
}

/// Numbers of positions with one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Numbers {
    legal: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    rules_decide: u32,
}

impl From<&TableInfo> for Listed {
    fn from(info: &TableInfo) -> Listed {
        let numbers = |counts: &Counts| Numbers {
            legal: counts.legal,
            wins: counts.wins,
            draws: counts.draws(),
            losses: counts.losses,
            rules_decide: counts.rules_decide,
        };
        let [strong, weak] = &info.counts;
        Listed {
            class: info.class.to_string(),
            placements: info.placements,
            longest_plies: info.longest,
            has_distances: info.has_distances,
            strong_to_move: numbers(strong),
            weak_to_move: numbers(weak),
            strong_may_win_by_rule: info.rule_wins.strong,
            weak_may_win_by_rule: info.rule_wins.weak,
            values_xxh3: format!("{:016x}", info.values_hash),
        }
    }
}

/// All tables in columns, with a line that explains them.
#[must_use]
pub fn list(tables: &Tables) -> String {
    let heads = ["class", "placements", "wins", "draws", "rules", "losses", "draws", "rules", "longest", "distances"];
    let row = |info: &TableInfo| {
        let [strong, weak] = &info.counts;
        let numbers = [
            info.placements,
            strong.wins,
            strong.draws(),
            strong.rules_decide,
            weak.losses,
            weak.draws(),
            weak.rules_decide,
            info.longest.into(),
        ];
        let distances = if info.has_distances { "yes" } else { "no" };
        let numbers = numbers.iter().map(u32::to_string);
        std::iter::once(info.class.to_string()).chain(numbers).chain([distances.to_owned()]).collect()
    };
    let mut rows: Vec<Vec<String>> = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(tables.infos().map(row));
    let mut aligns = [Align::Right; 10];
    aligns[0] = Align::Left;
    let legend =
        "wins to rules: the strong side to move; losses to rules: the weak side to move; longest: plies to mate";
    format!("{}{legend}\n", aligned(&rows, &aligns))
}
