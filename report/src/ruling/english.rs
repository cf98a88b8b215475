//! Explanations in English.

use chuhe_movegen::{Board, Color, Move, Piece, PieceType};
use chuhe_records::GameResult;
use chuhe_rules::{
    Chase, ChaseWay, ClaimOutcome, Ending, Ground, IdleKind, JudgedMove, LimitClaim, MateThreat, MoveClass, Pattern,
    Protection, Repetition, RuleSet, Ruling, Verdict, Window,
};

use super::tongue::{Labels, Statement, Tongue, is_exception};

pub(super) struct English;

impl Tongue for English {
    fn labels(&self) -> &'static Labels {
        &Labels {
            title: "Ruling on a repetition",
            claim_title: "Ruling on a claim of the natural limit",
            red: "Red",
            black: "Black",
            event: "Event",
            date: "Date",
            rules: "Rules",
            number: "No.",
            side: "Side",
            mv: "Move",
            class: "Class",
            details: "Targets",
            ruling: "Ruling: ",
            arbiter: "Arbiter",
            signed_on: "Date and time",
        }
    }

    fn side(&self, color: Color) -> &'static str {
        match color {
            Color::Red => "Red",
            Color::Black => "Black",
        }
    }

    fn rules(&self, rules: &RuleSet) -> String {
        format!("{} ({rules})", capitalised(rules_name(rules)))
    }

    fn verdict(&self, verdict: Verdict) -> String {
        match verdict {
            Verdict::Loses(color) => format!("{color} loses"),
            Verdict::Draw => "Draw".to_owned(),
            Verdict::Undecided => "No ruling yet".to_owned(),
            Verdict::None => "No repetition".to_owned(),
        }
    }

    fn headline(&self, title: &str, verdict: &str, rules: &str) -> String {
        if rules.is_empty() { format!("{title}: {verdict}") } else { format!("{title}: {verdict}. {rules}.") }
    }

    fn unjudged(&self) -> &'static str {
        "Not judged"
    }

    fn sentence(&self, ruling: &Ruling, statement: &Statement, is_claimed: bool) -> String {
        let ended = ruling
            .ended_by
            .and_then(ending)
            .or_else(|| Some(claimable(ruling.may_claim_draw)?.to_owned()).filter(|_| !is_claimed));
        let Some(repetition) = &ruling.repetition else {
            return match ended {
                None if is_claimed => "No position has come again.".to_owned(),
                None => "No position has come again, so there is nothing to rule on.".to_owned(),
                Some(ended) => format!("No position has come again; {ended}."),
            };
        };
        let reason = reason(repetition, statement);
        let article = article(&ruling.rules, repetition);
        let doubt = if repetition.is_certain {
            ""
        } else {
            "; this is uncertain, since a search for kills has reached its limit"
        };
        match (ruling.verdict, ended) {
            (Verdict::Loses(color), _) => {
                format!("{color} loses, having repeated the position without deviating: {reason}{article}{doubt}.")
            }
            (Verdict::Draw, _) => format!("The repetition draws: {reason}{article}{doubt}."),
            (_, Some(ended)) => format!("A position has come twice, but none three times; {ended}."),
            (_, None) if is_claimed => "A position has come twice, but none three times.".to_owned(),
            (_, None) => {
                let outcome =
                    repetition.loser.map_or_else(|| "it is a draw".to_owned(), |color| format!("{color} loses"));
                format!(
                    "A position has come twice, and if it comes for the third time in this way, {outcome}: \
                     {reason}{article}{doubt}."
                )
            }
        }
    }

    fn cycle_start(&self, window: Window, side: Color) -> String {
        let again = match window.third {
            None => format!("it has come again after half-move {}", window.second),
            Some(third) => format!("it has come again after half-moves {} and {third}", window.second),
        };
        let start = match window.first {
            0 => "The start position".to_owned(),
            first => format!("The position after half-move {first}"),
        };
        format!("{start}, {side} to move; {again}")
    }

    fn final_position(&self, plies: usize) -> String {
        match plies {
            0 => "The start position".to_owned(),
            _ => format!("The position after the last half-move, the {}", ordinal(plies)),
        }
    }

    fn move_name(&self, mv: Move, _before: &Board) -> String {
        format!("{}-{}", mv.from(), mv.to())
    }

    fn class(&self, class: MoveClass) -> String {
        match class {
            MoveClass::Check => "check",
            MoveClass::Kill => "kill",
            MoveClass::Chase => "chase",
            MoveClass::Idle(IdleKind::CheckAnswer) => "idle (answers a check)",
            MoveClass::Idle(IdleKind::KingAttack) => "idle (attack by the king)",
            MoveClass::Idle(IdleKind::PawnAttack) => "idle (attack by a pawn)",
            MoveClass::Idle(IdleKind::KeptAttack) => "idle (attack kept up)",
            MoveClass::Idle(IdleKind::Escape) => "idle (escape)",
            MoveClass::Idle(IdleKind::ExchangeOffer) => "idle (exchange offer)",
            MoveClass::Idle(IdleKind::Sacrifice) => "idle (sacrifice)",
            MoveClass::Idle(IdleKind::Block) => "idle (block)",
            MoveClass::Idle(IdleKind::Follow) => "idle (follow)",
            MoveClass::Idle(IdleKind::Plain) => "idle",
        }
        .to_owned()
    }

    fn details(&self, judged: &JudgedMove) -> String {
        let threat = match judged.threat {
            MateThreat::None => None,
            MateThreat::In(1) => Some("threatens mate with the next move".to_owned()),
            MateThreat::In(checks) => Some(format!("threatens mate by {checks} checks")),
            MateThreat::Unknown => Some("whether mate is threatened could not be settled".to_owned()),
        };
        threat.into_iter().chain(judged.chases.iter().map(chase)).collect::<Vec<_>>().join("; ")
    }

    fn pattern(&self, color: Color, pattern: &Pattern, victims: &[Piece]) -> String {
        if pattern.is_perpetual_check() {
            format!("{color} gives check with every move.")
        } else if !victims.is_empty() {
            format!("{color} chases {} with every move.", pieces(victims))
        } else if pattern.only_attacks() {
            format!("Every move of {color} is an attack: {}.", attacks(pattern))
        } else if pattern.checks || pattern.kills || pattern.chases {
            format!("{color} plays {}, but idle moves too.", attacks(pattern))
        } else {
            format!("{color} plays idle moves only.")
        }
    }

    fn claim_refused(&self) -> &'static str {
        "Claim refused"
    }

    fn claim(&self, claim: &LimitClaim) -> String {
        let &LimitClaim { claimant, counted, required, .. } = claim;
        let rounds = required / 2;
        let outcome = match claim.outcome() {
            ClaimOutcome::Granted => "granted, and the game is drawn",
            ClaimOutcome::Refused => "refused",
            ClaimOutcome::Void(0) => {
                return format!(
                    "The claim by {claimant} of {rounds} rounds without a capture is void: the game was over before \
                     its first move."
                );
            }
            ClaimOutcome::Void(moves) => {
                return format!(
                    "The claim by {claimant} of {rounds} rounds without a capture is void: the game was over after \
                     half-move {moves}."
                );
            }
        };
        format!(
            "The claim by {claimant} of {rounds} rounds without a capture is {outcome}: {counted} half-moves count, \
             {required} are needed ({claimant}'s own checks count ten times at most, article 23.3 of the Chinese rules \
             of 1999)."
        )
    }

    fn contradiction(&self, stated: GameResult) -> String {
        let said = stated.winner().map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} won"));
        format!("The record of the game says otherwise: {stated}, {said}.")
    }
}

