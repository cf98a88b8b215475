//! `chuhe judge`: what the rules say of the repetition in each game, with the class of every move and the reason.

mod answer;
mod folder;

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use chuhe_movegen::Color;
use chuhe_report::Language;
use chuhe_rules::{NATURAL_LIMIT, RuleSet};
use indicatif::ProgressBar;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::failure::{CommandResult, Failure, say};
use crate::games::{Event, Item, Source, Stream, Unreadable};
use crate::lang::Lang;
use crate::screen::for_stdout;
use answer::Answer;
use folder::Folder;

/// Arguments of `chuhe judge`.
#[derive(clap::Args)]
#[command(after_help = "\
A file holds games in PGN, XQF, CBR, CBL, CBF, DhtmlXQ or plain text, which is found out; in JSON lines such as
{\"id\": …, \"fen\": …, \"moves\": [\"h2e2\", …], \"ruleset\": …}, of which only \"moves\" or \"fen\" must be there; or in lines of moves,
with `position fen FEN moves` before them where a game does not begin from the start position. Text is in UTF-8, GB18030
(GBK) or Big5.")]
pub(crate) struct JudgeArgs {
    /// Game files and folders of them; standard input when there are none, or for `-`
    #[arg(value_name = "IN")]
    files: Vec<PathBuf>,
    /// computer, axf, cxa, cxa1999, cxa_old, checkonly or alwaysdraw; the rule set that a game names goes before it
    #[arg(long, value_name = "NAME", default_value = "axf")]
    rules: RuleSet,
    /// Language of the explanation; English names moves by coordinates, Chinese in Chinese notation
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// How to write the rulings: text on standard output, html into a folder, unless said otherwise
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write each ruling into a file of its own in this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Also examine this side's claim, after the last move, that nothing has been taken for so many rounds (article 23.3
    /// of the Chinese rules of 1999)
    #[arg(long, value_enum, value_name = "SIDE")]
    claim: Option<Side>,
    /// The limit for claims, in rounds: the natural one unless said otherwise; 40 is what an arbiter may set
    #[arg(long, default_value_t = NATURAL_LIMIT / 2, requires = "claim", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
}

/// Form of the rulings.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// For people, with a diagram
    Text,
    /// One JSON object a line
    Json,
    /// A page to print and sign for each game; needs -o
    Html,
}

/// A side.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Side {
    Red,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Red => Color::Red,
            Side::Black => Color::Black,
        }
    }
}

/// What is asked of every game.
struct Task {
    rules: RuleSet,
    language: Language,
    form: Form,
    /// Whose claim of how many rounds.
    claim: Option<(Color, u16)>,
}

/// What has come of all games.
#[derive(Default)]
struct Tally {
    games: u64,
    faults: u64,
    first_fault: Option<String>,
    unreadable: u64,
}

impl Tally {
    fn add(&mut self, answer: &Answer) {
        self.games += 1;
        if let Some(fault) = answer.fault() {
            self.faults += 1;
            self.first_fault.get_or_insert(fault);
        }
    }

    /// A source that cannot be read is named at once and keeps no other from being judged.
    fn add_unreadable(&mut self, unreadable: &Unreadable) {
        self.unreadable += 1;
        say(&unreadable.0);
    }

    /// How the command ends. Where the answers are out of sight, in a folder, the first fault is told here.
    fn result(self, is_silent: bool) -> CommandResult {
        let Tally { games, faults, first_fault, unreadable } = self;
        let failure = match first_fault {
            None if games == 0 && unreadable == 0 => Some("no games found".to_owned()),
            None => None,
            Some(first) if is_silent => {
                Some(format!("{faults} of {games} games could not be judged, the first is {first}"))
            }
            Some(_) => Some(format!("{faults} of {games} games could not be judged")),
        };
        match failure {
            Some(message) if unreadable == 0 => Err(Failure::Data(message)),
            Some(message) => {
                say(&message);
                Err(Failure::Unreadable)
            }
            None if unreadable == 0 => Ok(()),
            None => Err(Failure::Unreadable),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &JudgeArgs) -> CommandResult {
    let default_form = if args.output.is_some() { Form::Html } else { Form::Text };
    let task = Task {
        rules: args.rules,
        language: args.lang.into(),
        form: args.format.unwrap_or(default_form),
        claim: args.claim.map(|side| (side.into(), args.rounds)),
    };
    if task.form == Form::Html && args.output.is_none() {
        return Err(Failure::Usage("--format html writes a page for each game: name a folder with -o".to_owned()));
    }
    let mut tally = Tally::default();
    let folder = args.output.as_deref();
    let mut sources = Source::all_in_folders(&args.files, folder, |unreadable| tally.add_unreadable(unreadable));
    sources.retain(|source| source.check().inspect_err(|unreadable| tally.add_unreadable(unreadable)).is_ok());
    if sources.is_empty() {
        return tally.result(false);
    }
    let mut folder = folder.map(Folder::create).transpose()?;

    let games = Stream::start(sources);
    let bar = progress(folder.is_some());
    let mut out = io::BufWriter::new(io::stdout().lock());
    while let Some(batch) = games.next_batch() {
        let answers: Vec<Result<(Answer, String), Unreadable>> = batch
            .into_par_iter()
            .filter_map(|event| match event {
                Event::Game(item) => Some(Ok(task.answer(item))),
                Event::Unreadable(unreadable) => Some(Err(unreadable)),
                Event::Empty(_) => None,
            })
            .collect();
        for answer in answers {
            let (answer, written) = match answer {
                Ok(answer) => answer,
                Err(unreadable) => {
                    tally.add_unreadable(&unreadable);
                    continue;
                }
            };
            tally.add(&answer);
            match &mut folder {
                Some(folder) => folder.write(&answer.id, task.form.extension(), &written)?,
                None => out.write_all(&for_stdout(written.as_bytes()))?,
            }
            bar.inc(1);
        }
        out.flush()?;
    }
    bar.finish_and_clear();
    if let Some(note) = folder.as_ref().and_then(|folder| folder.note_on_others(task.form.extension())) {
        say(&note);
    }
    tally.result(folder.is_some())
}

impl Task {
    /// Judges a game and writes the answer down.
    fn answer(&self, item: Item) -> (Answer, String) {
        let answer = Answer::new(item.read(), self);
        let written = match self.form {
            Form::Text => answer.text(self.language),
            Form::Json => answer.json(),
            Form::Html => answer.html(self.language),
        };
        (answer, written)
    }
}

impl Form {
    const fn extension(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Json => "json",
            Form::Html => "html",
        }
    }
}

/// A count on a terminal while nothing else is to be seen there.
fn progress(is_silent: bool) -> ProgressBar {
    if is_silent && io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() }
}
