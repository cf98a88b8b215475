//! The table of options: names in each dialect, values, and what setting them does.

use std::path::Path;
use std::time::Duration;

use chuhe_engine::{DEFAULT_HASH_MIB, MAX_THREADS, Strength};
use chuhe_eval::Evaluation;
use chuhe_protocol::{Dialect, OptionDecl, OptionKind, OptionValue, SetOption, same_name};
use chuhe_rules::{RuleSet, UnknownRuleSet};

use crate::paths;
use crate::settings::{MAX_SKILL_LEVEL, Settings};

/// What is left to do after an option was set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Show a text to the user.
    Tell(String),
    /// Use a hash table of this many MiB.
    ResizeHash(usize),
    /// Forget earlier games.
    NewGame,
    /// Read the opening books again.
    LoadBooks,
    /// Read the endgame tables again.
    LoadTables,
    /// Use the evaluation that is now set.
    UseEvaluation,
    /// Write a transcript to this file, or no longer.
    Log(OptionValue),
}

/// One option.
struct OptionRow {
    /// Name announced in UCCI.
    ucci: Option<&'static str>,
    /// Name announced in UCI.
    uci: Option<&'static str>,
    /// Further names under which it is accepted.
    aliases: &'static [&'static str],
    /// Values, and what they do.
    kind: Kind,
}

