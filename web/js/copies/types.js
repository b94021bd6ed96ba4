// What the page of `copies` is given: the report as `--json` writes it (docs/report.md), and where the texts are.

/**
 * @typedef {object} FamilyRecipe
 * @property {string} family        `code`, `prose` or `bytes`
 * @property {number} k             nothing shorter than this many tokens is found
 * @property {number} t             every common run of this many is
 * @property {number} files
 *
 * @typedef {object} Rules
 * @property {number} min_similarity
 * @property {number} limit
 * @property {number | null} max_df  what more submissions than this share is ignored
 * @property {boolean} identifiers
 * @property {boolean} literals
 * @property {boolean} comments
 *
 * @typedef {object} SourceFile
 * @property {string} name
 * @property {string} language
 * @property {number} bytes
 * @property {number} lines
 * @property {number} tokens
 * @property {string} content       hash of its bytes
 * @property {string} [degraded]
 * @property {[number, number][]} [excluded]  stretches that do not count, in bytes of the shown text
 *
 * @typedef {object} Submission
 * @property {string} name
 * @property {string} [owner]
 * @property {string} [label]
 * @property {string} [full_name]
 * @property {string} [created_at]
 * @property {number} [created]     seconds since 1970
 * @property {boolean} [archive]
 * @property {SourceFile[]} files
 * @property {number} tokens
 * @property {number} excluded
 * @property {number} highest
 * @property {number} [same_as]
 *
 * @typedef {object} Stretch
 * @property {number} file
 * @property {number} start         bytes of the shown text
 * @property {number} end
 * @property {number} line
 * @property {number} last_line
 *
 * @typedef {object} Shared
 * @property {Stretch} a
 * @property {Stretch} b
 * @property {number} tokens
 * @property {number} equal
 * @property {number} submissions
 *
 * @typedef {object} Pair
 * @property {number} a
 * @property {number} b
 * @property {number} similarity
 * @property {number} share_a
 * @property {number} share_b
 * @property {number} overlap
 * @property {number} longest
 * @property {number} passages_all
 * @property {number} rarity
 * @property {number} shared_by_others  share of what is in passages that other submissions have too
 * @property {'striking' | 'look' | 'ordinary'} class  what to make of it
 * @property {number} folded  pairs like it that are not listed
 * @property {number | null} expected  pairs expected by chance, 0.01 for less; null where the cohort does not tell
 * @property {Shared[]} passages    longest first
 * @property {{ verdict: string | null, note: string }} [decision]  of `--decisions`
 * @property {boolean} [same]       made by the page: both have exactly the same tokens
 *
 * @typedef {object} Calibration
 * @property {number} pairs
 * @property {number} median
 * @property {number} p95
 * @property {number} threshold
 * @property {string} source        `estimated`, `default`, `alike` or `given`
 * @property {number} striking      pairs at or above the threshold, listed or not
 * @property {{ threshold: number, expected: number | null, found: number }[]} table
 * @property {number[]} histogram
 * @property {string[]} reasoning
 *
 * @typedef {object} Ignored
 * @property {number} base_files
 * @property {number} base_tokens
 * @property {number} frequent_tokens
 * @property {{ submissions: number, tokens: number, example: number, place: Stretch }[]} frequent
 * @property {number} frequent_all
 *
 * What only this lens reports.
 * @typedef {object} Passages
 * @property {FamilyRecipe[]} recipes
 * @property {Rules} rules
 * @property {Submission[]} submissions
 * @property {Pair[]} pairs
 * @property {number} pairs_all
 * @property {number} pairs_possible
 * @property {number} [pairs_estimated]  may be similar, were not compared: more similar ones came first
 * @property {{ submissions: number[], pairs: number, mean: number }[]} clusters
 * @property {Calibration} calibration
 * @property {{ decisions: number, stale: number, unlisted: number, copied: number, not_copied: number, again: number, decided: number, undecided: number }} [reviewed]  of `--decisions`
 * @property {Ignored} ignored
 * @property {{ family: string, w: number, hashes: number, fingerprints: number, density: number, expected: number, longest_gap: number, zero_mod: { p: number, fingerprints: number, longest_gap: number }, slope: number }[]} [winnowing]
 *
 * @typedef {object} Report
 * @property {number} schema
 * @property {string} lookalike
 * @property {string} recipe
 * @property {Passages} passages
 * @property {{ id: string, reason: string, kind: string }[]} skipped
 */

/**
 * @typedef {object} CopiesPage
 * @property {'copies'} kind
 * @property {string} name          of the recipe and the inputs: verdicts are stored under it
 * @property {number} made          seconds since 1970
 * @property {string[]} inputs
 * @property {string[]} command
 * @property {Report} report
 * @property {import('./verdictfile.js').PairDecision[]} [decisions]  what was decided before, about any pair
 * @property {number[]} contents    by file, all files of the first submission first: files of equal content have one number
 * @property {import('../types.js').TextPlaces} texts
 */

export {};
