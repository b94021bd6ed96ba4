//! The texts of documents, packed in blocks: a few documents of one cluster together, since they are much the same. Small clusters share
//! a block, since every block costs something.

use super::HtmlError;
use super::lines::LineWriter;
use super::listing::Listing;
use super::packer::{Packer, write_json};
use super::tidy::tidy;
use crate::page::HtmlOptions;
use crate::scan_view::ScanView;
use base64::prelude::{BASE64_STANDARD, Engine};
use lookalike::{
    Error, Format, Highlights, Mark, MarkKind, Piece, Progress, ShingleComparison, ShownChunk, ShownFile, Side, Silent,
    Source, Text, Unit,
};
use lookalike_web::PageWriter;
use rayon::prelude::*;
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

/// Documents in a block, and bytes after which it is closed.
pub(super) const BLOCK_DOCUMENTS: usize = 8;
pub(super) const BLOCK_BYTES: u64 = 1 << 20;
/// Bytes of a block that several clusters share, at most: the page unpacks it for any of them.
const SHARED_BLOCK_BYTES: u64 = 1 << 16;
/// Bytes of a text that are shown; of longer ones the beginning.
const MAX_TEXT: usize = 2_000_000;
/// Blocks that are made at once, for each thread.
const BLOCKS_PER_THREAD: usize = 2;

/// Writes the texts of a page, and notes where they are.
pub(super) struct TextWriter<'p, 'w> {
    places: TextPlaces,
    page: &'p mut PageWriter<'w>,
    progress: &'p dyn Progress,
}

/// Where they are.
#[derive(Default, Serialize)]
pub(super) struct TextPlaces {
    limit: u64,
    embedded: usize,
    block: Vec<Option<usize>>,
    blocks: Vec<(usize, usize)>,
    /// Contents that have no text to show, whatever the limit.
    without: Vec<usize>,
}

/// A text as the page reads it; positions count as its strings do, in UTF-16.
#[derive(Serialize)]
struct ShownText<'a> {
    #[serde(skip)]
    text: &'a str,
    #[serde(skip)]
    raw: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    map: Vec<usize>,
    format: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    /// Of how it is written: length and number of each chunk, in turns; 0 for one that does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chunks: Vec<u64>,
    /// Comments and strings: how far behind the last one, and how long, in turns; less than nothing for a comment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<i32>,
    /// Words that are no names, with spaces between them.
    #[serde(skip_serializing_if = "String::is_empty")]
    keywords: String,
}

/// A text as it is packed, and what it is coloured by.
struct PageText {
    text: Text,
    highlights: Highlights,
}

impl From<Text> for PageText {
    fn from(text: Text) -> Self {
        Self { text, highlights: Highlights::default() }
    }
}

impl From<ShownFile> for PageText {
    fn from(file: ShownFile) -> Self {
        let text = Text { visible: file.text, source: None, format: Format::Text, chunks: Vec::new() };
        Self { text, highlights: file.highlights }
    }
}

/// The contents of one block: each with a document that has it.
type Job = Vec<(usize, u32)>;

impl<'p, 'w> TextWriter<'p, 'w> {
    /// Every cluster gets a block before any gets a second one, until the limit is reached.
    pub(super) fn write_scan(
        scan: &dyn ScanView,
        listing: &Listing<'_>,
        options: &HtmlOptions<'p>,
        page: &'p mut PageWriter<'w>,
    ) -> Result<TextPlaces, HtmlError> {
        let mut texts = Self::empty(options, listing.contents.len(), page);
        for wave in jobs(listing).chunks(rayon::current_num_threads() * BLOCKS_PER_THREAD) {
            let packed = wave.par_iter().map(|job| block(scan, job)).collect::<Result<Vec<_>, Error>>()?;
            for (packed, contents) in packed {
                if !texts.add(&packed, contents)? {
                    return Ok(texts.places);
                }
            }
        }
        Ok(texts.places)
    }

