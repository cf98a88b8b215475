//! What the stub is told to do on its command line.

/// Declares the words that switch something on, and those with a number.
macro_rules! habits {
    (
        flags { $($(#[$flag_doc:meta])* $flag:ident,)* }
        numbers { $($(#[$number_doc:meta])* $number:ident,)* }
    ) => {
        /// Every way to behave and misbehave. `--some-flag` sets `some_flag`, `--some-number=5` sets `some_number`.
        #[derive(Default, Debug)]
        pub(crate) struct Habits {
            /// The protocols it knows, by their words; empty: all.
            pub(crate) speaks: Vec<String>,
            $($(#[$flag_doc])* pub(crate) $flag: bool,)*
            $($(#[$number_doc])* pub(crate) $number: Option<u64>,)*
        }

        impl Habits {
            fn set(&mut self, name: &str, value: Option<&str>) -> bool {
                match (name, value) {
                    ("speaks", Some(words)) => self.speaks = words.split(',').map(str::to_owned).collect(),
                    $((stringify!($flag), None) => self.$flag = true,)*
                    $((stringify!($number), Some(text)) => match text.parse() {
                        Ok(number) => self.$number = Some(number),
                        Err(_) => return false,
                    },)*
                    _ => return false,
                }
                true
            }
        }
    };
}

habits! {
    flags {
        /// Counts ranks from 1 in UCI and UCCI.
        ranks_from_one,
        /// Understands only H and E in a FEN, as it always does in xboard.
        horse_elephant,
        /// Announces and needs UCI_Variant, and plays nothing until it is set to xiangqi.
        needs_variant,
        /// Announces UCI_Variant without xiangqi.
        chess_only,
        /// Announces no `usemillisec`.
        no_usemillisec,
        /// Does not answer `isready`.
        no_isready,
        /// Announces no `Ponder`.
        no_ponder,
        /// Tells the reply it expects.
        expects,
        /// Ends a search on the opponent's time without being told.
        ponders_briefly,
        /// Leaves at the first word.
        exit_at_start,
        /// Leaves at a word of a protocol it does not know, as ElephantEye does.
        leaves_at_strange_word,
        /// Never reads its input.
        deaf,
        /// Reads and never says anything.
        mute,
        /// Does not leave, whatever happens.
        ignore_quit,
        /// Does not answer `stop`.
        ignore_stop,
        /// Tells megabytes with every search: info lines, lines without end, bytes that are no text.
        babble,
        /// Says nonsense that is no info for ever once it is asked for a move.
        gibberish,
        /// Fills its standard error.
        flood_stderr,
        /// Accepts every draw offer that it is told of.
        accept_draws,
        /// Refuses every `setboard`.
        refuse_setboard,
        /// Xboard: cannot play a second game.
        no_reuse,
        /// Xboard: wants to be told neither clocks nor draw offers.
        untold,
    }
    numbers {
        /// Changes all its choices.
        seed,
        /// Milliseconds before its introduction.
        slow_start,
        /// Milliseconds before each answer.
        late,
        /// In place of its n-th move of a game: leaves with code 3.
        crash_at,
        /// … thinks until it is told to stop.
        hang_at,
        /// … moves a piece that is not there.
        illegal_at,
        /// … says something that is no move.
        unreadable_at,
        /// … says that it has none.
        no_move_at,
        /// … resigns.
        resign_at,
        /// … claims a draw (xboard).
        claim_at,
        /// Answers twice.
        double_at,
        /// Offers a draw with its n-th move.
        offer_at,
    }
}

impl Habits {
    /// Reads the command line; gives back the first word that is no habit.
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Result<Habits, String> {
        let mut habits = Habits::default();
        for word in words {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word.as_str(), None),
            };
            let known = name.strip_prefix("--").is_some_and(|name| habits.set(&name.replace('-', "_"), value));
            if !known {
                return Err(word);
            }
        }
        Ok(habits)
    }

    /// Whether it knows this protocol.
    pub(crate) fn speaks(&self, protocol: &str) -> bool {
        self.speaks.is_empty() || self.speaks.iter().any(|known| known == protocol)
    }
}
