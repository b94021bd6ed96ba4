// What was decided about a cluster before it became another one: documents have changed since, or have joined.

/**
 * @typedef {object} Earlier
 * @property {import('./types.js').Verdict} verdict
 * @property {string} note
 * @property {number[]} keep     documents of the cluster
 * @property {string[]} gone     ids that were to be kept and are not in the cluster
 * @property {number[]} changed  documents that were others when it was decided
 * @property {number[]} joined   documents of which nothing was said
 */

/**
 * A decision, held against a cluster of which it names some documents.
 * @param {Pick<import('./types.js').Page, 'documents'>} page
 * @param {{ decision: import('./types.js').Decision, known: Set<number> }} entry
 * @param {{ documents: number[] }} cluster
 * @param {(id: string, content: string) => number[]} found  documents of the page that are what they were
 * @returns {Earlier}
 */
export function earlierDecision({ documents: { id } }, { decision, known }, { documents }, found) {
  // of several documents with one id, one that is still there has not changed into another
  const missing = new Set(decision.documents.filter((d) => found(d.id, d.content).length === 0).map((d) => d.id));
  const here = new Set(documents.map((d) => id[d]));
  const kept = new Set(decision.keep);
  const named = (/** @type {number} */ document) => known.has(document) || missing.has(id[document]);
  return {
    verdict: decision.verdict,
    note: decision.note,
    keep: documents.filter((d) => kept.has(id[d]) && named(d)),
    gone: decision.keep.filter((k) => !here.has(k)),
    changed: documents.filter((d) => !known.has(d) && missing.has(id[d])),
    joined: documents.filter((d) => !named(d)),
  };
}
