//! Rule sets: which repetitions lose. Data, not branches by name.

use std::fmt;
use std::str::FromStr;

use chuhe_movegen::PieceType;
use chuhe_text::did_you_mean;

use crate::chase::{Attackers, ChaseDefinition, Gain, Newness};
use crate::exemptions::Exemptions;
use crate::ruling::{Chase, Ground, Procedure};

/// How bad each pattern of moves is; anything with an idle move in it is 0. The higher level loses, equal levels draw.
///
/// This is the decision table of a rule set: the two-sided tables of the written rules all have this form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OffenceLevels {
    /// Every move checks (长将).
    pub(crate) perpetual_check: u8,
    /// Every move chases one rook that is pinned by a horse's leg (Asian rule 19).
    pub(crate) chase_of_leg_pinned_rook: u8,
    /// Every move chases one and the same piece (长捉).
    pub(crate) chase_of_one_piece: u8,
    /// Every move is a check, a mate threat or a chase, in any mixture.
    pub(crate) other_attacks: u8,
}

impl OffenceLevels {
    const NONE: OffenceLevels =
        OffenceLevels { perpetual_check: 0, chase_of_leg_pinned_rook: 0, chase_of_one_piece: 0, other_attacks: 0 };

    /// Whether anything but perpetual check can be an offence.
    pub(crate) const fn punishes_chases(&self) -> bool {
        self.chase_of_leg_pinned_rook > 0 || self.chase_of_one_piece > 0 || self.other_attacks > 0
    }
}

/// A set of rules for repetitions: a decision table, a definition of the chase, and switches where the texts differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    name: &'static str,
    pub(crate) levels: OffenceLevels,
    pub(crate) chase: ChaseDefinition,
    /// Whether a mate threat (杀) is an attack; otherwise the move counts by what it chases.
    pub(crate) kill_is_attack: bool,
    /// Whether any check between the occurrences, by either side, makes every chase harmless.
    pub(crate) check_voids_chases: bool,
    /// Whether a checking move counts as one of the chases of a piece it also attacks anew (an open question of the
    /// Asian text; no rule set here answers yes).
    pub(crate) check_may_chase: bool,
    /// Whether pawn attacks count once the other side is at fault (互打, article 27.2 of 1999).
    pub(crate) pawns_chase_in_mutual_fight: bool,
    /// What is excused all the same.
    pub(crate) exemptions: Exemptions,
    /// What the text calls its articles.
    article_word: &'static str,
    articles: Articles,
    procedures: Procedures,
}

/// What follows when a side at fault has brought a position for the third time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Procedures {
    on_perpetual_check: Procedure,
    on_the_rest: Procedure,
    /// The articles on a loss at once, on a draw and on the duty to deviate, if the text has them.
    articles: Option<[&'static str; 3]>,
}

impl Procedures {
    /// Between engines nobody is warned.
    const NO_WARNING: Procedures =
        Procedures { on_perpetual_check: Procedure::LosesAtOnce, on_the_rest: Procedure::LosesAtOnce, articles: None };
    /// Whoever chases has to change or lose.
    const CHANGE_OR_LOSE: Procedures = Procedures { on_the_rest: Procedure::MustDeviate, ..Procedures::NO_WARNING };
    /// Article 24.
    const CHINESE: Procedures = Procedures {
        on_the_rest: Procedure::OneMoreRound,
        articles: Some(["24.1", "24.2", "24.3"]),
        ..Procedures::NO_WARNING
    };
}

/// Which article a ruling rests on, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Articles {
    grounds: &'static [(Ground, &'static str)],
    /// More precise ones on a perpetual chase.
    chases: &'static [ChaseArticle],
}

/// An article on the perpetual chase of one piece by certain others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ChaseArticle {
    /// What chases with every move, perhaps together with others; `None`: pieces of different kinds take turns.
    attacker: Option<PieceType>,
    /// The victims it speaks of.
    victims: &'static [PieceType],
    number: &'static str,
}

