//! Sketches of the shingles lens in an exchange file. What comes of them are estimates: the originals are somewhere else.

use crate::Error;
use crate::lens::shingles::sketcher::{Sketched, Sketcher};
use crate::lens::shingles::sketching::{SketchCollector, SketchedDocument, conceal, for_each_sketched};
use crate::progress::{Cancel, Unit};
use crate::run::Session;
use crate::run::catalogue::{decode_sketch, encode_sketch};
use crate::run::exchange::{ExchangeSummary, Header, Names, put_id};
use crate::run::reading::Outcome;
use crate::run::session::reading;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_corpus::{Corpus, Input, Place};
use lookalike_store::{Spool, atomic};
use std::path::Path;

/// Writes an exchange file of the shingles lens: names, lengths and sketches.
pub fn sketch(
    inputs: Vec<Input>,
    session: &Session<'_>,
    recipe: &ShingleRecipe,
    names: Names,
    out: &Path,
) -> Result<ExchangeSummary, Error> {
    let corpus = Corpus::open(inputs, reading(session.options))?;
    let key = &session.options.key;
    let sketcher = Sketcher::new(recipe, key)?;
    let mut header = Header::new(Lens::Shingles, &recipe.to_string(), names);
    let mut skipped = Vec::new();
    // how many there are is known at the end, and stands at the beginning
    let mut records = Spool::spill(&session.space, "the sketches")?;
    let mut buffers = (Vec::new(), Vec::new());
    session.phase("sketch", Unit::Bytes, corpus.total_bytes(), |_| {
        for_each_sketched(session, &sketcher, &corpus, (false, None), |outcome| {
            match outcome {
                Outcome::Skipped(skip) => {
                    header.empty += u64::from(skip.kind == "empty");
                    skipped.push(skip);
                }
                Outcome::Document(SketchedDocument { id, sketched, .. }) => {
                    skipped.extend(sketched.too_little(&id, sketcher.min_words));
                    header.documents += 1;
                    header.bytes += sketched.bytes;
                    header.features += sketched.sketch.features.len() as u64;
                    let (record, buffer) = &mut buffers;
                    put_id(&id, names, key, record);
                    put(&sketched, key, buffer, record);
                    records.append(record)?;
                }
            }
            Ok(())
        })
    })?;
    let records = records.finish()?;
    atomic::spool(out, |mut spool| {
        header.begin(&mut spool)?;
        records.for_each(|record| spool.append(record).map(drop))?;
        spool.finish()?;
        Ok::<_, Error>(())
    })?;
    let Header { documents, bytes, features, recipe, .. } = header;
    ExchangeSummary::of(out, recipe, (documents, bytes, features), skipped)
}

/// Takes over the documents of an exchange file, whose recipe must be this one. The file is a folder to their names.
pub fn read(
    path: &Path,
    recipe: &ShingleRecipe,
    cancel: &Cancel,
    corpus: &Corpus,
    collector: &mut SketchCollector,
) -> Result<(), Error> {
    let (folder, expected) = (lookalike_corpus::id_of(path).into_owned(), recipe.to_string());
    crate::run::exchange::read(
        path,
        (Lens::Shingles, Some(&expected)),
        Some(&folder),
        cancel,
        |id, record| match take(record) {
            None => Ok(false),
            Some(sketched) => {
                let place = Place::Stream;
                let document =
                    SketchedDocument { id, place, sketched, body: None, body_place: None, category: None, rank: None };
                collector.take(corpus, Outcome::Document(document))?;
                Ok(true)
            }
        },
    )?;
    Ok(())
}

fn put(sketched: &Sketched, key: &str, buffer: &mut Vec<u8>, record: &mut Vec<u8>) {
    record.extend(conceal(sketched.content, key).to_le_bytes());
    record.extend(sketched.lexical.to_le_bytes());
    for number in [sketched.unordered, sketched.bytes] {
        record.extend(number.to_le_bytes());
    }
    for number in [sketched.words, sketched.shingles] {
        record.extend(number.to_le_bytes());
    }
    encode_sketch(&sketched.sketch, buffer);
    record.extend(&*buffer);
}

