//! Explanations in Chinese, in the words of the competition rules.

use chuhe_movegen::{Board, Color, Move, Piece, PieceType, Square};
use chuhe_records::GameResult;
use chuhe_records::notation::{ChineseStyle, Notation};
use chuhe_rules::{
    Chase, ChaseWay, ClaimOutcome, Ending, Ground, IdleKind, LimitClaim, MateThreat, MoveClass, Procedure, Protection,
    RuleSet, Ruling, ThreatOrigin, Verdict, Window,
};

use super::play::{Counts, Play, Statement};
use super::tongue::{Labels, Told, Tongue, articles, is_exception, procedure};

pub(super) struct Chinese;

impl Tongue for Chinese {
    fn labels(&self) -> &'static Labels {
        &Labels {
            title: "循环局面裁定书",
            claim_title: "自然限着裁定书",
            red: "红方",
            black: "黑方",
            event: "赛事",
            date: "日期",
            rules: "棋规",
            number: "序号",
            side: "走方",
            mv: "着法",
            class: "定性",
            details: "说明",
            ruling: "裁定：",
            arbiter: "裁判员签名",
            signed_on: "时间",
        }
    }

    fn side(&self, color: Color) -> &'static str {
        match color {
            Color::Red => "红方",
            Color::Black => "黑方",
        }
    }

    fn rules(&self, rules: &RuleSet) -> String {
        format!("{}（{rules}）", rules_name(rules))
    }

    fn verdict(&self, verdict: Verdict) -> String {
        match verdict {
            Verdict::Loses(Color::Red) => "红方负",
            Verdict::Loses(Color::Black) => "黑方负",
            Verdict::Draw => "和棋",
            Verdict::Undecided => "未到裁定",
            Verdict::None => "无循环",
        }
        .to_owned()
    }

    fn must_deviate(&self, color: Color) -> String {
        format!("{}须变着", self.side(color))
    }

    fn headline(&self, title: &str, verdict: &str, rules: &str) -> String {
        if rules.is_empty() { format!("{title}：{verdict}") } else { format!("{title}：{verdict}　{rules}") }
    }

    fn unjudged(&self) -> &'static str {
        "未能裁定"
    }

    fn sentence(&self, ruling: &Ruling, statement: Option<&Statement>, is_claimed: bool) -> String {
        let ended = ruling
            .ended_by
            .and_then(|ending| self.ending(ending))
            .or_else(|| Some(claimable(ruling.may_claim_draw)?.to_owned()).filter(|_| !is_claimed));
        let (Some(repetition), Some(statement)) = (&ruling.repetition, statement) else {
            return match ended {
                None if is_claimed => "没有重复局面。".to_owned(),
                None => "没有重复局面，无需裁定。".to_owned(),
                Some(ended) => format!("没有重复局面；{ended}。"),
            };
        };
        let reason = self.reason(repetition.ground, statement);
        let article = article(ruling);
        let doubt =
            if repetition.is_certain { "" } else { "；个别着法是否要杀未能查清，此裁定不确定" };
        match (ruling.verdict, ended) {
            (Verdict::Loses(color), _) => {
                let side = self.side(color);
                let is_check =
                    matches!(repetition.ground, Ground::PerpetualCheck | Ground::PerpetualCheckAgainstChecks);
                match procedure(ruling) {
                    Some(Procedure::OneMoreRound) => {
                        format!("{side}须变着，再循环一次即判负：{reason}{article}{doubt}。")
                    }
                    Some(Procedure::HasNotDeviated) => {
                        format!("判{side}负：{reason}，{side}须变着而未变，又循环一次{article}{doubt}。")
                    }
                    Some(Procedure::MustDeviate) => {
                        format!("判{side}负：{reason}，{side}须变着，不变作负{article}{doubt}。")
                    }
                    Some(Procedure::LosesAtOnce) if is_check => {
                        format!("判{side}负：{reason}，立即判负{article}{doubt}。")
                    }
                    Some(Procedure::LosesAtOnce) | None => format!("判{side}负：{reason}{article}{doubt}。"),
                }
            }
            (Verdict::Draw, _) => format!("判和：{reason}，双方不变作和{article}{doubt}。"),
            (_, Some(ended)) => format!("同一局面出现两次，未满三次；{ended}。"),
            (_, None) if is_claimed => "同一局面出现两次，未满三次。".to_owned(),
            (_, None) => {
                let outcome = match (repetition.loser.map(|color| self.side(color)), repetition.procedure) {
                    (None, _) => "作和".to_owned(),
                    (Some(side), Some(Procedure::OneMoreRound)) => format!("{side}须变着"),
                    (Some(side), _) => format!("判{side}负"),
                };
                format!("同一局面已出现两次，若照此第三次出现则{outcome}：{reason}{article}{doubt}。")
            }
        }
    }

    fn cycle_start(&self, window: Window, side: Color) -> String {
        let side = self.side(side);
        let start = match window.first {
            0 => "起始局面".to_owned(),
            first => format!("第{first}着后的局面"),
        };
        let again = match window.third {
            None => format!("第{}着后再次出现", window.second),
            Some(third) => format!("第{}着、第{third}着后再次出现", window.second),
        };
        format!("循环起点：{start}，轮{side}走；{again}")
    }

    fn final_position(&self, plies: usize) -> String {
        match plies {
            0 => "起始局面".to_owned(),
            _ => format!("终局局面（共{plies}着）"),
        }
    }

    fn move_name(&self, mv: Move, before: &Board) -> String {
        Notation::Chinese(ChineseStyle::CUSTOMARY).write(mv, before)
    }

    fn class(&self, told: Told<'_>) -> String {
        let of_color = |red, black| if told.judged.mover == Color::Red { red } else { black };
        match told.judged.class {
            MoveClass::Check => "将",
            MoveClass::Kill => "杀",
            MoveClass::Chase => "捉",
            MoveClass::Idle(IdleKind::CheckAnswer) => "闲（应将）",
            MoveClass::Idle(IdleKind::KingAttack) => of_color("闲（帅捉）", "闲（将捉）"),
            MoveClass::Idle(IdleKind::PawnAttack) => of_color("闲（兵捉）", "闲（卒捉）"),
            MoveClass::Idle(IdleKind::ExchangeOffer) => "闲（兑）",
            MoveClass::Idle(IdleKind::KeptAttack) => "闲（从捉到捉）",
            MoveClass::Idle(IdleKind::Escape) => "闲（避捉）",
            MoveClass::Idle(IdleKind::Sacrifice) => "闲（献）",
            MoveClass::Idle(IdleKind::Block) => "闲（拦）",
            MoveClass::Idle(IdleKind::Follow) => "闲（跟）",
            MoveClass::Idle(IdleKind::Plain) => "闲",
        }
        .to_owned()
    }

    fn details(&self, told: Told<'_>) -> String {
        let judged = told.judged;
        let threat = match (judged.threat, judged.origin) {
            (MateThreat::None, _) => None,
            (_, Some(ThreatOrigin::Standing)) => Some("原有杀势，此着与之无关".to_owned()),
            (MateThreat::Unknown, _) | (_, None) => Some("是否要杀未能查清".to_owned()),
            (MateThreat::In(1), _) => Some("下一着即可将死".to_owned()),
            (MateThreat::In(checks), _) => Some(format!("连将{checks}着可成杀")),
        };
        let threat = threat.map(|threat| if told.answers_check() { format!("应将，{threat}") } else { threat });
        let chases = judged.chases.iter().map(|made| chase(made, told.after));
        let permitted = judged.permitted.iter().map(|made| allowed(made, told));
        threat.into_iter().chain(chases).chain(permitted).collect::<Vec<_>>().join("；")
    }

    fn pattern(&self, play: &Play) -> String {
        let side = self.side(play.color);
        if play.pattern.is_perpetual_check() {
            format!("{side}长将。")
        } else if !play.victims.is_empty() {
            format!("{side}长捉{}。", pieces(&play.victims))
        } else if play.pawns_count {
            format!("{side}长捉（{}捉，互打时计为捉，第27.2款）。", self.pawn(play.color))
        } else if play.pattern.only_attacks() {
            format!("{side}{}。", attacks(play))
        } else if play.pattern.checks || play.pattern.kills || play.pattern.chases {
            format!("{side}{}。", counted(&play.moves))
        } else {
            format!("{side}均为闲着。")
        }
    }

    fn claim_refused(&self) -> &'static str {
        "提和不属实"
    }

    fn claim(&self, claim: &LimitClaim) -> String {
        let &LimitClaim { claimant, counted, required, .. } = claim;
        let (side, rounds) = (self.side(claimant), required / 2);
        let outcome = match claim.outcome() {
            ClaimOutcome::Granted => "属实，判和",
            ClaimOutcome::Refused => "不属实",
            ClaimOutcome::Void(0) => {
                return format!("{side}提出自然限着（{rounds}回合）和棋，无效：起始局面已是终局。");
            }
            ClaimOutcome::Void(moves) => {
                return format!("{side}提出自然限着（{rounds}回合）和棋，无效：第{moves}着后对局已告结束。");
            }
        };
        format!(
            "{side}提出自然限着（{rounds}回合）和棋，{outcome}：未吃子着数计{counted}着，应满{required}着，\
             {side}的将军最多计10着（1999年版中国象棋竞赛规则第23.3款）。"
        )
    }

    fn contradiction(&self, stated: GameResult) -> String {
        let said = stated.winner().map_or_else(|| "和棋".to_owned(), |winner| format!("{}胜", self.side(winner)));
        format!("棋谱所记结果为{stated}（{said}），与此裁定不符。")
    }
}