impl ChaseArticle {
    const fn new(attacker: PieceType, victims: &'static [PieceType], number: &'static str) -> ChaseArticle {
        ChaseArticle { attacker: Some(attacker), victims, number }
    }
}

impl Articles {
    const fn on(grounds: &'static [(Ground, &'static str)]) -> Articles {
        Articles { grounds, chases: &[] }
    }
}

const ASIAN_CHASE: ChaseDefinition = ChaseDefinition {
    gain: Gain::FirstRetake,
    newness: Newness::Pair,
    excuses_suicide: false,
    through_checks: false,
    attackers: Attackers::Pieces,
};

const CHINESE_CHASE: ChaseDefinition = ChaseDefinition {
    gain: Gain::Exchange,
    newness: Newness::Pair,
    excuses_suicide: true,
    through_checks: true,
    attackers: Attackers::Pieces,
};

/// Numbers of the Asian text: up to 5 general rules, from 6 on detail rules.
const ASIAN_ARTICLES: Articles = Articles { grounds: ASIAN_GROUNDS, chases: ASIAN_CHASES };

const ASIAN_GROUNDS: &[(Ground, &str)] = &[
    (Ground::PerpetualCheck, "6"),
    (Ground::PerpetualCheckAgainstChecks, "8"),
    (Ground::MutualPerpetualCheck, "7"),
    (Ground::ChaseOfLegPinnedRook, "19"),
    // The general rule; the detail rules that follow are more precise where their diagrams show the pieces.
    (Ground::PerpetualChase, "3"),
    (Ground::ChaseAgainstAttacks, "18"),
    (Ground::MutualOffence, "5"),
    (Ground::PermittedMateThreats, "9"),
    (Ground::PermittedChecksAndMateThreats, "9"),
    (Ground::PermittedCheckAndChase, "12"),
    (Ground::PermittedChaseOfSeveral, "32"),
    (Ground::NoOffence, "5"),
];

const ASIAN_CHASES: &[ChaseArticle] = {
    use PieceType::{Advisor, Cannon, Elephant, Horse, Pawn, Rook};
    &[
        ChaseArticle::new(Cannon, &[Rook], "15"),
        ChaseArticle::new(Horse, &[Rook], "15"),
        ChaseArticle::new(Cannon, &[Horse, Advisor, Elephant, Pawn], "25"),
        ChaseArticle::new(Rook, &[Cannon], "18"),
        ChaseArticle::new(Rook, &[Rook], "24"),
        ChaseArticle::new(Cannon, &[Cannon], "24"),
        ChaseArticle::new(Horse, &[Horse], "24"),
        ChaseArticle { attacker: None, victims: &PieceType::ALL, number: "33" },
    ]
};

/// The four principles; the edition of 2020 keeps them.
const CHINESE_ARTICLES: Articles = Articles::on(&[
    (Ground::PerpetualCheck, "26.1"),
    (Ground::PerpetualCheckAgainstChecks, "26.1"),
    (Ground::MutualPerpetualCheck, "26.3"),
    (Ground::PerpetualChase, "26.4"),
    (Ground::ChaseAgainstAttacks, "26.4"),
    (Ground::PerpetualAttack, "26.4"),
    (Ground::MutualOffence, "26.3"),
    (Ground::PawnFight, "27.2"),
    (Ground::NoOffence, "26.2"),
]);

/// Points of the sections on forbidden and permitted moves.
const OLD_CHINESE_ARTICLES: Articles = Articles::on(&[
    (Ground::PerpetualCheck, "forbidden 1"),
    (Ground::PerpetualCheckAgainstChecks, "forbidden 1"),
    (Ground::MutualPerpetualCheck, "forbidden 2"),
    (Ground::ChecksAnswered, "forbidden 2"),
    (Ground::PerpetualChase, "forbidden 1"),
    (Ground::ChaseAgainstAttacks, "forbidden 1"),
    (Ground::PerpetualAttack, "forbidden 1"),
    (Ground::AttackParried, "permitted 4"),
    (Ground::MutualOffence, "permitted 4"),
    (Ground::TrappedPiece, "permitted 5"),
    (Ground::NoOffence, "permitted 1"),
]);

