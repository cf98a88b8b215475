//! The judge: from the moves between two occurrences of a position to a verdict.
//!
//! [`judge_cycle`] gives the bare judgement and looks at no more than it needs; [`Game::ruling`] classes every move.
//! Both add up the same [`Tally`] and ask the same [`decide`].

use chuhe_movegen::{Bitboard, Board, Color, Move, Square};

use crate::chase::{Attack, Attackers, Attacks, ChaseWay};
use crate::exchange::Protection;
use crate::idle::IdleKind;
use crate::kill::NodeLimit;
use crate::limits::{CheckCounting, NATURAL_LIMIT};
use crate::mate::MateThreat;
use crate::mixture::may_escape;
use crate::pins::leg_pinned_rooks;
use crate::repetition::{Judgement, find_repetition};
use crate::round::{Step, step, steps};
use crate::ruling::{Chase, Ground, JudgedMove, MoveClass, Pattern, Procedure, Repetition, Ruling, Verdict, Window};
use crate::threat::Threat;
use crate::viewpoint::Viewpoint;
use crate::{Ending, Game, Ply, RuleSet};

/// One side's moves, added up in the order of play.
struct Tally {
    pattern: Pattern,
    color: Color,
    /// No own move has been added yet.
    is_fresh: bool,
}

impl Tally {
    fn new(color: Color) -> Tally {
        Tally { pattern: Pattern::default(), color, is_fresh: true }
    }

    /// Adds an own move: its class, the pieces it chases, and the position after it.
    fn add(&mut self, class: MoveClass, victims: Bitboard, after: &Board) {
        match class {
            MoveClass::Check => self.pattern.checks = true,
            MoveClass::Kill => self.pattern.kills = true,
            MoveClass::Chase => self.pattern.chases = true,
            MoveClass::Idle(_) => self.pattern.idles = true,
        }
        let pinned = if victims.is_empty() { victims } else { victims & leg_pinned_rooks(after, !self.color) };
        let pattern = &mut self.pattern;
        (pattern.common_victims, pattern.leg_pinned_victims) = if self.is_fresh {
            (victims, pinned)
        } else {
            (pattern.common_victims & victims, pattern.leg_pinned_victims & pinned)
        };
        self.is_fresh = false;
    }

    /// Follows the victims through a move of the other side, so that each keeps its identity.
    fn follow(&mut self, mv: Move) {
        for set in [&mut self.pattern.common_victims, &mut self.pattern.leg_pinned_victims] {
            if set.contains(mv.from()) {
                *set = set.without(mv.from()).with(mv.to());
            }
        }
    }
}

fn squares_of_victims(attacks: &[Attack]) -> Bitboard {
    attacks.iter().map(|attack| attack.victim).collect()
}

/// Judges the moves from ply `first + 1` to the end of the line.
pub fn judge_cycle(line: &[Ply], first: usize, rules: &RuleSet) -> Judgement {
    let round = &line[first..];
    judge_round(round, rules, NodeLimit::for_each_of(round.len() - 1)).0.into()
}

/// Judges the moves of a round; the loser's pattern, if there is a loser, is complete.
///
/// Each search for the mate threat of a move may go up to `limit`. A threat that it leaves open is none; in the search of a
/// move, where the limit is small and a loss must be sure, it is one.
fn judge_round(round: &[Ply], rules: &RuleSet, limit: NodeLimit) -> (Decision, [Pattern; Color::NUM]) {
    let mut patterns = check_patterns(round);
    let any_check = patterns[0].checks || patterns[1].checks;
    let someone_checks_always = patterns.iter().any(Pattern::is_perpetual_check);
    // Perpetual check outranks the rest in every table.
    let checks_decide =
        someone_checks_always || !rules.levels.punishes_chases() || any_check && rules.check_voids_chases;
    if !checks_decide {
        patterns = Color::ALL.map(|color| {
            let pattern = patterns[color.index()];
            let mixtures_matter = rules.levels.other_attacks > 0 || rules.check_may_chase;
            if pattern.checks && !mixtures_matter { pattern } else { attack_pattern(round, color, rules, limit) }
        });
    }
    let mut decision = decide(rules, &patterns);
    excuse(&mut decision, round, rules, &patterns);
    (decision, patterns)
}

