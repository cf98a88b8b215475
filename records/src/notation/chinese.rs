//! Chinese notation: 炮二平五, 马8进7, 前车退四.
//!
//! Files are counted from the mover's right. Characters of either script and either side are read, and digits of every
//! kind for both. When two files hold several pawns, four characters have no room for piece, place and file; of the two
//! customs for that (see [`PawnNames`]) both are read, and all three at length too (前兵九平八). Short records leave out
//! the direction (炮25, see [`Length::Short`]).

use chuhe_movegen::{Board, Color, Move, PieceType};

use super::MoveError;
use super::relative::{Direction, Name, Order, Tandem, Which, Word};

/// How Chinese notation is written. It is read in every style.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChineseStyle {
    /// Which characters.
    pub script: Script,
    /// Which digits.
    pub digits: Digits,
    /// How pawns are told apart when two files hold several.
    pub pawns: PawnNames,
    /// Whether the direction is left out.
    pub length: Length,
}

impl ChineseStyle {
    /// What the rules of competitions ask for, in simplified script.
    pub const CUSTOMARY: ChineseStyle = ChineseStyle {
        script: Script::Simplified,
        digits: Digits::Customary,
        pawns: PawnNames::ByFile,
        length: Length::Full,
    };
}

impl Default for ChineseStyle {
    fn default() -> ChineseStyle {
        ChineseStyle::CUSTOMARY
    }
}

/// Which characters stand for pieces and directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Script {
    /// 车进后.
    Simplified,
    /// 車進後.
    Traditional,
}

/// Which digits stand for files and steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Digits {
    /// 一 for Red, 1 for Black, as the rules have it.
    Customary,
    /// 一 for Red, full-width １ for Black, as most files have it.
    FullWidth,
    /// 一 for both sides.
    Chinese,
    /// 1 for both sides.
    Arabic,
}

/// How pawns are told apart when two files hold several of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PawnNames {
    /// Place on the file, then the file in place of the word for pawn: 前九平八.
    ByFile,
    /// All pawns of such files by one number, from the mover's right-most file on, each file from the front: 三兵平八.
    Numbered,
}

/// How much of a move is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// 炮二平五.
    Full,
    /// 炮二五, or 炮25 with [`Digits::Arabic`], wherever that is read as this move; in full elsewhere. 平 is meant before
    /// 进 and 退.
    Short,
}

/// A character of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Piece(PieceType),
    Order(Order),
    Direction(Direction),
    Digit(u8),
}

impl Sign {
    /// What a character stands for; 上 and 下 are the words of old books.
    fn of(c: char) -> Option<Sign> {
        Some(match c {
            '帅' | '帥' | '将' | '將' => Sign::Piece(PieceType::King),
            '仕' | '士' => Sign::Piece(PieceType::Advisor),
            '相' | '象' => Sign::Piece(PieceType::Elephant),
            '马' | '馬' | '傌' => Sign::Piece(PieceType::Horse),
            '车' | '車' | '俥' | '伡' => Sign::Piece(PieceType::Rook),
            '炮' | '砲' | '包' => Sign::Piece(PieceType::Cannon),
            '兵' | '卒' => Sign::Piece(PieceType::Pawn),
            '前' => Sign::Order(Order::Front),
            '中' => Sign::Order(Order::Middle),
            '后' | '後' => Sign::Order(Order::Rear),
            '进' | '進' | '上' | '+' | '＋' => Sign::Direction(Direction::Forward),
            '退' | '下' | '-' | '－' => Sign::Direction(Direction::Back),
            '平' | '=' | '＝' | '.' | '．' => Sign::Direction(Direction::Sideways),
            '一' | '壹' | '1' | '１' => Sign::Digit(1),
            '二' | '贰' | '貳' | '2' | '２' => Sign::Digit(2),
            '三' | '叁' | '叄' | '參' | '3' | '３' => Sign::Digit(3),
            '四' | '肆' | '4' | '４' => Sign::Digit(4),
            '五' | '伍' | '5' | '５' => Sign::Digit(5),
            '六' | '陆' | '陸' | '6' | '６' => Sign::Digit(6),
            '七' | '柒' | '7' | '７' => Sign::Digit(7),
            '八' | '捌' | '8' | '８' => Sign::Digit(8),
            '九' | '玖' | '9' | '９' => Sign::Digit(9),
            _ => return None,
        })
    }
}

