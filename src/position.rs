//! The position that a command is asked about.

use chuhe_movegen::{Board, FenError, Move};

use crate::failure::Failure;

/// The arguments `--fen` and `--moves`.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    #[command(flatten)]
    fen: FenArgs,
    /// Moves from that position, such as h2e2
    #[arg(long, num_args = 0..)]
    moves: Vec<String>,
}

/// The argument `--fen`.
#[derive(clap::Args)]
pub(crate) struct FenArgs {
    /// The position as FEN [default: the start position]
    #[arg(long, default_value = Board::START_FEN, hide_default_value = true)]
    fen: String,
}

impl FenArgs {
    /// The position, which may be a composed one.
    pub(crate) fn board(&self) -> Result<Board, Failure> {
        self.read(Board::from_composed_fen)
    }

    /// The position, as it can come about in a game.
    pub(crate) fn playable(&self) -> Result<Board, Failure> {
        self.read(Board::from_fen)
    }

    fn read(&self, read: fn(&str) -> Result<Board, FenError>) -> Result<Board, Failure> {
        read(&self.fen).map_err(|error| Failure::Usage(format!("--fen: {error}")))
    }
}

impl PositionArgs {
    /// The position after the moves.
    pub(crate) fn board(&self) -> Result<Board, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::Usage(format!("--moves: {error}"));
        let words = self.moves.iter().flat_map(|words| words.split_whitespace());
        words.into_iter().try_fold(self.fen.board()?, |board, word| {
            let mv: Move = word.parse().map_err(|error| wrong(&error))?;
            board.play(mv).map_err(|error| wrong(&error))
        })
    }
}