    /// Groups of contents that go into one block each, with their texts, the most important first. No more are asked for than there is room.
    pub(super) fn write_files(
        groups: impl Iterator<Item = Result<Vec<(usize, Option<ShownFile>)>, Error>>,
        contents: usize,
        options: &HtmlOptions<'p>,
        page: &'p mut PageWriter<'w>,
    ) -> Result<TextPlaces, HtmlError> {
        let mut texts = Self::empty(options, contents, page);
        // nothing is read for a page that takes nothing in
        if options.embed_limit == 0 {
            return Ok(texts.places);
        }
        for group in groups {
            let (mut shown, mut there) = (Vec::new(), Vec::new());
            for (content, text) in group? {
                there.push((content, text.is_some()));
                shown.extend(text.map(|file| (content, PageText::from(file))));
            }
            if !texts.add(&encode(&shown), there)? {
                break;
            }
        }
        Ok(texts.places)
    }

    fn empty(options: &HtmlOptions<'p>, contents: usize, page: &'p mut PageWriter<'w>) -> Self {
        let places = TextPlaces { limit: options.embed_limit, block: vec![None; contents], ..TextPlaces::default() };
        let progress = options.progress.unwrap_or(&Silent);
        progress.begin("page", Unit::Documents, Some(contents as u64));
        Self { places, page, progress }
    }

    /// Takes a block in, and says which contents are in it; false if there is no room.
    fn add(&mut self, packed: &str, contents: Vec<(usize, bool)>) -> io::Result<bool> {
        self.progress.advance(contents.len() as u64);
        let size = self.places.blocks.last().map_or(0, |(from, length)| from + length);
        if (size + packed.len()) as u64 > self.places.limit {
            return Ok(false);
        }
        let (with, without): (Vec<_>, Vec<_>) = contents.into_iter().partition(|(_, is_there)| *is_there);
        self.places.without.extend(without.into_iter().map(|(content, _)| content));
        self.places.embedded += with.len();
        if with.is_empty() {
            return Ok(true);
        }
        for (content, _) in with {
            self.places.block[content] = Some(self.places.blocks.len());
        }
        self.places.blocks.push((size, packed.len()));
        self.page.text(packed)?;
        Ok(true)
    }

    pub(super) fn write_comparison(
        comparison: &ShingleComparison,
        page: &mut PageWriter<'_>,
    ) -> io::Result<TextPlaces> {
        let shown = |side: &Side, content: usize| {
            let (visible, source) = (side.text.clone(), side.source.clone());
            (content, Text { visible, source, format: side.format, chunks: Vec::new() }.into())
        };
        let both = [shown(&comparison.a, 0), shown(&comparison.b, 1)];
        let packed = encode(&both);
        page.text(&packed)?;
        Ok(TextPlaces {
            limit: u64::MAX >> 11,
            embedded: 2,
            block: vec![Some(0); 2],
            blocks: vec![(0, packed.len())],
            without: Vec::new(),
        })
    }
}

/// What goes into which block, in the order of importance.
fn jobs(listing: &Listing<'_>) -> Vec<Job> {
    let mut planned = vec![false; listing.contents.len()];
    let mut jobs: Vec<(usize, Job)> = Vec::new();
    let mut plan = |documents: &mut dyn Iterator<Item = u32>| {
        let (mut round, mut job, mut bytes) = (0, Job::new(), 0);
        for document in documents {
            let number = listing.numbers[&document];
            let content = listing.content_of[number];
            if std::mem::replace(&mut planned[content], true) {
                continue;
            }
            job.push((content, document));
            bytes += listing.documents[number].bytes;
            if job.len() == BLOCK_DOCUMENTS || bytes > BLOCK_BYTES {
                jobs.push((round, std::mem::take(&mut job)));
                (round, bytes) = (round + 1, 0);
            }
        }
        jobs.push((round, job));
    };
    for cluster in &listing.clusters {
        plan(&mut [cluster.document].into_iter().chain(cluster.members.iter().map(|m| m.document)));
    }
    // documents that only a lower threshold would bring into a cluster
    plan(&mut listing.documents.iter().map(|listed| listed.document));
    jobs.sort_by_key(|(round, _)| *round);
    let bytes =
        |job: &Job| -> u64 { job.iter().map(|(_, document)| listing.documents[listing.numbers[document]].bytes).sum() };
    let mut blocks: Vec<Job> = Vec::new();
    for (_, job) in jobs.into_iter().filter(|(_, job)| !job.is_empty()) {
        match blocks.last_mut() {
            Some(last)
                if last.len() + job.len() <= BLOCK_DOCUMENTS && bytes(last) + bytes(&job) <= SHARED_BLOCK_BYTES =>
            {
                last.extend(job);
            }
            _ => blocks.push(job),
        }
    }
    blocks
}