/// The type of an option with its values and its setter. All values are accepted in all dialects.
enum Kind {
    /// True or false.
    Check { default: bool, set: fn(&mut Settings, bool) -> Vec<Effect> },
    /// A number, brought into its range.
    Spin { min: i64, max: i64, default: i64, set: fn(&mut Settings, i64) -> Vec<Effect> },
    /// A word. Setters also see words that are not announced.
    Combo { default: &'static str, vars: &'static [&'static str], set: fn(&mut Settings, &str) -> Vec<Effect> },
    /// Any bytes.
    Text { set: fn(&mut Settings, &OptionValue) -> Vec<Effect> },
    /// An action.
    Button(fn() -> Effect),
}

const fn both(ucci: &'static str, uci: &'static str, kind: Kind) -> OptionRow {
    OptionRow { ucci: Some(ucci), uci: Some(uci), aliases: &[], kind }
}

const fn ucci(name: &'static str, kind: Kind) -> OptionRow {
    OptionRow { ucci: Some(name), uci: None, aliases: &[], kind }
}

const fn uci(name: &'static str, kind: Kind) -> OptionRow {
    OptionRow { ucci: None, uci: Some(name), aliases: &[], kind }
}

impl OptionRow {
    /// With further names.
    const fn or(self, aliases: &'static [&'static str]) -> OptionRow {
        OptionRow { ucci: self.ucci, uci: self.uci, aliases, kind: self.kind }
    }

    fn is_named(&self, name: &str) -> bool {
        let announced = self.ucci.into_iter().chain(self.uci);
        announced.chain(self.aliases.iter().copied()).any(|own| same_name(own, name))
    }
}

/// A check option that changes a setting and nothing else.
macro_rules! check {
    ($default:literal, $($field:ident).+) => {
        Kind::Check { default: $default, set: |settings, on| { settings.$($field).+ = on; Vec::new() } }
    };
}

const NO_EFFECT_COMBO: fn(&mut Settings, &str) -> Vec<Effect> = |_, _| Vec::new();

/// All options, in the order in which they are announced.
static TABLE: &[OptionRow] = &[
    ucci("usemillisec", check!(true, milliseconds)),
    ucci("batch", check!(false, batch)),
    ucci("debug", check!(false, debug)),
    both("hashsize", "Hash", Kind::Spin { min: 0, max: MAX_HASH_MIB, default: DEFAULT_HASH_MIB as i64, set: set_hash }),
    both("threads", "Threads", Kind::Spin { min: 0, max: MAX_THREADS as i64, default: 1, set: set_threads }),
    both("ponder", "Ponder", check!(false, engine.ponder)),
    both("multipv", "MultiPV", Kind::Spin { min: 1, max: MAX_MULTI_PV, default: 1, set: set_multi_pv }),
    uci("Clear Hash", Kind::Button(|| Effect::NewGame)),
    both("usebook", "OwnBook", check!(true, use_book)),
    both("bookfiles", "BookFile", Kind::Text { set: set_books }),
    ucci("useegtb", check!(true, engine.use_tables)),
    both("egtbpaths", "EndgamePath", Kind::Text { set: set_table_folders }),
    both("evalfile", "EvalFile", Kind::Text { set: set_eval_file }),
    uci("Move Overhead", Kind::Spin { min: 0, max: 5000, default: 10, set: set_move_overhead }),
    uci("UCI_ShowWDL", check!(false, show_wdl)),
    // General GUIs recognise a xiangqi engine by this option. There is but one value, so nothing to set.
    uci("UCI_Variant", Kind::Combo { default: "xiangqi", vars: &["xiangqi"], set: NO_EFFECT_COMBO }),
    // UCCI 3.0 has given up its option `repetition`: this one is ours, with values of our own.
    both(
        "repetitionrule",
        "Repetition Rule",
        Kind::Combo { default: RULE_NAMES[0], vars: &RULE_NAMES, set: set_rules },
    )
    .or(&["repetition"]),
    uci("Sixty Move Rule", check!(true, engine.natural_limit)),
    both(
        "skilllevel",
        "Skill Level",
        Kind::Spin { min: 0, max: MAX_SKILL_LEVEL, default: MAX_SKILL_LEVEL, set: set_skill_level },
    ),
    both("limitstrength", "UCI_LimitStrength", check!(false, limit_strength)),
    both("elo", "UCI_Elo", Kind::Spin { min: MIN_ELO, max: MAX_ELO, default: MAX_ELO, set: set_elo }),
    // Accepted, no effect: the priority of the process belongs to the user.
    ucci("idle", Kind::Combo { default: "none", vars: &SIZES, set: NO_EFFECT_COMBO }),
    // The variant in which advisors and elephants become pawns is not played.
    ucci("promotion", Kind::Check { default: false, set: set_promotion }),
    // Accepted, no effect: weaker play is had by `Skill Level`.
    ucci("pruning", Kind::Combo { default: "large", vars: &SIZES, set: NO_EFFECT_COMBO }),
    // Accepted, no effect, for the same reason.
    ucci("knowledge", Kind::Combo { default: "large", vars: &SIZES, set: NO_EFFECT_COMBO }),
    ucci("randomness", Kind::Combo { default: "none", vars: &RANDOMNESS_NAMES, set: set_randomness })
        .or(&["selectivity"]),
    // Accepted, no effect: there is one style.
    ucci("style", Kind::Combo { default: "normal", vars: &["solid", "normal", "risky"], set: NO_EFFECT_COMBO }),
    ucci("allowoffer", check!(false, licence.offer)),
    ucci("allowgiveup", check!(false, licence.give_up)),
    uci("Debug Log File", Kind::Text { set: |_, value| vec![Effect::Log(value.clone())] }),
    ucci("newgame", Kind::Button(|| Effect::NewGame)),
    OptionRow { ucci: None, uci: None, aliases: &["loadbook"], kind: Kind::Button(|| Effect::LoadBooks) },
];

const MAX_HASH_MIB: i64 = 1 << 16;
const MAX_MULTI_PV: i64 = 128;
const MIN_ELO: i64 = Strength::MIN_ELO as i64;
const MAX_ELO: i64 = Strength::MAX_ELO as i64;
const SIZES: [&str; 4] = ["none", "small", "medium", "large"];

/// The values of `randomness` and what they mean to the engine, in units of evaluation.
const RANDOMNESS: [(&str, i32); 6] =
    [("none", 0), ("tiny", 5), ("small", 10), ("medium", 20), ("large", 40), ("huge", 80)];

const RANDOMNESS_NAMES: [&str; RANDOMNESS.len()] = {
    let mut names = [""; RANDOMNESS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = RANDOMNESS[i].0;
        i += 1;
    }
    names
};

const RULE_NAMES: [&str; RuleSet::ALL.len()] = {
    let mut names = [""; RuleSet::ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = RuleSet::ALL[i].name();
        i += 1;
    }
    names
};

fn set_hash(_: &mut Settings, mib: i64) -> Vec<Effect> {
    let mib = usize::try_from(mib).unwrap_or(0);
    vec![Effect::ResizeHash(if mib == 0 { DEFAULT_HASH_MIB } else { mib })]
}

fn set_threads(settings: &mut Settings, threads: i64) -> Vec<Effect> {
    let threads = usize::try_from(threads).unwrap_or(0);
    settings.engine.threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS),
        threads => threads,
    };
    Vec::new()
}

