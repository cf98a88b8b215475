//! `chuhe judge`: what the rules say of the repetition in each game, with the class of every move and the reason.

mod rulings;

use std::io::{self, Write as _};
use std::path::PathBuf;

use chuhe_movegen::Color;
use chuhe_report::ruling::{Answer, Question};
use chuhe_rules::{NATURAL_LIMIT, RuleSet};

use crate::choice::choice;
use crate::failure::{CommandResult, Failure, say};
use crate::games::{Event, InputArgs, Item, Stream, Tally};
use crate::lang::Lang;
use crate::output::{OutputFolder, OverwriteArgs};
use crate::progress;
use crate::screen::for_stdout;
use rulings::Rulings;

/// Arguments of `chuhe judge`.
#[derive(clap::Args)]
#[command(after_help = "\
Games may be in PGN, XQF, CBR, CBL, CBF, DhtmlXQ or plain text; the format is detected. They may also be JSON lines such as
{\"id\": …, \"fen\": …, \"moves\": [\"h2e2\", …], \"ruleset\": …}, of which only \"moves\" or \"fen\" is required, or lines of moves,
each after `position fen FEN moves` if the game does not begin from the start position. Text is in UTF-8, GB18030
(GBK) or Big5.")]
pub(crate) struct JudgeArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// Rule set: computer, axf, cxa, cxa1999, cxa_old, checkonly or alwaysdraw. One named in the game takes precedence
    #[arg(long, value_name = "NAME", default_value = "axf")]
    rules: RuleSet,
    /// Language of the explanation; English uses coordinates for moves, Chinese uses Chinese notation
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// Output format [default: text; html with -o]
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write each ruling to its own file in this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// Also examine a claim by this side, after the last move, that no piece has been taken for the number of rounds in
    /// --rounds (article 23.3 of the Chinese rules of 1999)
    #[arg(long, value_enum, value_name = "SIDE")]
    claim: Option<Side>,
    /// The limit for claims, in rounds; an arbiter may set 40
    #[arg(long, default_value_t = NATURAL_LIMIT / 2, requires = "claim", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
}

/// Form of the rulings.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// For people, with a diagram
    Text,
    /// One JSON object per line
    Json,
    /// A page to print and sign for each game; needs -o
    Html,
}

choice! {
    /// A side.
    Side => Color {
        Red => Color::Red,
        Black => Color::Black,
    }
}

/// Runs the command.
pub(crate) fn run(args: &JudgeArgs) -> CommandResult {
    let default_form = if args.output.is_some() { Form::Html } else { Form::Text };
    let form = args.format.unwrap_or(default_form);
    let claim = args.claim.map(|side| (side.into(), args.rounds));
    let question = Question { rules: args.rules, claim, language: args.lang.into() };
    if form == Form::Html && args.output.is_none() {
        return Err(Failure::Usage("--format html writes a page for each game: choose a folder with -o".to_owned()));
    }
    let mut tally = Tally::default();
    let sources = args.inputs.sources(args.output.as_deref(), &mut tally);
    if sources.is_empty() {
        return tally.result(None);
    }
    let mut rulings = match &args.output {
        Some(path) => {
            let folder = OutputFolder::create(path, &sources, args.overwrite.existing())?;
            Some(Rulings::new(folder, form.extension()))
        }
        None => None,
    };

    let games = Stream::start(sources);
    let bar = progress::bar(None, "{spinner} {pos} games", progress::has_room(rulings.is_some()));
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut faults = Faults::default();
    while let Some(batch) = games.next_batch(|item| form.answer(item, &question)) {
        for event in batch {
            let (answer, written) = match event {
                Event::Game(answer) => answer,
                Event::Note(note) => {
                    bar.suspend(|| tally.note(&note));
                    continue;
                }
            };
            tally.games += 1;
            faults.add(&answer);
            match &mut rulings {
                Some(rulings) => rulings.write(&answer.id, &written)?,
                None => out.write_all(&for_stdout(written.as_bytes()))?,
            }
            bar.inc(1);
        }
        out.flush()?;
    }
    bar.finish_and_clear();
    if let Some(rulings) = &rulings {
        writeln!(out, "{}", rulings.summary())?;
        out.flush()?;
        rulings.note_on_others().iter().for_each(|note| say(note));
    }
    tally.result(faults.message(tally.games, rulings.is_some()))
}

/// Games that could not be judged.
#[derive(Default)]
struct Faults {
    count: u64,
    first: Option<String>,
}

impl Faults {
    fn add(&mut self, answer: &Answer) {
        if let Some(fault) = answer.fault() {
            self.count += 1;
            self.first.get_or_insert(fault);
        }
    }

    /// What is wrong with the games. Where the answers are out of sight, in a folder, the first fault is told here.
    fn message(self, games: u64, is_silent: bool) -> Option<String> {
        let first = self.first?;
        let faults = format!("{} of {games} games could not be judged", self.count);
        Some(if is_silent { format!("{faults}, first {first}") } else { faults })
    }
}

impl Form {
    /// Judges a game and writes the answer down.
    fn answer(self, item: Item, question: &Question) -> (Answer, String) {
        let (id, entry) = item.read();
        let answer = Answer::new(id, entry, question);
        let written = match self {
            Form::Text => answer.text(),
            Form::Json => answer.json(),
            Form::Html => answer.html(),
        };
        (answer, written)
    }

    const fn extension(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Json => "json",
            Form::Html => "html",
        }
    }
}
