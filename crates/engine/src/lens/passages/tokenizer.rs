//! A body becomes text to be shown and tokens that point into it. What comes after knows nothing of formats.

use crate::Error;
use crate::lens::passages::details::Details;
use crate::lens::passages::spelling::Spelling;
use crate::run::memory::read_bytes;
use crate::run::parsers;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::passage::Family;
use lookalike_core::passage::prose;
use lookalike_core::recipe::{CodeTokens, PassageRecipe, Reading};
use lookalike_core::text::Walker;
use lookalike_corpus::{Body, Document};
use lookalike_extract::{self as extract, Format, PageRules};
use lookalike_languages::CodeReader;
use lookalike_languages::Highlights;
use lookalike_languages::Language;
use lookalike_languages::Token;
use lookalike_languages::TokenDetail;
use lookalike_languages::{languages, looks_like_code};
use std::borrow::Cow;

/// Bytes of memory that a byte of a document takes at most while it is read: bytes are tokens, and so may be most bytes of code.
pub const MAX_MEMORY_PER_BYTE: u64 = 48;
/// The same of a token, beside the text: the token, how it is spelt, where it stands, its k-gram and the hash of it, its fingerprint.
const MEMORY_PER_TOKEN: u64 = 44;

/// What a document is read as.
#[derive(Clone, Copy, Debug)]
pub enum As {
    Code(&'static Language),
    Prose(Option<Format>),
    Bytes,
}

/// Reads documents.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    all: Option<As>,
    detail: TokenDetail,
    hasher: FeatureHasher,
}

/// A document that was read.
pub struct Tokenised<'a> {
    pub family: Family,
    /// What is shown.
    pub text: Cow<'a, str>,
    /// Its tokens.
    pub ids: Vec<u32>,
    /// How each is spelt: tokens that count as equal may be written differently. Nothing of prose.
    pub spellings: Vec<Spelling>,
    pub details: Details,
    /// What it is coloured by, where it is read to be shown.
    pub highlights: Highlights,
}

/// Buffers of one worker.
pub struct TokenizerScratch {
    text: String,
    code: CodeReader,
}

impl Default for TokenizerScratch {
    fn default() -> Self {
        Self { text: String::new(), code: CodeReader::new() }
    }
}

impl Tokenizer {
    pub fn new(recipe: &PassageRecipe, key: &str) -> Result<Self, Error> {
        let all = match recipe.reading() {
            Reading::Auto => None,
            Reading::Prose => Some(As::Prose(None)),
            Reading::Bytes => Some(As::Bytes),
            Reading::Language(name) => {
                Some(As::Code(Language::by_name(name).ok_or_else(|| Error::UnknownLanguage { found: name.clone() })?))
            }
        };
        let CodeTokens { identifiers, literals, comments } = recipe.code_tokens();
        let detail = TokenDetail { identifiers, literals, comments };
        let hasher = recipe.feature_hasher(key).ok_or_else(|| Error::WrongKey { recipe: recipe.to_string() })?;
        Ok(Self { all, detail, hasher })
    }

    /// What a document is read as: what the user says, what its name says, or what it looks like.
    fn reading(&self, id: &str, text: &str) -> As {
        if let Some(all) = self.all {
            return all;
        }
        if let Some(language) = Language::by_file_name(id) {
            return As::Code(language);
        }
        let named = Format::from_name(id);
        if let Some(format) = named.filter(|_| !is_plain_text(id)) {
            return As::Prose(Some(format));
        }
        match Language::by_content(text) {
            Some(language) => As::Code(language),
            None if named.is_none() && looks_like_code(text) => As::Code(Language::other()),
            None => As::Prose(named),
        }
    }

    /// Whether a document may be read as a program; false if it surely is not.
    pub fn may_read_code(&self, id: &str, body: &Body<'_>) -> bool {
        let text = body.as_bytes().and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.is_none_or(|text| matches!(self.reading(id, text), As::Code(_)))
    }

    /// Bytes of memory that a document takes at most while it is read. The words of a text are counted only if it may not fit in what is
    /// allowed.
    pub fn memory(&self, document: &Document<'_>, allowed: u64) -> u64 {
        let Document { id, body, .. } = document;
        let whole = body.len().saturating_mul(MAX_MEMORY_PER_BYTE);
        let Some(bytes) = body.as_bytes() else { return whole };
        let Ok(text) = std::str::from_utf8(bytes) else {
            return whole + extract::visible_memory(bytes, Some(Format::Text)).unwrap_or(0);
        };
        let As::Prose(format) = self.reading(id, text) else { return whole };
        let format = format.unwrap_or_else(|| Format::sniff(bytes));
        if format != Format::Text {
            return whole + extract::visible_memory(bytes, Some(format)).unwrap_or(0);
        }
        if whole <= allowed {
            return whole;
        }
        let mut words = 0;
        prose::for_each_token(text, &self.hasher, &mut Walker::default(), |_, _| words += 1);
        read_bytes(document) + words * MEMORY_PER_TOKEN
    }