/// Judges a round as a search can afford it: a loss that the Chinese rules, looked at a little closer, do not bear out is
/// none.
pub(crate) fn judge_in_search(round: &[Ply], rules: &RuleSet) -> Judgement {
    judge_for_search(round, rules).0.into()
}

/// The same for a round whose position has come twice: `None` if who would lose may still escape.
pub(crate) fn judge_once(round: &[Ply], rules: &RuleSet) -> Option<Judgement> {
    let (decision, mut patterns) = judge_for_search(round, rules);
    if let Some(loser) = decision.loser {
        if rules.levels.other_attacks > 0 && patterns[loser.index()].is_perpetual_check() {
            // So far only the other side's checks have been looked at.
            patterns[(!loser).index()] = attack_pattern(round, !loser, rules, NodeLimit::OF_SEARCH);
        }
        if may_escape(round, loser, &patterns, rules) {
            return None;
        }
    }
    Some(decision.into())
}

fn judge_for_search(round: &[Ply], rules: &RuleSet) -> (Decision, [Pattern; Color::NUM]) {
    let rough = judge_round(round, &rules.in_search(), NodeLimit::OF_SEARCH);
    match rough.0.loser {
        // What counts for much is told from the checks alone.
        Some(loser) if rules.is_simplified_in_search() && !rough.1[loser.index()].is_perpetual_check() => {
            judge_round(round, rules, NodeLimit::OF_SEARCH)
        }
        _ => rough,
    }
}

/// Both sides' patterns as far as checks go: everything else is idle.
fn check_patterns(round: &[Ply]) -> [Pattern; Color::NUM] {
    let mut patterns = [Pattern::default(); Color::NUM];
    for ply in &round[1..] {
        let pattern = &mut patterns[ply.mover().index()];
        if ply.gives_check() {
            pattern.checks = true;
        } else {
            pattern.idles = true;
        }
    }
    patterns
}

/// One side's pattern, as far as it takes to tell how bad it is: once it is known to be harmless the rest is not
/// looked at.
fn attack_pattern(round: &[Ply], color: Color, rules: &RuleSet, limit: NodeLimit) -> Pattern {
    let mixtures_matter = rules.levels.other_attacks > 0;
    let looks_deeper = mixtures_matter && (rules.kill_is_attack || rules.chase.through_checks);
    let mut tally = Tally::new(color);
    // Moves without check or chase: a mate threat or a gain through checks may still make attacks of them.
    let mut quiet: Vec<Step<'_>> = Vec::new();
    for step in steps(round) {
        if step.mover() != color {
            tally.follow(step.mv);
            continue;
        }
        let checks = step.gives_check();
        let attacks = if checks && !rules.check_may_chase { Attacks::new() } else { rules.chase.new_attacks(&step) };
        let class = match (checks, attacks.is_empty()) {
            (true, _) => MoveClass::Check,
            (false, false) => MoveClass::Chase,
            (false, true) => {
                // The loops of a repetition are mostly the same moves.
                if !quiet.iter().any(|known| is_same(known, &step)) {
                    quiet.push(step);
                }
                MoveClass::Idle(IdleKind::Plain)
            }
        };
        tally.add(class, squares_of_victims(&attacks), step.after);
        let is_idle = tally.pattern.idles && !looks_deeper;
        if tally.pattern.common_victims.is_empty() && (is_idle || !mixtures_matter) {
            break;
        }
    }
    let mut pattern = tally.pattern;
    if looks_deeper && pattern.idles {
        // One idle move is all there is to know, and a move after which there are few checks to give is soon seen to be one.
        quiet.sort_by_cached_key(|step| step.after.turned().legal_checks().len());
        pattern.idles = quiet.into_iter().any(|step| {
            let is_kill = |threat: Threat| threat.is_kill() || threat.is_open() && limit == NodeLimit::OF_SEARCH;
            if rules.kill_is_attack && is_kill(Threat::after(&step, limit)) {
                pattern.kills = true;
                return false;
            }
            let is_idle = rules.chase.new_attacks_through_checks(&step).is_empty();
            pattern.chases |= !is_idle;
            is_idle
        });
    }
    pattern
}