/// The three steps of the rule.
const COMPUTER_ARTICLES: Articles = Articles::on(&[
    (Ground::PerpetualCheck, "1"),
    (Ground::PerpetualCheckAgainstChecks, "1"),
    (Ground::MutualPerpetualCheck, "1"),
    (Ground::ChecksVoidChases, "2"),
    (Ground::PerpetualChase, "3"),
    (Ground::ChaseAgainstAttacks, "3"),
    (Ground::MutualOffence, "3"),
    (Ground::PermittedMateThreats, "3"),
    (Ground::PermittedChecksAndMateThreats, "2"),
    (Ground::PermittedCheckAndChase, "2"),
    (Ground::PermittedChaseOfSeveral, "3"),
    (Ground::NoOffence, "3"),
]);

impl RuleSet {
    /// The simplified rule of current engines: perpetual check loses; else, if nobody checks at all, the perpetual
    /// chase of one piece.
    pub const COMPUTER: RuleSet = RuleSet {
        name: "computer",
        levels: OffenceLevels {
            perpetual_check: 2,
            chase_of_leg_pinned_rook: 1,
            chase_of_one_piece: 1,
            other_attacks: 0,
        },
        chase: ChaseDefinition { newness: Newness::Victim, ..ASIAN_CHASE },
        kill_is_attack: false,
        check_voids_chases: true,
        check_may_chase: false,
        pawns_chase_in_mutual_fight: false,
        exemptions: Exemptions::NONE,
        article_word: "step",
        articles: COMPUTER_ARTICLES,
        procedures: Procedures::NO_WARNING,
    };
    /// The Asian federation's rules, which are those of the World federation.
    pub const ASIAN: RuleSet = RuleSet {
        name: "axf",
        levels: OffenceLevels {
            perpetual_check: 3,
            chase_of_leg_pinned_rook: 2,
            chase_of_one_piece: 1,
            other_attacks: 0,
        },
        chase: ASIAN_CHASE,
        kill_is_attack: false,
        check_voids_chases: false,
        check_may_chase: false,
        pawns_chase_in_mutual_fight: false,
        exemptions: Exemptions::NONE,
        article_word: "rule",
        articles: ASIAN_ARTICLES,
        procedures: Procedures::CHANGE_OR_LOSE,
    };
    /// The Chinese association's rules, edition of 2020.
    pub const CHINESE: RuleSet = RuleSet {
        name: "cxa",
        levels: OffenceLevels {
            perpetual_check: 2,
            chase_of_leg_pinned_rook: 1,
            chase_of_one_piece: 1,
            other_attacks: 1,
        },
        chase: CHINESE_CHASE,
        kill_is_attack: true,
        check_voids_chases: false,
        check_may_chase: false,
        pawns_chase_in_mutual_fight: false,
        exemptions: Exemptions::NONE,
        article_word: "article",
        articles: CHINESE_ARTICLES,
        procedures: Procedures::CHINESE,
    };
    /// The Chinese association's rules, edition of 1999.
    pub const CHINESE_1999: RuleSet =
        RuleSet { name: "cxa1999", pawns_chase_in_mutual_fight: true, ..RuleSet::CHINESE };
    /// The older Chinese text, before 1999: forbids the same, but excuses two attacks against one back when one of them
    /// parries, checks that are answered by checks, and the fight for a trapped piece.
    pub const CHINESE_OLD: RuleSet = RuleSet {
        name: "cxa_old",
        exemptions: Exemptions::OLD_CHINESE,
        article_word: "point",
        articles: OLD_CHINESE_ARTICLES,
        procedures: Procedures::CHANGE_OR_LOSE,
        ..RuleSet::CHINESE
    };
    /// Only perpetual check (长将) loses; every other repetition draws.
    pub const CHECK_ONLY: RuleSet = RuleSet {
        name: "checkonly",
        levels: OffenceLevels { perpetual_check: 1, ..OffenceLevels::NONE },
        articles: Articles::on(&[]),
        procedures: Procedures::NO_WARNING,
        ..RuleSet::ASIAN
    };
    /// Every repetition draws (UCCI 2.x `alwaysdraw`, 不变作和).
    pub const ALWAYS_DRAW: RuleSet = RuleSet { name: "alwaysdraw", levels: OffenceLevels::NONE, ..RuleSet::CHECK_ONLY };