fn capitalised(text: &str) -> String {
    let text = text.strip_prefix("the ").unwrap_or(text);
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn rules_name(rules: &RuleSet) -> &'static str {
    match rules.name() {
        "axf" => "the Asian rules",
        "cxa" => "the Chinese rules of 2020",
        "cxa1999" => "the Chinese rules of 1999",
        "cxa_old" => "the older Chinese rules",
        "computer" => "the rule of engines",
        "checkonly" => "the rule that only perpetual check loses",
        "alwaysdraw" => "the rule that repetitions draw",
        name => name,
    }
}

/// ` (rule 6 of the Asian rules)`; nothing when the rules have no articles.
fn article(rules: &RuleSet, repetition: &Repetition) -> String {
    let Some(article) = repetition.article else { return String::new() };
    let name = rules_name(rules);
    match rules.name() {
        "axf" if article.contains('-') => format!(" (rules {} of {name})", article.replace('-', " to ")),
        "axf" => format!(" (rule {article} of {name})"),
        "computer" => format!(" (step {article} of {name})"),
        "cxa_old" => match article.split_once(' ') {
            Some((list, point)) => {
                let exception = if is_exception(repetition.ground) { "the exception to " } else { "" };
                format!(" ({exception}{list} moves, point {point}, in {name})")
            }
            None => format!(" ({article} in {name})"),
        },
        // The edition of 2020 keeps the principles; the numbers are those of 1999.
        "cxa" => format!(" ({name}, the principle of article {article} of 1999)"),
        _ => format!(" (article {article} of {name})"),
    }
}

/// Who would be given a draw by the natural limit.
const fn claimable([red, black]: [bool; Color::NUM]) -> Option<&'static str> {
    match (red, black) {
        (true, true) => Some("60 rounds have passed without a capture, and the game is drawn when a player claims it"),
        (true, false) => Some(
            "60 rounds have passed without a capture, and the game is drawn when Red claims it; of Black's own checks too \
             few count for a claim",
        ),
        (false, true) => Some(
            "60 rounds have passed without a capture, and the game is drawn when Black claims it; of Red's own checks too \
             few count for a claim",
        ),
        (false, false) => None,
    }
}