fn set_multi_pv(settings: &mut Settings, lines: i64) -> Vec<Effect> {
    settings.engine.multi_pv = usize::try_from(lines).unwrap_or(1);
    Vec::new()
}

fn set_move_overhead(settings: &mut Settings, millis: i64) -> Vec<Effect> {
    settings.engine.move_overhead = Duration::from_millis(millis.unsigned_abs());
    Vec::new()
}

fn set_skill_level(settings: &mut Settings, level: i64) -> Vec<Effect> {
    settings.skill_level = level;
    Vec::new()
}

fn set_elo(settings: &mut Settings, elo: i64) -> Vec<Effect> {
    settings.elo = elo;
    Vec::new()
}

fn set_randomness(settings: &mut Settings, name: &str) -> Vec<Effect> {
    if let Some((_, units)) = RANDOMNESS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
        settings.engine.randomness = *units;
    }
    Vec::new()
}

fn set_rules(settings: &mut Settings, name: &str) -> Vec<Effect> {
    match name.parse::<RuleSet>() {
        Ok(rules) => {
            settings.engine.rules = rules;
            Vec::new()
        }
        Err(error @ UnknownRuleSet::Refused { .. }) => {
            settings.engine.rules = RuleSet::COMPUTER;
            vec![Effect::Tell(format!("{error}; using {}", settings.engine.rules))]
        }
        Err(error) => vec![Effect::Tell(error.to_string())],
    }
}

fn set_promotion(_: &mut Settings, on: bool) -> Vec<Effect> {
    if on {
        vec![Effect::Tell("promotion is not supported, playing by the usual rules".to_owned())]
    } else {
        Vec::new()
    }
}

fn set_books(settings: &mut Settings, value: &OptionValue) -> Vec<Effect> {
    let mut effects = Vec::new();
    settings.books.clear();
    for name in value.as_bytes().split(|&byte| byte == b';') {
        let name = name.trim_ascii();
        match paths::find(name, settings.program_folder.as_deref()) {
            Ok(path) => settings.books.push(path),
            Err(_) if name.is_empty() => {}
            Err(error) => effects.push(Effect::Tell(format!("opening book: {error}"))),
        }
    }
    effects.push(Effect::LoadBooks);
    effects
}

fn set_table_folders(settings: &mut Settings, value: &OptionValue) -> Vec<Effect> {
    let mut effects = Vec::new();
    settings.table_folders.clear();
    for name in value.as_bytes().split(|&byte| byte == b';') {
        let name = name.trim_ascii();
        match paths::find_folder(name, settings.program_folder.as_deref()) {
            Ok(path) => settings.table_folders.push(path),
            Err(_) if name.is_empty() => {}
            Err(error) => effects.push(Effect::Tell(format!("endgame tables: {error}"))),
        }
    }
    effects.push(Effect::LoadTables);
    effects
}

/// A word that names an evaluation, or a network file. One that is refused changes nothing.
fn set_eval_file(settings: &mut Settings, value: &OptionValue) -> Vec<Effect> {
    let named = value.as_str().and_then(|word| Evaluation::named(word.trim()));
    let chosen = match named {
        Some(evaluation) => Ok(evaluation),
        None => load_evaluation(value, settings.program_folder.as_deref()),
    };
    match chosen {
        Ok(evaluation) if evaluation == settings.evaluation => Vec::new(),
        Ok(evaluation) => {
            let told = format!("evaluation: {evaluation}");
            settings.evaluation = evaluation;
            vec![Effect::UseEvaluation, Effect::Tell(told)]
        }
        Err(reason) => vec![Effect::Tell(format!("evaluation file: {reason}"))],
    }
}

