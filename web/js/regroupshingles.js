// Links of the shingles lens at another threshold: what `lookalike recluster --threshold` would say.
// The twin of the engine's last steps (which pairs may be links); tests/twin holds the two against each other.
// It runs while a finger drags the threshold over 300,000 pairs: hence typed columns, and pairs that are sorted once.

import { components, rankPairs, stars } from './cluster.js';
import { isEstimate, tellsContainment } from './estimate.js';

/** How far below the threshold a sample may be and still be looked at; as in the engine. */
const DEVIATIONS = 3;

/**
 * What does not depend on the threshold.
 * @typedef {object} Prepared
 * @property {import('./cluster.js').Ranking} ranking
 * @property {Float64Array} of_a
 * @property {Float64Array} of_b
 * @property {Float64Array} shared
 * @property {Float64Array} sample_a
 * @property {Float64Array} sample_b
 * @property {Float64Array} sample_shared
 * @property {Uint8Array} sample_exhaustive
 * @property {boolean} containment   whether samples tell of containment
 */

/** @type {WeakMap<import('./types.js').Page, Prepared>} */
const prepared = new WeakMap();

/** @param {import('./types.js').Page} page @returns {Prepared} */
function prepare(page) {
  const ready = prepared.get(page);
  if (ready !== undefined) return ready;
  const { pairs, documents } = page;
  const columns = {
    ranking: rankPairs(documents.rank, pairs.a, pairs.b),
    of_a: Float64Array.from(pairs.of_a),
    of_b: Float64Array.from(pairs.of_b),
    shared: Float64Array.from(pairs.shared),
    sample_a: Float64Array.from(pairs.sample_a),
    sample_b: Float64Array.from(pairs.sample_b),
    sample_shared: Float64Array.from(pairs.sample_shared),
    sample_exhaustive: Uint8Array.from(pairs.sample_exhaustive),
    containment: tellsContainment(page.report.compared_by),
  };
  prepared.set(page, columns);
  return columns;
}

/** @param {import('./types.js').Page} page @param {number} threshold @returns {import('./cluster.js').Links} */
export function shingleLinks(page, threshold) {
  const pairs = prepare(page);
  const { ranking } = pairs;
  const filter = new LinkFilter(pairs, { ...page.report.policy, threshold }, isEstimate(page.report));
  if (page.report.policy.linkage === 'single') {
    // whatever was compared is known, candidate or not
    return components(ranking, (pair) => filter.isCandidate(pair) && (filter.accepts(pair, false) || filter.accepts(pair, true)), () => true);
  }
  const linked = (/** @type {number} */ pair, /** @type {number} */ representative) => filter.isCandidate(pair) && filter.accepts(pair, ranking.a[pair] !== representative);
  return stars(ranking, linked, (pair) => filter.resemblance(pair));
}

/** Which pairs may be links at a threshold, and which are. */
class LinkFilter {
  /**
   * @param {Prepared} pairs
   * @param {import('./types.js').Policy} policy
   * @param {boolean} estimate
   */
  constructor(pairs, policy, estimate) {
    this.pairs = pairs;
    this.policy = policy;
    this.estimate = estimate;
  }

  /** Whether the samples allow a pair to be a link. @param {number} pair */
  isCandidate(pair) {
    const { sample_a, sample_b, sample_shared, sample_exhaustive, containment } = this.pairs;
    const { threshold, contained } = this.policy;
    const shared = sample_shared[pair];
    if (shared <= 0) return false;
    const [m, n] = [sample_a[pair], sample_b[pair]];
    const exhaustive = sample_exhaustive[pair] === 1;
    const exact = exhaustive || this.estimate;
    if (near(shared, m + n - shared, threshold, exact)) return true;
    return contained !== null && (containment || exhaustive) && (near(shared, m, contained, exact) || near(shared, n, contained, exact));
  }

  /** Whether the second of a pair may stand under the first, or the first under the second if swapped. @param {number} pair @param {boolean} swapped */
  accepts(pair, swapped) {
    const { of_a, of_b, shared } = this.pairs;
    const { threshold, contained } = this.policy;
    if (this.resemblance(pair) >= threshold) return true;
    const inside = swapped ? of_a[pair] : of_b[pair];
    return contained !== null && inside > 0 && shared[pair] / inside >= contained;
  }

  /** @param {number} pair */
  resemblance(pair) {
    const { of_a, of_b, shared } = this.pairs;
    const union = of_a[pair] + of_b[pair] - shared[pair];
    // below every threshold
    return union > 0 ? shared[pair] / union : -1;
  }
}

/** @param {number} shared @param {number} of @param {number} least @param {boolean} exact */
function near(shared, of, least, exact) {
  const short = least * of - shared;
  return of > 0 && (short <= 0 || (!exact && short * short <= DEVIATIONS * DEVIATIONS * least * (1 - least) * of));
}