/// Whether two moves of a round are the same move in the same position, come to in the same way as far as it matters to
/// what they are.
fn is_same(a: &Step<'_>, b: &Step<'_>) -> bool {
    let mut pasts = (a.past, b.past);
    for _ in 0..=SAME_PAST {
        if pasts.0.board().key() != pasts.1.board().key() {
            return false;
        }
        match (pasts.0.back(), pasts.1.back()) {
            (Some((_, a)), Some((_, b))) => pasts = (a, b),
            _ => return false,
        }
    }
    a.mv == b.mv
}

/// Positions before a move that may tell what it is: a mate threat that makes a capture suicidal is followed back over
/// some moves, of which more than two in a row are not known to occur.
const SAME_PAST: usize = 4;

/// Who loses, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decision {
    loser: Option<Color>,
    ground: Ground,
}

impl From<Decision> for Judgement {
    fn from(decision: Decision) -> Judgement {
        decision.loser.map_or(Judgement::Draw, Judgement::Loses)
    }
}

/// Looks the two patterns up in the decision table: the worse offence loses.
fn decide(rules: &RuleSet, patterns: &[Pattern; Color::NUM]) -> Decision {
    let may_chase = !(rules.check_voids_chases && patterns.iter().any(|pattern| pattern.checks));
    let [red, black] = patterns.map(|pattern| pattern.level(rules, may_chase));
    let loser = match red.cmp(&black) {
        std::cmp::Ordering::Greater => Some(Color::Red),
        std::cmp::Ordering::Less => Some(Color::Black),
        std::cmp::Ordering::Equal => None,
    };
    let ground = match loser {
        Some(color) => ground_of_loss(rules, &patterns[color.index()], &patterns[(!color).index()]),
        None if rules.levels.perpetual_check == 0 => Ground::EveryRepetitionDraws,
        None if red > 0 && patterns[0].is_perpetual_check() => Ground::MutualPerpetualCheck,
        None if red > 0 => Ground::MutualOffence,
        None => ground_of_innocence(rules, patterns, may_chase),
    };
    Decision { loser, ground }
}

fn ground_of_loss(rules: &RuleSet, loser: &Pattern, other: &Pattern) -> Ground {
    let levels = &rules.levels;
    if loser.is_perpetual_check() {
        if other.checks { Ground::PerpetualCheckAgainstChecks } else { Ground::PerpetualCheck }
    } else if loser.leg_pinned_victims.any() && levels.chase_of_leg_pinned_rook > levels.chase_of_one_piece {
        Ground::ChaseOfLegPinnedRook
    } else if !loser.is_perpetual_chase() {
        Ground::PerpetualAttack
    } else if other.only_attacks() {
        Ground::ChaseAgainstAttacks
    } else {
        Ground::PerpetualChase
    }
}

fn ground_of_innocence(rules: &RuleSet, patterns: &[Pattern; Color::NUM], may_chase: bool) -> Ground {
    let somebody = |is: fn(&Pattern) -> bool| patterns.iter().any(is);
    if !rules.levels.punishes_chases() {
        Ground::NoOffence
    } else if !may_chase && somebody(Pattern::is_perpetual_chase) {
        Ground::ChecksVoidChases
    } else if somebody(|pattern| pattern.only_attacks() && pattern.checks && pattern.chases) {
        Ground::PermittedCheckAndChase
    } else if somebody(|pattern| pattern.only_attacks() && pattern.checks && pattern.kills) {
        Ground::PermittedChecksAndMateThreats
    } else if somebody(|pattern| pattern.only_attacks() && pattern.kills) {
        Ground::PermittedMateThreats
    } else if somebody(Pattern::only_attacks) {
        Ground::PermittedChaseOfSeveral
    } else {
        Ground::NoOffence
    }
}

/// Turns a loss into a draw where a text makes an exception for the side at fault.
fn excuse(decision: &mut Decision, round: &[Ply], rules: &RuleSet, patterns: &[Pattern; Color::NUM]) {
    let Some(loser) = decision.loser else { return };
    let ground = if rules.pawns_chase_in_mutual_fight && is_pawn_fight(round, rules, patterns, loser) {
        Some(Ground::PawnFight)
    } else {
        rules.exemptions.excuse(round, rules, patterns, loser)
    };
    if let Some(ground) = ground {
        *decision = Decision { loser: None, ground };
    }
}

