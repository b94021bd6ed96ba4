//! Reads a shard, or writes it again without every so manieth record, and says how fast:
//! `shard read FILE [TEXT_FIELD]`, `shard copy FROM TO EVERY [annotate|cut]`.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

use lookalike_corpus::{Annotation, CopyOptions, Corpus, Input, Item, Options, Ruling, copy_shard};

#[expect(clippy::print_stdout, reason = "it is a program")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let start = Instant::now();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["read", from, ref field @ ..] => {
            let text_field = field.first().copied().unwrap_or("text").to_owned();
            let corpus = Corpus::open(vec![Input::Path(from.into())], Options { text_field, ..Options::default() })?;
            let (mut documents, mut bytes, mut reader) = (0u64, 0u64, corpus.reader());
            while let Some(batch) = reader.next() {
                batch?.read(&mut |item| match item {
                    Item::Document(document) => {
                        documents += 1;
                        bytes += document.body.len();
                    }
                    Item::Skipped(skipped) => println!("{} {}", skipped.id, skipped.reason),
                });
            }
            let seconds = start.elapsed().as_secs_f64();
            println!("{documents} documents, {bytes} bytes of text, {:.0} MB/s", bytes as f64 / 1e6 / seconds);
        }
        ["copy", from, to, every, ref how @ ..] => {
            let every: u64 = every.parse()?;
            let (annotate, cut) = (how.contains(&"annotate"), how.contains(&"cut"));
            let rule = |row: u64| Ruling {
                keep: annotate || cut || every == 0 || row % every != every - 1,
                cuts: (cut && row.is_multiple_of(every)).then_some(0..1).into_iter().collect(),
                annotation: Annotation {
                    duplicate_of: row.is_multiple_of(every.max(1)).then(|| format!("row {row}")),
                    resemblance: row.is_multiple_of(every.max(1)).then_some(0.875),
                    ..Annotation::default()
                },
                original: None,
            };
            let options = CopyOptions { text_field: "text".into(), annotate };
            let copied = copy_shard(Path::new(from), File::create(to)?, &options, &mut |row| Ok(rule(row)))?;
            let seconds = start.elapsed().as_secs_f64();
            let bytes = std::fs::metadata(from)?.len();
            println!("{} of {} records, {:.0} MB/s", copied.written, copied.records, bytes as f64 / 1e6 / seconds);
        }
        _ => return Err("usage: shard read FILE [TEXT_FIELD] | shard copy FROM TO EVERY [annotate|cut]".into()),
    }
    Ok(())
}
