//! Gathering the lines that an engine tells while it searches.

use chuhe_movegen::{Board, Move};

use crate::Line;

/// The lines of a search that is under way.
///
/// An engine tells its lines again for each depth, the best first, and may be stopped in the midst of that. What counts is
/// the newest line for each first move: those of the last round, and behind them what earlier rounds knew of others.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    round: Vec<Line>,
    earlier: Vec<Line>,
}

impl Lines {
    /// No lines yet.
    #[must_use]
    pub fn new() -> Lines {
        Lines::default()
    }

    /// Takes in a line with its rank, from 1.
    pub fn add(&mut self, rank: usize, line: Line) {
        if line.moves.is_empty() {
            return;
        }
        if rank <= 1 {
            let earlier = std::mem::take(&mut self.earlier);
            self.earlier = std::mem::take(&mut self.round);
            self.earlier.extend(earlier);
            keep_first_of_each(&mut self.earlier);
        }
        self.round.push(line);
    }

    /// The lines at the end of the search: at most `count`, the one that begins with `best` first, every move legal.
    #[must_use]
    pub fn finish(self, board: &Board, best: Option<Move>, count: usize) -> Vec<Line> {
        let mut lines = self.round;
        lines.extend(self.earlier);
        keep_first_of_each(&mut lines);
        lines.retain_mut(|line| {
            let legal = legal_moves(board, &line.moves);
            line.moves.truncate(legal);
            legal > 0
        });
        if let Some(first) = best.and_then(|best| lines.iter().position(|line| line.moves[0] == best)) {
            lines[..=first].rotate_right(1);
        }
        lines.truncate(count);
        lines
    }
}

/// Drops lines whose first move an earlier one has.
fn keep_first_of_each(lines: &mut Vec<Line>) {
    let mut heads: Vec<Move> = Vec::with_capacity(lines.len());
    lines.retain(|line| {
        let is_new = !heads.contains(&line.moves[0]);
        heads.extend(is_new.then_some(line.moves[0]));
        is_new
    });
}

/// How many moves can be played one after another.
fn legal_moves(board: &Board, moves: &[Move]) -> usize {
    let mut board = board.clone();
    moves.iter().take_while(|&&mv| board.play(mv).map(|after| board = after).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    fn line(depth: u32, moves: &str) -> Line {
        let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        Line { score: Score::Cp(0), chances: Score::Cp(0).chances(), depth, moves }
    }

    fn finish(lines: &[(usize, u32, &str)], best: &str, count: usize) -> Vec<(u32, String)> {
        let mut gathered = Lines::new();
        for &(rank, depth, moves) in lines {
            gathered.add(rank, line(depth, moves));
        }
        let lines = gathered.finish(&Board::startpos(), best.parse().ok(), count);
        lines.iter().map(|line| (line.depth, line.moves[0].to_string())).collect()
    }

    fn expected(lines: &[(u32, &str)]) -> Vec<(u32, String)> {
        lines.iter().map(|&(depth, mv)| (depth, mv.to_owned())).collect()
    }

    #[test]
    fn the_last_round_counts() {
        let rounds = [(1, 1, "h2e2"), (2, 1, "b2e2"), (1, 2, "b2e2"), (2, 2, "h0g2")];
        assert_eq!(finish(&rounds, "b2e2", 2), expected(&[(2, "b2e2"), (2, "h0g2")]));
        assert_eq!(finish(&rounds, "b2e2", 5), expected(&[(2, "b2e2"), (2, "h0g2"), (1, "h2e2")]));
    }

    #[test]
    fn a_round_that_breaks_off_is_filled_up_from_earlier_ones() {
        let rounds = [(1, 1, "h2e2"), (2, 1, "b2e2"), (3, 1, "h0g2"), (1, 2, "b2e2"), (1, 3, "b2e2")];
        assert_eq!(finish(&rounds, "b2e2", 3), expected(&[(3, "b2e2"), (1, "h2e2"), (1, "h0g2")]));
        // The move that is played comes first even if the last line shown was another's.
        assert_eq!(finish(&rounds, "h0g2", 2), expected(&[(1, "h0g2"), (3, "b2e2")]));
    }

    #[test]
    fn lines_are_cut_where_they_become_illegal() {
        let mut lines = Lines::new();
        lines.add(1, line(1, "h2e2 h9g7 h9g7 h0g2"));
        lines.add(2, line(1, "a9a8"));
        lines.add(3, line(1, ""));
        let lines = lines.finish(&Board::startpos(), None, 9);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].moves.len(), 2);
    }
}
