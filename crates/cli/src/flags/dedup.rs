//! Rows: what only `dedup` asks.

use super::{FIELD, FLAG, Flag, Kind, SHARE, of, path, text};
use crate::values;
use crate::verb::Verb::Dedup;

const REMOVAL: Flag = Flag { heading: "Removal", ..FLAG };

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "like",
        kind: Kind::Value("PIPELINE", values::preset),
        heading: "Lens",
        conflicts: &["words", "threshold"],
        uses: &[of(&[Dedup], "Read texts as this pipeline does, and find what it finds")
            .more("Its n-grams, its normalisation and its bands of MinHash: a pair is found as often as it would be there. Still, a document \
                   goes only if it was itself compared with the one that stays")],
        ..REMOVAL
    },
    Flag {
        name: "source-field",
        kind: FIELD,
        uses: &[of(&[Dedup], "Field with the name of a document's source").without("the PATH that it was found in")],
        ..REMOVAL
    },
    Flag {
        name: "drop-only-from",
        kind: Kind::Value("SOURCE", text),
        repeats: true,
        uses: &[of(&[Dedup], "Remove documents of this source only; all others stay (may be repeated)")],
        ..REMOVAL
    },
    Flag {
        name: "against",
        kind: Kind::Value("INDEX|BENCH", path),
        repeats: true,
        uses: &[of(&[Dedup], "Also remove what is in an index; of a benchmark (JSONL …), tell which documents hold its items")
            .more("Of an index the old ids are told. Of a benchmark, contamination.parquet names document, item and passage; nothing \
                   is removed for it. May be repeated")],
        ..REMOVAL
    },
    Flag {
        name: "against-field",
        kind: FIELD,
        rare: true,
        requires: &["against"],
        uses: &[of(&[Dedup], "Field with the text of a benchmark's item").default("text")],
        ..REMOVAL
    },
    Flag {
        name: "against-share",
        kind: SHARE,
        rare: true,
        requires: &["against"],
        uses: &[of(&[Dedup], "Least share of an item that a document must hold, in rows of 13 words").default("0.5")],
        ..REMOVAL
    },
    Flag {
        name: "update",
        own: true,
        kind: Kind::Value("INDEX", path),
        conflicts: &["dry-run"],
        uses: &[of(&[Dedup], "Add what stays to this index, or make it")],
        ..REMOVAL
    },
    Flag {
        name: "paragraphs",
        kind: Kind::OptionalValue("paragraph|line", values::piece_unit, "paragraph"),
        group: "granularity",
        conflicts: &["against", "annotate", "html", "like", "contained"],
        uses: &[of(&[Dedup], "Cut repeated paragraphs (or =line, lines) out of documents, instead of removing documents")
            .more("The first of each stays, word for word; those of fewer than 10 words always do")],
        ..REMOVAL
    },
    Flag {
        name: "exact-substrings",
        kind: Kind::OptionalValue("N", || clap::value_parser!(u32).range(1..).into(), "50"),
        group: "granularity",
        conflicts: &["against", "annotate", "html", "like", "contained"],
        uses: &[of(&[Dedup], "Cut stretches of N words or more (50) that stand at an earlier place of the corpus, word for word")],
        ..REMOVAL
    },
    Flag {
        name: "annotate",
        uses: &[of(&[Dedup], "Remove nothing: write what is known of each document in fields lookalike_… of its own")],
        ..REMOVAL
    },
    Flag {
        name: "dry-run",
        conflicts: &["output", "resume"],
        uses: &[of(&[Dedup], "Write nothing: tell what would be removed")],
        ..REMOVAL
    },
    Flag {
        name: "allow-damaged",
        rare: true,
        uses: &[of(&[Dedup], "Records that cannot be parsed stay as they are, instead of ending the run")],
        ..REMOVAL
    },
    Flag {
        name: "resume",
        transient: true,
        heading: "Running",
        uses: &[of(&[Dedup], "Go on with a run that was stopped, after its last finished step")
            .more("Say the same as before, and --resume")],
        ..FLAG
    },
];