/// Article 27.2 of 1999: whether, the loser being at fault but not by perpetual check, the other side attacks with
/// every move too once its pawns' attacks count.
fn is_pawn_fight(round: &[Ply], rules: &RuleSet, patterns: &[Pattern; Color::NUM], loser: Color) -> bool {
    let mut with_pawns = *rules;
    with_pawns.chase.attackers = Attackers::PiecesAndPawns;
    !patterns[loser.index()].is_perpetual_check()
        && attack_pattern(round, !loser, &with_pawns, NodeLimit::for_each_of(round.len() - 1)).only_attacks()
}

/// Classes a move with everything there is to say of it, and counts the positions that the searches for a mate threat have
/// looked at.
fn classify(ply: usize, step: &Step<'_>, rules: &RuleSet, limit: NodeLimit) -> (JudgedMove, u32) {
    let mut judged = JudgedMove {
        ply,
        mover: step.mover(),
        mv: step.mv,
        class: MoveClass::Check,
        threat: MateThreat::None,
        origin: None,
        chases: Vec::new(),
        permitted: Vec::new(),
    };
    if step.gives_check() {
        if rules.check_may_chase {
            judged.chases = describe(step, rules, &rules.chase.new_attacks(step));
        }
        return (judged, 0);
    }
    let threat = Threat::after(step, limit);
    judged.threat = threat.mate;
    judged.origin = threat.origin;
    judged.chases = describe(step, rules, &rules.chase.new_attacks(step));
    if judged.chases.is_empty() && !threat.is_kill() {
        judged.chases = describe_through_checks(step, &rules.chase.new_attacks_through_checks(step));
    }
    judged.class = match (threat.is_kill(), judged.chases.is_empty()) {
        (true, _) => MoveClass::Kill,
        (false, false) => MoveClass::Chase,
        (false, true) => {
            let (kind, attacks) = IdleKind::of(step, &rules.chase);
            judged.permitted = describe(step, rules, &attacks);
            MoveClass::Idle(kind)
        }
    };
    (judged, threat.nodes)
}

/// The attacks after a move, the most valuable victim first.
fn describe(step: &Step<'_>, rules: &RuleSet, attacks: &[Attack]) -> Vec<Chase> {
    let own = step.after.turned();
    let told = attacks.iter().filter_map(|&attack| {
        let capture = Move::new(attack.attacker, attack.victim)?;
        let protection = Protection::against(&own, capture);
        describe_one(step.after, attack, rules.chase.way(step, attack), Some(protection))
    });
    in_order(step, told.collect())
}

/// The pieces that can be won through checks, each with one piece that gives the first.
fn describe_through_checks(step: &Step<'_>, attacks: &[Attack]) -> Vec<Chase> {
    let told = attacks.iter().filter_map(|&attack| describe_one(step.after, attack, ChaseWay::ThroughChecks, None));
    let mut chases = in_order(step, told.collect());
    chases.dedup_by_key(|chase| chase.attack.victim);
    chases
}

fn describe_one(after: &Board, attack: Attack, way: ChaseWay, protection: Option<Protection>) -> Option<Chase> {
    let (attacker, victim) = (after.piece_at(attack.attacker)?, after.piece_at(attack.victim)?);
    Some(Chase { attack, attacker, victim, way, protection })
}

fn in_order(step: &Step<'_>, mut chases: Vec<Chase>) -> Vec<Chase> {
    let viewpoint = Viewpoint::of(step.after, step.mv, step.mover());
    chases.sort_by_key(|chase| {
        let Attack { attacker, victim } = chase.attack;
        (viewpoint.rank(chase.victim.kind, victim), viewpoint.rank(chase.attacker.kind, attacker))
    });
    chases
}

