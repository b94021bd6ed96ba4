// Pages made by hand, for tests of what the page computes.

/**
 * @typedef {object} Small
 * @property {string[]} ids
 * @property {number[]} [sizes]      100 each if not given
 * @property {[number, number, number, number?, number?][]} [pairs]  a, b, shared, of_a and of_b (100 if not given)
 * @property {Partial<import('../../js/types.js').Policy>} [policy]
 * @property {Record<number, [number, import('../../js/types.js').Class]>} [same]  document: canonical document and class
 * @property {boolean} [exhaustive]  the samples hold everything; yes if not given
 * @property {boolean} [estimate]
 */

const RECIPE = 'auto|words|shingles:w=10|sample=nested:100|v=3';

/** The order of representatives: the longest first, then by id. @param {number[]} sizes */
function rankOf(sizes) {
  const order = sizes.map((_, at) => at).sort((x, y) => sizes[y] - sizes[x] || x - y);
  return sizes.map((_, at) => order.indexOf(at));
}

/** @param {Small} small @returns {import('../../js/types.js').Page} */
export function page({ ids, sizes = ids.map(() => 100), pairs = [], policy, same = {}, exhaustive = true, estimate = false }) {
  const of = (/** @type {number} */ at) => pairs.map((pair) => pair[at] ?? 100);
  const contents = ids.map((_, document) => (same[document]?.[1] === 'identical' ? same[document][0] : document));
  const summary = { clusters: 0, clustered: 0, identical: 0, lexical: 0, shingle: 0, near: 0, contained: 0, chained: 0, redundant_bytes: 0 };
  return {
    kind: 'scan', name: 'test', made: 0, inputs: ['.'], command: ['scan', '.'], skipped: [], templates: [], decisions: [], clusters: [],
    report: {
      lookalike: '0', lens: 'shingles', recipe: RECIPE, compared_by: RECIPE, policy: { threshold: 0.5, contained: null, linkage: 'star', ...policy },
      documents: ids.length, bytes: 0, repeated_ids: 0, summary, shingles: { candidates: 'shingles', max_df: 1000, include_boilerplate: false, estimate, unsampled: 0 },
    },
    documents: {
      id: ids, bytes: ids.map((_, at) => (at + 1) * 10), size: sizes, length: sizes, rank: rankOf(sizes), modified: ids.map(() => null), content: contents,
      canonical: ids.map((_, document) => same[document]?.[0] ?? document), same: ids.map((_, document) => same[document]?.[1] ?? 'identical'),
    },
    contents: ids.map(String), left_out: { clusters: 0, documents: 0 }, texts: { limit: 0, embedded: 0, block: ids.map(() => null), blocks: [] },
    pairs: {
      from: 0.3, all: pairs.length, a: of(0), b: of(1), shared: of(2), of_a: of(3), of_b: of(4),
      sample_a: of(3), sample_b: of(4), sample_shared: of(2), sample_exhaustive: pairs.map(() => (exhaustive ? 1 : 0)),
    },
  };
}

/** Shingles that two sets of 100 must share to resemble each other so much. @param {number} resemblance */
export function shared(resemblance) {
  return Math.round((200 * resemblance) / (1 + resemblance));
}