    /// The rule sets that are announced. [`RuleSet::CHINESE_OLD`] is history and chosen by its name only.
    pub const ALL: [RuleSet; 6] = [
        RuleSet::COMPUTER,
        RuleSet::ASIAN,
        RuleSet::CHINESE,
        RuleSet::CHINESE_1999,
        RuleSet::CHECK_ONLY,
        RuleSet::ALWAYS_DRAW,
    ];

    /// The name under which the rule set is chosen.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What these rules call their articles: the Asian ones have rules, the Chinese articles, the older text points, and
    /// the rule of engines has steps.
    pub const fn article_word(&self) -> &'static str {
        self.article_word
    }

    /// The article of these rules on such a ground, by its number in their text. What a ruling rests on may be more
    /// precise: see [`Repetition::article`](crate::Repetition::article).
    pub fn article(&self, ground: Ground) -> Option<&'static str> {
        self.articles.grounds.iter().find(|(known, _)| *known == ground).map(|(_, article)| *article)
    }

    /// What follows when an offence on such a ground has brought a position for the third time.
    pub(crate) const fn procedure(&self, ground: Ground) -> Procedure {
        match ground {
            Ground::PerpetualCheck | Ground::PerpetualCheckAgainstChecks => self.procedures.on_perpetual_check,
            _ => self.procedures.on_the_rest,
        }
    }

    /// The article on this procedure, or on a draw (`None`), by its number; not all texts have one.
    pub fn article_on_procedure(&self, procedure: Option<Procedure>) -> Option<&'static str> {
        let [at_once, draw, deviate] = self.procedures.articles?;
        Some(match procedure {
            None => draw,
            Some(Procedure::LosesAtOnce) => at_once,
            Some(_) => deviate,
        })
    }

    /// The article on the perpetual chase of a piece of this kind, given the chases of it by each move.
    pub(crate) fn article_on_chase<'a, M>(
        &self,
        victim: PieceType,
        moves: impl Iterator<Item = M>,
    ) -> Option<&'static str>
    where
        M: Iterator<Item = &'a Chase>,
    {
        if self.articles.chases.is_empty() {
            return None;
        }
        let mut common = PieceType::ALL.to_vec();
        for chases in moves {
            let chases: Vec<&Chase> = chases.collect();
            common.retain(|kind| chases.iter().any(|chase| chase.attacker.kind == *kind));
        }
        let fits = |article: &&ChaseArticle| {
            article.attacker.map_or(common.is_empty(), |kind| common.contains(&kind))
                && article.victims.contains(&victim)
        };
        self.articles.chases.iter().find(fits).map(|article| article.number)
    }

    /// These rules as a search can afford them: no mate threats, no gains through checks or exchanges.
    ///
    /// Differs from the rules themselves for the Chinese ones only, in repetitions where every move of a side attacks.
    pub(crate) const fn in_search(mut self) -> RuleSet {
        self.kill_is_attack = false;
        self.chase.gain = Gain::FirstRetake;
        self.chase.excuses_suicide = false;
        self.chase.through_checks = false;
        self.pawns_chase_in_mutual_fight = false;
        self.exemptions = Exemptions::NONE;
        self
    }
}