impl Chinese {
    /// How a game ended other than by repetition.
    fn ending(&self, ending: Ending) -> Option<String> {
        Some(match ending {
            Ending::Checkmate(color) => format!("{}被将死，判负", self.side(color)),
            Ending::Stalemate(color) => format!("{}困毙，判负", self.side(color)),
            Ending::NaturalLimit => "已满自然限着，和棋".to_owned(),
            Ending::DeadMaterial => "双方均无可能取胜，和棋".to_owned(),
            Ending::Repetition(_) => return None,
        })
    }

    fn pawn(&self, color: Color) -> &'static str {
        match color {
            Color::Red => "兵",
            Color::Black => "卒",
        }
    }

    fn reason(&self, ground: Ground, statement: &Statement) -> String {
        let Statement { subject, other: others } = statement;
        let (offender, other) = (self.side(subject.color), self.side(others.color));
        let victims = || pieces(&subject.victims);
        match ground {
            Ground::PerpetualCheck => format!("{offender}单方面长将"),
            Ground::PerpetualCheckAgainstChecks => format!("{offender}长将，{other}虽有还将，并非长将"),
            Ground::MutualPerpetualCheck => "双方长将，属解将还将".to_owned(),
            Ground::ChaseOfLegPinnedRook => {
                let rest = if others.pattern.is_perpetual_chase() {
                    format!("较{other}长捉为重")
                } else {
                    format!("{other}为允许着法")
                };
                format!("{offender}长捉因绊{offender}马腿而不能离开的{other}车，{rest}")
            }
            Ground::PerpetualChase => format!("{offender}长捉{}，{other}为允许着法", victims()),
            Ground::ChaseAgainstAttacks => {
                format!("{offender}长捉{}，{other}{}属允许着法", victims(), attacks(others))
            }
            Ground::PerpetualAttack => {
                let attacks = attacks(subject);
                let forbidden = if attacks.ends_with("长打") { "" } else { "，属禁止着法" };
                format!("{offender}{attacks}{forbidden}，{other}{}", innocence(others))
            }
            Ground::MutualOffence => {
                format!("{offender}{}，{other}{}，均为禁止着法", offence(subject), offence(others))
            }
            Ground::PawnFight => format!(
                "双方相互长打，{}的捉吃计为捉，均为禁止着法",
                if others.pawns_count { self.pawn(others.color) } else { self.pawn(subject.color) }
            ),
            Ground::ChecksAnswered => "一方的将军属解将还将".to_owned(),
            Ground::AttackParried => "其中一打是为了解打，属两打一还打".to_owned(),
            Ground::TrappedPiece => "为解救陷于绝境之子而打击捉子之子，属允许着法".to_owned(),
            Ground::ChecksVoidChases => "无一方长将，循环中有将军，捉子不计".to_owned(),
            Ground::PermittedMateThreats
            | Ground::PermittedChecksAndMateThreats
            | Ground::PermittedCheckAndChase
            | Ground::PermittedChaseOfSeveral => {
                format!("{offender}{}，属允许着法，{other}亦无禁止着法", attacks(subject))
            }
            Ground::NoOffence => "双方均为允许着法".to_owned(),
            Ground::EveryRepetitionDraws => "按此棋规，循环反复一律作和".to_owned(),
        }
    }
}

