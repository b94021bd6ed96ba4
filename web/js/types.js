// What the page is given. The other side of this contract is crates/report/src/html/.

/**
 * @typedef {'identical' | 'lexical' | 'shingle' | 'near' | 'contained' | 'chained'} Class
 *   how a member relates to its representative
 * @typedef {'keep' | 'not-duplicates' | 'template' | 'later'} Verdict
 */

/**
 * @typedef {object} Policy
 * @property {number} threshold     least resemblance of a link; with the chunks lens the least share of the smaller document
 * @property {number | null} contained  with the chunks lens the same as the threshold
 * @property {number} [min_shared]  least bytes in common of a link, with the chunks lens
 * @property {'star' | 'single'} linkage
 */

/**
 * What was done, and the sums: the report of `--json` without its lists (docs/report.md).
 * @typedef {object} Head
 * @property {string} lookalike
 * @property {'shingles' | 'chunks' | 'simhash' | 'all'} lens
 * @property {string} recipe
 * @property {string} compared_by   the recipe of what was compared: with the simhash lens that of the shingles
 * @property {Policy} policy
 * @property {number} documents
 * @property {number} bytes
 * @property {number} repeated_ids
 * @property {Summary} summary
 * @property {{ decisions: number, stale: number, not_duplicates: number, templates: number, decided: number, undecided: number }} [reviewed]  with decisions
 * @property {Shingles} [shingles]  with the shingles lens
 * @property {Simhash} [simhash]    with the simhash lens
 */

/**
 * @typedef {object} Shingles
 * @property {string} candidates    how pairs worth comparing were found
 * @property {number} max_df        a feature in more documents than this is frequent: ignored, unless boilerplate was included
 * @property {boolean} include_boilerplate
 * @property {boolean} estimate     the numbers are estimates with intervals
 * @property {number} unsampled     documents of which the sketch keeps nothing
 * @property {number} [thinned]     documents that were looked for by a part of their sketch
 * @property {{ pages: number, bytes: number }} [frame]  text of menus, headers and footers that was left out
 */

/**
 * @typedef {object} Simhash
 * @property {number} distance      bits in which fingerprints may differ
 * @property {number} bits
 * @property {{ compared: number, confirmed: number, precision: number | null, not_compared?: number }} verified  what the shingles said of the pairs within that distance
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
 * @property {number[]} size        about how many shingles count; with the chunks lens bytes without templates
 * @property {number[]} length      its length as it was read: shingles, repeats included; words; or bytes
 * @property {(number | null)[]} modified  seconds since 1970, of files
 * @property {number[]} content     index into `contents`: equal for identical documents
 * @property {number[]} canonical    the canonical document of its duplicate group; itself if it is in none
 * @property {Class[]} same         how it relates to its canonical document; `identical` for itself
 * @property {number[]} rank        its place in the order in which documents are offered as representatives; 0 is the first
 */

/**
 * Pairs of canonical documents that were compared, as columns; `a` is before `b`. Some are below every threshold: the page decides.
 * @typedef {object} Pairs
 * @property {number} from          all pairs of this resemblance (share of the smaller) and more are here, so the threshold cannot go lower; above 1, it cannot be moved
 * @property {number} all           how many pairs there are, listed or not
 * @property {number[]} a
 * @property {number[]} b
 * @property {number[]} of_a        shingles of a that count; with the chunks lens bytes without templates
 * @property {number[]} of_b
 * @property {number[]} shared      shingles of both; with the chunks lens bytes in common, at least
 * @property {number[]} sample_a    what the samples said: it decides which pairs are looked at; these are empty with the chunks lens, which has no samples
 * @property {number[]} sample_b
 * @property {number[]} sample_shared
 * @property {(0 | 1)[]} sample_exhaustive  whether the samples are the whole sets
 */

/**
 * document, class, resemblance, containment, contained_by, ends of the interval of the resemblance where it is an estimate
 * @typedef {[number, Class, number | null, number | null, number | null, ([number, number] | null)?]} MemberRow
 *
 * @typedef {object} ClusterRow
 * @property {number} representative
 * @property {MemberRow[]} members
 * @property {(number | null)[]} [shared]  by member: bytes in common with the representative, at least; with the chunks lens
 * @property {(number | null)[]} [exact]   the same exactly, where that was asked for and could be found out
 */