/// How a game ended other than by repetition.
fn ending(ending: Ending) -> Option<String> {
    Some(match ending {
        Ending::Checkmate(color) => format!("{color} is checkmated and has lost"),
        Ending::Stalemate(color) => format!("{color} has no legal move and has lost"),
        Ending::NaturalLimit => "the game is drawn by the natural limit of moves without a capture".to_owned(),
        Ending::DeadMaterial => "the game is drawn, since nobody can win any more".to_owned(),
        Ending::Repetition(_) => return None,
    })
}

fn reason(repetition: &Repetition, statement: &Statement) -> String {
    let (offender, other) = (statement.offender, !statement.offender);
    let victims = || pieces(&statement.victims);
    match repetition.ground {
        Ground::PerpetualCheck => format!("{offender} gives check with every move, {other} never does"),
        Ground::PerpetualCheckAgainstChecks => {
            format!("{offender} gives check with every move, {other} only with some")
        }
        Ground::MutualPerpetualCheck => "both sides give check with every move".to_owned(),
        Ground::ChaseOfLegPinnedRook => format!(
            "{offender} chases with every move a rook that a horse pins by its leg, which weighs more than what \
             {other} does"
        ),
        Ground::PerpetualChase => {
            format!("{offender} chases {} with every move, {other} does nothing forbidden", victims())
        }
        Ground::ChaseAgainstAttacks => {
            format!("{offender} chases {} with every move, and the attacks of {other} are permitted", victims())
        }
        Ground::PerpetualAttack => format!(
            "every move of {offender} is an attack ({}), while {other} plays idle moves{}",
            attacks(&statement.pattern),
            if attacks(&statement.others_pattern).is_empty() { " only" } else { " too" }
        ),
        Ground::MutualOffence => "both sides do what is forbidden to the same degree".to_owned(),
        Ground::PawnFight => {
            "both sides attack with every move, since the attacks of pawns count in a mutual fight".to_owned()
        }
        Ground::ChecksAnswered => "the checks on one side answer checks of the other".to_owned(),
        Ground::AttackParried => "one of the attacks was made to parry an attack".to_owned(),
        Ground::TrappedPiece => {
            "the attacks are aimed at the hunters of a trapped piece that nothing else can save".to_owned()
        }
        Ground::ChecksVoidChases => {
            "neither side gives check with every move, and since there are checks the chases do not count".to_owned()
        }
        Ground::PermittedMateThreats => {
            "perpetual kill is permitted, and neither side does anything forbidden".to_owned()
        }
        Ground::PermittedCheckAndChase => {
            "mixing checks with other moves is permitted, and neither side does anything forbidden".to_owned()
        }
        Ground::PermittedChaseOfSeveral => {
            "chasing different pieces in turn is permitted, and neither side does anything forbidden".to_owned()
        }
        Ground::NoOffence => "neither side does anything forbidden".to_owned(),
        Ground::EveryRepetitionDraws => "by these rules every repetition does".to_owned(),
    }
}

/// The kinds of attacks in a pattern.
fn attacks(pattern: &Pattern) -> String {
    let kinds = [(pattern.checks, "checks"), (pattern.kills, "kills"), (pattern.chases, "chases")];
    join(&kinds.into_iter().filter_map(|(some, kind)| some.then_some(kind.to_owned())).collect::<Vec<_>>())
}

fn pieces(pieces: &[Piece]) -> String {
    join(&pieces.iter().map(|&piece| format!("the {}", piece_name(piece))).collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b and c`.
fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

fn piece_name(piece: Piece) -> String {
    let color = match piece.color {
        Color::Red => "red",
        Color::Black => "black",
    };
    format!("{color} {}", kind_name(piece.kind))
}

const fn kind_name(kind: PieceType) -> &'static str {
    match kind {
        PieceType::King => "king",
        PieceType::Advisor => "advisor",
        PieceType::Elephant => "elephant",
        PieceType::Horse => "horse",
        PieceType::Rook => "rook",
        PieceType::Cannon => "cannon",
        PieceType::Pawn => "pawn",
    }
}

fn chase(chase: &Chase) -> String {
    let protection = match chase.protection {
        None => "",
        Some(Protection::None) => "unprotected ",
        Some(Protection::False) => "falsely protected ",
        Some(Protection::Insufficient) => "insufficiently protected ",
        Some(Protection::Hidden) => "covertly protected ",
        Some(Protection::Real) => "protected ",
    };
    let way = match chase.way {
        ChaseWay::Direct => "",
        ChaseWay::Discovered => ", its way opened by the move",
        ChaseWay::Unpinned => ", no longer held by a pin",
        ChaseWay::ProtectorBlocked => ", the protector being cut off",
        ChaseWay::ProtectorPinned => ", the protector being pinned",
        ChaseWay::KingDenied => ", the king no longer being able to take back",
        ChaseWay::Reinforced => ", together with another piece",
        ChaseWay::AnswerLost => ", the answer to it being gone",
        ChaseWay::ThroughChecks => ", to be won by way of checks",
    };
    let (attacker, victim) = (kind_name(chase.attacker.kind), kind_name(chase.victim.kind));
    format!("{attacker} {} chases {protection}{victim} {}{way}", chase.attack.attacker, chase.attack.victim)
}
