// Links of the shingles lens at another threshold: what `lookalike recluster --threshold` would say.
// The twin of the engine's last steps (which pairs may be links, who represents); tests/twin holds the two against each other.
// It runs while a finger drags the threshold over 300,000 pairs: hence typed columns, sorting by counting, and no look at the pairs of documents that cannot represent.

import { LinkColumns, components, rankByLength, rankOf, stars } from './cluster.js';
import { tellsContainment } from './estimate.js';

/** How far below the threshold a sample may be and still be looked at; as in the engine. */
const DEVIATIONS = 3;

/**
 * What does not depend on the threshold.
 * @typedef {object} Prepared
 * @property {Int32Array} a
 * @property {Int32Array} b
 * @property {Float64Array} of_a
 * @property {Float64Array} of_b
 * @property {Float64Array} common
 * @property {Float64Array} sample_a
 * @property {Float64Array} sample_b
 * @property {Float64Array} sample_common
 * @property {Uint8Array} sample_whole
 * @property {Int32Array} larger     by document: how many different sizes are larger
 * @property {Int32Array} start      by document: where its pairs begin in `pairs`; one more at the end
 * @property {Int32Array} pairs      by document, then rising
 * @property {boolean} containment   whether samples tell of containment
 */

/** @type {WeakMap<import('./types.js').Page, Prepared>} */
const prepared = new WeakMap();

/** @param {import('./types.js').Page} page @returns {Prepared} */
function prepare(page) {
  const ready = prepared.get(page);
  if (ready !== undefined) return ready;
  const { pairs, documents } = page;
  const sizes = [...new Set(documents.size)].sort((x, y) => y - x);
  const at = new Map(sizes.map((size, index) => [size, index]));
  const a = Int32Array.from(pairs.a);
  const b = Int32Array.from(pairs.b);
  const columns = {
    a,
    b,
    of_a: Float64Array.from(pairs.of_a),
    of_b: Float64Array.from(pairs.of_b),
    common: Float64Array.from(pairs.common),
    sample_a: Float64Array.from(pairs.sample_a),
    sample_b: Float64Array.from(pairs.sample_b),
    sample_common: Float64Array.from(pairs.sample_common),
    sample_whole: Uint8Array.from(pairs.sample_whole),
    larger: Int32Array.from(documents.size, (size) => at.get(size) ?? 0),
    ...adjacency(documents.size.length, a, b),
    containment: tellsContainment(page.report.recipe),
  };
  prepared.set(page, columns);
  return columns;
}

/** @param {number} documents @param {Int32Array} a @param {Int32Array} b */
function adjacency(documents, a, b) {
  const start = new Int32Array(documents + 1);
  for (const ends of [a, b]) for (let pair = 0; pair < ends.length; pair++) start[ends[pair] + 1]++;
  for (let document = 0; document < documents; document++) start[document + 1] += start[document];
  const free = start.slice();
  const pairs = new Int32Array(a.length * 2);
  for (let pair = 0; pair < a.length; pair++) {
    pairs[free[a[pair]]++] = pair;
    pairs[free[b[pair]]++] = pair;
  }
  return { start, pairs };
}

/** @param {import('./types.js').Page} page @param {number} threshold @param {Rule} [rule] @returns {import('./cluster.js').Links} */
export function shingleLinks(page, threshold, rule = REPRESENTATIVES) {
  const filter = new LinkFilter(prepare(page), { ...page.report.policy, threshold }, page.report.estimate);
  const { ranking, starsOf } = rule(page, filter);
  if (page.report.policy.linkage !== 'single') return starsOf();
  // whatever was compared is known, candidate or not
  return components(ranking, (pair) => filter.candidates[pair] === 1 && (filter.accepts(pair, false) || filter.accepts(pair, true)), () => true);
}

/** @typedef {(page: import('./types.js').Page, filter: LinkFilter) => { ranking: import('./cluster.js').Ranking, starsOf: () => import('./cluster.js').Links }} Rule */

