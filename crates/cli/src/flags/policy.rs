//! Rows: which pairs count, how they make clusters, and what is ignored.
//!
//! One idea has one word. `threshold`: from this similarity on two documents are linked. `contained`: from this containment on.
//! `min-similarity`: pairs below it are not listed. `max-df`: what more documents than this have is ignored. Shares are from 0 to 1.

use super::{COUNT, FILE, FLAG, Flag, Kind, SHARE, SIZE, of, path};
use crate::lens::Lens::{All, Chunks, Passages, Shingles, Simhash};
use crate::values;
use crate::verb::Verb::{
    Calibrate, Changes, Compare, Copies, Dedup, Files, Holders, IndexBuild, Lost, Query, Recluster, Scan, SimhashBatch,
    SimhashBuild, SimhashFingerprint, SimhashIdf, SimhashLookup, SimhashNear, SimhashOnline, SimhashPlan, Sketch,
    TemplatesList, TemplatesMark, TemplatesShow, TemplatesUnmark,
};
use clap::builder::ValueParser;

const POLICY: Flag = Flag { heading: "Policy", ..FLAG };

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "threshold",
        kind: Kind::Value("SHARE", || ValueParser::new(values::positive_share)),
        uses: &[
            of(&[Scan, IndexBuild], "Least resemblance of two documents in a cluster").with(&[Shingles]).default("0.5"),
            of(&[Scan], "Least share of both that the two have in common, for a version").with(&[All]).default("0.5"),
            of(&[Dedup], "Least resemblance of a duplicate to the document that stays").with(&[Shingles]).default("0.8"),
            of(&[Scan], "Least resemblance of a link, for --verify").with(&[Simhash]).default("0.5").needs("verify"),
            of(&[Scan, Files], "Least share in common, of the smaller of two files").with(&[Chunks]).default("0.5"),
            of(&[Recluster], "Least resemblance of two documents in a cluster; of files, least share in common")
                .with(&[Shingles, Chunks])
                .without("as saved"),
            of(&[TemplatesMark], "Least share of the smaller of two files in a cluster that they have in common")
                .without("as saved"),
            of(&[Compare], "From this resemblance on the two are near").with(&[Shingles]).default("0.5"),
            of(&[Query], "Least resemblance of a match").with(&[Shingles]).without("as in the index"),
            of(&[Query], "Least share of the smaller of two files that they have in common").with(&[Chunks]).default("0.5"),
            of(&[Copies], "Similarity from which on pairs make clusters").without("estimated from these submissions"),
            of(&[Changes], "Least resemblance of a page that died and one that was born, for a move").default("0.5"),
        ],
        ..POLICY
    },
    Flag {
        name: "contained",
        kind: Kind::Value("SHARE", || ValueParser::new(values::share_or_off)),
        uses: &[
            of(&[Scan, IndexBuild], "Also link documents with this share inside another")
                .with(&[Shingles])
                .default("off"),
            of(&[Scan], "From this share on one is inside the other").with(&[All]).default("0.9"),
            of(&[Dedup], "Also remove documents with this share inside another").with(&[Shingles]).default("off"),
            of(&[Scan], "Also link documents with this share inside another")
                .with(&[Simhash])
                .default("off")
                .needs("verify"),
            of(&[Recluster], "Also link documents with this share inside another")
                .with(&[Shingles])
                .without("as saved"),
            of(&[Compare], "From this containment on one is inside the other").with(&[Shingles]).default("0.9"),
            of(&[Query], "Also find documents of which at least this share is in the other, either way, or off")
                .with(&[Shingles])
                .without("as in the index"),
            of(&[Holders], "Least share of the document that a holder has").default("0.1"),
            of(&[Lost], "Least share of the content that a place must hold to be listed").default("0.05"),
        ],
        ..POLICY
    },
    Flag {
        name: "min-words",
        kind: Kind::Value("N", || clap::value_parser!(u32).into()),
        rare: true,
        uses: &[
            of(
                &[Scan, Dedup, Calibrate],
                "Fewer words are too little text to tell: such documents are listed, and only equal bytes are found",
            )
            .with(&[Shingles, Simhash, All])
            .without("the words of a shingle"),
            of(&[Compare], "Fewer words are too little text to tell")
                .with(&[Shingles])
                .without("the words of a shingle"),
        ],
        ..POLICY
    },
    Flag {
        name: "relation",
        kind: Kind::Value("NAME,…", values::relation),
        repeats: true,
        uses: &[of(&[Scan], "List only pairs of these relations, such as version,small-errors")
            .with(&[All])
            .more("Clusters stay as they are")],
        ..POLICY
    },
    Flag {
        name: "disagreement",
        kind: Kind::Value("NAME,…", values::disagreement),
        repeats: true,
        uses: &[of(&[Scan], "List only pairs on which lenses disagree so, such as reformatted").with(&[All])],
        ..POLICY
    },
    Flag {
        name: "min-similarity",
        kind: SHARE,
        uses: &[
            of(&[Copies], "Least similarity of a pair that is listed").without("0.1, of prose and bytes 0.01"),
            of(&[Query], "Least similarity of a document that is listed")
                .with(&[Passages])
                .without("0.1, of prose and bytes 0.01, and any with a long passage"),
        ],
        ..POLICY
    },
    Flag {
        name: "min-shared",
        kind: SIZE,
        uses: &[
            of(&[Scan, Files], "Least bytes that two files in a cluster have in common").with(&[Chunks]).default("0"),
            of(&[Query], "Least bytes that a match has in common with the file").with(&[Chunks]).default("0"),
            of(&[Recluster, TemplatesMark], "Least bytes that two files in a cluster have in common")
                .with(&[Chunks])
                .without("as saved"),
        ],
        ..POLICY
    },
    Flag {
        name: "distance",
        kind: Kind::Value("BITS", || ValueParser::new(values::distance)),
        uses: &[
            of(&[Scan], "Link fingerprints that differ in at most this many bits").with(&[Simhash]).default("3"),
            of(&[Recluster], "Link fingerprints that differ in at most this many bits").with(&[Simhash]).without("as saved"),
            of(&[Compare], "Fingerprints that differ in at most this many bits are near").with(&[Simhash]).default("3"),
            of(
                &[Query, SimhashNear, SimhashBatch, SimhashBuild, SimhashPlan],
                "Bits in which two fingerprints may differ, from 0 to 7",
            )
            .with(&[Simhash])
            .default("3"),
            of(&[SimhashLookup], "Bits in which two fingerprints may differ, at most what the store was made for")
                .default("3"),
            of(&[SimhashOnline], "The greatest distance that will be asked for, and the one meant where none is given")
                .default("3"),
        ],
        ..POLICY
    },
    Flag {
        name: "verify",
        uses: &[
            of(&[Scan], "Compare pairs by their shingles, and drop those below --threshold")
                .with(&[Simhash])
                .more("The report tells how many hold"),
            of(&[Query], "Count on the originals, where they are still there and have not changed").with(&[Shingles]),
            of(&[Holders], "Count on the originals, where they are still there and have not changed"),
        ],
        ..POLICY
    },
    Flag {
        name: "length-ratio",
        rare: true,
        kind: Kind::Value("SHARE", || ValueParser::new(values::positive_share)),
        uses: &[
            of(&[Scan], "The shorter of two must have this share of the longer's words").with(&[Simhash]),
            of(&[Recluster], "The shorter of two must have this share of the longer's words")
                .with(&[Simhash])
                .without("as saved"),
        ],
        ..POLICY
    },
    Flag {
        name: "max-df",
        kind: Kind::Value("N|SHARE", || ValueParser::new(values::max_df)),
        uses: &[
            of(&[Scan], "Ignore a shingle that more documents than this have: a number, a share with a dot, or off")
                .with(&[Shingles])
                .without("1000, or half of all (or of a folder) if that is less, but 20 at least"),
            of(&[IndexBuild], "Ignore a shingle that more documents than this have").with(&[Shingles]).default("1000"),
            of(&[Dedup, Calibrate], "Do not look for pairs by a shingle that more documents than this have").with(&[Shingles]).default("1000"),
            of(&[Scan, Files], "Chunks in more than this share of all files link nothing")
                .with(&[Chunks])
                .default("0.5")
                .more("They are reported"),
            of(&[Query], "Chunks in more than this share of all files of the index lead to none, unless the file is made of such")
                .with(&[Chunks])
                .default("0.5")
                .more("They count as bytes in common"),
            of(&[Scan], "Leave out features that more documents than this have")
                .with(&[Simhash])
                .default("off")
                .more("Such as menus. Reads the documents twice"),
            of(&[Copies], "Ignore what more submissions than this share: a number, a share with a dot, or off")
                .without("1000"),
        ],
        ..POLICY
    },
    Flag {
        name: "boilerplate",
        kind: Kind::Value("drop|keep", values::boilerplate),
        rare: true,
        uses: &[
            of(&[Scan], "Whether menus, headers and footers of pages count, and text that very many documents share")
                .with(&[Shingles, Simhash])
                .default("drop")
                .more("No templates are reported with keep"),
            of(&[Dedup, Calibrate], "Whether menus, headers and footers of pages count, and text that very many documents share")
                .with(&[Shingles])
                .default("keep"),
            of(
                &[SimhashFingerprint, SimhashIdf, Compare, Sketch, IndexBuild],
                "Whether menus, headers and footers of pages count",
            )
            .with(&[Shingles, Simhash])
            .default("drop"),
            of(&[Query], "Whether text counts that very many documents of the index share")
                .with(&[Shingles])
                .default("drop"),
        ],
        ..POLICY
    },
    Flag {
        name: "linkage",
        kind: Kind::Value("LINKAGE", values::linkage),
        rare: true,
        uses: &[
            of(&[Scan, Files, SimhashNear], "How links make clusters").default("star"),
            of(&[Dedup], "star: a document goes only if it was compared with the one that stays; single: also by a chain")
                .default("star"),
            of(&[Recluster, TemplatesMark], "How links make clusters").without("as saved"),
        ],
        ..POLICY
    },
    Flag {
        name: "keep",
        kind: Kind::Value("RULE", || ValueParser::new(values::keep)),
        repeats: true,
        rare: true,
        uses: &[
            of(&[Scan, Files], "Which document represents a cluster: longest, newest, first, or a glob of paths")
                .more("Globs may be repeated: the earliest that matches decides"),
            of(&[Dedup], "Which of several stays: longest, first, newest:FIELD, best:FIELD or source-priority:A,B…")
                .without("longest")
                .more("newest and best: the one with the latest date or the highest number in a field. source-priority: that of the \
                       earliest source named; of the same source the longest"),
        ],
        ..POLICY
    },
    Flag {
        name: "decisions",
        kind: FILE,
        rare: true,
        transient: true,
        conflicts: &["save"],
        uses: &[
            of(&[Dedup], "What this decisions file, which the page exports, calls no duplicates stays"),
            of(&[Scan, Files], "Hold this decisions file, which the page exports, against what is found")
                .with(&[Shingles, Chunks, All])
                .more("JSON or CSV"),
            of(&[Scan], "Hold this decisions file, which the page exports, against what is found")
                .with(&[Simhash])
                .more("JSON or CSV")
                .needs("verify"),
            of(&[Copies], "Hold this file of verdicts, which the page exports, against the pairs that are found")
                .more("JSON or CSV. What is decided is counted and not shown again"),
        ],
        ..POLICY
    },
    Flag {
        name: "against",
        kind: Kind::Value("INDEX", path),
        conflicts: &["save", "html", "decisions"],
        uses: &[of(&[Scan], "Tell what of this is in an index already, and report only what is new")
            .with(&[Shingles])
            .more("What touches the new is reported too")],
        ..POLICY
    },
    Flag {
        name: "templates",
        kind: Kind::Value("LIST", path),
        uses: &[
            of(&[Scan, Files], "Ignore the chunks of this list, which lookalike templates mark writes").with(&[Chunks]),
            of(&[Recluster], "Ignore the chunks of this list, which lookalike templates mark writes")
                .with(&[Chunks])
                .without("RUN/templates.json"),
            of(&[TemplatesMark], "The list to put it on; it need not be there yet").without("RUN/templates.json"),
            of(&[TemplatesList, TemplatesShow, TemplatesUnmark], "The list").without("RUN/templates.json"),
        ],
        ..POLICY
    },
    Flag {
        name: "estimate",
        uses: &[of(&[Scan], "Do not verify: report estimates with their 95% intervals").with(&[Shingles])],
        ..POLICY
    },
    Flag {
        name: "candidates",
        kind: Kind::Value("KIND", values::candidates),
        rare: true,
        uses: &[of(&[Scan], "How pairs are found").with(&[Shingles]).default("shingles")],
        ..POLICY
    },
    Flag {
        name: "limit",
        kind: COUNT,
        uses: &[
            of(&[Copies], "Pairs to list with their passages, most similar first").without("500"),
            of(&[Query], "Matches to give").default("20"),
            of(&[Lost], "Places to list").default("20"),
            of(&[SimhashNear], "List so many members of each cluster; all are counted"),
            of(&[SimhashBatch], "List so many for each query, the nearest; all are counted"),
            of(&[SimhashLookup], "List so many of what is near, the nearest")
                .default("10")
                .more("All are counted, unless very many are around one fingerprint"),
            of(&[SimhashIdf], "Features that the table lists at most").default("1000000"),
        ],
        ..POLICY
    },
];
