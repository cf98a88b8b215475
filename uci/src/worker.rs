//! The thread that owns the engine: whatever may take long is a job for it.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use chuhe_endgame::Tables;
use chuhe_engine::{Control, Engine, Limits, Options, Outcome};
use chuhe_eval::Evaluation;
use chuhe_movegen::Board;
use chuhe_protocol::{Ranks, Reply, WireMove};
use chuhe_rules::Game;

use crate::books::Repertoire;
use crate::output::Output;
use crate::perft;
use crate::reporter::Reporter;
use crate::session::Message;

/// Something to do. Jobs are done in order.
pub(crate) enum WorkerJob {
    /// Search; the answer is [`Message::Searched`].
    Search(Box<SearchJob>),
    /// Count leaves and print them; the answer is [`Message::Counted`].
    Perft {
        /// Where to begin.
        board: Box<Board>,
        /// Depth in plies.
        depth: u32,
        /// How the GUI counts ranks.
        ranks: Ranks,
        /// Stops it.
        control: Control,
    },
    /// Use these options from now on.
    Configure(Box<Options>),
    /// Change the size of the hash table, in MiB.
    ResizeHash(usize),
    /// Forget earlier games.
    NewGame,
    /// Use this evaluation, and forget what was learnt by the old one.
    UseEvaluation(Evaluation),
    /// Use these opening books.
    LoadBooks(Vec<PathBuf>),
    /// Use the endgame tables of these folders, the first before the others, and the embedded ones.
    LoadTables(Vec<PathBuf>),
    /// Allocate what a search needs.
    Prepare,
    /// Say `readyok` when everything is ready for a search.
    Ready,
    /// All jobs so far are done; the answer is [`Message::Drained`].
    Drain,
}

/// A search with all it needs.
pub(crate) struct SearchJob {
    pub(crate) game: Arc<Game>,
    pub(crate) limits: Limits,
    /// Answer from the opening books if they know the position.
    pub(crate) use_book: bool,
    pub(crate) control: Control,
    pub(crate) reporter: Reporter,
}

/// The end of a search, and who is to tell it.
pub(crate) struct Searched {
    pub(crate) outcome: Outcome,
    pub(crate) reporter: Reporter,
}

/// Does jobs until the session is over.
pub(crate) fn work(mut engine: Engine, jobs: &Receiver<WorkerJob>, messages: &SyncSender<Message>, output: &Output) {
    let mut repertoire = Repertoire::new();
    for job in jobs {
        let answer = match job {
            WorkerJob::Search(job) => Some(Message::Searched(Box::new(search(&mut engine, &mut repertoire, *job)))),
            WorkerJob::Perft { board, depth, ranks, control } => {
                count_leaves(&board, depth, ranks, &control, output);
                Some(Message::Counted)
            }
            WorkerJob::Configure(options) => {
                engine.options = *options;
                None
            }
            WorkerJob::ResizeHash(mib) => {
                if let Err(refused) = engine.set_hash(mib) {
                    output.tell(refused.to_string());
                }
                None
            }
            WorkerJob::NewGame => {
                engine.new_game();
                None
            }
            WorkerJob::UseEvaluation(evaluation) => {
                engine.set_evaluation(evaluation);
                None
            }
            WorkerJob::LoadBooks(paths) => {
                repertoire.load(&paths).into_iter().for_each(|trouble| output.tell(trouble));
                None
            }
            WorkerJob::LoadTables(folders) => {
                engine.set_tables(load_tables(&folders, output));
                None
            }
            WorkerJob::Prepare => {
                engine.prepare();
                None
            }
            WorkerJob::Ready => {
                engine.prepare();
                output.send(&Reply::ReadyOk);
                None
            }
            WorkerJob::Drain => Some(Message::Drained),
        };
        if let Some(answer) = answer
            && messages.send(answer).is_err()
        {
            return;
        }
    }
}

/// The embedded tables and before them those of the folders. A folder with a file that is no sound table is left out.
fn load_tables(folders: &[PathBuf], output: &Output) -> Tables {
    folders.iter().rev().fold(Tables::embedded(), |tables, folder| match tables.with_folder(folder) {
        Ok(all) => all,
        Err(error) => {
            output.tell(format!("endgame tables of `{}` rejected: {error}", folder.display()));
            tables
        }
    })
}

/// An engine that plays a different game each time where chance is asked for.
pub(crate) fn new_engine() -> Engine {
    let mut engine = Engine::new();
    engine.seed(RandomState::new().hash_one(0));
    engine
}

fn search(engine: &mut Engine, repertoire: &mut Repertoire, job: SearchJob) -> Searched {
    let SearchJob { game, limits, use_book, control, mut reporter } = job;
    if use_book && let Some((best, entries)) = repertoire.choose(game.board(), &engine.root_moves(&game, &limits)) {
        reporter.set_book(entries);
        return Searched { outcome: Outcome { best: Some(best), ..Outcome::default() }, reporter };
    }
    let outcome = engine.search(&game, &limits, &control, &mut |event| reporter.report(event));
    Searched { outcome, reporter }
}

fn count_leaves(board: &Board, depth: u32, ranks: Ranks, control: &Control, output: &Output) {
    let total = perft::divide(board, depth, control, |mv, nodes| {
        output.send(&Reply::Text(format!("{}: {nodes}", WireMove::new(mv, ranks))));
    });
    if let Some(total) = total {
        output.send(&Reply::Text(String::new()));
        output.send(&Reply::Text(format!("Nodes searched: {total}")));
    }
}
