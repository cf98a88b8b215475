//! DhtmlXQ (东萍象棋网): tags in forum text (UBB) or hidden in a web page, and 打虎将's DHJHtmlXQ, which has other names for
//! the same.
//!
//! Sources: what vschess and wukong read, and files checked. A game stands between `[DhtmlXQ]` and `[/DhtmlXQ]`, or with
//! other letters behind the name, such as `[DhtmlXQiFrame]`. Within,
//! `[DhtmlXQ_red]value[/DhtmlXQ_red]` is a tag; since closing tags do not always match, a value ends at the next one,
//! whatever its name.

mod read;
mod write;

pub(crate) use read::{Games, MARKS, read};
pub use write::to_string;

/// What stands in front of the names of tags. The second is 打虎将's.
const PREFIXES: [&str; 2] = ["DhtmlXQ", "DHJHtmlXQ"];

/// Names of tags here and in records.
const FIELDS: [(&str, &str); 23] = [
    ("title", "Title"),
    ("class", "EventType"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("group", "Group"),
    ("table", "Table"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("blacktime", "BlackTime"),
    ("timerule", "TimeControl"),
    ("type", "Type"),
    ("endtype", "Termination"),
    ("open", "Opening"),
    ("judge", "Referee"),
    ("remark", "Annotator"),
    ("author", "Author"),
];

/// Other names of fields, for what stands in them when the usual ones are missing.
const ALIASES: [(&str, &str); 2] = [("redname", "Red"), ("blackname", "Black")];
