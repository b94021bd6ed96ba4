// What the server answers; docs/answers.md says what the fields mean.

/** @typedef {{ value: number, low: number, high: number }} Estimate */

/** @typedef {{ url: string, first: string | null, last: string | null, current: boolean }} Sighting */

/**
 * @typedef {object} IndexInfo
 * @property {number} documents
 * @property {number} urls
 * @property {number} observations
 * @property {number} document_bytes
 * @property {number} index_bytes
 * @property {number} clusters
 * @property {number} clustered
 * @property {number} threshold
 * @property {{ date: string | null, observations: number }[]} sweeps
 */

/**
 * Something that is served.
 * @typedef {object} Served
 * @property {string} name
 * @property {'shingles' | 'simhash' | 'passages' | 'chunks' | 'fingerprints' | 'run'} kind
 * @property {string | null} recipe
 * @property {number | null} entries
 * @property {number | null} backlog
 * @property {IndexInfo | null} info
 */

/** @typedef {{ lookalike: string, read_only: boolean, texts: boolean }} Health */

/**
 * A match of a query, whatever the lens: what is missing is of another one.
 * @typedef {object} Match
 * @property {Sighting[]} seen
 * @property {string} content
 * @property {number} bytes
 * @property {string | null} [class]
 * @property {Estimate} [resemblance]
 * @property {Estimate | null} [query_in_document]
 * @property {Estimate | null} [document_in_query]
 * @property {number} [distance]
 * @property {number} [similarity]
 * @property {number} [query_share]
 * @property {number} [document_share]
 * @property {number} [shared_bytes]
 * @property {number} [longest]
 * @property {{ tokens: number, text: string | null, query: { line: number, last_line: number }, document: { line: number, last_line: number } }[]} [passages]
 */

/** @typedef {{ known: boolean, more: number, matches: Match[], lens: string }} Found */

/** @typedef {{ id: string | number, fingerprint: string, distance: number }} Near */

/** @typedef {{ fingerprint: string, new: boolean, count?: number, complete?: boolean, matches?: Near[] }} Checked */

/**
 * @typedef {object} Holder
 * @property {string} url
 * @property {'copy' | 'near' | 'whole' | 'part'} role
 * @property {string} content
 * @property {string | null} first
 * @property {string | null} last
 * @property {boolean} current
 * @property {Estimate} resemblance
 * @property {Estimate | null} query_in_document
 * @property {Estimate | null} document_in_query
 */

/** @typedef {{ date: string | null, content: string, changed: boolean, resemblance: Estimate | null }} Version */

/**
 * @typedef {object} Lost
 * @property {string} url
 * @property {'unchanged' | 'changed' | 'moved' | 'split' | 'merged' | 'gone'} status
 * @property {string | null} content
 * @property {string | null} last
 * @property {string | null} last_seen
 * @property {Version[]} history
 * @property {Holder[]} found
 * @property {number} more
 * @property {number | null} together
 */

/** @typedef {{ content: string, current: number, holders: Holder[], more: number }} Holders */

/** @typedef {'keep' | 'not-duplicates' | 'template' | 'later'} ReviewVerdict */

/**
 * @typedef {object} KeptVerdict
 * @property {number} number
 * @property {string} cluster
 * @property {ReviewVerdict | null} verdict
 * @property {string[]} keep
 * @property {string} note
 * @property {string} who
 * @property {number} when
 * @property {{ id: string, content?: string }[]} documents
 */

/**
 * A document of a cluster that is reviewed.
 * @typedef {object} ClusterDocument
 * @property {string | null} content
 * @property {Sighting[]} seen       of a saved run, its one name
 * @property {number | null} likeness   to the representative; null for itself
 * @property {string} about          what stands behind the number
 */

/**
 * A cluster of an index or of a saved run.
 * @typedef {object} ReviewCluster
 * @property {string} key            names it in verdicts
 * @property {number} number         from 1
 * @property {number} size           documents in it, listed or not
 * @property {ClusterDocument[]} documents  the representative first
 */

/** @typedef {{ renamed: number, within_host: number, between_hosts: number }} Moves */

/** @typedef {{ bins: number[], unmeasured: number, mean: number | null, median: number | null }} Spread */

/**
 * @typedef {object} Interval
 * @property {string} from
 * @property {string} to
 * @property {number} days
 * @property {number} both
 * @property {number} unchanged
 * @property {number} changed
 * @property {number} born
 * @property {number} returned
 * @property {number} died
 * @property {Moves} moves
 */

/**
 * @typedef {object} Changes
 * @property {number} sweeps
 * @property {number} urls
 * @property {number} observations
 * @property {Interval[]} intervals
 * @property {{ repeated: number, changed: number, days_per_change: number | null }} rate
 * @property {Spread} resemblance
 * @property {Moves} moves
 * @property {{ born: number, died: number, alive: number, mean_days: number | null, median_days: number | null, survival: { days: number, at_risk: number, died: number, share: number }[] }} lifetimes
 */

/**
 * @typedef {object} Job
 * @property {string} id
 * @property {'waiting' | 'running' | 'done' | 'failed'} status
 * @property {number} created
 * @property {number | null} submissions
 * @property {number | null} pairs
 * @property {string | null} error
 */

export {};
