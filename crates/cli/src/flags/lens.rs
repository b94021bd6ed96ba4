//! Rows: how documents become features, fingerprints or tokens.

use super::{FILE, FLAG, Flag, Kind, of};
use crate::lens::Lens::{All, Chunks, Passages, Shingles, Simhash};
use crate::values;
use crate::verb::Verb::{
    self, Calibrate, Changes, Collapse, Compare, Copies, Dedup, Files, Holders, IndexAdd, IndexBuild, IndexInfo,
    IndexRemove, Lost, Query, Scan, SimhashBatch, SimhashBuild, SimhashFingerprint, SimhashIdf, SimhashLookup,
    SimhashNear, SimhashOnline, SimhashPlan, Sketch, TemplatesMark,
};
use clap::builder::ValueParser;
use lookalike::simhash::{Languages, Ngrams, Weight};
use lookalike::{MAX_WINDOW, Sampling};

const LENS: Flag = Flag { heading: "Lens", ..FLAG };

const TOKENS: Kind = Kind::Value("TOKENS", || clap::value_parser!(u32).range(1..=10_000).into());
const MEAN: fn() -> ValueParser = || ValueParser::new(values::mean_chunk);
/// The verbs that make fingerprints of documents.
/// Verbs that read the text of documents.
const TEXT_READERS: &[Verb] = &[Scan, Dedup, Calibrate, Compare, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild];
const FINGERPRINTERS: &[Verb] = &[Scan, Compare, Sketch, SimhashFingerprint, IndexBuild];

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "lens",
        kind: Kind::Lens,
        uses: &[
            of(&[Scan], "shingles, chunks, simhash or all; -h lists its flags")
                .without("shingles")
                .more("An exchange file has its own"),
            of(&[Compare], "How the two are compared").without("every lens that applies"),
            of(&[Sketch], "How the documents will be compared").without("chunks"),
            of(&[IndexBuild], "What is kept: sketches, tokens of passages, fingerprints, or chunks")
                .without("shingles"),
        ],
        ..LENS
    },
    Flag {
        name: "words",
        short: Some('w'),
        kind: Kind::Value("W", || {
            clap::value_parser!(u8).range(1..=i64::try_from(MAX_WINDOW).expect("a small number")).into()
        }),
        uses: &[
            of(&[Scan, Compare, Sketch, IndexBuild], "Words in a shingle").with(&[Shingles, All]).default("10"),
            of(&[Dedup, Calibrate], "Words in a shingle").with(&[Shingles]).default("5"),
            of(&[Scan], "Words in a shingle, for --verify").with(&[Simhash]).default("10").needs("verify"),
            of(&[IndexAdd], "Words in a shingle").with(&[Shingles]).without("as in the index"),
        ],
        ..LENS
    },
    Flag {
        name: "sketch",
        kind: Kind::Value("KIND:N", || clap::value_parser!(Sampling).into()),
        rare: true,
        uses: &[
            of(
                &[Scan, Dedup, Calibrate, Compare, Sketch, IndexBuild],
                "What the sketch keeps: nested:SIZE, min:S or mod:M",
            )
            .with(&[Shingles])
            .default("nested:100"),
            of(&[IndexAdd], "What the sketch keeps").with(&[Shingles]).without("as in the index"),
        ],
        ..LENS
    },
    Flag {
        name: "avg-chunk",
        kind: Kind::Value("BYTES", MEAN),
        uses: &[
            of(&[Scan, Files, Sketch, IndexBuild], "Mean length of a chunk, from 64 to 1M")
                .with(&[Chunks])
                .default("1000")
                .more("Smaller ones find shorter common passages, and take more time and space"),
            of(&[IndexAdd], "Mean length of a chunk").with(&[Chunks]).without("as in the index"),
        ],
        ..LENS
    },
    Flag {
        name: "refine",
        kind: Kind::OptionalValue("BYTES", MEAN, "100"),
        conflicts: &["save"],
        uses: &[of(&[Scan, Files], "Cut again into chunks of this mean (100) where there is doubt").with(&[Chunks])],
        ..LENS
    },
    Flag {
        name: "exact",
        uses: &[of(&[Scan, Files], "Count the true bytes in common by aligning the files").with(&[Chunks])],
        ..LENS
    },
    Flag {
        name: "ngrams",
        kind: Kind::Value("N", || clap::value_parser!(Ngrams).into()),
        uses: &[
            of(
                &[Scan, Compare, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild],
                "Words of a feature: a number, or a range such as 1-3",
            )
            .with(&[Simhash])
            .default("2-3"),
            of(&[IndexAdd], "Words of a feature").with(&[Simhash]).without("as in the index"),
            of(&[SimhashOnline], "Words of a feature of a page").without("as in the store; of a new one 2-3"),
        ],
        ..LENS
    },
    Flag {
        name: "stop-words",
        kind: Kind::Value("LANG,…", || clap::value_parser!(Languages).into()),
        rare: true,
        uses: &[of(
            &[Scan, Compare, Sketch, SimhashFingerprint, SimhashIdf, SimhashOnline, IndexBuild, IndexAdd],
            "Leave out the stop words of these languages: de, en, es, fr, it, nl, pt",
        )
        .with(&[Simhash])
        .more("Phrases are made of what remains")],
        ..LENS
    },
    Flag {
        name: "weight",
        kind: Kind::Value("KIND", || clap::value_parser!(Weight).into()),
        rare: true,
        uses: &[
            of(FINGERPRINTERS, "What a feature weighs by how often a document has it: tf, log or binary")
                .with(&[Simhash])
                .default("log")
                .more("tf: as often; log: 1, and 1 more with every doubling; binary: 1"),
            of(&[IndexAdd], "What a feature weighs").with(&[Simhash]).without("as in the index"),
            of(&[SimhashOnline], "What a feature of a page weighs")
                .without("as in the store; of a new one as fingerprint has it"),
        ],
        ..LENS
    },
    Flag {
        name: "idf",
        own: true,
        kind: FILE,
        rare: true,
        uses: &[
            of(FINGERPRINTERS, "Weigh rare features more, by a table that lookalike simhash idf made").with(&[Simhash]),
            of(&[SimhashOnline], "The document frequencies that the pages of the store are weighed by, if any"),
            of(&[IndexAdd, Query], "The document frequencies that the index was made with, if it was made with any")
                .with(&[Simhash]),
        ],
        ..LENS
    },
    Flag {
        name: "bits",
        kind: Kind::Value("BITS", values::bits),
        rare: true,
        uses: &[
            of(
                &[
                    Scan,
                    Compare,
                    Sketch,
                    SimhashFingerprint,
                    SimhashNear,
                    SimhashBatch,
                    SimhashBuild,
                    SimhashLookup,
                    SimhashOnline,
                    SimhashPlan,
                    IndexBuild,
                ],
                "Bits of a fingerprint",
            )
            .with(&[Simhash])
            .default("64"),
            of(&[IndexAdd], "Bits of a fingerprint").with(&[Simhash]).without("as in the index"),
        ],
        ..LENS
    },
    Flag {
        name: "lang",
        kind: Kind::Value("NAME", || ValueParser::new(values::reading)),
        uses: &[of(
            &[Copies, IndexBuild],
            "What files are read as: auto, text (words), bytes, or a language such as python",
        )
        .with(&[Passages])
        .default("auto")
        .more("auto goes by the names of files")],
        ..LENS
    },
    Flag {
        name: "kgram",
        short: Some('k'),
        kind: TOKENS,
        uses: &[of(&[Copies, IndexBuild], "Noise threshold: nothing shorter than this many tokens is found")
            .with(&[Passages])
            .without("by kind of file")],
        ..LENS
    },
    Flag {
        name: "guarantee",
        short: Some('t'),
        kind: TOKENS,
        uses: &[
            of(&[Copies, IndexBuild], "Whatever two share of this many tokens in a row is found; at least -k")
                .with(&[Passages])
                .without("by kind of file"),
            of(&[Query], "What is shared of so many tokens in a row is found; more is faster")
                .with(&[Passages])
                .without("that of the index"),
        ],
        ..LENS
    },
    Flag {
        name: "keep-identifiers",
        rare: true,
        uses: &[of(&[Copies, IndexBuild], "Names of variables, functions and types count: renaming hides a copy")
            .with(&[Passages])],
        ..LENS
    },
    Flag {
        name: "keep-literals",
        rare: true,
        uses: &[of(&[Copies, IndexBuild], "Values of numbers and strings count").with(&[Passages])],
        ..LENS
    },
    Flag {
        name: "keep-comments",
        rare: true,
        uses: &[of(&[Copies, IndexBuild], "Comments count").with(&[Passages])],
        ..LENS
    },
    Flag {
        name: "format",
        kind: Kind::Value("FORMAT", values::format),
        uses: &[
            of(
                &[Scan, Compare, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild],
                "Format of documents; auto: by name, then by content",
            )
            .with(&[Shingles, Simhash, All])
            .default("auto"),
            of(&[IndexAdd], "Format of all documents").with(&[Shingles, Simhash]).without("as in the index"),
            of(&[SimhashOnline], "Format of pages").without("as in the store; of a new one auto: by content"),
        ],
        ..LENS
    },
    Flag {
        name: "select",
        kind: Kind::Value("CSS", values::selectors),
        rare: true,
        uses: &[of(
            TEXT_READERS,
            "Of a page only what is in such elements counts: names, #ids, .classes, [attributes]",
        )
        .with(&[Shingles, Simhash, All])],
        ..LENS
    },
    Flag {
        name: "drop",
        kind: Kind::Value("CSS", values::selectors),
        rare: true,
        uses: &[of(TEXT_READERS, "Of a page what is in such elements does not count").with(&[Shingles, Simhash, All])],
        ..LENS
    },
    Flag {
        name: "key",
        kind: Kind::Value("SECRET", || ValueParser::new(values::secret)),
        env: "LOOKALIKE_KEY",
        rare: true,
        transient: true,
        uses: &[
            of(
                &[Scan, Files, Compare, Copies, SimhashFingerprint, SimhashIdf, IndexBuild],
                "Secret behind what is sampled and hashed; also LOOKALIKE_KEY",
            )
            .more("Who does not know it cannot craft text to evade the sample, or guess what a hash stands for"),
            of(&[SimhashOnline], "Secret behind the fingerprints of pages; also LOOKALIKE_KEY"),
            of(&[Verb::Serve], "Secret that the indexes were made with; also LOOKALIKE_KEY"),
            of(&[Sketch], "Secret that all owners agree on; also LOOKALIKE_KEY")
                .more("Chunk hashes (and names, with --names hash) mean nothing without it"),
            of(&[TemplatesMark], "Secret that the run was made with, if it was made with one; also LOOKALIKE_KEY"),
            of(
                &[IndexAdd, IndexRemove, IndexInfo, Query, Lost, Holders, Changes, Collapse],
                "Secret that the index was made with, if it was made with one; also LOOKALIKE_KEY",
            ),
        ],
        ..LENS
    },
];
