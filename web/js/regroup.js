// Clusters at another threshold, from the pairs that were compared: what `lookalike recluster` would say. What a link is differs by lens; who represents is in cluster.js.

import { lensOf } from './lens.js';

/**
 * A document under its representative; `pair` is the index of what was compared, or -1 if a chain joined the two.
 * @typedef {object} Link
 * @property {number} representative
 * @property {number} member
 * @property {number} pair
 */

/**
 * @param {import('./types.js').Page} page
 * @param {number} threshold
 * @returns {Link[]}
 */
export function regroup(page, threshold) {
  const { representative, member, pair } = links(page, threshold);
  return Array.from(member, (document, at) => ({ representative: representative[at], member: document, pair: pair[at] }));
}

/**
 * The same as columns.
 * @param {import('./types.js').Page} page
 * @param {number} threshold
 * @returns {import('./cluster.js').Links}
 */
export function links(page, threshold) {
  return lensOf(page).links(page, threshold);
}
