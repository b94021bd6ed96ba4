//! `lookalike simhash online`: a store of fingerprints, driven through a pipe.

mod commands;
mod ids;

use super::is_wide;
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::recipes::{key, simhash_like};
use crate::standard_output::stdout;
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use commands::{Command, CommandParser, LIMIT, PageReader};
use ids::{Ids, Reserved};
use lookalike::hamming::FingerprintBits;
use lookalike::hamming::store::{Matches, OnlineStore, OperationGroup, StoreNames, StoreOptions};
use lookalike::simhash::{FingerprintScratch, Fingerprinter};
use lookalike::{Recipe, SimhashRecipe, TextRecipe};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Commands that are answered together, at most.
const TOGETHER: usize = 8192;
/// The longest command that is no page.
const LINE: u64 = 1024;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashOnline,
    "simhash online",
    "Seen before? A store of fingerprints that answers page by page, or command by command",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "Reads pages and commands from standard input, one a line, and answers each with one line of JSON at once, while standard input \
     stays open. A page becomes a fingerprint by the recipe of the store, and is inserted if nobody is near. An answer comes when what it says is \
     safe: a crash of the program or, without --no-sync, of the machine does not undo it. Commands that are waiting are answered \
     together.",
)
.after(
    "Pages, with ids that stay as they are:
  {\"id\": \"http://a.example/\", \"text\": \"…\"}        also \"url\" for \"id\", and \"html\" for \"text\"
                                  {\"id\":..,\"fingerprint\":..,\"new\":true}, or the same with what is near, as check answers
                                  {\"id\":..,\"skipped\":..} if it has no words

Commands, with fingerprints of 16 (or 32) hexadecimal digits, and ids that are numbers, or names without spaces:
  insert FINGERPRINT ID           {\"inserted\":true}, or false if it was there
  check FINGERPRINT ID [K]        insert if nobody is near: {\"new\":true}, or {\"new\":false,\"count\":..,\"complete\":true,\"matches\":[..]}
  near FINGERPRINT [K [LIMIT]]    {\"count\":2,\"complete\":true,\"matches\":[{\"id\":7,\"fingerprint\":\"..\",\"distance\":1},..]}, the nearest first
  delete FINGERPRINT ID           {\"deleted\":true}, or false if it was not there
                                  complete is false in a dense neighbourhood, of which only the nearest were counted
  count                           {\"count\":1000}
  flush                           write what is in memory to its place: {\"flushed\":true}
  verify                          {\"damages\":[]}

Of a new store the first id decides: numbers stay numbers, and with a page or a name all ids are names. They are kept with the
store, and so is the recipe of the pages.

What cannot be understood is answered with {\"error\":..}, and makes the exit code 2 at the end.

Examples:
  lookalike simhash online crawl.near < commands.txt
  lookalike simhash online crawl.near --no-sync < commands.txt     faster; a power cut may lose the last answers
  crawler | lookalike simhash online crawl.near              pages as JSON lines: which were seen before?",
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
    let folder = args.value::<PathBuf>("store");
    let store: OnlineStore<F> = OnlineStore::open(&folder, &options)?;
    for damage in store.replayed().damage.iter().filter(|damage| damage.missing > 0) {
        output::message(&format!("warning: {damage}; the file is kept, and everything else in it is used"));
    }
    let names = if StoreNames::exists(&folder) { Some(StoreNames::open(&folder)?) } else { None };
    let (pages, recipe) = page_reader(args, &folder, names.as_ref())?;
    let mut server = Server {
        store: &store,
        parser: CommandParser { k, parse, pages },
        ids: Ids::new(folder, recipe, options.sync, names),
    };
    let limit: u64 = args.value("max-size");
    let mut input = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut out = BufWriter::new(stdout().context("cannot write to standard output")?.lock());
    let (mut line, mut number, mut wrong) = (Vec::new(), 0u64, 0u64);
    let mut open = true;
    while open {
        let mut commands = Vec::new();
        // as long as commands are waiting
        while commands.len() < TOGETHER {
            line.clear();
            let Some(parsed) = read_line(&mut input, &mut line, limit)? else {
                open = false;
                break;
            };
            number += 1;
            let command = parsed.and_then(|()| server.parser.parse_line(&line)).transpose();
            commands.extend(command.map(|command| command.map_err(|reason| format!("line {number}: {reason}"))));
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        for answer in server.answer_all(commands)? {
            wrong += u64::from(answer.get("error").is_some());
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

/// Reads a line; none at the end. What is too long is read over: a page may be as long as a document, a command may not.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, limit: u64) -> Result<Option<Result<(), String>>> {
    let failed = "cannot read commands from standard input";
    if input.by_ref().take(LINE).read_until(b'\n', line).context(failed)? == 0 {
        return Ok(None);
    }
    let is_cut = |line: &[u8], limit: u64| line.len() as u64 >= limit && line.last() != Some(&b'\n');
    let page = line.trim_ascii_start().starts_with(b"{");
    let limit = if page { limit.max(LINE) } else { LINE };
    if page && is_cut(line, LINE) {
        input.by_ref().take(limit - LINE).read_until(b'\n', line).context(failed)?;
    }
    if !is_cut(line, limit) {
        return Ok(Some(Ok(())));
    }
    input.skip_until(b'\n').context(failed)?;
    let what = if page { "a page" } else { "a command" };
    Ok(Some(Err(format!("expected {what}, found a line of more than {limit} bytes"))))
}

/// How pages become fingerprints: as the store says, or as it will.
fn page_reader<F: FingerprintBits>(
    args: &Args,
    folder: &Path,
    names: Option<&StoreNames>,
) -> Result<(PageReader<F>, String)> {
    let stored = names.map(StoreNames::recipe).filter(|recipe| !recipe.is_empty());
    let base = match stored.map(str::parse) {
        None => SimhashRecipe { bits: F::WIDTH, ..SimhashRecipe::default() },
        Some(Ok(Recipe::Simhash(recipe))) => recipe,
        Some(_) => bail!("{}: expected a store of fingerprints by simhash, found another recipe", folder.display()),
    };
    let options = simhash_like(args, &base)?;
    let recipe = options.recipe.to_string();
    if let Some(stored) = stored.filter(|stored| *stored != recipe) {
        bail!(
            "{}: expected pages by the recipe {stored}, found {recipe}; leave out the flags that differ",
            folder.display()
        );
    }
    let text = TextRecipe { format: "html".into(), ..options.recipe.text.clone() };
    let html = SimhashRecipe { text, ..options.recipe.clone() };
    let of = |recipe: &SimhashRecipe| Fingerprinter::new(recipe, &key(args), options.idf.clone());
    let reader = PageReader { any: of(&options.recipe)?, html: of(&html)?, scratch: FingerprintScratch::default() };
    Ok((reader, recipe))
}

/// A store that is asked.
struct Server<'a, F: FingerprintBits> {
    store: &'a OnlineStore<F>,
    parser: CommandParser<F>,
    ids: Ids,
}

impl<F: FingerprintBits> Server<'_, F> {
    /// Answers commands that were waiting. When it returns, what the answers say is safe.
    fn answer_all(&mut self, commands: Vec<Result<Command<F>, String>>) -> Result<Vec<Value>> {
        let mut group = self.store.group();
        // names first: an entry never refers to a name that could still be lost
        let mut reserved = Reserved::new();
        for command in commands.iter().flatten() {
            self.reserve(&mut group, command, &mut reserved)?;
        }
        self.ids.sync()?;
        let mut answers = Vec::with_capacity(commands.len());
        for command in commands {
            answers.push(match command {
                Ok(command) => self.answer(&mut group, &command, &reserved)?,
                Err(reason) => json!({ "error": reason }),
            });
        }
        group.commit()?;
        Ok(answers)
    }

    /// Adds the name of what a command may insert.
    fn reserve(
        &mut self,
        group: &mut OperationGroup<'_, F>,
        command: &Command<F>,
        reserved: &mut Reserved<F>,
    ) -> Result<()> {
        let (fingerprint, name, page) = match command {
            Command::Insert(fingerprint, id) | Command::Check(fingerprint, id, _) => (*fingerprint, id, false),
            Command::Page(id, Ok(fingerprint)) => (*fingerprint, id, true),
            _ => return Ok(()),
        };
        let key = (fingerprint, name.clone());
        if !self.ids.are_names(self.store, name, page)? || reserved.contains_key(&key) {
            return Ok(());
        }
        let id = match command {
            Command::Insert(..) => self.ids.find(group, fingerprint, name)?,
            // somebody is near: nothing will be inserted
            Command::Check(_, _, k) if group.near(fingerprint, *k, 1)?.count > 0 => return Ok(()),
            Command::Page(..) if group.near(fingerprint, self.parser.k, 1)?.count > 0 => return Ok(()),
            _ => None,
        };
        let id = match id {
            Some(id) => id,
            None => self.ids.add(name)?,
        };
        reserved.insert(key, id);
        Ok(())
    }

    /// The id of what is to be inserted, or why it cannot be one.
    fn id_of(&mut self, fingerprint: F, id: &str, page: bool, reserved: &Reserved<F>) -> Result<Result<u64, String>> {
        if !self.ids.are_names(self.store, id, page)? {
            return Ok(Ids::number(id));
        }
        if let Some(id) = reserved.get(&(fingerprint, id.to_owned())) {
            return Ok(Ok(*id));
        }
        // who was near has gone since
        let added = self.ids.add(id)?;
        self.ids.sync()?;
        Ok(Ok(added))
    }

    fn answer(
        &mut self,
        group: &mut OperationGroup<'_, F>,
        command: &Command<F>,
        reserved: &Reserved<F>,
    ) -> Result<Value> {
        Ok(match command {
            Command::Insert(fingerprint, id) => match self.id_of(*fingerprint, id, false, reserved)? {
                Ok(id) => json!({ "inserted": group.insert(*fingerprint, id)? }),
                Err(reason) => json!({ "error": reason }),
            },
            Command::Delete(fingerprint, id) => {
                let found = if self.ids.is_named() {
                    self.ids.find(group, *fingerprint, id)?
                } else {
                    match Ids::number(id) {
                        Ok(id) => Some(id),
                        Err(reason) => return Ok(json!({ "error": reason })),
                    }
                };
                let deleted = match found {
                    Some(id) => group.delete(*fingerprint, id)?,
                    None => false,
                };
                json!({ "deleted": deleted })
            }
            Command::Near(query, k, limit) => {
                let found = group.near(*query, *k, *limit)?;
                self.found(&found)?
            }
            Command::Check(fingerprint, id, k) => self.check(group, *fingerprint, (id, false), *k, reserved)?,
            Command::Page(id, Err(reason)) => json!({ "id": id, "skipped": reason }),
            Command::Page(id, Ok(fingerprint)) => {
                let k = self.parser.k;
                let checked = self.check(group, *fingerprint, (id, true), k, reserved)?;
                joined(json!({ "id": id, "fingerprint": digits(*fingerprint) }), checked)
            }
            Command::Count => json!({ "count": self.store.len() }),
            Command::Flush => {
                self.store.flush()?;
                json!({ "flushed": true })
            }
            Command::Verify => {
                json!({ "damages": self.store.verify().iter().map(ToString::to_string).collect::<Vec<_>>() })
            }
        })
    }

    /// Inserts if nobody is near.
    fn check(
        &mut self,
        group: &mut OperationGroup<'_, F>,
        fingerprint: F,
        (id, page): (&str, bool),
        k: u32,
        reserved: &Reserved<F>,
    ) -> Result<Value> {
        if self.ids.is_named() && !reserved.contains_key(&(fingerprint, id.to_owned())) {
            // somebody was near when names were added
            let found = group.near(fingerprint, k, LIMIT)?;
            if found.count > 0 {
                return self.not_new(&found);
            }
        }
        let id = match self.id_of(fingerprint, id, page, reserved)? {
            Ok(id) => id,
            Err(reason) => return Ok(json!({ "error": reason })),
        };
        match group.check_and_insert(fingerprint, id, k, LIMIT)? {
            None => Ok(json!({ "new": true })),
            Some(found) => self.not_new(&found),
        }
    }

    fn not_new(&mut self, found: &Matches<F>) -> Result<Value> {
        Ok(joined(json!({ "new": false }), self.found(found)?))
    }

    fn found(&mut self, found: &Matches<F>) -> Result<Value> {
        let mut matches = Vec::with_capacity(found.matches.len());
        for hit in &found.matches {
            let (id, fingerprint) = (self.ids.shown(hit.id)?, digits(hit.fingerprint));
            matches.push(json!({ "id": id, "fingerprint": fingerprint, "distance": hit.distance }));
        }
        Ok(json!({ "count": found.count, "complete": found.complete, "matches": matches }))
    }
}

/// The fields of two objects.
fn joined(mut a: Value, b: Value) -> Value {
    if let (Value::Object(a), Value::Object(b)) = (&mut a, b) {
        a.extend(b);
    }
    a
}

fn digits<F: FingerprintBits>(fingerprint: F) -> String {
    format!("{fingerprint:0width$x}", width = F::WIDTH as usize / 4)
}
