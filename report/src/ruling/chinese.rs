//! Explanations in Chinese, in the words of the competition rules.

use chuhe_movegen::{Board, Color, Move, Piece, PieceType};
use chuhe_records::GameResult;
use chuhe_records::notation::{ChineseStyle, Notation};
use chuhe_rules::{
    Chase, ChaseWay, ClaimOutcome, Ending, Ground, IdleKind, JudgedMove, LimitClaim, MateThreat, MoveClass, Pattern,
    Protection, Repetition, RuleSet, Ruling, Verdict, Window,
};

use super::tongue::{Labels, Statement, Tongue, is_exception};

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

    fn headline(&self, title: &str, verdict: &str, rules: &str) -> String {
        if rules.is_empty() { format!("{title}：{verdict}") } else { format!("{title}：{verdict}　{rules}") }
    }

    fn unjudged(&self) -> &'static str {
        "未能裁定"
    }

    fn sentence(&self, ruling: &Ruling, statement: &Statement, is_claimed: bool) -> String {
        let ended = ruling
            .ended_by
            .and_then(|ending| self.ending(ending))
            .or_else(|| Some(claimable(ruling.may_claim_draw)?.to_owned()).filter(|_| !is_claimed));
        let Some(repetition) = &ruling.repetition else {
            return match ended {
                None if is_claimed => "没有重复局面。".to_owned(),
                None => "没有重复局面，无需裁定。".to_owned(),
                Some(ended) => format!("没有重复局面；{ended}。"),
            };
        };
        let reason = self.reason(repetition, statement);
        let article = article(&ruling.rules, repetition);
        let doubt =
            if repetition.is_certain { "" } else { "；个别着法是否要杀未能查清，此裁定不确定" };
        match (ruling.verdict, ended) {
            (Verdict::Loses(color), _) => {
                let side = self.side(color);
                format!("判{side}负：{reason}，{side}应变着而不变{article}{doubt}。")
            }
            (Verdict::Draw, _) => format!("判和：{reason}，双方不变作和{article}{doubt}。"),
            (_, Some(ended)) => format!("同一局面出现两次，未满三次；{ended}。"),
            (_, None) if is_claimed => "同一局面出现两次，未满三次。".to_owned(),
            (_, None) => {
                let outcome = repetition.loser.map_or("作和".to_owned(), |color| format!("判{}负", self.side(color)));
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

    fn class(&self, class: MoveClass) -> String {
        match class {
            MoveClass::Check => "将",
            MoveClass::Kill => "杀",
            MoveClass::Chase => "捉",
            MoveClass::Idle(IdleKind::CheckAnswer) => "闲（应将）",
            MoveClass::Idle(IdleKind::KingAttack) => "闲（将帅捉子）",
            MoveClass::Idle(IdleKind::PawnAttack) => "闲（兵卒捉子）",
            MoveClass::Idle(IdleKind::KeptAttack) => "闲（从捉到捉）",
            MoveClass::Idle(IdleKind::Escape) => "闲（避捉）",
            MoveClass::Idle(IdleKind::ExchangeOffer) => "闲（兑）",
            MoveClass::Idle(IdleKind::Sacrifice) => "闲（献）",
            MoveClass::Idle(IdleKind::Block) => "闲（拦）",
            MoveClass::Idle(IdleKind::Follow) => "闲（跟）",
            MoveClass::Idle(IdleKind::Plain) => "闲",
        }
        .to_owned()
    }

    fn details(&self, judged: &JudgedMove) -> String {
        let threat = match judged.threat {
            MateThreat::None => None,
            MateThreat::In(1) => Some("下一着即可将死".to_owned()),
            MateThreat::In(checks) => Some(format!("连将{checks}着可成杀")),
            MateThreat::Unknown => Some("是否要杀未能查清".to_owned()),
        };
        threat.into_iter().chain(judged.chases.iter().map(chase)).collect::<Vec<_>>().join("；")
    }

    fn pattern(&self, color: Color, pattern: &Pattern, victims: &[Piece]) -> String {
        let side = self.side(color);
        if pattern.is_perpetual_check() {
            format!("{side}长将。")
        } else if !victims.is_empty() {
            format!("{side}长捉{}。", pieces(victims))
        } else if pattern.only_attacks() {
            format!("{side}步步攻击：{}。", attacks(pattern))
        } else if pattern.checks || pattern.kills || pattern.chases {
            let kinds = [(pattern.checks, "将"), (pattern.kills, "杀"), (pattern.chases, "捉")];
            let kinds: Vec<&str> = kinds.into_iter().filter_map(|(some, kind)| some.then_some(kind)).collect();
            format!("{side}有{}亦有闲着。", kinds.join("、"))
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

    fn reason(&self, repetition: &Repetition, statement: &Statement) -> String {
        let (offender, other) = (self.side(statement.offender), self.side(!statement.offender));
        let victims = || pieces(&statement.victims);
        match repetition.ground {
            Ground::PerpetualCheck => format!("{offender}单方面长将"),
            Ground::PerpetualCheckAgainstChecks => format!("{offender}长将，{other}虽有还将，并非长将"),
            Ground::MutualPerpetualCheck => "双方长将，属解将还将".to_owned(),
            Ground::ChaseOfLegPinnedRook => format!("{offender}长捉被马绊住马腿牵制的车，重于{other}的着法"),
            Ground::PerpetualChase => format!("{offender}长捉{}，{other}为允许着法", victims()),
            Ground::ChaseAgainstAttacks => format!("{offender}长捉{}，{other}的攻击属允许着法", victims()),
            Ground::PerpetualAttack => {
                format!("{offender}{}，属禁止着法，{other}为允许着法", attacks(&statement.pattern))
            }
            Ground::MutualOffence => "双方均为禁止着法".to_owned(),
            Ground::PawnFight => "兵（卒）的捉吃计为捉，双方形成相互长打".to_owned(),
            Ground::ChecksAnswered => "一方的将军属解将还将".to_owned(),
            Ground::AttackParried => "其中一打是为了解打，属两打一还打".to_owned(),
            Ground::TrappedPiece => "为解救陷于绝境之子而打击捉子之子，属允许着法".to_owned(),
            Ground::ChecksVoidChases => "无一方长将，循环中有将军，捉子不计".to_owned(),
            Ground::PermittedMateThreats => "长杀属允许着法，双方均无禁止着法".to_owned(),
            Ground::PermittedCheckAndChase => "将与其他攻击交替属允许着法，双方均无禁止着法".to_owned(),
            Ground::PermittedChaseOfSeveral => "分捉数子属允许着法，双方均无禁止着法".to_owned(),
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
fn article(rules: &RuleSet, repetition: &Repetition) -> String {
    let Some(article) = repetition.article else { return String::new() };
    let name = rules_name(rules);
    match rules.name() {
        "axf" => format!("（{name}细则第{}条）", article.replace('-', "至")),
        "computer" => format!("（{name}第{article}步）"),
        "cxa_old" => {
            let list = article.replace("forbidden ", "“禁止着法”第").replace("permitted ", "“允许着法”第");
            let exception = if is_exception(repetition.ground) { "的例外" } else { "" };
            format!("（{name}{list}项{exception}）")
        }
        // The edition of 2020 keeps the principles; the numbers are those of 1999.
        "cxa" => format!("（{name}，原则见1999年版第{article}款）"),
        _ => format!("（{name}第{article}款）"),
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

/// The kinds of attacks of a side whose every move attacks.
const fn attacks(pattern: &Pattern) -> &'static str {
    match (pattern.checks, pattern.kills, pattern.chases) {
        (true, true, true) => "将、杀、捉交替",
        (true, true, false) => "将、杀交替",
        (true, false, true) => "将、捉交替",
        (false, true, true) => "杀、捉交替",
        (true, false, false) => "长将",
        (false, true, false) => "长杀",
        (false, false, _) => "长捉数子",
    }
}

fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().map(|&piece| piece_name(piece)).collect::<Vec<_>>().join("、")
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

fn chase(chase: &Chase) -> String {
    let protection = match chase.protection {
        None => "",
        Some(Protection::None) => "无根",
        Some(Protection::False) => "假根",
        Some(Protection::Insufficient) => "少根",
        Some(Protection::Hidden) => "暗根",
        Some(Protection::Real) => "有根",
    };
    let way = match chase.way {
        ChaseWay::Direct => "",
        ChaseWay::Discovered => "，由走子闪露",
        ChaseWay::Unpinned => "，已解除牵制",
        ChaseWay::ProtectorBlocked => "，保护之路被遮断",
        ChaseWay::ProtectorPinned => "，保护之子被牵制",
        ChaseWay::KingDenied => "，将帅不能回吃",
        ChaseWay::Reinforced => "，联合他子",
        ChaseWay::AnswerLost => "，对方已无还击",
        ChaseWay::ThroughChecks => "，通过照将得子",
    };
    let Chase { attack, attacker, victim, .. } = chase;
    format!(
        "{}（{}）捉{protection}{}（{}）{way}",
        piece_name(*attacker),
        attack.attacker,
        piece_name(*victim),
        attack.victim
    )
}