/// A block, and which contents are in it: a document may be no text, or may have changed or gone meanwhile.
fn block(scan: &dyn ScanView, job: &Job) -> Result<(String, Vec<(usize, bool)>), Error> {
    let (mut texts, mut contents) = (Vec::new(), Vec::new());
    for (content, document) in job {
        let text = scan.text(*document)?;
        contents.push((*content, text.is_some()));
        texts.extend(text.map(|text| (*content, PageText::from(text))));
    }
    Ok((encode(&texts), contents))
}

fn encode(texts: &[(usize, PageText)]) -> String {
    let tidied: Vec<(usize, Cow<'_, Text>, &Highlights)> =
        texts.iter().map(|(content, page)| (*content, tidy(&page.text), &page.highlights)).collect();
    let shown: BTreeMap<usize, ShownText<'_>> =
        tidied.iter().map(|(content, text, highlights)| (*content, show(text, highlights))).collect();
    PACKER.with_borrow_mut(|packer| BASE64_STANDARD.encode(packer.pack(|json| write_texts(&shown, json))))
}

/// The texts by their contents, as JSON: the texts themselves come first in each.
fn write_texts(texts: &BTreeMap<usize, ShownText<'_>>, json: &mut Vec<u8>) {
    let bytes = texts.values().map(|shown| shown.text.len() + shown.raw.map_or(0, str::len)).sum();
    let mut lines = LineWriter::new(bytes);
    json.push(b'{');
    for (at, (content, shown)) in texts.iter().enumerate() {
        json.extend(format!("{}\"{content}\":{{\"text\":", if at > 0 { "," } else { "" }).into_bytes());
        lines.write(shown.text, json);
        if let Some(raw) = shown.raw {
            json.extend(b",\"raw\":");
            lines.write(raw, json);
        }
        // the rest begins with a brace of its own
        let rest = json.len();
        write_json(shown, json);
        json[rest] = b',';
    }
    json.push(b'}');
}

thread_local! {
    static PACKER: RefCell<Packer> = RefCell::new(Packer::new());
}

fn show<'a>(text: &'a Text, highlights: &Highlights) -> ShownText<'a> {
    let visible = beginning(&text.visible);
    let cut = visible.len() < text.visible.len();
    let source = text.source.as_ref().filter(|source| !cut && source.raw.len() <= MAX_TEXT);
    // of how it is written nothing is shown, if it is too long
    let written = match (&text.source, source) {
        (Some(_), None) => None,
        (_, Some(source)) => Some(source.raw.as_str()),
        (None, None) => Some(visible),
    };
    ShownText {
        text: visible,
        raw: source.map(|source| source.raw.as_str()),
        map: source.map_or_else(Vec::new, |source| map(visible, source)),
        format: text.format.to_string(),
        cut,
        chunks: written.map_or_else(Vec::new, |written| chunks(written, &text.chunks)),
        marks: marks(visible, highlights),
        keywords: highlights.keywords.join(" "),
    }
}