/** Who represents: `byMostLinks` is the rule of the engine's scan by shingles, `byLength` the one rule of cluster.js. @type {Rule} */
const REPRESENTATIVES = byMostLinks;

/** Whoever has the most likely links comes first. @param {import('./types.js').Page} _page @param {LinkFilter} filter */
export function byMostLinks(_page, filter) {
  const order = filter.order();
  // documents without candidates have no rank
  const ranking = { a: filter.pairs.a, b: filter.pairs.b, order, rank: rankOf(order, filter.degree.length) };
  return { ranking, starsOf: () => firstComeStars(filter, ranking) };
}

/** @type {WeakMap<import('./types.js').Page, import('./cluster.js').LinkedRanking>} */
const ranked = new WeakMap();

/** The longest comes first. @param {import('./types.js').Page} page @param {LinkFilter} filter */
export function byLength(page, filter) {
  const ranking = ranked.get(page) ?? rankByLength(page.documents, page.pairs.a, page.pairs.b);
  ranked.set(page, ranking);
  const linked = (/** @type {number} */ pair, /** @type {number} */ representative) => filter.candidates[pair] === 1 && filter.accepts(pair, ranking.a[pair] !== representative);
  return { ranking, starsOf: () => stars(ranking, linked, (pair) => filter.resemblance(pair)) };
}

/** Which pairs may be links at a threshold, and which are. */
export class LinkFilter {
  /**
   * @param {Prepared} pairs
   * @param {import('./types.js').Policy} policy
   * @param {boolean} estimate
   */
  constructor(pairs, policy, estimate) {
    this.pairs = pairs;
    this.policy = policy;
    /** by pair: whether it is looked at */
    this.candidates = new Uint8Array(pairs.a.length);
    /** by document: one more than its likely links; 0 if it has no candidates */
    this.degree = new Int32Array(pairs.larger.length);
    this.#look(estimate);
  }

  /** Which pairs the samples allow to be links, and which they call links. @param {boolean} estimate */
  #look(estimate) {
    const { a, b, sample_a, sample_b, sample_common, sample_whole, containment } = this.pairs;
    const { threshold, contained } = this.policy;
    const { candidates, degree } = this;
    for (let pair = 0; pair < a.length; pair++) {
      const common = sample_common[pair];
      if (common <= 0) continue;
      const m = sample_a[pair];
      const n = sample_b[pair];
      const whole = sample_whole[pair] === 1;
      const inside = contained !== null && (containment || whole);
      const likely = near(common, m + n - common, threshold, true)
        || (inside && (near(common, m, contained, true) || near(common, n, contained, true)));
      if (!likely) {
        if (whole || estimate) continue;
        const possible = near(common, m + n - common, threshold, false)
          || (inside && (near(common, m, contained, false) || near(common, n, contained, false)));
        if (!possible) continue;
      }
      candidates[pair] = 1;
      degree[a[pair]] = (degree[a[pair]] || 1) + (likely ? 1 : 0);
      degree[b[pair]] = (degree[b[pair]] || 1) + (likely ? 1 : 0);
    }
  }

  /** Whether the second of a pair may stand under the first, or the first under the second if swapped. @param {number} pair @param {boolean} swapped */
  accepts(pair, swapped) {
    const { of_a, of_b, common } = this.pairs;
    const { threshold, contained } = this.policy;
    if (this.resemblance(pair) >= threshold) return true;
    const inside = swapped ? of_a[pair] : of_b[pair];
    return contained !== null && inside > 0 && common[pair] / inside >= contained;
  }

  /** @param {number} pair */
  resemblance(pair) {
    const { of_a, of_b, common } = this.pairs;
    const union = of_a[pair] + of_b[pair] - common[pair];
    // below every threshold
    return union > 0 ? common[pair] / union : -1;
  }

  /** The documents that have candidates, those with the most likely links first; where containment is looked for, the largest first. */
  order() {
    const { degree } = this;
    const { larger } = this.pairs;
    let most = 0;
    for (let document = 0; document < degree.length; document++) most = Math.max(most, degree[document]);
    const fewer = new Int32Array(degree.length);
    const present = new Int32Array(degree.length);
    let length = 0;
    for (let document = 0; document < degree.length; document++) {
      fewer[document] = most - degree[document];
      if (degree[document] > 0) present[length++] = document;
    }
    // the last sort decides; equal ones stay by id
    const keys = this.policy.contained !== null ? [fewer, larger] : [larger, fewer];
    return keys.reduce(sorted, present.subarray(0, length));
  }
}