/**
 * @typedef {object} TextPlaces
 * @property {number} limit         bytes of this file that texts may take
 * @property {number} embedded      contents whose text is here
 * @property {(number | null)[]} block   by content: which block holds its text
 * @property {[number, number][]} blocks  where each block stands in the element #texts: first character, number of characters
 * @property {number[]} [without]   contents that have no text to show, whatever the limit: no text, changed, or gone
 */

/**
 * The text of one document. `map` tells where pieces of `text` stand in `raw`: triples (place in text, place in raw, length), rising.
 * @typedef {object} Text
 * @property {string} text          what a reader would see: the canonical form; lines.js reads how it is packed
 * @property {string} [raw]         the document as it is written, where that differs
 * @property {number[]} [map]
 * @property {string} format
 * @property {boolean} [cut]        only the beginning is here
 * @property {number[]} [chunks]    of `raw`, or of `text` if there is no other: length and number of each chunk, in turns; equal chunks have one number, 0 is one that does not count
 * @property {number[]} [marks]     of code: comments and strings, as copies/lexemes.js reads them
 * @property {string} [keywords]    of code: words that are no names, with spaces between them
 */

/**
 * Two thresholds and two divisors: how files are cut.
 * @typedef {object} Parameters
 * @property {number} mean          asked for, in bytes
 * @property {number} tmin          no chunk is shorter, but for the last of a file
 * @property {number} tmax          none is longer
 * @property {number} divisor
 * @property {number} backup
 *
 * Two folders that share content; what lies below a folder belongs to it.
 * @typedef {object} FolderPair
 * @property {string} folder        the one of which the larger share is in the other
 * @property {number} files
 * @property {number} bytes
 * @property {number} inside        its bytes that the other has too, at least
 * @property {number} share         the same as a share
 * @property {string} other
 * @property {number} other_files
 * @property {number} other_bytes
 * @property {number} other_inside
 * @property {number} other_share
 *
 * A cluster that looks as if a template had made it.
 * @typedef {object} Suggestion
 * @property {number} cluster       its number at the threshold of the scan
 * @property {number | null} representative  a document; null if the cluster is not on the page
 * @property {number} documents     copies not counted
 * @property {number} chunks        that all of them share
 * @property {number} bytes
 * @property {string | null} text   how they begin
 *
 * What only the chunks lens tells. Long lists are cut: `_all` says how long they were.
 * @typedef {object} Chunks
 * @property {Parameters} parameters
 * @property {number} chunks        of all documents, repeats included
 * @property {number} distinct
 * @property {number} mean          length in bytes
 * @property {number} empty         documents of zero length
 * @property {number} alone         documents that share no chunk
 * @property {number} components    groups of documents that chunks connect
 * @property {number} largest_component  documents in the largest
 * @property {number} max_df        a chunk in more than this share of all documents does not connect them
 * @property {{ documents: number, chunks: number, bytes: number, text: string | null, example: string }[]} frequent  those chunks
 * @property {number} frequent_all
 * @property {{ name: string, chunks: number, bytes: number, documents: number }[]} templates  that were marked, and ignored
 * @property {number} templates_all
 * @property {Suggestion[]} suggestions  largest first
 * @property {number} suggestions_all
 * @property {FolderPair[]} folders  most shared bytes first
 * @property {number} folders_all
 * @property {{ parameters: Parameters, documents: number, bytes: number, clustered_before: number }} [refined]  the second, finer pass
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
 * @property {string | null} [sentence]  what they are to each other, by all lenses
 * @property {[string, string][]} [evidence]  a lens and what it says
 */

/**
 * Two documents by all lenses.
 * @typedef {object} RelationLink
 * @property {number} a
 * @property {number} b
 * @property {string} relation
 * @property {string} [disagreement]
 * @property {string} sentence
 * @property {[string, string][]} evidence  a lens and what it says
 */

/**
 * What only a scan by all lenses tells.
 * @typedef {object} Relations
 * @property {RelationLink[]} links  the closest relation first
 * @property {number} all            how many there are; the first of them are listed
 * @property {[string, string][]} disagreements  the name, and who says near and who says far
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
 * @property {Chunks} [chunks]      with the chunks lens
 * @property {Relations} [relations]  with all lenses
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