fn take(record: &[u8]) -> Option<Sketched> {
    let (content, mut rest) = record.split_first_chunk()?;
    let (lexical, after) = rest.split_first_chunk()?;
    rest = after;
    let [content, lexical] = [content, lexical].map(|bytes| u128::from_le_bytes(*bytes));
    let mut long = || {
        let (number, after) = rest.split_first_chunk()?;
        rest = after;
        Some(u64::from_le_bytes(*number))
    };
    let (unordered, bytes) = (long()?, long()?);
    let (words, rest) = rest.split_first_chunk()?;
    let (shingles, rest) = rest.split_first_chunk()?;
    let (words, shingles) = (u32::from_le_bytes(*words), u32::from_le_bytes(*shingles));
    // a level, and whole features in rising order
    let sketch = (rest.len() % 8 == 1).then(|| decode_sketch(rest))?;
    let few = u32::try_from(sketch.features.len()).is_ok_and(|kept| kept <= shingles);
    let sane = shingles > 0 && few && sketch.level < 64 && sketch.features.is_sorted_by(|a, b| a < b);
    sane.then_some(Sketched {
        bytes,
        content,
        identity: content,
        lexical,
        words,
        left_out: 0,
        shingles,
        unordered,
        sketch,
        too_little: false,
        features: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;
    use crate::report::cluster::Class;
    use crate::run::exchange::lens_of;
    use crate::{Scan, Scanner, ShinglesOptions};
    use lookalike_core::feature_hash::FeatureHasher;

    fn text(seed: u64) -> String {
        let word = |at: u64| (seed + 1).wrapping_mul(at + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        (0..400).map(|at| word(at).to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn owners_compare_sketches() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, body: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, body).unwrap();
        };
        for at in 0..5 {
            write(&format!("a/{at}.txt"), &text(at));
            write(&format!("b/{at}.txt"), &(if at == 0 { text(0) } else { format!("{} and so on", text(at)) }));
        }
        for key in ["", "secret"] {
            let mut options = ShinglesOptions { estimate: true, ..ShinglesOptions::default() };
            options.recipe.key = (!key.is_empty()).then(|| FeatureHasher::key_name(key));
            let scan = |inputs: Vec<Input>, options: &ShinglesOptions| -> Result<Scan, Error> {
                Scanner::new(options.clone()).key(key).run(inputs)
            };
            let file = dir.path().join(format!("a{key}.lka"));
            let input = |name: &str| Input::Path(dir.path().join(name));
            let sketched =
                Scanner::new(options.clone()).key(key).sketch(vec![input("a")], Names::Plain, &file).unwrap();
            assert_eq!((sketched.documents, lens_of(&file).unwrap()), (5, Lens::Shingles));
            let inputs = || vec![Input::Path(file.clone()), input("b")];
            let joined = scan(inputs(), &options).unwrap().into_report();
            let both = scan(vec![input("a"), input("b")], &options).unwrap().into_report();
            let numbers = |report: &Report| {
                let members = report.clusters.iter().flat_map(|c| &c.members);
                let mut all: Vec<(Class, String)> =
                    members.map(|m| (m.class, format!("{:?}", m.resemblance))).collect();
                all.sort();
                all
            };
            assert_eq!(numbers(&joined), numbers(&both), "{key}");
            assert_eq!(joined.head.summary.identical, 1);
            // content cannot be verified where it is not
            let exact = ShinglesOptions { estimate: false, ..options.clone() };
            assert!(matches!(scan(inputs(), &exact).err().unwrap(), Error::OnlySketches { .. }));
            let other = ShinglesOptions { recipe: ShingleRecipe { w: 5, ..options.recipe.clone() }, ..options };
            assert!(matches!(scan(inputs(), &other).err().unwrap(), Error::WrongRecipe { .. }));
        }
        let bytes = std::fs::read(dir.path().join("asecret.lka")).unwrap();
        let content = blake3::hash(text(0).as_bytes());
        assert!(!bytes.windows(16).any(|window| window == &content.as_bytes()[..16]), "content cannot be guessed");
    }
}
