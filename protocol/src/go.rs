//! The `go` command.

use crate::WireMove;
use crate::token::{Keyword, Tokens};

/// Declares [`GoCommand`] with its numbers, each named as its keyword, so that reading and writing share one list.
macro_rules! go_command {
    ($($(#[$doc:meta])* $number:ident,)*) => {
        /// What to search and for how long. Limits combine: whichever is hit first ends the search.
        ///
        /// All numbers are at most [`MAX_NUMBER`](crate::MAX_NUMBER).
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
        pub struct GoCommand {
            /// Think on the opponent's time: no answer before `ponderhit` or `stop`.
            pub ponder: bool,
            /// The opponent offers a draw.
            pub draw: bool,
            /// Search until `stop`.
            pub infinite: bool,
            $($(#[$doc])* pub $number: Option<u64>,)*
            /// The only root moves to consider; empty for all.
            pub searchmoves: Vec<WireMove>,
        }

        impl GoCommand {
            fn number_mut(&mut self, keyword: &str) -> Option<&mut Option<u64>> {
                match keyword {
                    $(stringify!($number) => Some(&mut self.$number),)*
                    _ => None,
                }
            }

            fn numbers(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($number), self.$number),)*]
                    .into_iter()
                    .filter_map(|(keyword, number)| Some((keyword, number?)))
            }
        }
    };
}

go_command! {
    /// Fixed depth in plies; 0 asks UCCI engines for the static evaluation only.
    depth,
    /// Number of nodes.
    nodes,
    /// Search for a mate in this many moves.
    mate,
    /// Count the leaves of the move tree to this depth.
    perft,
    /// Remaining time of the side to move, in the unit set by `usemillisec`. Without [`GoCommand::movestogo`] and
    /// [`GoCommand::increment`] it is the budget of this move alone (the habit of ElephantEye, on which GUIs rely).
    time,
    /// Moves until the next time control, this one included; never 0.
    movestogo,
    /// Increment per move of the side to move, unit as for [`GoCommand::time`].
    increment,
    /// Remaining time of the opponent, unit as for [`GoCommand::time`].
    opptime,
    /// Moves of the opponent until the next time control; never 0.
    oppmovestogo,
    /// Increment per move of the opponent, unit as for [`GoCommand::time`].
    oppincrement,
    /// Exact time for this move in milliseconds.
    movetime,
    /// Remaining time of Red in milliseconds.
    wtime,
    /// Remaining time of Black in milliseconds.
    btime,
    /// Increment per move of Red in milliseconds.
    winc,
    /// Increment per move of Black in milliseconds.
    binc,
}

impl GoCommand {
    /// Whether nothing ends the search but `stop`: `go`, `go infinite` and `go ponder` without a limit.
    pub fn is_unlimited(&self) -> bool {
        // `movestogo` and the opponent's clock limit nothing by themselves.
        [self.depth, self.nodes, self.mate, self.perft, self.time, self.movetime, self.wtime, self.btime]
            .iter()
            .all(Option::is_none)
    }

    /// Reads the words behind `go` in any order. A missing or unreadable number drops its keyword only.
    pub(crate) fn parse(tokens: &mut Tokens<'_>) -> GoCommand {
        let mut go = GoCommand::default();
        while let Some(token) = tokens.next() {
            match Keyword::new(token).as_str() {
                "ponder" => go.ponder = true,
                "draw" => go.draw = true,
                "infinite" => go.infinite = true,
                "searchmoves" => go.parse_searchmoves(tokens),
                keyword => {
                    if let Some(number) = go.number_mut(keyword)
                        && let Some(value) = tokens.take_number()
                    {
                        *number = Some(value);
                    }
                }
            }
        }
        for moves in [&mut go.movestogo, &mut go.oppmovestogo] {
            *moves = moves.map(|moves| moves.max(1));
        }
        go
    }

    /// Unreadable moves are passed over; any keyword of `go` ends the list.
    fn parse_searchmoves(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(token) = tokens.peek() {
            let keyword = Keyword::new(token);
            let keyword = keyword.as_str();
            if matches!(keyword, "ponder" | "draw" | "infinite" | "searchmoves") || self.number_mut(keyword).is_some() {
                break;
            }
            tokens.next();
            self.searchmoves.extend(WireMove::parse(token));
        }
    }

    pub(crate) fn words(&self) -> Vec<String> {
        let flags = [("ponder", self.ponder), ("draw", self.draw), ("infinite", self.infinite)];
        let mut words = vec!["go".to_owned()];
        words.extend(flags.iter().filter(|(_, set)| *set).map(|(word, _)| (*word).to_owned()));
        words.extend(self.numbers().map(|(keyword, number)| format!("{keyword} {number}")));
        if !self.searchmoves.is_empty() {
            words.push("searchmoves".to_owned());
            words.extend(self.searchmoves.iter().map(WireMove::to_string));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> GoCommand {
        GoCommand::parse(&mut Tokens::new(text.as_bytes()))
    }

    #[test]
    fn fractions_are_cut_off() {
        let go = parse("wtime 2017.86 btime 0.5 depth 3. movetime -1.5");
        assert_eq!((go.wtime, go.btime, go.depth, go.movetime), (Some(2017), Some(0), Some(3), Some(0)));
    }

    #[test]
    fn a_bad_number_drops_its_keyword_only() {
        let go = parse("depth infinite nodes x movetime 50 time 1x5 wtime");
        assert_eq!(go, GoCommand { infinite: true, movetime: Some(50), ..GoCommand::default() });
    }

    #[test]
    fn numbers_stay_in_range() {
        let go = parse("time -20 movestogo 0 increment 99999999999999999999 oppmovestogo -3 DEPTH 4 depth 5");
        assert_eq!((go.time, go.movestogo, go.oppmovestogo), (Some(0), Some(1), Some(1)));
        assert_eq!((go.increment, go.depth), (Some(crate::MAX_NUMBER), Some(5)));
    }

    #[test]
    fn searchmoves_end_at_a_keyword() {
        let go = parse("searchmoves h2e2 junk B2-E2 nodes 7 h0g2");
        assert_eq!(format!("{:?}", go.searchmoves), "[h2e2, b2e2]");
        assert_eq!(go.nodes, Some(7));
    }

    #[test]
    fn without_limits() {
        assert!(parse("").is_unlimited() && parse("infinite ponder draw movestogo 3").is_unlimited());
        assert!(!parse("depth 0").is_unlimited() && !parse("wtime 1 btime 1").is_unlimited());
    }
}