/// Chunks as the page counts: lengths in UTF-16, and a number that is short and still tells the chunks of two documents apart.
fn chunks(written: &str, chunks: &[ShownChunk]) -> Vec<u64> {
    let (mut ruler, mut last) = (Ruler::new(written), 0);
    let pair = |chunk: &ShownChunk| {
        let end = ruler.at(chunk.end.min(written.len()));
        let length = end - std::mem::replace(&mut last, end);
        [length as u64, chunk.hash.map_or(0, |hash| (hash as u64 >> 24).max(1))]
    };
    chunks.iter().flat_map(pair).collect()
}

/// Comments and strings as the page counts.
fn marks(visible: &str, highlights: &Highlights) -> Vec<i32> {
    let (mut ruler, mut last) = (Ruler::new(visible), 0);
    let inside = highlights.marks.iter().take_while(|mark| mark.end as usize <= visible.len());
    let pair = |mark: &Mark| {
        let (from, to) = (ruler.at(mark.start as usize), ruler.at(mark.end as usize));
        let gap = from - std::mem::replace(&mut last, to);
        // what is shown is no longer than MAX_TEXT
        let [gap, length] = [gap, to - from].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        [gap, if mark.kind == MarkKind::Comment { -length } else { length }]
    };
    inside.flat_map(pair).collect()
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// The pieces as triples of UTF-16 positions: in the text, in the source, length.
fn map(visible: &str, source: &Source) -> Vec<usize> {
    let (mut in_visible, mut in_raw) = (Ruler::new(visible), Ruler::new(&source.raw));
    let triple = |piece: &Piece| {
        let (from, to) = (in_visible.at(piece.visible), in_visible.at(piece.visible + piece.length));
        [from, in_raw.at(piece.raw), to - from]
    };
    source.pieces.iter().flat_map(triple).collect()
}

/// Turns rising byte positions into UTF-16 positions.
struct Ruler<'a> {
    text: &'a str,
    bytes: usize,
    units: usize,
}

impl<'a> Ruler<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, bytes: 0, units: 0 }
    }

    fn at(&mut self, position: usize) -> usize {
        let more = &self.text[self.bytes..position];
        self.units += if more.is_ascii() { more.len() } else { more.encode_utf16().count() };
        self.bytes = position;
        self.units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_as_the_page_counts() {
        let visible = "Größe 😀 & mehr";
        let raw = "<p>Größe 😀 &amp; mehr";
        let rest = visible.find(" mehr").unwrap();
        let source = Source {
            raw: raw.into(),
            pieces: vec![
                Piece { visible: 0, raw: 3, length: rest - 1 },
                Piece { visible: rest, raw: raw.find(" mehr").unwrap(), length: 5 },
            ],
        };
        // ö and ß are one unit, the face is two
        assert_eq!(map(visible, &source), [0, 3, 9, 10, 17, 5]);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let text = Text { visible: "ä".repeat(MAX_TEXT), source: None, format: Format::Text, chunks: Vec::new() };
        let highlights = Highlights::default();
        let shown = show(&text, &highlights);
        assert!(shown.cut && shown.text.len() <= MAX_TEXT && shown.text.len() > MAX_TEXT - 2);
    }

    #[test]
    fn marks_and_chunks_are_counted_from_the_last_one() {
        let text = "ö = \"😀\" # note\n";
        let mark = |kind, start: usize, end: usize| Mark { kind, start: start as u32, end: end as u32 };
        let string = text.find('"').unwrap();
        let comment = text.find('#').unwrap();
        let highlights = Highlights {
            marks: vec![mark(MarkKind::String, string, string + 6), mark(MarkKind::Comment, comment, comment + 6)],
            keywords: Vec::new(),
        };
        assert_eq!(marks(text, &highlights), [4, 4, 1, -6]);
        let cut = [(string, Some(u128::MAX)), (comment, None), (text.len(), Some(1))];
        let cut = cut.map(|(end, hash)| ShownChunk { end, hash });
        assert_eq!(chunks(text, &cut), [4, (1 << 40) - 1, 5, 0, 7, 1]);
    }
}
