// Pages made by hand, for tests of what the page computes.

/**
 * @typedef {object} Small
 * @property {string[]} ids
 * @property {number[]} [sizes]      100 each if not given
 * @property {[number, number, number, number?, number?][]} [pairs]  a, b, common, of_a and of_b (100 if not given)
 * @property {Partial<import('../../js/types.js').Policy>} [policy]
 * @property {Record<number, [number, import('../../js/types.js').Class]>} [same]  document: canonical document and class
 * @property {boolean} [whole]       the samples hold everything; yes if not given
 * @property {boolean} [estimate]
 */

/** @param {Small} small @returns {import('../../js/types.js').Page} */
export function page({ ids, sizes, pairs = [], policy, same = {}, whole = true, estimate = false }) {
  const of = (/** @type {number} */ at) => pairs.map((pair) => pair[at] ?? 100);
  const contents = ids.map((_, document) => (same[document]?.[1] === 'identical' ? same[document][0] : document));
  const summary = { clusters: 0, clustered: 0, identical: 0, lexical: 0, shingle: 0, near: 0, contained: 0, chained: 0, redundant_bytes: 0 };
  return {
    kind: 'scan', name: 'test', made: 0, inputs: ['.'], command: ['scan', '.'], skipped: [], templates: [], decisions: [], clusters: [],
    report: {
      lookalike: '0', recipe: 'auto|words|shingles:w=10|sample=nested:100|v=2', policy: { threshold: 0.5, contained: null, linkage: 'star', ...policy },
      candidates: 'shingles', common: 1000, whole: false, estimate, documents: ids.length, bytes: 0, unsampled: 0, repeated_ids: 0, summary,
    },
    documents: {
      id: ids, bytes: ids.map((_, at) => (at + 1) * 10), size: sizes ?? ids.map(() => 100), shingles: sizes ?? ids.map(() => 100), modified: ids.map(() => null), content: contents,
      canonical: ids.map((_, document) => same[document]?.[0] ?? document), same: ids.map((_, document) => same[document]?.[1] ?? 'identical'),
    },
    contents: ids.map(String), left_out: { clusters: 0, documents: 0 }, texts: { limit: 0, embedded: 0, block: ids.map(() => null), blocks: [] },
    pairs: {
      from: 0.3, all: pairs.length, a: of(0), b: of(1), common: of(2), of_a: of(3), of_b: of(4),
      sample_a: of(3), sample_b: of(4), sample_common: of(2), sample_whole: pairs.map(() => (whole ? 1 : 0)),
    },
  };
}

/** Shingles that two sets of 100 must share to resemble each other so much. @param {number} resemblance */
export function common(resemblance) {
  return Math.round((200 * resemblance) / (1 + resemblance));
}
