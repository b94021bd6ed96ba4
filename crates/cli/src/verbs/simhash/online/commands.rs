//! What a line asks of a store.

use lookalike::hamming::FingerprintBits;
use lookalike::simhash::{FingerprintScratch, Fingerprinter};
use serde_json::Value;

/// Hits of an answer where no limit is given.
pub(super) const LIMIT: usize = 10;

/// A command. Ids are as they were given.
pub(super) enum Command<F> {
    Insert(F, String),
    Delete(F, String),
    Near(F, u32, usize),
    Check(F, String, u32),
    /// A page: its id, and its fingerprint or why it has none.
    Page(String, Result<F, String>),
    Count,
    Flush,
    Verify,
}

/// Makes fingerprints of pages.
pub(super) struct PageReader<F: FingerprintBits> {
    /// By the recipe of the store, and the same for what is known to be HTML.
    pub(super) any: Fingerprinter,
    pub(super) html: Fingerprinter,
    pub(super) scratch: FingerprintScratch<F>,
}

/// Reads commands, one on a line.
pub(super) struct CommandParser<F: FingerprintBits> {
    pub(super) k: u32,
    pub(super) parse: fn(&str) -> Option<F>,
    pub(super) pages: PageReader<F>,
}

impl<F: FingerprintBits> CommandParser<F> {
    /// A command, none on an empty line, or what is wrong with it.
    pub(super) fn parse_line(&mut self, line: &[u8]) -> Result<Option<Command<F>>, String> {
        let line = str::from_utf8(line).map_err(|_| "expected a command, found bytes that are no text".to_owned())?;
        if line.trim_ascii_start().starts_with('{') {
            return self.page(line).map(Some);
        }
        let mut words = line.split_ascii_whitespace();
        let Some(verb) = words.next() else { return Ok(None) };
        let words: Vec<&str> = words.collect();
        let command = match (verb, words.as_slice()) {
            ("insert", [fingerprint, id]) => Command::Insert(self.fingerprint(fingerprint)?, (*id).to_owned()),
            ("delete", [fingerprint, id]) => Command::Delete(self.fingerprint(fingerprint)?, (*id).to_owned()),
            ("near", [fingerprint, rest @ ..]) if rest.len() <= 2 => {
                let limit = rest.get(1).map_or(Ok(LIMIT), |limit| number(limit, "a limit"))?;
                Command::Near(self.fingerprint(fingerprint)?, self.distance(rest.first())?, limit)
            }
            ("check", [fingerprint, id, rest @ ..]) if rest.len() <= 1 => {
                Command::Check(self.fingerprint(fingerprint)?, (*id).to_owned(), self.distance(rest.first())?)
            }
            ("count", []) => Command::Count,
            ("flush", []) => Command::Flush,
            ("verify", []) => Command::Verify,
            _ => {
                return Err(format!(
                    "expected a page such as {{\"id\": \"http://…\", \"text\": \"…\"}}, or for example \"insert FINGERPRINT ID\" or \
                     \"near FINGERPRINT\", found {line:?}"
                ));
            }
        };
        Ok(Some(command))
    }

    /// A page: a JSON object with `id` or `url`, and `text` or `html`.
    fn page(&mut self, line: &str) -> Result<Command<F>, String> {
        let page: Value = serde_json::from_str(line).map_err(|error| format!("expected a JSON object: {error}"))?;
        let id = match page.get("id").or_else(|| page.get("url")) {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => return Err("expected \"id\" or \"url\" in the object, a string or a number".to_owned()),
        };
        let PageReader { any, html, scratch } = &mut self.pages;
        let fingerprint = match (page.get("text"), page.get("html")) {
            (Some(Value::String(text)), _) => any.fingerprint_text(&id, text, scratch),
            (None, Some(Value::String(text))) => html.fingerprint_text(&id, text, scratch),
            _ => return Err(format!("{id}: expected \"text\" or \"html\" in the object, a string")),
        };
        Ok(Command::Page(id, fingerprint))
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
