// Links of the chunks lens at another threshold: what `lookalike recluster` would say of a run by chunks.
// The twin of the engine's chunks lens; tests/twin holds the two against each other.
// Pairs are sorted once, by the ranks of their documents, so a drag of the threshold only looks at each pair once.

import { components, rankPairs, stars } from './cluster.js';

/**
 * What does not depend on the threshold.
 * @typedef {object} Prepared
 * @property {import('./cluster.js').Ranking} ranking
 * @property {Float64Array} shared
 * @property {Float64Array} share    of the smaller of the two
 */

/** @type {WeakMap<import('./types.js').Page, Prepared>} */
const prepared = new WeakMap();

/** @param {import('./types.js').Page} page @returns {Prepared} */
function prepare(page) {
  const ready = prepared.get(page);
  if (ready !== undefined) return ready;
  const { a, b, of_a, of_b, shared } = page.pairs;
  const share = Float64Array.from(shared, (n, pair) => {
    const smaller = Math.min(of_a[pair], of_b[pair]);
    // nothing but templates: alike to nobody
    return smaller === 0 ? 0 : n / smaller;
  });
  const made = { ranking: rankPairs(page.documents.rank, a, b), shared: Float64Array.from(shared), share };
  prepared.set(page, made);
  return made;
}

/** @param {import('./types.js').Page} page @param {number} threshold @returns {import('./cluster.js').Links} */
export function chunkLinks(page, threshold) {
  const { ranking, shared, share } = prepare(page);
  const least = page.report.policy.min_shared ?? 0;
  const linked = (/** @type {number} */ pair) => share[pair] >= threshold && share[pair] > 0 && shared[pair] >= least;
  // only links are known to be compared: how far down others are listed is a matter of this page
  if (page.report.policy.linkage === 'single') return components(ranking, linked, linked);
  return stars(ranking, linked, (pair) => shared[pair]);
}