/// Whether a character stands for something in a move.
pub(crate) fn is_sign(c: char) -> bool {
    Sign::of(c).is_some()
}

/// Bytes of the move in full with which a text begins: texts are written without blanks between moves.
pub(crate) fn len(text: &str) -> Option<usize> {
    // 前炮平五, and 前兵九平八 at length.
    for count in [4, 5] {
        let mut rest = text.chars();
        let signs: Vec<Sign> = rest.by_ref().take(count).map_while(Sign::of).collect();
        let is_move = match signs[..] {
            [Sign::Digit(_), Sign::Digit(_), ..] => false,
            [_, _, Sign::Direction(_), Sign::Digit(_)] => true,
            [
                Sign::Order(_) | Sign::Digit(_),
                Sign::Piece(PieceType::Pawn),
                Sign::Digit(_),
                Sign::Direction(_),
                Sign::Digit(_),
            ] => true,
            _ => false,
        };
        let len = text.len() - rest.as_str().len();
        if is_move && !text[..len].is_ascii() {
            return Some(len);
        }
    }
    None
}

fn take_apart(word: &str) -> Option<Word> {
    const LONGEST: usize = 5;
    let mut signs = [Sign::Digit(0); LONGEST];
    let mut len = 0;
    for c in word.chars() {
        *signs.get_mut(len)? = Sign::of(c)?;
        len += 1;
    }
    let (who, direction, number) = match &signs[..len] {
        [who @ .., Sign::Direction(direction), Sign::Digit(number)] => (who, Some(*direction), *number),
        [who @ .., Sign::Digit(number)] => (who, None, *number),
        _ => return None,
    };
    let (kind, which) = match *who {
        [Sign::Piece(kind), Sign::Digit(file)] => (kind, Which::File(file)),
        [Sign::Order(order), Sign::Piece(kind)] | [Sign::Piece(kind), Sign::Order(order)] => {
            (kind, Which::Order(order, None))
        }
        [Sign::Digit(number), Sign::Piece(kind)] => (kind, Which::Order(Order::Nth(number), None)),
        [Sign::Order(order), Sign::Digit(file)] => (PieceType::Pawn, Which::Order(order, Some(file))),
        [Sign::Order(order), Sign::Piece(kind), Sign::Digit(file)] => (kind, Which::Order(order, Some(file))),
        [Sign::Digit(number), Sign::Piece(kind), Sign::Digit(file)] => {
            (kind, Which::Order(Order::Nth(number), Some(file)))
        }
        // Without a direction this would be nothing but digits.
        [Sign::Digit(number), Sign::Digit(file)] if direction.is_some() => {
            (PieceType::Pawn, Which::Order(Order::Nth(number), Some(file)))
        }
        _ => return None,
    };
    Some(Word { kind, which, direction, number })
}

pub(super) fn parse(word: &str, board: &Board) -> Result<Move, MoveError> {
    take_apart(word).ok_or(MoveError::Unreadable)?.find(board)
}

pub(super) fn write(mv: Move, board: &Board, style: ChineseStyle) -> String {
    let Some(name) = Name::of(mv, board) else { return mv.to_string() };
    if style.length == Length::Short {
        let short = style.word(&name, false);
        if parse(&short, board) == Ok(mv) {
            return short;
        }
    }
    style.word(&name, true)
}

impl ChineseStyle {
    fn word(self, name: &Name, has_direction: bool) -> String {
        // Five characters of three bytes at most.
        let mut word = String::with_capacity(15);
        match name.tandem {
            None => word.extend([self.piece(name), self.digit(name.file, name.color)]),
            Some(place) if place.is_only => word.extend([self.order(place.order()), self.piece(name)]),
            Some(place) => word.extend(self.one_of_many_pawns(place, name)),
        }
        if has_direction {
            word.push(self.direction(name.direction));
        }
        word.push(self.digit(name.number, name.color));
        word
    }

    fn one_of_many_pawns(self, place: Tandem, name: &Name) -> [char; 2] {
        match self.pawns {
            PawnNames::ByFile => [self.order(place.order()), self.digit(name.file, name.color)],
            PawnNames::Numbered => [chinese_digit(place.number), self.piece(name)],
        }
    }

