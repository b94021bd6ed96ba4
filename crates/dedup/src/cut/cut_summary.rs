//! What was cut, in numbers.

use crate::Error;
use crate::asked::AskedOptions;
use crate::corpus_counts::CorpusCounts;
use crate::cut::cut_file::beginning;
use crate::cut::cuts::{CutPiece, Cuts};
use crate::cut::options::Granularity;
use crate::cut::texts::text_of;
use crate::options::DedupOptions;
use crate::uncompared::Uncompared;
use lookalike_engine::run::documents::Documents;
use serde::Serialize;

/// What a run read, cut and kept.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CutSummary {
    /// The options that decided the result.
    pub options: AskedOptions,
    /// What was cut: paragraph, line or substring.
    pub granularity: &'static str,
    /// Pieces of fewer words stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_words: Option<u32>,
    /// So many of the same stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_copies: Option<u32>,
    /// Words of the shortest stretch that goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<u32>,
    /// Documents that were read.
    pub documents: u64,
    /// Bytes of text that were read.
    pub bytes: u64,
    /// Words that were read.
    pub words: u64,
    /// Pieces that were read, short ones too; none of stretches, which may begin anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u64>,
    /// Pieces that were cut, or would be.
    pub cut_pieces: u64,
    /// Bytes of text that were cut.
    pub cut_bytes: u64,
    /// Words that were cut.
    pub cut_words: u64,
    /// Documents that lost something.
    pub cut_documents: u64,
    /// Of those, how many had no word left and were removed.
    pub removed_documents: u64,
    /// The pieces that were repeated most.
    pub most_repeated: Vec<RepeatedText>,
    /// Documents whose id another has too.
    pub repeated_ids: u64,
    /// What was not compared or left out.
    #[serde(flatten)]
    pub uncompared: Uncompared,
    /// What became of every file and record, if the corpus was written again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<CorpusCounts>,
}

/// A piece that is there many times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepeatedText {
    /// How often it was there, with what stays.
    pub count: u64,
    /// Its words.
    pub words: u32,
    /// The document that has it first.
    pub first: String,
    /// How it begins.
    pub text: String,
}

impl CutSummary {
    /// Of a run; `pieces` is known by who counted them.
    pub(crate) fn new(
        asked: &DedupOptions,
        documents: &Documents,
        cuts: &Cuts,
        pieces: Option<u64>,
        written: Option<CorpusCounts>,
    ) -> Result<Self, Error> {
        let granularity = &asked.granularity;
        let (min_words, max_copies, min_tokens) = match granularity {
            Granularity::Documents => (None, None, None),
            Granularity::Paragraphs(options) => (Some(options.min_words), Some(options.max_copies), None),
            Granularity::Substrings(options) => (None, None, Some(options.min_tokens)),
        };
        let catalogue = &documents.catalogue;
        let mut most_repeated = Vec::new();
        for (count, document, [start, end, words, kept, kept_start]) in &cuts.totals.most_repeated {
            let piece = CutPiece { start: *start, end: *end, words: *words, kept: *kept, kept_start: *kept_start };
            most_repeated.push(RepeatedText {
                count: count + u64::from(granularity.copies()),
                words: *words,
                first: catalogue.id(*kept)?,
                text: beginning(&text_of(documents, *document)?, &piece).unwrap_or_default(),
            });
        }
        Ok(Self {
            options: asked.into(),
            granularity: granularity.name(),
            min_words,
            max_copies,
            min_tokens,
            documents: catalogue.len() as u64,
            bytes: catalogue.bytes,
            words: catalogue.sizes.iter().map(|words| u64::from(*words)).sum(),
            pieces,
            cut_pieces: cuts.totals.pieces,
            cut_bytes: cuts.totals.bytes,
            cut_words: cuts.totals.words,
            cut_documents: cuts.totals.documents,
            removed_documents: cuts.totals.whole_documents,
            most_repeated,
            repeated_ids: catalogue.repeated_ids,
            uncompared: Uncompared::new(&catalogue.skipped),
            written,
        })
    }
}