fn rules_name(rules: &RuleSet) -> &'static str {
    match rules.name() {
        "axf" => "亚洲象棋规则",
        "cxa" => "2020年版中国象棋竞赛规则",
        "cxa1999" => "1999年版中国象棋竞赛规则",
        "cxa_old" => "中国象棋旧规则",
        "computer" => "引擎通行规则",
        "checkonly" => "仅禁长将",
        "alwaysdraw" => "循环作和",
        name => name,
    }
}

/// （亚洲象棋规则细则第6条）; nothing when the rules have no articles.
fn article(ruling: &Ruling) -> String {
    let (rules, Some(repetition)) = (&ruling.rules, &ruling.repetition) else { return String::new() };
    let numbers = articles(ruling);
    let [first, ..] = numbers[..] else { return String::new() };
    let name = rules_name(rules);
    let numbers = numbers.join("、");
    match rules.name() {
        // The first five are general.
        "axf" if first.len() == 1 && first <= "5" => format!("（{name}总则第{numbers}条）"),
        "axf" => format!("（{name}细则第{numbers}条）"),
        "computer" => format!("（{name}第{numbers}步）"),
        "cxa_old" => {
            let list = numbers.replace("forbidden ", "“禁止着法”第").replace("permitted ", "“允许着法”第");
            let exception = if is_exception(repetition.ground) { "的例外" } else { "" };
            format!("（{name}{list}项{exception}）")
        }
        // The edition of 2020 keeps the principles; the numbers are those of 1999.
        "cxa" => format!("（{name}，原则见1999年版第{numbers}款）"),
        _ => format!("（{name}第{numbers}款）"),
    }
}

