//! Rule sets: which repetitions lose. Data, not branches by name.

use std::fmt;
use std::str::FromStr;

/// How repetitions are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    name: &'static str,
    /// Whether a side that checks with every move of the cycle loses, unless the other does too.
    pub(crate) perpetual_check_loses: bool,
}

impl RuleSet {
    /// Only perpetual check (长将) loses; every other repetition draws.
    pub const CHECK_ONLY: RuleSet = RuleSet { name: "checkonly", perpetual_check_loses: true };
    /// Every repetition draws (UCCI 2.x `alwaysdraw`, 不变作和).
    pub const ALWAYS_DRAW: RuleSet = RuleSet { name: "alwaysdraw", perpetual_check_loses: false };

    /// The rule sets, strictest first.
    pub const ALL: [RuleSet; 2] = [RuleSet::CHECK_ONLY, RuleSet::ALWAYS_DRAW];

    /// The name under which the rule set is chosen.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::CHECK_ONLY
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// No rule set has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown rule set `{0}`: expected checkonly or alwaysdraw")]
pub struct UnknownRuleSet(pub String);

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    /// Case does not matter; UCCI 2.x `checkban` (禁止长将) is `checkonly`.
    fn from_str(name: &str) -> Result<RuleSet, UnknownRuleSet> {
        if name.eq_ignore_ascii_case("checkban") {
            return Ok(RuleSet::CHECK_ONLY);
        }
        RuleSet::ALL
            .into_iter()
            .find(|rules| rules.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownRuleSet(name.chars().take(40).collect()))
    }
}
