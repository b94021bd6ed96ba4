//! Rows: what is shown, and where.

use super::{FILE, FLAG, Flag, Kind, SHARE, SIZE, of};
use crate::lens::Lens::{All, Chunks, Shingles, Simhash};
use crate::values;
use crate::verb::Verb::{
    self, Calibrate, Changes, Collapse, Compare, Copies, Dedup, Files, Holders, IndexAdd, IndexBuild, IndexInfo,
    IndexList, IndexMerge, IndexRemove, IndexSnapshot, IndexVerify, Lost, Moss, Query, Recluster, Scan, SimhashBatch,
    SimhashBuild, SimhashFingerprint, SimhashIdf, SimhashLookup, SimhashNear, SimhashPlan, Sketch, TemplatesList,
    TemplatesMark, TemplatesShow, TemplatesUnmark,
};

const OUTPUT: Flag = Flag { heading: "Output", ..FLAG };
/// Forms of the report, of which one is chosen.
const FORM: Flag = Flag { group: "form", transient: true, ..OUTPUT };

/// The verbs that write a report of clusters.
const REPORTS: &[Verb] = &[Scan, Files, Recluster];

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "json",
        uses: &[
            of(
                &[
                    Scan,
                    Dedup,
                    Calibrate,
                    Files,
                    Recluster,
                    Compare,
                    Copies,
                    Sketch,
                    SimhashIdf,
                    SimhashNear,
                    SimhashBatch,
                    SimhashBuild,
                    SimhashLookup,
                    SimhashPlan,
                    #[cfg(unix)]
                    Verb::Act,
                    IndexBuild,
                    IndexAdd,
                    IndexRemove,
                    IndexInfo,
                    IndexList,
                    IndexMerge,
                    IndexSnapshot,
                    IndexVerify,
                    Query,
                    Lost,
                    Holders,
                    Changes,
                    Collapse,
                    TemplatesMark,
                    TemplatesList,
                    TemplatesShow,
                    TemplatesUnmark,
                ],
                "One JSON object",
            ),
            of(&[SimhashFingerprint], "One JSON object, with recipe, fingerprints and what was left out"),
        ],
        ..FORM
    },
    Flag {
        name: "ndjson",
        rare: true,
        uses: &[of(REPORTS, "One JSON object a line: the scan, then skips, templates and clusters")],
        ..FORM
    },
    Flag {
        name: "csv",
        uses: &[
            of(REPORTS, "A row for each document in a cluster"),
            of(&[Copies], "A row for each pair"),
            of(&[Holders], "A row for each holder"),
            of(&[Changes], "A row for each sweep and the next"),
            of(&[IndexList], "A row for each URL or id"),
            of(&[Lost], "A row for each URL that was asked for: where its content lives now"),
        ],
        ..FORM
    },
    Flag { name: "sarif", uses: &[of(&[Copies], "SARIF 2.1.0: a result for each passage")], ..FORM },
    Flag {
        name: "plain",
        uses: &[of(&[Collapse], "One result a line, the others of its group below it after a tab")],
        ..FORM
    },
    Flag {
        name: "report-format",
        rare: true,
        kind: Kind::Value("FORMAT", values::report_format),
        uses: &[of(&[Scan, Files, Recluster, Copies], "Another form of the report")],
        ..FORM
    },
    Flag {
        name: "output",
        own: true,
        short: Some('o'),
        kind: FILE,
        transient: true,
        uses: &[
            of(
                &[
                    Scan,
                    Calibrate,
                    Files,
                    Recluster,
                    Copies,
                    Compare,
                    Query,
                    Lost,
                    Holders,
                    Changes,
                    Collapse,
                    SimhashFingerprint,
                    SimhashNear,
                    SimhashBatch,
                ],
                "Write to this file instead of standard output",
            ),
            of(&[Dedup], "The new folder: corpus/, duplicates.parquet and summary.json").required_unless(&["dry-run"]),
            of(&[Sketch], "The exchange file").required(),
            of(&[SimhashIdf], "The table").required(),
            of(&[SimhashBuild], "The new folder").required(),
        ],
        ..OUTPUT
    },
    Flag {
        name: "html",
        own: true,
        kind: FILE,
        uses: &[
            of(&[Scan, Files], "Also write a page to look at: one file, no network, any browser").with(&[Shingles, Chunks, All]),
            of(&[Scan], "Also write a page to look at: one file, no network, any browser").with(&[Simhash]).needs("verify"),
            of(&[Calibrate], "Also write a page: the curve, and the pairs to judge; one file, no network, any browser"),
            of(&[Copies, Changes, Dedup], "Also write a page to look at: one file, no network, any browser"),
            of(&[Compare], "Also write a page that shows the two side by side").with(&[Shingles]),
        ],
        ..OUTPUT
    },
    Flag {
        name: "html",
        own: true,
        short: Some('o'),
        kind: FILE,
        uses: &[of(&[Moss], "Also write a page to look at: one file, no network, any browser")],
        ..OUTPUT
    },
    Flag {
        name: "embed-limit",
        kind: SIZE,
        rare: true,
        requires: &["html"],
        uses: &[of(&[Scan, Calibrate, Files, Copies], "Bytes of the page that the texts of documents may take")
            .default("32M")
            .more("Without its text a document cannot be shown side by side")],
        ..OUTPUT
    },
    Flag {
        name: "explore",
        kind: SHARE,
        rare: true,
        requires: &["html"],
        uses: &[of(&[Scan, Files], "Also list pairs below --threshold, down to this, on the page")
            .default("0.3")
            .more("The page's threshold can then be moved there. At most --threshold")],
        ..OUTPUT
    },
    Flag {
        name: "xlsx",
        own: true,
        kind: FILE,
        transient: true,
        uses: &[of(REPORTS, "Also write a spreadsheet: rows expand, sort and filter")],
        ..OUTPUT
    },
    Flag {
        name: "pairs",
        own: true,
        kind: FILE,
        transient: true,
        uses: &[
            of(&[Scan, Files], "Write every accepted pair to this file (.csv, .tsv, else NDJSON)")
                .with(&[Shingles, Chunks]),
            of(&[Scan], "Write every accepted pair to this file (.csv, .tsv, else NDJSON)")
                .with(&[Simhash])
                .needs("verify"),
            of(&[Copies], "Write the numbers of every pair of at least --min-similarity (.csv, .tsv, else NDJSON)"),
            of(&[SimhashNear], "Also write all pairs of different fingerprints to this file, one per line"),
        ],
        ..OUTPUT
    },
    Flag {
        name: "pages",
        own: true,
        kind: FILE,
        transient: true,
        uses: &[of(&[Changes], "Also write every page that moved, died, was born or changed to this file (.csv, .tsv, else NDJSON)")],
        ..OUTPUT
    },
    Flag {
        name: "raw",
        own: true,
        kind: FILE,
        uses: &[of(&[SimhashFingerprint], "Write fingerprints as little-endian numbers of 8 (or 16) bytes to this file")
            .more("They are in the order of reading. Lines are then written only with --output or --json")],
        ..OUTPUT
    },
    Flag {
        name: "top",
        kind: Kind::Value("N", || clap::value_parser!(usize).into()),
        uses: &[
            of(REPORTS, "Clusters to list in a text report").default("20"),
            of(&[Copies], "Pairs to list in a text report").default("20"),
            of(&[Compare], "Differences to show").with(&[Shingles]).default("20"),
        ],
        ..OUTPUT
    },
    Flag {
        name: "stats",
        rare: true,
        transient: true,
        uses: &[
            of(&[Scan, Files], "Time, CPU and counts by phase, spilled bytes and peak memory"),
            of(&[Copies], "What winnowing selected, beside what its paper expects; time, CPU and counts by phase"),
            of(&[Query], "After the last answer of --batch, tell how long they took: JSON on standard error"),
        ],
        ..OUTPUT
    },
    Flag {
        name: "exit-code",
        rare: true,
        transient: true,
        uses: &[
            of(&[Scan, Files], "Exit with code 1 if there is any cluster").more(
                "With --decisions: any that is not decided; with --against: any document that is known or touches what is known",
            ),
            of(&[Recluster], "Exit with code 1 if there is any cluster"),
            of(&[Copies], "Exit with code 1 if a pair is at or above the threshold")
                .more("With --decisions: a pair that is not decided"),
            of(&[Query], "Exit with code 1 if anything was found beside the document itself"),
            of(&[SimhashLookup], "Exit with code 1 if anything is near"),
        ],
        ..OUTPUT
    },
    Flag {
        name: "show-config",
        rare: true,
        transient: true,
        uses: &[of(
            &[
                Scan,
                Dedup,
                Calibrate,
                Files,
                Copies,
                Compare,
                Sketch,
                Recluster,
                SimhashFingerprint,
                SimhashIdf,
                IndexBuild,
                IndexAdd,
                Query,
                Lost,
                Holders,
                Changes,
            ],
            "Show which lookalike.toml was found and what it says for this verb, and do nothing else",
        )],
        ..OUTPUT
    },
    Flag {
        name: "quiet",
        short: Some('q'),
        transient: true,
        uses: &[of(
            &[
                Scan,
                Dedup,
                Calibrate,
                Files,
                Recluster,
                Copies,
                Moss,
                Sketch,
                SimhashFingerprint,
                SimhashIdf,
                SimhashNear,
                SimhashBatch,
                SimhashBuild,
                #[cfg(unix)]
                Verb::Act,
                IndexBuild,
                IndexAdd,
                IndexRemove,
                IndexMerge,
            ],
            "No progress bars, no summary, and no messages but errors",
        )],
        ..OUTPUT
    },
];