/// Who would be given a draw by the natural limit.
const fn claimable([red, black]: [bool; Color::NUM]) -> Option<&'static str> {
    match (red, black) {
        (true, true) => Some("已满自然限着（60回合），一方提出即判和"),
        (true, false) => Some("已满自然限着（60回合），红方提出即判和；黑方的将军计数不足，提出不属实"),
        (false, true) => Some("已满自然限着（60回合），黑方提出即判和；红方的将军计数不足，提出不属实"),
        (false, false) => None,
    }
}

/// What a side does whose every move attacks: 长杀, 一将一杀，属长打, 长捉（一车分捉黑马、黑炮）.
fn attacks(play: &Play) -> String {
    match (play.pattern.checks, play.pattern.kills, play.pattern.chases) {
        (true, false, false) => "长将".to_owned(),
        (false, true, false) => "长杀".to_owned(),
        (false, false, _) => match play.chasers[..] {
            _ if !play.victims.is_empty() => format!("长捉{}", pieces(&play.victims)),
            [chaser] => format!("长捉（一{}分捉{}）", kind_name(chaser), pieces(&play.chased)),
            _ => format!("长捉（{}分捉{}）", kinds(&play.chasers), pieces(&play.chased)),
        },
        _ if play.is_offence => format!("{}，属长打", counted(&play.moves)),
        _ => counted(&play.moves),
    }
}

