//! Rows: files and stores of fingerprints.

use super::{FILE, FLAG, Flag, Kind, of, text};
use crate::values;
use crate::verb::Verb::{self, SimhashBatch, SimhashBuild, SimhashLookup, SimhashNear, SimhashOnline, SimhashPlan};
use clap::builder::ValueParser;
use lookalike::hamming::{Design, Digits, IdKind, Layout};

const FINGERPRINTS: Flag = Flag { heading: "Fingerprints", ..FLAG };
/// The verbs that read files of fingerprints.
const READERS: &[Verb] = &[SimhashNear, SimhashBatch, SimhashBuild, SimhashLookup];

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "layout",
        kind: Kind::Value("LAYOUT", || clap::value_parser!(Layout).into()),
        uses: &[of(READERS, "Layout of the files: raw, raw-ids, text or parquet").without("by the extension").more(
            "raw: little-endian numbers; raw-ids: each followed by an id of 8 bytes; text: one per line, with or without an id",
        )],
        ..FINGERPRINTS
    },
    Flag {
        name: "digits",
        kind: Kind::Value("DIGITS", || clap::value_parser!(Digits).into()),
        uses: &[of(READERS, "What digits of text mean: hex or decimal").without("told from the file")],
        ..FINGERPRINTS
    },
    Flag {
        name: "ids",
        kind: Kind::Value("IDS", || clap::value_parser!(IdKind).into()),
        uses: &[of(READERS, "What ids are: rows (numbers of rows), numbers or names").without("told from the file")],
        ..FINGERPRINTS
    },
    Flag {
        name: "fingerprint-field",
        kind: Kind::Value("FIELD", text),
        uses: &[of(READERS, "Column of fingerprints in Parquet").without("fingerprint or simhash")],
        ..FINGERPRINTS
    },
    Flag {
        name: "queries",
        kind: FILE,
        uses: &[of(&[SimhashLookup], "Ask about all fingerprints of this file, one after the other")
            .more("Lines of query, fingerprint and distance; for many at once, batch is faster")],
        ..FINGERPRINTS
    },
    Flag {
        name: "times",
        requires: &["queries"],
        uses: &[of(&[SimhashLookup], "Tell how long the questions of --queries took, instead of the answers")],
        ..FINGERPRINTS
    },
    Flag {
        name: "design",
        kind: Kind::Value("DESIGN", || clap::value_parser!(Design).into()),
        uses: &[of(&[SimhashBuild], "Design of the tables, as lookalike simhash plan names them")
            .without("the fastest that fits in the memory")],
        ..FINGERPRINTS
    },
    Flag {
        name: "n",
        kind: Kind::Value("N", || ValueParser::new(values::large_number)),
        uses: &[of(&[SimhashPlan], "How many fingerprints, such as 100000000 or 8e9").required()],
        ..FINGERPRINTS
    },
    Flag {
        name: "id-bits",
        kind: Kind::Value("BITS", || clap::value_parser!(u32).range(0..=64).into()),
        uses: &[of(&[SimhashPlan], "Bits of an id").default("32")],
        ..FINGERPRINTS
    },
    Flag {
        name: "no-sync",
        uses: &[of(
            &[SimhashOnline],
            "Do not wait for the disk: answers survive the end of the program, not of the machine",
        )],
        ..FINGERPRINTS
    },
    Flag {
        name: "recent",
        kind: Kind::Value("N", || clap::value_parser!(u32).range(1..=1 << 24).into()),
        uses: &[of(&[SimhashOnline], "Changes that are collected in memory before they are written to their place")
            .default("65536")],
        ..FINGERPRINTS
    },
];