fn load_evaluation(name: &OptionValue, program_folder: Option<&Path>) -> Result<Evaluation, String> {
    let path = paths::find(name.as_bytes(), program_folder).map_err(|error| error.to_string())?;
    Evaluation::load(&path).map_err(|error| format!("`{}` rejected: {error}", path.display()))
}

/// Whether a word may stand in what is announced in UCCI: gmchess takes a line with one of these for the end of the game.
/// Values that are not announced can be set all the same.
fn is_harmless(word: &str) -> bool {
    !["draw", "resign"].iter().any(|ending| word.contains(ending))
}

/// The options announced in a dialect.
pub(crate) fn declarations(dialect: Dialect) -> impl Iterator<Item = OptionDecl> {
    let declared = TABLE.iter().filter_map(move |row| {
        let name = match dialect {
            Dialect::Ucci => row.ucci,
            Dialect::Uci => row.uci,
        }?;
        let kind = match &row.kind {
            Kind::Check { default, .. } => OptionKind::check(*default),
            Kind::Spin { min, max, default, .. } => OptionKind::spin(*min, *max, *default),
            Kind::Combo { default, vars, .. } => OptionKind::combo(
                default,
                vars.iter().copied().filter(|word| dialect == Dialect::Uci || is_harmless(word)),
            ),
            Kind::Text { .. } => OptionKind::string(""),
            Kind::Button(_) => OptionKind::Button,
        };
        Some(OptionDecl::new(name, kind))
    });
    #[cfg(feature = "tune")]
    let declared = declared.chain(chuhe_engine::params::all().into_iter().map(|param| {
        let [min, max, value] = [param.min, param.max, param.value].map(i64::from);
        OptionDecl::new(param.name, OptionKind::spin(min, max, value))
    }));
    declared
}

/// The row of an option, and its value.
///
/// UCCI has no mark between name and value, so `setoption Skill Level 5` arrives as `Skill` with the value `Level 5`: the
/// longest name that fits is meant. The word `value`, which some GUIs write in UCCI too, is no part of a value.
fn find(option: &SetOption) -> Option<(&'static OptionRow, OptionValue)> {
    let mut found = None;
    let mut name = option.name.clone();
    let mut rest = option.value.as_bytes();
    loop {
        if let Some(row) = TABLE.iter().find(|row| row.is_named(&name)) {
            found = Some((row, OptionValue::new(rest)));
        }
        if name.len() > LONGEST_NAME || rest.is_empty() {
            break;
        }
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        name.push_str(&String::from_utf8_lossy(&rest[..end]));
        rest = rest[end..].trim_ascii_start();
    }
    let (row, value) = found?;
    let bytes = value.as_bytes();
    let is_marked = !matches!(row.kind, Kind::Text { .. })
        && bytes.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"value "));
    Some((row, if is_marked { OptionValue::new(&bytes[6..]) } else { value }))
}

/// No option has a longer name, blanks not counted.
const LONGEST_NAME: usize = 24;

/// Sets an option under any of its names. Unknown options and unreadable values change nothing.
pub(crate) fn set(settings: &mut Settings, option: &SetOption) -> Vec<Effect> {
    #[cfg(feature = "tune")]
    if let Some(number) = option.value.to_int().and_then(|number| i32::try_from(number).ok())
        && chuhe_engine::params::set(&option.name, number)
    {
        return Vec::new();
    }
    let Some((row, value)) = find(option) else { return Vec::new() };
    match &row.kind {
        Kind::Check { set, .. } => value.to_bool().map(|on| set(settings, on)),
        Kind::Spin { min, max, set, .. } => value.to_int().map(|number| set(settings, number.clamp(*min, *max))),
        Kind::Combo { set, .. } => value.as_str().map(|word| set(settings, word)),
        Kind::Text { set } => Some(set(settings, &value)),
        Kind::Button(press) => Some(vec![press()]),
    }
    .unwrap_or_default()
}