/// A forbidden way to play, in brief.
fn offence(play: &Play) -> String {
    if play.victims.is_empty() { attacks(play) } else { format!("长捉{}", pieces(&play.victims)) }
}

/// What a side does that does nothing forbidden.
fn innocence(play: &Play) -> String {
    let Counts { checks, kills, chases, .. } = play.moves;
    if checks + kills + chases == 0 {
        "均为闲着".to_owned()
    } else {
        format!("{}，为允许着法", counted(&play.moves))
    }
}

/// The moves of a round by their kinds: 一将一闲.
fn counted(moves: &Counts) -> String {
    const NUMBERS: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
    let kinds = [(moves.checks, "将"), (moves.kills, "杀"), (moves.chases, "捉"), (moves.idles, "闲")];
    let told = kinds.into_iter().filter_map(|(number, kind)| {
        let number = NUMBERS.get(number.checked_sub(1)?).copied().unwrap_or("数");
        Some(format!("{number}{kind}"))
    });
    told.collect()
}

/// Each piece of a list with its number, equal ones together.
fn grouped(pieces: &[Piece]) -> Vec<(Piece, usize)> {
    let mut groups: Vec<(Piece, usize)> = Vec::new();
    for &piece in pieces {
        match groups.iter_mut().find(|(known, _)| *known == piece) {
            Some((_, number)) => *number += 1,
            None => groups.push((piece, 1)),
        }
    }
    groups
}

/// So many pieces of a kind: 炮, 双炮, 三卒.
fn several(piece: Piece, number: usize) -> String {
    let number = match number {
        1 => "",
        2 => "双",
        3 => "三",
        _ => "数",
    };
    format!("{number}{}", kind_name(piece))
}

/// Pieces of one side: 黑炮, 黑马、黑炮, 黑方双炮.
fn pieces(pieces: &[Piece]) -> String {
    let told = grouped(pieces).into_iter().map(|(piece, number)| match (number, piece.color) {
        (1, _) => piece_name(piece).to_owned(),
        (_, Color::Red) => format!("红方{}", several(piece, number)),
        (_, Color::Black) => format!("黑方{}", several(piece, number)),
    });
    told.collect::<Vec<_>>().join("、")
}

/// The same without the side: 车、炮, 双车.
fn kinds(pieces: &[Piece]) -> String {
    grouped(pieces).into_iter().map(|(piece, number)| several(piece, number)).collect::<Vec<_>>().join("、")
}

/// A piece without its side: 车, 帅, 卒.
fn kind_name(piece: Piece) -> &'static str {
    piece_name(piece).trim_start_matches(['红', '黑'])
}

/// A piece and where it stands, as players name it: 红二路车, 黑6路前炮, 黑将.
fn located(piece: Piece, square: Square, board: &Board) -> String {
    const FILES: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
    if piece.kind == PieceType::King {
        return piece_name(piece).to_owned();
    }
    let (side, file) = match piece.color {
        Color::Red => ("红", FILES[8 - usize::from(square.file())].to_owned()),
        Color::Black => ("黑", (square.file() + 1).to_string()),
    };
    // From the front, as the side sees it.
    let forward = |square: Square| if piece.color == Color::Red { 9 - square.rank() } else { square.rank() };
    let mut on_file: Vec<u8> = Square::all()
        .filter(|other| other.file() == square.file() && board.piece_at(*other) == Some(piece))
        .map(forward)
        .collect();
    on_file.sort_unstable();
    let place = on_file.iter().position(|&place| place == forward(square)).unwrap_or(0);
    let place = match (on_file.len(), place) {
        (0 | 1, _) => "",
        (_, 0) => "前",
        (number, place) if place + 1 == number => "后",
        (3, _) => "中",
        (_, place) => FILES[place],
    };
    format!("{side}{file}路{place}{}", kind_name(piece))
}