/// Judges the moves between the first and the last occurrence with the class of every move.
/// The searches for the mate threat of each move may go up to `limit`.
fn judge_window(whole: &[Ply], window: Window, rules: &RuleSet, limit: NodeLimit) -> Repetition {
    let round = &whole[window.first..=window.last()];
    let mut moves: Vec<JudgedMove> = Vec::new();
    let mut tallies = Color::ALL.map(Tally::new);
    let mut mate_search_nodes = 0;
    for (at, this) in steps(round).enumerate() {
        let ply = window.first + 1 + at;
        let known = moves
            .iter()
            .enumerate()
            .find(|&(at, known)| known.mv == this.mv && step(round, at + 1).is_some_and(|step| is_same(&step, &this)));
        let judged = match known {
            Some((_, known)) => JudgedMove { ply, ..known.clone() },
            None => {
                let (judged, nodes) = classify(ply, &this, rules, limit);
                mate_search_nodes += u64::from(nodes);
                judged
            }
        };
        let victims = judged.chases.iter().map(|chase| chase.attack.victim).collect();
        tallies[judged.mover.index()].add(judged.class, victims, this.after);
        tallies[(!judged.mover).index()].follow(this.mv);
        moves.push(judged);
    }
    let patterns = tallies.map(|tally| tally.pattern);
    let mut decision = decide(rules, &patterns);
    excuse(&mut decision, round, rules, &patterns);
    // If the mate threats of the one side, the other, or both that were not settled are there, would it end otherwise?
    let is_certain = [&[Color::Red][..], &[Color::Black], &Color::ALL].into_iter().all(|sides| {
        let mut otherwise = patterns;
        for &color in sides {
            let pattern = &mut otherwise[color.index()];
            let own = || moves.iter().filter(move |judged| judged.mover == color);
            pattern.idles = own().any(|judged| matches!(judged.class, MoveClass::Idle(_)) && !judged.is_undetermined());
            pattern.kills |= own().any(JudgedMove::is_undetermined);
        }
        otherwise == patterns || {
            let mut other = decide(rules, &otherwise);
            excuse(&mut other, round, rules, &otherwise);
            other.loser == decision.loser
        }
    });
    let Decision { loser, ground } = decision;
    let victims = Color::ALL.map(|color| victims_in_order(round, color, &patterns[color.index()]));
    let article = article(rules, ground, loser, &victims, &moves, round);
    let procedure = loser.map(|loser| match rules.procedure(ground) {
        Procedure::OneMoreRound if repeats_once_more(whole, window, loser, rules) => Procedure::HasNotDeviated,
        procedure => procedure,
    });
    Repetition { window, moves, patterns, victims, loser, ground, article, procedure, is_certain, mate_search_nodes }
}

/// Whether the position comes once more after the third time, by a round that is the loser's offence again.
fn repeats_once_more(line: &[Ply], window: Window, loser: Color, rules: &RuleSet) -> bool {
    let Some(third) = window.third else { return false };
    let key = line[third].board.key();
    let mut rest = line.iter().enumerate().skip(third + 1).take_while(|(_, ply)| !ply.is_irreversible());
    rest.find(|(_, ply)| ply.board.key() == key)
        .is_some_and(|(fourth, _)| judge_cycle(&line[..=fourth], third, rules) == Judgement::Loses(loser))
}

/// The pieces that every move of a side chases, the most valuable first.
fn victims_in_order(round: &[Ply], color: Color, pattern: &Pattern) -> Vec<Square> {
    let Some(Ply { board: end, mv: Some(last), .. }) = round.last() else { return Vec::new() };
    let viewpoint = Viewpoint::of(end, *last, color);
    let mut victims: Vec<Square> = pattern.common_victims.into_iter().collect();
    victims.sort_by_key(|&square| end.piece_at(square).map(|piece| viewpoint.rank(piece.kind, square)));
    victims
}

/// The article on the ground; on a perpetual chase the one on the pieces concerned, if the rules have one.
fn article(
    rules: &RuleSet,
    ground: Ground,
    loser: Option<Color>,
    victims: &[Vec<Square>; Color::NUM],
    moves: &[JudgedMove],
    round: &[Ply],
) -> Option<&'static str> {
    let general = rules.article(ground);
    let (Ground::PerpetualChase | Ground::ChaseAgainstAttacks, Some(loser)) = (ground, loser) else { return general };
    let end = &round[round.len() - 1].board;
    let victim = victims[loser.index()].first().and_then(|&square| end.piece_at(square));
    let Some(victim) = victim else { return general };
    let own = moves.iter().filter(|judged| judged.mover == loser);
    let chases = own.map(|judged| judged.chases.iter().filter(|chase| chase.victim == victim));
    rules.article_on_chase(victim.kind, chases).or(general)
}

