//! `lookalike simhash online`: a store of fingerprints, driven through a pipe.

use super::is_wide;
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::standard_output::stdout;
use crate::verb::Verb;
use anyhow::{Context, Result};
use lookalike::hamming::FingerprintBits;
use lookalike::hamming::store::{Match, Matches, OnlineStore, OperationGroup, StoreOptions};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

/// Commands that are answered together, at most.
const TOGETHER: usize = 8192;
/// The longest command.
const LINE: u64 = 1024;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashOnline,
    "simhash online",
    "Keep fingerprints and ask who is near, command by command",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "Reads commands from standard input, one a line, and answers each with one line of JSON. An answer comes when what it says is \
     safe: a crash of the program or, without --no-sync, of the machine does not undo it. Commands that are waiting are answered \
     together.",
)
.after(
    "Commands, with fingerprints of 16 (or 32) hexadecimal digits and numbers as ids:
  insert FINGERPRINT ID           {\"inserted\":true}, or false if it was there
  check FINGERPRINT ID [K]        insert if nobody is near: {\"new\":true}, or {\"new\":false,\"count\":..,\"complete\":true,\"matches\":[..]}
  near FINGERPRINT [K [LIMIT]]    {\"count\":2,\"complete\":true,\"matches\":[{\"id\":7,\"fingerprint\":\"..\",\"distance\":1},..]}, the nearest first
  delete FINGERPRINT ID           {\"deleted\":true}, or false if it was not there
                                  complete is false in a dense neighbourhood, of which only the nearest were counted
  count                           {\"count\":1000}
  flush                           write what is in memory to its place: {\"flushed\":true}
  verify                          {\"damages\":[]}

What cannot be understood is answered with {\"error\":..}, and makes the exit code 2 at the end.

Examples:
  lookalike simhash online crawl.near < commands.txt",
);

fn run(args: &Args) -> Result<u8> {
    if is_wide(args) {
        serve::<u128>(args, |digits| u128::from_str_radix(digits, 16).ok())
    } else {
        serve::<u64>(args, |digits| u64::from_str_radix(digits, 16).ok())
    }
}

fn serve<F: FingerprintBits>(args: &Args, parse: fn(&str) -> Option<F>) -> Result<u8> {
    let (k, recent) = (args.value("distance"), args.value::<u32>("recent") as usize);
    let options = StoreOptions { distance: k, sync: !args.has("no-sync"), memtable: recent, ..StoreOptions::default() };
    let store: OnlineStore<F> = OnlineStore::open(&args.value::<PathBuf>("store"), &options)?;
    let parser = CommandParser { k, parse };
    let mut input = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut out = BufWriter::new(stdout().context("cannot write to standard output")?.lock());
    let (mut line, mut number, mut wrong) = (Vec::new(), 0u64, 0u64);
    let mut open = true;
    while open {
        let (mut group, mut answers) = (store.group(), Vec::new());
        // as long as commands are waiting
        while answers.len() < TOGETHER {
            line.clear();
            let read = (&mut input).take(LINE).read_until(b'\n', &mut line);
            if read.context("cannot read commands from standard input")? == 0 {
                open = false;
                break;
            }
            number += 1;
            let is_cut = line.len() as u64 == LINE && line.last() != Some(&b'\n');
            let parsed = if is_cut {
                input.skip_until(b'\n').context("cannot read commands from standard input")?;
                Err(format!("expected a command, found a line of more than {LINE} bytes"))
            } else {
                parser.parse_line(&line)
            };
            let answer = match parsed {
                Ok(None) => None,
                Ok(Some(command)) => Some(answer(&store, &mut group, &command)?),
                Err(reason) => {
                    wrong += 1;
                    Some(json!({ "error": format!("line {number}: {reason}") }))
                }
            };
            answers.extend(answer);
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        group.commit()?;
        for answer in answers {
            writeln!(out, "{answer}")?;
        }
        out.flush()?;
    }
    store.close()?;
    if wrong > 0 {
        output::message(&format!("error: {wrong} commands could not be understood"));
    }
    Ok(if wrong > 0 { crate::WRONG } else { crate::SUCCESS })
}

/// A command.
enum Command<F> {
    Insert(F, u64),
    Delete(F, u64),
    Near(F, u32, usize),
    Check(F, u64, u32),
    Count,
    Flush,
    Verify,
}

/// Hits of an answer where no limit is given.
const LIMIT: usize = 10;

fn answer<F: FingerprintBits>(
    store: &OnlineStore<F>,
    group: &mut OperationGroup<'_, F>,
    command: &Command<F>,
) -> Result<Value> {
    Ok(match *command {
        Command::Insert(fingerprint, id) => json!({ "inserted": group.insert(fingerprint, id)? }),
        Command::Delete(fingerprint, id) => json!({ "deleted": group.delete(fingerprint, id)? }),
        Command::Near(query, k, limit) => {
            let found = group.near(query, k, limit)?;
            json!({ "count": found.count, "complete": found.complete, "matches": matches(&found) })
        }
        Command::Check(fingerprint, id, k) => match group.check_and_insert(fingerprint, id, k, LIMIT)? {
            None => json!({ "new": true }),
            Some(found) => {
                json!({ "new": false, "count": found.count, "complete": found.complete, "matches": matches(&found) })
            }
        },
        Command::Count => json!({ "count": store.len() }),
        Command::Flush => {
            store.flush()?;
            json!({ "flushed": true })
        }
        Command::Verify => {
            json!({ "damages": store.verify().iter().map(ToString::to_string).collect::<Vec<_>>() })
        }
    })
}

fn matches<F: FingerprintBits>(found: &Matches<F>) -> Value {
    let digits = F::WIDTH as usize / 4;
    let hit = |hit: &Match<F>| json!({ "id": hit.id, "fingerprint": format!("{:0digits$x}", hit.fingerprint), "distance": hit.distance });
    found.matches.iter().map(hit).collect()
}

/// Reads commands, one on a line.
struct CommandParser<F> {
    k: u32,
    parse: fn(&str) -> Option<F>,
}

impl<F: FingerprintBits> CommandParser<F> {
    /// A command, none on an empty line, or what is wrong with it.
    fn parse_line(&self, line: &[u8]) -> Result<Option<Command<F>>, String> {
        let line = str::from_utf8(line).map_err(|_| "expected a command, found bytes that are no text".to_owned())?;
        let mut words = line.split_ascii_whitespace();
        let Some(verb) = words.next() else { return Ok(None) };
        let words: Vec<&str> = words.collect();
        let command = match (verb, words.as_slice()) {
            ("insert", [fingerprint, id]) => Command::Insert(self.fingerprint(fingerprint)?, number(id, "an id")?),
            ("delete", [fingerprint, id]) => Command::Delete(self.fingerprint(fingerprint)?, number(id, "an id")?),
            ("near", [fingerprint, rest @ ..]) if rest.len() <= 2 => {
                let limit = rest.get(1).map_or(Ok(LIMIT), |limit| number(limit, "a limit"))?;
                Command::Near(self.fingerprint(fingerprint)?, self.distance(rest.first())?, limit)
            }
            ("check", [fingerprint, id, rest @ ..]) if rest.len() <= 1 => {
                Command::Check(self.fingerprint(fingerprint)?, number(id, "an id")?, self.distance(rest.first())?)
            }
            ("count", []) => Command::Count,
            ("flush", []) => Command::Flush,
            ("verify", []) => Command::Verify,
            _ => {
                return Err(format!(
                    "expected for example \"insert FINGERPRINT ID\" or \"near FINGERPRINT\", found {line:?}"
                ));
            }
        };
        Ok(Some(command))
    }

    fn fingerprint(&self, digits: &str) -> Result<F, String> {
        let width = F::WIDTH as usize / 4;
        let plain = digits.len() == width && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let fingerprint = if plain { (self.parse)(digits) } else { None };
        fingerprint.ok_or_else(|| format!("expected a fingerprint of {width} hexadecimal digits, found {digits:?}"))
    }

    fn distance(&self, word: Option<&&str>) -> Result<u32, String> {
        let k = word.map_or(Ok(self.k), |k| number(k, "a distance"))?;
        if k > self.k {
            return Err(format!("expected a distance of at most {}, found {k}; begin with --distance {k}", self.k));
        }
        Ok(k)
    }
}

fn number<T: std::str::FromStr>(word: &str, what: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("expected {what}, found {word:?}"))
}