    fn piece(self, name: &Name) -> char {
        let (simplified, traditional) = match (name.kind, name.color) {
            (PieceType::King, Color::Red) => ('帅', '帥'),
            (PieceType::King, Color::Black) => ('将', '將'),
            (PieceType::Advisor, Color::Red) => ('仕', '仕'),
            (PieceType::Advisor, Color::Black) => ('士', '士'),
            (PieceType::Elephant, Color::Red) => ('相', '相'),
            (PieceType::Elephant, Color::Black) => ('象', '象'),
            (PieceType::Horse, _) => ('马', '馬'),
            (PieceType::Rook, _) => ('车', '車'),
            (PieceType::Cannon, _) => ('炮', '炮'),
            (PieceType::Pawn, Color::Red) => ('兵', '兵'),
            (PieceType::Pawn, Color::Black) => ('卒', '卒'),
        };
        self.pick(simplified, traditional)
    }

    fn order(self, order: Order) -> char {
        match order {
            Order::Front => '前',
            Order::Middle => '中',
            Order::Rear => self.pick('后', '後'),
            Order::Nth(number) => chinese_digit(number),
        }
    }

    fn direction(self, direction: Direction) -> char {
        match direction {
            Direction::Forward => self.pick('进', '進'),
            Direction::Back => '退',
            Direction::Sideways => '平',
        }
    }

    fn pick(self, simplified: char, traditional: char) -> char {
        match self.script {
            Script::Simplified => simplified,
            Script::Traditional => traditional,
        }
    }

    fn digit(self, number: u8, color: Color) -> char {
        match (self.digits, color) {
            (Digits::Chinese, _) | (Digits::Customary | Digits::FullWidth, Color::Red) => chinese_digit(number),
            (Digits::FullWidth, Color::Black) => FULL_WIDTH_DIGITS[usize::from(number)],
            (Digits::Customary, Color::Black) | (Digits::Arabic, _) => char::from(b'0' + number),
        }
    }
}

const CHINESE_DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const FULL_WIDTH_DIGITS: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];