fn piece_name(piece: Piece) -> &'static str {
    match (piece.color, piece.kind) {
        (Color::Red, PieceType::King) => "红帅",
        (Color::Red, PieceType::Advisor) => "红仕",
        (Color::Red, PieceType::Elephant) => "红相",
        (Color::Red, PieceType::Horse) => "红马",
        (Color::Red, PieceType::Rook) => "红车",
        (Color::Red, PieceType::Cannon) => "红炮",
        (Color::Red, PieceType::Pawn) => "红兵",
        (Color::Black, PieceType::King) => "黑将",
        (Color::Black, PieceType::Advisor) => "黑士",
        (Color::Black, PieceType::Elephant) => "黑象",
        (Color::Black, PieceType::Horse) => "黑马",
        (Color::Black, PieceType::Rook) => "黑车",
        (Color::Black, PieceType::Cannon) => "黑炮",
        (Color::Black, PieceType::Pawn) => "黑卒",
    }
}

/// The chaser and the chased piece with its root.
fn parts(chase: &Chase, after: &Board) -> (String, String) {
    let root = match chase.protection {
        None => "",
        Some(Protection::None) => "无根",
        Some(Protection::False) => "假根",
        Some(Protection::Insufficient) => "少根",
        Some(Protection::Hidden) => "暗根",
        Some(Protection::Real) => "有根",
    };
    let Chase { attack, attacker, victim, .. } = chase;
    let victim = format!("{root}{}", located(*victim, attack.victim, after));
    (located(*attacker, attack.attacker, after), victim)
}

fn chase(chase: &Chase, after: &Board) -> String {
    let (attacker, victim) = parts(chase, after);
    match chase.way {
        ChaseWay::Direct => format!("{attacker}捉{victim}"),
        ChaseWay::Discovered => format!("{attacker}闪露捉{victim}"),
        ChaseWay::Unpinned => format!("{attacker}已解除牵制，捉{victim}"),
        ChaseWay::ProtectorBlocked => format!("断其根，{attacker}捉{victim}"),
        ChaseWay::ProtectorPinned => format!("牵制其根，{attacker}捉{victim}"),
        ChaseWay::KingDenied => {
            let king = if chase.victim.color == Color::Red { "帅" } else { "将" };
            format!("使{king}不能回吃，{attacker}捉{victim}")
        }
        ChaseWay::Reinforced => format!("{attacker}联合捉{victim}"),
        ChaseWay::AnswerLost if chase.attacker.kind == chase.victim.kind => {
            format!("对方已不能反吃，{attacker}捉{victim}")
        }
        ChaseWay::AnswerLost => format!("吃子后已不致被将死，{attacker}捉{victim}"),
        ChaseWay::ThroughChecks => format!("{attacker}可借连续照将得{victim}（第29.1款）"),
    }
}

/// An attack that does not count, and why.
fn allowed(chase: &Chase, told: Told<'_>) -> String {
    let (attacker, victim) = parts(chase, told.after);
    let (king, pawn, kept) = match told.ruling.rules.name() {
        "axf" => ("（细则第28条）", "（细则第29条）", ""),
        "cxa" | "cxa1999" => ("（第27.1款）", "（第27.2款）", "（第29.2款）"),
        _ => ("", "", ""),
    };
    match chase.attacker.kind {
        PieceType::King => format!("{attacker}捉{victim}，按闲处理{king}"),
        PieceType::Pawn if told.pawns_count() => format!("{attacker}捉{victim}，互打时计为捉{pawn}"),
        PieceType::Pawn => format!("{attacker}捉{victim}，按闲处理{pawn}"),
        _ => format!("{attacker}原已捉着{victim}{kept}"),
    }
}
