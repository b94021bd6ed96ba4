//! The files of the page.

/// A list of files of a folder with their texts.
macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!("../", $folder, "/", $name)))),*]
    };
}

/// Scripts, by their path below `js/`.
pub const MODULES: [(&str, &str); 62] = files!["js":
    "align.js"
    "decisions.js"
    "dom.js"
    "earlier.js"
    "estimate.js"
    "filters.js"
    "format.js"
    "keep.js"
    "lens.js"
    "load.js"
    "main.js"
    "model.js"
    "moved.js"
    "parts/cango.js"
    "parts/chunkfacts.js"
    "parts/copy.js"
    "parts/earliernote.js"
    "parts/explorer.js"
    "parts/folders.js"
    "parts/graph.js"
    "parts/graphdata.js"
    "parts/heatmap.js"
    "parts/histogram.js"
    "parts/honoured.js"
    "parts/hovernote.js"
    "parts/keepbox.js"
    "parts/keys.js"
    "parts/layout.js"
    "parts/list.js"
    "parts/members.js"
    "parts/minimap.js"
    "parts/name.js"
    "parts/pairhead.js"
    "parts/pairkeys.js"
    "parts/pairtools.js"
    "parts/panes.js"
    "parts/reader.js"
    "parts/similarfolders.js"
    "parts/skipped.js"
    "parts/suggestions.js"
    "parts/summary.js"
    "parts/templates.js"
    "parts/verdictform.js"
    "passages.js"
    "recipe.js"
    "regroup.js"
    "regroupchunks.js"
    "relation.js"
    "route.js"
    "sides.js"
    "storage.js"
    "stored.js"
    "types.js"
    "verdicts.js"
    "views/cluster.js"
    "views/clusters.js"
    "views/identical.js"
    "views/overview.js"
    "views/pair.js"
    "views/review.js"
    "windows.js"
    "words.js"
];

/// Style sheets, in the order in which they build on each other.
pub const STYLES: [(&str, &str); 6] = files!["css":
    "base.css"
    "cluster.css"
    "lists.css"
    "overview.css"
    "pair.css"
    "review.css"
];