/** @param {number} common @param {number} of @param {number} least @param {boolean} exact */
function near(common, of, least, exact) {
  const short = least * of - common;
  return of > 0 && (short <= 0 || (!exact && short * short <= DEVIATIONS * DEVIATIONS * least * (1 - least) * of));
}

/** Items by their keys, small ones first; equal ones stay in order. @param {Int32Array} items @param {Int32Array} key by item */
function sorted(items, key) {
  let most = 0;
  for (let at = 0; at < items.length; at++) most = Math.max(most, key[items[at]]);
  const start = new Int32Array(most + 2);
  for (let at = 0; at < items.length; at++) start[key[items[at]] + 1]++;
  for (let k = 1; k < start.length; k++) start[k] += start[k - 1];
  const out = new Int32Array(items.length);
  for (let at = 0; at < items.length; at++) out[start[key[items[at]]]++] = items[at];
  return out;
}

/** Sorts the first `length` numbers where they are; most lists are short, and a call into the engine is not. @param {Float64Array} list @param {number} length */
function sortHere(list, length) {
  if (length > 32) {
    list.subarray(0, length).sort();
    return;
  }
  for (let at = 1; at < length; at++) {
    const value = list[at];
    let to = at;
    for (; to > 0 && list[to - 1] > value; to--) list[to] = list[to - 1];
    list[to] = value;
  }
}

/** Whoever represents takes the free documents that were compared with it. @param {LinkFilter} filter @param {import('./cluster.js').Ranking} ranking @returns {import('./cluster.js').Links} */
function firstComeStars(filter, { order, rank }) {
  const FREE = -1;
  const { a, b, start, pairs } = filter.pairs;
  const under = new Int32Array(order.length).fill(FREE);
  const links = new LinkColumns(order.length);
  const join = (/** @type {number} */ x, /** @type {number} */ to, /** @type {number} */ pair) => {
    under[to] = to;
    under[x] = to;
    links.add(order[to], order[x], pair);
  };
  /** the pairs of one document: rank of the other and number of the pair in one number, to be sorted by both */
  let own = new Float64Array(1024);
  for (let x = 0; x < order.length; x++) {
    const document = order[x];
    if (own.length < start[document + 1] - start[document]) own = new Float64Array((start[document + 1] - start[document]) * 2);
    let many = 0;
    for (let at = start[document]; at < start[document + 1] && (under[x] === FREE || under[x] === x); at++) {
      const pair = pairs[at];
      if (filter.candidates[pair] === 0) continue;
      const y = rank[a[pair] === document ? b[pair] : a[pair]];
      if (y > x && under[y] === FREE) own[many++] = y * a.length + pair;
    }
    sortHere(own, many);
    for (let at = 0; at < many && (under[x] === FREE || under[x] === x); at++) {
      const y = Math.floor(own[at] / a.length);
      const pair = own[at] - y * a.length;
      if (under[y] !== FREE) continue;
      const swapped = a[pair] !== document;
      if (filter.accepts(pair, swapped)) join(y, x, pair);
      else if (under[x] === FREE && filter.accepts(pair, !swapped)) join(x, y, pair);
    }
  }
  return links.done();
}
