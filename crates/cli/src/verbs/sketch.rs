//! `lookalike sketch`: an exchange file, for comparing with owners who do not share their files.

use crate::args::{Args, Source, Spec};
use crate::documents::{corpus, exchange_file, inputs, resources, whole_files};
use crate::lens::Lens;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::recipes::{self, key};
use crate::values::NamesForm;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::exchange::Names;
use lookalike::{ChunksOptions, LensOptions, Scanner, ShinglesOptions, SimhashRecipe};
use lookalike_report::ExchangeFile;
use std::path::PathBuf;

pub(super) const SPEC: Spec = Spec::new(
    Verb::Sketch,
    "sketch",
    "Write what is needed to compare these files with those of others, without their content",
    run,
)
.lenses(&[Lens::Chunks, Lens::Shingles, Lens::Simhash])
.long(
    "An exchange file (.lka) holds names and lengths of files and the hashes of their chunks (or with --lens shingles the sketches \
     of their text, with --lens simhash their fingerprints). lookalike scan joins any number of them, and folders. Both sides must use the same flags of the lens and the \
     same --key.",
)
.after(
    "Examples:
  lookalike sketch docs/ -o ours.lka
  lookalike scan ours.lka theirs.lka                           what do we share?
  LOOKALIKE_KEY=secret lookalike sketch docs/ -o ours.lka --names hash
  lookalike sketch crawl.jsonl.zst -o ours.lka --lens simhash  a few bytes for each document

Without --key, whoever has a file or guesses a text can test whether it is in the exchange file. With
--key, only those who have the key can. Lengths of files and chunks, and which chunks repeat, are
visible in any case. What is found in sketches of the shingles lens are estimates: scan such files
with --estimate. Their key keeps no secret from somebody skilled who knows some of the texts.",
);

fn run(args: &Args) -> Result<u8> {
    let lens = args.get("lens").unwrap_or(Lens::Chunks);
    let args = &args.with_lens(lens, &Source::Flag)?;
    let (key, path) = (key(args), args.value::<PathBuf>("output"));
    let names = match args.value("names") {
        NamesForm::Plain => Names::Plain,
        NamesForm::Hash => Names::Hashed,
    };
    output::check_target(&path, false)?;
    let exchange = exchange_file(args)?;
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let options: LensOptions = match (lens, exchange) {
        (Lens::Chunks, _) => ChunksOptions { mean: args.value("avg-chunk"), ..ChunksOptions::default() }.into(),
        (Lens::Simhash, _) => recipes::simhash_like(args, &SimhashRecipe::default())?.into(),
        (_, Some(path)) => {
            let path = path.display();
            bail!(
                "{path} is an exchange file already; those of the shingles lens are scanned together, not put into another"
            );
        }
        (_, None) => ShinglesOptions::new(recipes::shingles(args)).into(),
    };
    let corpus = corpus(args);
    let scanner = Scanner::new(options)
        .corpus(if lens == Lens::Chunks { whole_files(args, corpus) } else { corpus })
        .key(&key)
        .resources(resources(args))
        .progress(&bars)
        .cancel(&cancel);
    let sketched = scanner.sketch(inputs(args)?, names, &path)?;
    let file = path.display().to_string();
    output::summary(args, &ExchangeFile { file: &file, names, sketched: &sketched })?;
    if sketched.documents == 0 {
        return Ok(output::no_documents(args, &sketched.skipped));
    }
    if names == Names::Hashed && key.is_empty() && !args.has("quiet") {
        output::message("note: names are hashed without a key: whoever guesses one can test it; use --key");
    }
    let damaged = output::is_damaged(&sketched.skipped, "the rest was taken");
    Ok(if damaged { crate::WRONG } else { crate::SUCCESS })
}