fn chinese_digit(number: u8) -> char {
    CHINESE_DIGITS[usize::from(number)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red has 2 pawns on the third file and 3 on the seventh; Black 5 pawns on one file.
    const PAWNS: &str = "3k5/2P3P2/2P3P2/2P6/9/8p/8p/8p/8p/4K3p w - - 0 1";

    fn read(fen: &str, word: &str) -> Result<String, MoveError> {
        parse(word, &Board::from_fen(fen).unwrap()).map(|mv| mv.to_string())
    }

    fn written(fen: &str, mv: &str, style: ChineseStyle) -> String {
        write(mv.parse().unwrap(), &Board::from_fen(fen).unwrap(), style)
    }

    fn black(fen: &str) -> String {
        fen.replace(" w ", " b ")
    }

    /// The examples of the competition rules, article 7.5, in both ways of keeping a record.
    #[test]
    fn the_examples_of_the_rules_are_read_and_written() {
        let game = [
            ("炮二平五", "炮25", "h2e2"),
            ("马8进7", "马87", "h9g7"),
            ("马二进三", "马23", "h0g2"),
            ("车9平8", "车98", "i9h9"),
            ("车一平二", "车12", "i0h0"),
            ("炮8进4", "炮84", "h7h3"),
        ];
        let short = ChineseStyle { digits: Digits::Arabic, length: Length::Short, ..ChineseStyle::CUSTOMARY };
        let mut board = Board::startpos();
        for (full, brief, mv) in game {
            let mv: Move = mv.parse().unwrap();
            assert_eq!((parse(full, &board), parse(brief, &board)), (Ok(mv), Ok(mv)), "{full} {brief}");
            assert_eq!(write(mv, &board, ChineseStyle::CUSTOMARY), full);
            assert_eq!(write(mv, &board, short), brief);
            board = board.play(mv).unwrap();
        }
    }

    #[test]
    fn what_short_records_leave_open_is_ambiguous_and_written_in_full() {
        let fen = "4k4/9/9/4N4/9/9/9/9/9/3K5 w - - 0 1";
        let short = ChineseStyle { length: Length::Short, ..ChineseStyle::CUSTOMARY };
        assert_eq!(read(fen, "马五六"), Err(MoveError::Ambiguous(2)));
        assert_eq!(written(fen, "e6d8", short), "马五进六");
        assert_eq!(read(fen, "马五七"), Err(MoveError::Ambiguous(2)));
        assert_eq!(read(fen, "帅六四"), Err(MoveError::Illegal(Color::Red)));
        assert_eq!(read(fen, "帅六5").as_deref(), Ok("d0e0"));
        assert_eq!(read(fen, "帅六1").as_deref(), Ok("d0d1"));
        assert_eq!(written(fen, "d0d1", short), "帅六一");
        // As in the example of the rules, 平 is meant where it can be.
        let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        assert_eq!(read(fen, "车98").as_deref(), Ok("a0b0"));
        assert_eq!((written(fen, "a0b0", short), written(fen, "a0a8", short)), ("车九八".into(), "车九进八".into()));
    }

    #[test]
    fn either_script_and_the_words_of_either_side_are_read() {
        let red = [
            ("h2e2", ["炮二平五", "砲２平５", "包2平伍", "炮贰=5"]),
            ("h0g2", ["马二进三", "馬二進三", "傌2上叁", "馬貳＋參"]),
            ("i0i1", ["车一进一", "車壹進壹", "俥1進1", "伡一+１"]),
            ("g0e2", ["相三进五", "象三进五", "象3進5", "相叄上五"]),
            ("f0e1", ["仕四进五", "士四进五", "士肆進伍", "仕4进５"]),
            ("e0e1", ["帅五进一", "帥五進一", "將5进1", "将五进一"]),
            ("c3c4", ["兵七进一", "卒柒進壹", "卒７進１", "兵7+1"]),
        ];
        for (mv, words) in red {
            for word in words {
                assert_eq!(read(Board::START_FEN, word).as_deref(), Ok(mv), "{word}");
                let mirrored: Move = mv.parse().unwrap();
                assert_eq!(
                    read(&black(Board::START_FEN), word).as_deref(),
                    Ok(&*mirrored.rotate().to_string()),
                    "{word}"
                );
            }
        }
        let words = [
            "",
            "炮",
            "炮二",
            "二二平五",
            "炮二平",
            "炮二五平",
            "炮二平〇",
            "炮二平五五",
            "C2=5",
            "225",
            "平平平平",
            "前前平五",
        ];
        for word in words {
            let expected = if word == "二二平五" { MoveError::Illegal(Color::Red) } else { MoveError::Unreadable };
            assert_eq!(read(Board::START_FEN, word), Err(expected), "{word}");
        }
        assert_eq!(read(Board::START_FEN, "炮二进八"), Err(MoveError::Illegal(Color::Red)));
        assert_eq!(read(Board::START_FEN, "前车平四"), Err(MoveError::Illegal(Color::Red)));
    }

    #[test]
    fn two_pieces_on_a_file_are_front_and_rear() {
        let fen = "3k5/9/9/9/R8/2N1C4/R3C4/2N6/9/4K4 w - - 0 1";
        for (words, mv) in [
            (["前车平八", "车前平八"], "a5b5"),
            (["后车进一", "車後进一"], "a3a4"),
            (["前马进六", "前馬進6"], "c4d6"),
            (["后马退九", "馬后退9"], "c2a1"),
            (["后炮平4", "后砲平四"], "e3f3"),
        ] {
            for word in words {
                assert_eq!(read(fen, word).as_deref(), Ok(mv), "{word}");
            }
            assert_eq!(read(fen, &written(fen, mv, ChineseStyle::CUSTOMARY)).as_deref(), Ok(mv));
        }
        assert_eq!(written(fen, "c2a1", ChineseStyle::CUSTOMARY), "后马退九");
        // The file alone does, if only one of both can make the move.
        assert_eq!(read(fen, "车九平八"), Err(MoveError::Ambiguous(2)));
        assert_eq!(read(fen, "车九退五"), Err(MoveError::Illegal(Color::Red)));
        assert_eq!(read(fen, "车九退三").as_deref(), Ok("a3a0"));
        // The front rook cannot: that is no reason to take the other.
        assert_eq!(read(fen, "前车退三"), Err(MoveError::Illegal(Color::Red)));
    }

    #[test]
    fn advisors_and_elephants_keep_the_plain_form() {
        let fen = "3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w - - 0 1";
        for (mv, word, long) in [
            ("d0e1", "仕六进五", "后仕进五"),
            ("d2e1", "仕六退五", "前仕退五"),
            ("c0a2", "相七进九", "后相进九"),
            ("c4e2", "相七退五", "前相退五"),
        ] {
            assert_eq!(written(fen, mv, ChineseStyle::CUSTOMARY), word);
            assert_eq!((read(fen, word).as_deref(), read(fen, long).as_deref()), (Ok(mv), Ok(mv)), "{word}");
        }
    }

    #[test]
    fn pawns_on_one_file_are_counted_from_the_front() {
        let five = black(PAWNS);
        let names = [["前", "一"], ["二", "2"], ["三", "３"], ["四", "肆"], ["五", "后"]];
        for (rank, names) in (0..5).zip(names) {
            let mv = format!("i{rank}h{rank}");
            for name in names {
                for word in
                    [format!("{name}卒平8"), format!("{name}兵平八"), format!("{name}9平8"), format!("{name}卒９平８")]
                {
                    assert_eq!(read(&five, &word).as_deref(), Ok(&*mv), "{word}");
                }
            }
            assert_eq!(written(&five, &mv, ChineseStyle::CUSTOMARY), format!("{}卒平8", names[0]));
        }
        assert_eq!(read(&five, "中卒平8"), Err(MoveError::Ambiguous(3)));
        let three = "3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w - - 0 1";
        for (mv, word, number) in [("c7b7", "前兵平八", "一"), ("c6b6", "中兵平八", "二"), ("c5b5", "后兵平八", "三")]
        {
            assert_eq!(written(three, mv, ChineseStyle::CUSTOMARY), word);
            assert_eq!(read(three, word).as_deref(), Ok(mv));
            assert_eq!(read(three, &format!("{number}兵平八")).as_deref(), Ok(mv));
        }
    }

    #[test]
    fn pawns_on_two_files_are_named_by_file_or_by_number() {
        let numbered = ChineseStyle { pawns: PawnNames::Numbered, ..ChineseStyle::CUSTOMARY };
        for (mv, by_file, number, others) in [
            ("g8f8", "前三平四", "一兵平四", ["前兵三平四", "一三平四"]),
            ("g7h7", "后三平二", "二兵平二", ["后兵三平二", "二3平2"]),
            ("c8b8", "前七平八", "三兵平八", ["前卒7平8", "一兵七平八"]),
            ("c7b7", "中七平八", "四兵平八", ["二七平八", "中兵七平八"]),
            ("c6d6", "后七平六", "五兵平六", ["三兵七平六", "三7平6"]),
        ] {
            assert_eq!(written(PAWNS, mv, ChineseStyle::CUSTOMARY), by_file);
            assert_eq!(written(PAWNS, mv, numbered), number);
            for word in [by_file, number].iter().chain(&others) {
                assert_eq!(read(PAWNS, word).as_deref(), Ok(mv), "{word}");
            }
        }
        // Without the file, only the moves that no other pawn can make.
        assert_eq!(read(PAWNS, "前兵平八").as_deref(), Ok("c8b8"));
        assert_eq!(read(PAWNS, "中兵平六").as_deref(), Ok("c7d7"));
        assert_eq!(read(PAWNS, "前兵进一"), Err(MoveError::Ambiguous(2)));
        // The second of all pawns cannot go there, but the second of its file can; no third pawn can.
        assert_eq!(read(PAWNS, "二兵平八").as_deref(), Ok("c7b7"));
        assert_eq!(read(PAWNS, "三兵平二"), Err(MoveError::Illegal(Color::Red)));
    }

    #[test]
    fn places_that_do_not_fit_are_read_if_one_move_is_left() {
        let fen = "3k5/9/9/9/P3P4/9/9/4R4/9/R3K4 w - - 0 1";
        assert_eq!(read(fen, "中兵平四").as_deref(), Ok("e5f5"));
        assert_eq!(read(fen, "前兵进一"), Err(MoveError::Ambiguous(2)));
        assert_eq!(read(fen, "前车退一").as_deref(), Ok("e2e1"));
        assert_eq!(read(fen, "二兵平四"), Err(MoveError::Illegal(Color::Red)));
        assert_eq!(read(fen, "前九平八").as_deref(), Ok("a5b5"));
    }
}