impl Game {
    /// What the rules say of this game, with the class of every move of its repetition.
    ///
    /// The ruling falls at the first position that comes for the third time, whatever was played afterwards. Draws by the
    /// natural limit, which need a claim, and for want of material do not stand in its way.
    pub fn ruling(&self, rules: &RuleSet) -> Ruling {
        let repetition = find_repetition(self.plies()).map(|window| {
            let limit = NodeLimit::for_each_of(window.last() - window.first);
            judge_window(self.plies(), window, rules, limit)
        });
        let (verdict, ended_by) = match &repetition {
            None => (Verdict::None, self.ending_by_position()),
            Some(repetition) if repetition.window.third.is_none() => (Verdict::Undecided, self.ending_by_position()),
            Some(repetition) => match repetition.loser {
                Some(color) => (Verdict::Loses(color), Some(Ending::Repetition(Judgement::Loses(color)))),
                None => (Verdict::Draw, Some(Ending::Repetition(Judgement::Draw))),
            },
        };
        let over_after = ended_by.map(|ending| match ending {
            Ending::Repetition(_) => repetition.as_ref().map_or(0, |repetition| repetition.window.last()),
            // Only a capture takes the last piece that could win.
            Ending::DeadMaterial => self.plies().len() - self.reversible_tail().len(),
            Ending::Checkmate(_) | Ending::Stalemate(_) | Ending::NaturalLimit => self.plies().len() - 1,
        });
        let may_claim_draw = Color::ALL.map(|color| {
            let counted = || self.plies_without_capture(CheckCounting::TenOf(color));
            over_after.is_none() && counted() >= u32::from(NATURAL_LIMIT)
        });
        Ruling { rules: *rules, verdict, repetition, ended_by, over_after, may_claim_draw }
    }

    /// The verdict of [`Game::ruling`] alone, at a fraction of its cost.
    pub fn verdict(&self, rules: &RuleSet) -> Verdict {
        match find_repetition(self.plies()) {
            None => Verdict::None,
            Some(Window { third: None, .. }) => Verdict::Undecided,
            Some(Window { first, third: Some(third), .. }) => {
                match judge_cycle(&self.plies()[..=third], first, rules) {
                    Judgement::Draw => Verdict::Draw,
                    Judgement::Loses(color) => Verdict::Loses(color),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twice(fen: &str, cycle: &[&str]) -> Game {
        let mut game = Game::new(Board::from_fen(fen).unwrap());
        for mv in [cycle, cycle].concat() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_ruling_says_when_it_hangs_on_a_search_that_gave_up() {
        // A rook checks, and threatens mate, by turns.
        let game = twice("4k4/3P5/9/9/5R3/9/9/9/9/3K5 w - - 0 1", &["f5h5", "e9f9", "h5f5", "f9e9"]);
        let window = find_repetition(game.plies()).unwrap();
        let judge = |rules, limit| judge_window(game.plies(), window, &rules, limit);
        let settled = judge(RuleSet::CHINESE, NodeLimit::for_each_of(8));
        assert_eq!((settled.loser, settled.is_certain), (Some(Color::Red), true));
        // Without a look at any position nothing is known of the mate.
        let given_up = judge(RuleSet::CHINESE, NodeLimit(0));
        assert!(given_up.moves[0].is_undetermined());
        assert_eq!((given_up.loser, given_up.is_certain), (None, false));
        assert_eq!(given_up.mate_search_nodes, 0);
        assert!(settled.mate_search_nodes > 0);
        // By the Asian rules the mate threat is permitted, and nothing hangs on it.
        let asian = judge(RuleSet::ASIAN, NodeLimit(0));
        assert_eq!((asian.loser, asian.is_certain), (None, true));
    }

    /// Of 4,109 rulings on games of engines this one took the most: 14,911 positions.
    #[test]
    fn rulings_on_games_are_far_from_the_limit() {
        let fen = "3aka3/4c4/R3c2r1/2p5p/4P4/8P/2r6/4B4/4N4/2BAKA3 w - - 4 34";
        let game = twice(fen, &["a7a5", "h7h5", "a5a4", "h5h3", "a4a7", "h3h7"]);
        for rules in [RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHINESE_OLD] {
            let repetition = game.ruling(&rules).repetition.unwrap();
            assert!(repetition.is_certain && repetition.mate_search_nodes < 4 * 14_911, "{rules}: {repetition:?}");
        }
    }
}