    /// Reads a document, or says why it has nothing to compare.
    pub fn read<'a>(
        &self,
        id: &str,
        body: &'a Body<'_>,
        scratch: &'a mut TokenizerScratch,
    ) -> Result<Tokenised<'a>, String> {
        self.read_for(id, body, scratch, false)
    }

    /// Reads a document to show it.
    pub fn read_to_show<'a>(
        &self,
        id: &str,
        body: &'a Body<'_>,
        scratch: &'a mut TokenizerScratch,
    ) -> Result<Tokenised<'a>, String> {
        self.read_for(id, body, scratch, true)
    }

    fn read_for<'a>(
        &self,
        id: &str,
        body: &'a Body<'_>,
        scratch: &'a mut TokenizerScratch,
        is_shown: bool,
    ) -> Result<Tokenised<'a>, String> {
        let TokenizerScratch { text: buffer, code } = scratch;
        if let (Some(As::Bytes), Body::Bytes(bytes)) = (self.all, body) {
            return Ok(of_bytes(bytes));
        }
        if let (None | Some(As::Prose(_)), Body::Bytes(bytes)) = (self.all, body)
            && let Some(format) = extract::office_format(bytes, Format::from_name(id))
        {
            return self.prose(Cow::Owned(parsers::office_text(bytes, format, MAX_MEMORY_PER_BYTE)?));
        }
        let text = match body {
            Body::Bytes(bytes) => extract::visible_text(bytes, Some(Format::Text), &PageRules::WHOLE, buffer)
                .map_err(|e| e.to_string())?,
            Body::Text(text) => extract::strip_bom(text),
            Body::Features(_) => return Err("no text: features have no passages".into()),
        };
        if u32::try_from(text.len()).is_err() {
            return Err(format!("too large: {} bytes of text, less than 4 GiB are expected", text.len()));
        }
        let read = match self.reading(id, text) {
            As::Bytes => of_bytes(text.as_bytes()),
            As::Code(language) => {
                let read = code.read(text, language, self.detail);
                let lines = Details::lines_of(&read.text);
                let spelt = |token: &Token| &read.text.as_bytes()[token.start as usize..token.end as usize];
                Tokenised {
                    family: Family::Code,
                    spellings: read.tokens.iter().map(|token| Spelling::of(spelt(token))).collect(),
                    ids: read.tokens.iter().map(|token| token.id).collect(),
                    highlights: if is_shown { read.highlights() } else { Highlights::default() },
                    details: Details {
                        language: language.name(),
                        degraded: read.degraded.map(|why| why.to_string()),
                        // in the room of the tokens: a large file has more of them than of anything else
                        spans: read.tokens.into_iter().map(|token| (token.start, token.end)).collect(),
                        lines,
                    },
                    text: read.text,
                }
            }
            As::Prose(format) => {
                let format = format.unwrap_or_else(|| Format::sniff(text.as_bytes()));
                let text = match format {
                    Format::Text => Cow::Borrowed(text),
                    other => {
                        let needed = extract::visible_memory(text.as_bytes(), Some(other)).unwrap_or(0);
                        let _permit = parsers::admit(needed)?;
                        let mut visible = String::new();
                        extract::visible_of_str(text, Some(other), &PageRules::WHOLE, &mut visible);
                        Cow::Owned(visible)
                    }
                };
                return self.prose(text);
            }
        };
        if read.ids.is_empty() {
            return Err(no_tokens(text));
        }
        Ok(read)
    }

    fn prose<'a>(&self, text: Cow<'a, str>) -> Result<Tokenised<'a>, String> {
        let (ids, spans) = words(&text, &self.hasher);
        if ids.is_empty() {
            return Err(no_tokens(&text));
        }
        let lines = Details::lines_of(&text);
        let details = Details { language: "text", degraded: None, spans, lines };
        let (spellings, highlights) = Default::default();
        Ok(Tokenised { family: Family::Prose, text, spellings, ids, details, highlights })
    }
}

fn no_tokens(text: &str) -> String {
    if text.is_empty() { "empty".into() } else { "empty: nothing in it to compare".into() }
}

fn words(text: &str, fp: &FeatureHasher) -> (Vec<u32>, Vec<(u32, u32)>) {
    let (mut ids, mut spans) = (Vec::with_capacity(text.len() / 6), Vec::with_capacity(text.len() / 6));
    prose::for_each_token(text, fp, &mut Walker::default(), |id, span| {
        ids.push(id);
        spans.push((span.start as u32, span.end as u32));
    });
    (ids, spans)
}

/// Every byte is a token. What is not printable ASCII is shown as a dot.
fn of_bytes(bytes: &[u8]) -> Tokenised<'static> {
    let mut text = String::with_capacity(bytes.len());
    let mut spans = Vec::with_capacity(bytes.len());
    for byte in bytes {
        let start = text.len() as u32;
        text.push(if byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t') {
            char::from(*byte)
        } else {
            '·'
        });
        spans.push((start, text.len() as u32));
    }
    let lines = Details::lines_of(&text);
    Tokenised {
        family: Family::Bytes,
        text: Cow::Owned(text),
        ids: bytes.iter().map(|byte| u32::from(*byte) + 1).collect(),
        spellings: vec![Spelling::default(); bytes.len()],
        details: Details { language: "bytes", degraded: None, spans, lines },
        highlights: Highlights::default(),
    }
}

/// Whether a name says only that it is of a text: so are programs called that were pasted or renamed. Not so a log or a table.
fn is_plain_text(id: &str) -> bool {
    let extension = id.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["txt", "text"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The name of a language, as it lasts.
pub fn language_name(name: &str) -> Option<&'static str> {
    ["text", "bytes"].into_iter().chain(languages().iter().map(Language::name)).find(|known| *known == name)
}