impl RuleSet {
    /// Whether [`RuleSet::in_search`] leaves something out.
    pub(crate) const fn is_simplified_in_search(&self) -> bool {
        self.kill_is_attack || self.chase.through_checks
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Names in other protocols and programs: UCCI 2.x, and the option values of Pikafish and its forks.
const ALIASES: [(&str, RuleSet); 10] = [
    ("checkban", RuleSet::CHECK_ONLY),
    ("asianrule", RuleSet::ASIAN),
    ("asian", RuleSet::ASIAN),
    ("wxf", RuleSet::ASIAN),
    ("world", RuleSet::ASIAN),
    ("chineserule", RuleSet::CHINESE),
    ("chinese", RuleSet::CHINESE),
    ("cxa2020", RuleSet::CHINESE),
    ("computerrule", RuleSet::COMPUTER),
    ("none", RuleSet::ALWAYS_DRAW),
];

/// Rule sets that exist but are not offered, and why.
const REFUSED: [(&str, &str); 3] = [
    ("sky", SKY),
    ("skyrule", SKY),
    ("cxa2011", "its full text was not available, and no position is known where it differs from both cxa and cxa1999"),
];

const SKY: &str = "the rules of Tiantian Xiangqi are not published; checkonly or computer come nearest";

/// A name does not choose a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownRuleSet {
    /// No rule set has this name.
    #[error(
        "unknown rule set `{}`: expected computer, axf, cxa, cxa1999, cxa_old, checkonly or alwaysdraw{}",
        .0, did_you_mean(.0, RuleSet::ALL.iter().map(RuleSet::name))
    )]
    Unknown(String),
    /// The rule set is known, but not offered.
    #[error("rule set `{name}` is not available: {reason}")]
    Refused {
        /// The name asked for.
        name: &'static str,
        /// Why.
        reason: &'static str,
    },
}

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    /// Case does not matter. Understands the names of UCCI 2.x (`checkban` 禁止长将, `asianrule` 亚洲棋规,
    /// `chineserule` 中国棋规) and of Pikafish.
    fn from_str(name: &str) -> Result<RuleSet, UnknownRuleSet> {
        let own = RuleSet::ALL.into_iter().chain([RuleSet::CHINESE_OLD]).map(|rules| (rules.name, rules));
        if let Some((_, rules)) = own.chain(ALIASES).find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return Ok(rules);
        }
        match REFUSED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some(&(name, reason)) => Err(UnknownRuleSet::Refused { name, reason }),
            None => Err(UnknownRuleSet::Unknown(chuhe_text::excerpt(name, 40))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_protocols() {
        for rules in RuleSet::ALL {
            assert_eq!(rules.name().to_uppercase().parse::<RuleSet>(), Ok(rules));
        }
        assert_eq!("cxa_old".parse::<RuleSet>(), Ok(RuleSet::CHINESE_OLD));
        assert_eq!("CheckBan".parse::<RuleSet>(), Ok(RuleSet::CHECK_ONLY));
        assert_eq!("AsianRule".parse::<RuleSet>(), Ok(RuleSet::ASIAN));
        assert_eq!("chineserule".parse::<RuleSet>(), Ok(RuleSet::CHINESE));
        assert_eq!("Computer".parse::<RuleSet>(), Ok(RuleSet::COMPUTER));
        assert_eq!("none such".parse::<RuleSet>(), Err(UnknownRuleSet::Unknown("none such".to_owned())));
        assert_eq!("none\n\u{7}such".parse::<RuleSet>(), Err(UnknownRuleSet::Unknown("none  such".to_owned())));
        for name in ["cxa2011", "SkyRule"] {
            assert!(matches!(name.parse::<RuleSet>(), Err(UnknownRuleSet::Refused { .. })), "{name}");
        }
    }
}
