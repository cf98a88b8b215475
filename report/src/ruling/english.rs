//! Explanations in English.

use chuhe_movegen::{Board, Color, Move, Piece, PieceType};
use chuhe_records::GameResult;
use chuhe_rules::{
    Chase, ChaseWay, ClaimOutcome, Ending, Ground, IdleKind, LimitClaim, MateThreat, MoveClass, Procedure, Protection,
    RuleSet, Ruling, ThreatOrigin, Verdict, Window,
};

use super::play::{Counts, Play, Statement};
use super::tongue::{Labels, Told, Tongue, articles, is_exception, procedure};

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

    fn must_deviate(&self, color: Color) -> String {
        format!("{color} must deviate")
    }

    fn headline(&self, title: &str, verdict: &str, rules: &str) -> String {
        if rules.is_empty() { format!("{title}: {verdict}") } else { format!("{title}: {verdict}. {rules}.") }
    }

    fn unjudged(&self) -> &'static str {
        "Not judged"
    }

    fn sentence(&self, ruling: &Ruling, statement: Option<&Statement>, is_claimed: bool) -> String {
        let ended = ruling
            .ended_by
            .and_then(ending)
            .or_else(|| Some(claimable(ruling.may_claim_draw)?.to_owned()).filter(|_| !is_claimed));
        let (Some(repetition), Some(statement)) = (&ruling.repetition, statement) else {
            return match ended {
                None if is_claimed => "No position is repeated.".to_owned(),
                None => "No position is repeated, so there is nothing to rule on.".to_owned(),
                Some(ended) => format!("No position is repeated; {ended}."),
            };
        };
        let reason = reason(repetition.ground, statement);
        let article = article(ruling);
        let doubt = if repetition.is_certain {
            ""
        } else {
            "; this is uncertain, since a search for kills has reached its limit"
        };
        match (ruling.verdict, ended) {
            (Verdict::Loses(color), _) => {
                let is_check =
                    matches!(repetition.ground, Ground::PerpetualCheck | Ground::PerpetualCheckAgainstChecks);
                let outcome = match procedure(ruling) {
                    Some(Procedure::OneMoreRound) => {
                        format!("{color} must deviate, and loses by completing the round once more")
                    }
                    Some(Procedure::HasNotDeviated) => {
                        format!("{color} loses, having completed the round once more instead of deviating")
                    }
                    Some(Procedure::MustDeviate) => format!("{color} loses unless it deviates"),
                    Some(Procedure::LosesAtOnce) if is_check => format!("{color} loses at once"),
                    Some(Procedure::LosesAtOnce) | None => format!("{color} loses, having repeated the position"),
                };
                format!("{outcome}: {reason}{article}{doubt}.")
            }
            (Verdict::Draw, _) => format!("The repetition is a draw: {reason}{article}{doubt}."),
            (_, Some(ended)) => format!("A position occurred twice, but none three times; {ended}."),
            (_, None) if is_claimed => "A position occurred twice, but none three times.".to_owned(),
            (_, None) => {
                let outcome = match (repetition.loser, repetition.procedure) {
                    (None, _) => "it is a draw".to_owned(),
                    (Some(color), Some(Procedure::OneMoreRound)) => format!("{color} must deviate"),
                    (Some(color), _) => format!("{color} loses"),
                };
                format!(
                    "A position has come twice, and if it comes for the third time in this way, {outcome}: \
                     {reason}{article}{doubt}."
                )
            }
        }
    }

    fn cycle_start(&self, window: Window, side: Color) -> String {
        let again = match window.third {
            None => format!("repeated after half-move {}", window.second),
            Some(third) => format!("repeated after half-moves {} and {third}", window.second),
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

    fn class(&self, told: Told<'_>) -> String {
        match told.judged.class {
            MoveClass::Check => "check",
            MoveClass::Kill => "kill",
            MoveClass::Chase => "chase",
            MoveClass::Idle(IdleKind::CheckAnswer) => "idle (answers a check)",
            MoveClass::Idle(IdleKind::KingAttack) => "idle (attack by the king)",
            MoveClass::Idle(IdleKind::PawnAttack) => "idle (attack by a pawn)",
            MoveClass::Idle(IdleKind::ExchangeOffer) => "idle (exchange offer)",
            MoveClass::Idle(IdleKind::KeptAttack) => "idle (old attack kept)",
            MoveClass::Idle(IdleKind::Escape) => "idle (escape)",
            MoveClass::Idle(IdleKind::Sacrifice) => "idle (sacrifice)",
            MoveClass::Idle(IdleKind::Block) => "idle (block)",
            MoveClass::Idle(IdleKind::Follow) => "idle (follow)",
            MoveClass::Idle(IdleKind::Plain) => "idle",
        }
        .to_owned()
    }

    fn details(&self, told: Told<'_>) -> String {
        let judged = told.judged;
        let threat = match (judged.threat, judged.origin) {
            (MateThreat::None, _) => None,
            (_, Some(ThreatOrigin::Standing)) => {
                Some("an old mate threat stands, in which the move has no part".to_owned())
            }
            (MateThreat::Unknown, _) | (_, None) => {
                Some("whether the move threatens mate could not be settled".to_owned())
            }
            (MateThreat::In(1), _) => Some("threatens mate on the next move".to_owned()),
            (MateThreat::In(checks), _) => Some(format!("threatens mate by {checks} checks")),
        };
        let threat =
            threat.map(|threat| if told.answers_check() { format!("answers a check; {threat}") } else { threat });
        let permitted = judged.permitted.iter().map(|chase| allowed(chase, told));
        threat.into_iter().chain(judged.chases.iter().map(chase)).chain(permitted).collect::<Vec<_>>().join("; ")
    }

    fn pattern(&self, play: &Play) -> String {
        let color = play.color;
        if play.pattern.is_perpetual_check() {
            format!("{color} gives check with every move.")
        } else if !play.victims.is_empty() {
            format!("{color} chases {} with every move.", pieces(&play.victims))
        } else if play.pawns_count {
            format!("{color} attacks with every move, once the pawn's attacks count (27.2).")
        } else if play.pattern.only_attacks() {
            format!("{}.", capitalised(&attacks(play)))
        } else if play.pattern.checks || play.pattern.kills || play.pattern.chases {
            format!("{color} plays {} per round.", join(&counted(&play.moves)))
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
        "alwaysdraw" => "the rule that repetitions are draws",
        name => name,
    }
}

/// ` (rule 6 of the Asian rules)`; nothing when the rules have no articles.
fn article(ruling: &Ruling) -> String {
    let (rules, Some(repetition)) = (&ruling.rules, &ruling.repetition) else { return String::new() };
    let numbers = articles(ruling);
    let [first, ..] = numbers[..] else { return String::new() };
    let name = rules_name(rules);
    let plural = if numbers.len() > 1 { "s" } else { "" };
    let numbers = join(&numbers.iter().map(|number| (*number).to_owned()).collect::<Vec<_>>());
    match rules.name() {
        // The first five are general.
        "axf" if first.len() == 1 && first <= "5" => format!(" (general rule {numbers} of {name})"),
        "axf" => format!(" (rule {numbers} of {name})"),
        "computer" => format!(" (step {numbers} of {name})"),
        "cxa_old" => match numbers.split_once(' ') {
            Some((list, point)) => {
                let exception = if is_exception(repetition.ground) { "the exception to " } else { "" };
                format!(" ({exception}{list} moves, point {point}, in {name})")
            }
            None => format!(" ({numbers} in {name})"),
        },
        // The edition of 2020 keeps the principles; the numbers are those of 1999.
        "cxa" => format!(" ({name}, the principle{plural} of article{plural} {numbers} of 1999)"),
        _ => format!(" (article{plural} {numbers} of {name})"),
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

fn reason(ground: Ground, statement: &Statement) -> String {
    let Statement { subject, other: others } = statement;
    let (offender, other) = (subject.color, others.color);
    let victims = || pieces(&subject.victims);
    match ground {
        Ground::PerpetualCheck => format!("{offender} gives check with every move, {other} never does"),
        Ground::PerpetualCheckAgainstChecks => {
            format!("{offender} gives check with every move, {other} only with some")
        }
        Ground::MutualPerpetualCheck => "both sides give check with every move".to_owned(),
        Ground::ChaseOfLegPinnedRook => format!(
            "{offender} chases with every move a rook that must stay on the leg of {offender}'s horse, {}",
            if others.pattern.is_perpetual_chase() {
                format!("a graver offence than {other}'s own perpetual chase")
            } else {
                format!("while {other} does nothing forbidden")
            }
        ),
        Ground::PerpetualChase => {
            format!("{offender} chases {} with every move, while {other} does nothing forbidden", victims())
        }
        Ground::ChaseAgainstAttacks => {
            format!("{offender} chases {} with every move, and the attacks of {other} are permitted", victims())
        }
        Ground::PerpetualAttack => format!("{}, while {}", attacks(subject), innocence(others)),
        Ground::MutualOffence => {
            format!("{}, {}, and both are forbidden to the same degree", offence(subject), offence(others))
        }
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
        Ground::PermittedMateThreats if !subject.pattern.chases => permitted("a perpetual mate threat"),
        Ground::PermittedMateThreats | Ground::PermittedChecksAndMateThreats | Ground::PermittedCheckAndChase => {
            permitted(&counted(&subject.moves).join(", "))
        }
        Ground::PermittedChaseOfSeveral => permitted("chasing different pieces in turn"),
        Ground::NoOffence => "neither side does anything forbidden".to_owned(),
        Ground::EveryRepetitionDraws => "by these rules every repetition does".to_owned(),
    }
}

fn permitted(what: &str) -> String {
    format!("{what} is permitted, and neither side does anything forbidden")
}

/// What a side does whose every move attacks.
fn attacks(play: &Play) -> String {
    let color = play.color;
    match (play.pattern.checks, play.pattern.kills, play.pattern.chases) {
        (true, false, false) => format!("{color} gives check with every move"),
        (false, true, false) => format!("{color} threatens mate with every move (perpetual mate threat)"),
        (false, false, _) => match play.chasers[..] {
            [chaser] => format!("{color}'s {} chases {} in turn", kind_name(chaser.kind), pieces(&play.chased)),
            _ => format!("{color} chases {} in turn", pieces(&play.chased)),
        },
        _ => format!("every move of {color} is an attack ({})", counted(&play.moves).join(", ")),
    }
}

/// A forbidden way to play.
fn offence(play: &Play) -> String {
    if play.victims.is_empty() {
        attacks(play)
    } else {
        format!("{} chases {} with every move", play.color, pieces(&play.victims))
    }
}

/// What a side does that does nothing forbidden.
fn innocence(play: &Play) -> String {
    let Counts { checks, kills, chases, .. } = play.moves;
    let extent = if checks + kills + chases == 0 { "only" } else { "too" };
    format!("{} plays idle moves {extent}", play.color)
}

/// The moves of a round by their kinds: one check, two idle moves.
fn counted(moves: &Counts) -> Vec<String> {
    const NUMBERS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let kinds =
        [(moves.checks, "check"), (moves.kills, "mate threat"), (moves.chases, "chase"), (moves.idles, "idle move")];
    let told = kinds.into_iter().filter_map(|(number, kind)| {
        let word = NUMBERS.get(number.checked_sub(1)?).map_or_else(|| number.to_string(), |&word| word.to_owned());
        Some(format!("{word} {kind}{}", if number == 1 { "" } else { "s" }))
    });
    told.collect()
}

/// Pieces of one side: `the black cannon`, `the black horse and both black cannons`.
fn pieces(pieces: &[Piece]) -> String {
    let mut known: Vec<Piece> = Vec::new();
    for &piece in pieces {
        if !known.contains(&piece) {
            known.push(piece);
        }
    }
    let told = known.into_iter().map(|piece| match pieces.iter().filter(|&&other| other == piece).count() {
        1 => format!("the {}", piece_name(piece)),
        2 if piece.kind != PieceType::Pawn => format!("both {}s", piece_name(piece)),
        2 => format!("two {}s", piece_name(piece)),
        _ => format!("several {}s", piece_name(piece)),
    });
    join(&told.collect::<Vec<_>>())
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

/// The chaser and the chased piece with its root.
fn parts(chase: &Chase) -> (String, String) {
    let protection = match chase.protection {
        None => "",
        Some(Protection::None) => "unprotected ",
        Some(Protection::False) => "falsely protected ",
        Some(Protection::Insufficient) => "insufficiently protected ",
        Some(Protection::Hidden) => "covertly protected ",
        Some(Protection::Real) => "protected ",
    };
    let Chase { attack, attacker, victim, .. } = chase;
    (
        format!("{} {}", kind_name(attacker.kind), attack.attacker),
        format!("{protection}{} {}", kind_name(victim.kind), attack.victim),
    )
}

fn chase(chase: &Chase) -> String {
    let (attacker, victim) = parts(chase);
    let way = match chase.way {
        ChaseWay::Direct => "",
        ChaseWay::Discovered => ", its way opened by the move",
        ChaseWay::Unpinned => ", no longer held by a pin",
        ChaseWay::ProtectorBlocked => ", the protector being cut off",
        ChaseWay::ProtectorPinned => ", the protector being pinned",
        ChaseWay::KingDenied => ", the king no longer being able to take back",
        ChaseWay::Reinforced => ", together with another piece",
        ChaseWay::AnswerLost if chase.attacker.kind == chase.victim.kind => ", which can no longer take it",
        ChaseWay::AnswerLost => ", a capture that mate would no longer answer",
        ChaseWay::ThroughChecks => return format!("{attacker} can win {victim} by way of checks (29.1)"),
    };
    format!("{attacker} chases {victim}{way}")
}

/// An attack that does not count, and why.
fn allowed(chase: &Chase, told: Told<'_>) -> String {
    let (attacker, victim) = parts(chase);
    let (king, pawn, kept) = match told.ruling.rules.name() {
        "axf" => (" (rule 28)", " (rule 29)", ""),
        "cxa" | "cxa1999" => (" (27.1)", " (27.2)", " (29.2)"),
        _ => ("", "", ""),
    };
    match chase.attacker.kind {
        PieceType::King => format!("{attacker} attacks {victim}, as kings may{king}"),
        PieceType::Pawn if told.pawns_count() => {
            format!("{attacker} attacks {victim}, which counts in a mutual fight{pawn}")
        }
        PieceType::Pawn => format!("{attacker} attacks {victim}, as pawns may{pawn}"),
        _ => format!("{attacker} keeps its old attack on {victim}{kept}"),
    }
}
