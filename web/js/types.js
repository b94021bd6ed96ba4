// What the page is given. The other side of this contract is crates/report/src/html/.

/**
 * @typedef {'identical' | 'lexical' | 'shingle' | 'near' | 'contained' | 'chained'} Class
 *   how a member relates to its representative
 * @typedef {'keep' | 'not-duplicates' | 'template' | 'later'} Verdict
 */

/**
 * @typedef {object} Policy
 * @property {number} threshold
 * @property {number | null} contained
 * @property {'star' | 'single'} linkage
 */

/**
 * What was done, and the sums: the report of `--json` without its lists (docs/report-schema.md).
 * @typedef {object} Head
 * @property {string} lookalike
 * @property {string} recipe
 * @property {Policy} policy
 * @property {string} candidates
 * @property {number} common
 * @property {boolean} whole
 * @property {boolean} estimate
 * @property {number} documents
 * @property {number} bytes
 * @property {number} unsampled
 * @property {number} repeated_ids
 * @property {Summary} summary
 * @property {{ decisions: number, stale: number, not_duplicates: number, templates: number, decided: number, undecided: number }} [reviewed]  with decisions
 */

/**
 * @typedef {object} Summary
 * @property {number} clusters
 * @property {number} clustered
 * @property {number} identical
 * @property {number} lexical
 * @property {number} shingle
 * @property {number} near
 * @property {number} contained
 * @property {number} chained
 * @property {number} redundant_bytes
 */

/**
 * Every document that is in a cluster or in a pair; a document is an index into these columns. They are in the order of their ids.
 * @typedef {object} Documents
 * @property {string[]} id
 * @property {number[]} bytes
 * @property {number[]} size        about how many shingles count: the size by which documents are ranked
 * @property {number[]} shingles    how many it has, repeats included: its length
 * @property {(number | null)[]} modified  seconds since 1970, of files
 * @property {number[]} content     index into `contents`: equal for identical documents
 * @property {number[]} stand_in    the document that stood for it when pairs were made; itself if none did
 * @property {Class[]} same         how it relates to its stand-in; `identical` for itself
 */

/**
 * Pairs of stand-ins that were compared, as columns; `a` is before `b`. Some are below every threshold: the page decides.
 * @typedef {object} Pairs
 * @property {number} from          all pairs of this resemblance and more are here, so the threshold cannot go lower; above 1, it cannot be moved
 * @property {number} all           how many pairs there are, listed or not
 * @property {number[]} a
 * @property {number[]} b
 * @property {number[]} of_a        shingles of a that count
 * @property {number[]} of_b
 * @property {number[]} common      shingles of both
 * @property {number[]} sample_a    what the samples said: it decides who may lead
 * @property {number[]} sample_b
 * @property {number[]} sample_common
 * @property {(0 | 1)[]} sample_whole
 */

/**
 * document, class, resemblance, containment, contained_by, ends of the interval of the resemblance where it is an estimate
 * @typedef {[number, Class, number | null, number | null, number | null, ([number, number] | null)?]} MemberRow
 *
 * @typedef {object} ClusterRow
 * @property {number} representative
 * @property {MemberRow[]} members
 */

/**
 * @typedef {object} TextPlaces
 * @property {number} limit         bytes of this file that texts may take
 * @property {number} embedded      contents whose text is here
 * @property {(number | null)[]} block   by content: which block holds its text
 * @property {[number, number][]} blocks  where each block stands in the element #texts: first character, number of characters
 */

/**
 * The text of one document. `map` tells where pieces of `text` stand in `raw`: triples (place in text, place in raw, length), rising.
 * @typedef {object} Text
 * @property {string} text          what a reader would see: the canonical form
 * @property {string} [raw]         the document as it is written, where that differs
 * @property {number[]} [map]
 * @property {string} format
 * @property {boolean} [cut]        only the beginning is here
 */

/**
 * A verdict on one cluster, as in a decisions file.
 * @typedef {object} Decision
 * @property {string} representative
 * @property {Verdict} verdict
 * @property {string[]} keep        ids of the documents to keep
 * @property {string} note
 * @property {{ id: string, content: string }[]} documents
 */

/**
 * @typedef {object} Comparison
 * @property {Class | 'different'} class
 * @property {number} resemblance
 * @property {number} a_in_b
 * @property {number} b_in_a
 */

/**
 * @typedef {object} Page
 * @property {'scan' | 'comparison'} kind
 * @property {string} name          of the recipe and the inputs: what the reader decides is stored under it, also for the next scan of the same place
 * @property {number} made          seconds since 1970
 * @property {string[]} inputs      what was scanned
 * @property {string[]} command     the arguments of a scan that does it again, without its decisions
 * @property {Head} report
 * @property {{ id: string, reason: string, kind: string }[]} skipped
 * @property {number} [skipped_all]  how many there are; the first of them are listed
 * @property {{ documents: number, shingles: number, text: string | null, example: string, named?: boolean }[]} templates  `named`: by a decision
 * @property {Documents} documents
 * @property {string[]} contents    content ids, shortened: to tell later whether a document has changed
 * @property {ClusterRow[]} clusters  at the threshold of the scan, largest first
 * @property {{ clusters: number, documents: number }} left_out  clusters that would have made the page too large
 * @property {Pairs} pairs
 * @property {TextPlaces} texts
 * @property {Decision[]} decisions what was decided before
 * @property {Comparison} [comparison]  of documents 0 and 1, if that is all there is
 */

export {};
