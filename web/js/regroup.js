// Clusters at another threshold, from the pairs that were compared: what `lookalike recluster --threshold` would say.
// The twin of crates/engine/src/pipeline/{filter,ranking,clustering}.rs; tests/twin holds the two against each other.
// It runs while a finger drags the threshold over 300,000 pairs: hence typed columns, sorting by counting, and no look at the pairs of documents that cannot lead.

import { tellsContainment } from './estimate.js';
import { ByBytes } from './regroupchunks.js';

/** How far below the threshold a sample may be and still be looked at; as in filter.rs. */
const DEVIATIONS = 3;

/**
 * A document under its representative; `pair` is the index of what was compared, or -1 if a chain joined the two.
 * @typedef {object} Link
 * @property {number} representative
 * @property {number} member
 * @property {number} pair
 */

/**
 * The same as columns.
 * @typedef {object} Links
 * @property {Int32Array} representative
 * @property {Int32Array} member
 * @property {Int32Array} pair
 */

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
const known = new WeakMap();

/** @param {import('./types.js').Page} page @returns {Prepared} */
function prepare(page) {
  const ready = known.get(page);
  if (ready !== undefined) return ready;
  const { pairs, documents } = page;
  const sizes = [...new Set(documents.size)].sort((x, y) => y - x);
  const at = new Map(sizes.map((size, index) => [size, index]));
  const a = Int32Array.from(pairs.a);
  const b = Int32Array.from(pairs.b);
  const prepared = {
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
  known.set(page, prepared);
  return prepared;
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
 * @param {import('./types.js').Page} page
 * @param {number} threshold
 * @returns {Links}
 */
export function links(page, threshold) {
  const single = page.report.policy.linkage === 'single';
  if (page.chunks !== undefined) {
    const judge = new ByBytes(page, threshold);
    return single ? components(judge, judge.pairs.order, judge.pairs.rank) : judge.stars();
  }
  const judge = new Judge(prepare(page), { ...page.report.policy, threshold }, page.report.estimate);
  const order = judge.order();
  // documents without candidates have no rank
  const rank = new Int32Array(judge.degree.length).fill(-1);
  for (let at = 0; at < order.length; at++) rank[order[at]] = at;
  return single ? components(judge, order, rank) : stars(judge, order, rank);
}

/** Decides on pairs. */
class Judge {
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
    const union = of_a[pair] + of_b[pair] - common[pair];
    if (union > 0 && common[pair] / union >= threshold) return true;
    const inside = swapped ? of_a[pair] : of_b[pair];
    return contained !== null && inside > 0 && common[pair] / inside >= contained;
  }

  /** The documents that have candidates, by rank: who leads first. */
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

/** Verified stars: whoever leads takes the free documents that were compared with it. @param {Judge} judge @param {Int32Array} order @param {Int32Array} rank @returns {Links} */
function stars(judge, order, rank) {
  const FREE = -1;
  const { a, b, start, pairs } = judge.pairs;
  const leader = new Int32Array(order.length).fill(FREE);
  const representative = new Int32Array(order.length);
  const member = new Int32Array(order.length);
  const why = new Int32Array(order.length);
  let length = 0;
  const join = (/** @type {number} */ x, /** @type {number} */ to, /** @type {number} */ pair) => {
    leader[to] = to;
    leader[x] = to;
    representative[length] = order[to];
    member[length] = order[x];
    why[length++] = pair;
  };
  /** the pairs of one leader: rank of the other and number of the pair in one number, to be sorted by both */
  let mine = new Float64Array(1024);
  for (let x = 0; x < order.length; x++) {
    const document = order[x];
    if (mine.length < start[document + 1] - start[document]) mine = new Float64Array((start[document + 1] - start[document]) * 2);
    let many = 0;
    for (let at = start[document]; at < start[document + 1] && (leader[x] === FREE || leader[x] === x); at++) {
      const pair = pairs[at];
      if (judge.candidates[pair] === 0) continue;
      const y = rank[a[pair] === document ? b[pair] : a[pair]];
      if (y > x && leader[y] === FREE) mine[many++] = y * a.length + pair;
    }
    sortHere(mine, many);
    for (let at = 0; at < many && (leader[x] === FREE || leader[x] === x); at++) {
      const y = Math.floor(mine[at] / a.length);
      const pair = mine[at] - y * a.length;
      if (leader[y] !== FREE) continue;
      const swapped = a[pair] !== document;
      if (judge.accepts(pair, swapped)) join(y, x, pair);
      else if (leader[x] === FREE && judge.accepts(pair, !swapped)) join(x, y, pair);
    }
  }
  return { representative: representative.subarray(0, length), member: member.subarray(0, length), pair: why.subarray(0, length) };
}

/** Connected components; the first in rank represents. @param {Judge | ByBytes} judge @param {Int32Array} order @param {Int32Array} rank @returns {Links} */
function components(judge, order, rank) {
  const { a, b } = judge.pairs;
  const parent = order.map((_, at) => at);
  const find = (/** @type {number} */ x) => {
    while (parent[x] !== x) x = parent[x] = parent[parent[x]];
    return x;
  };
  for (let pair = 0; pair < a.length; pair++) {
    if (judge.candidates[pair] === 0 || (!judge.accepts(pair, false) && !judge.accepts(pair, true))) continue;
    const p = find(rank[a[pair]]);
    const q = find(rank[b[pair]]);
    parent[Math.max(p, q)] = Math.min(p, q);
  }
  const compared = new Int32Array(order.length).fill(-1);
  // whatever was compared is known, candidate or not
  for (let pair = 0; pair < a.length; pair++) {
    if (rank[a[pair]] < 0 || rank[b[pair]] < 0) continue;
    // by bytes only links are known: how far down others are listed is a matter of this page
    if (judge instanceof ByBytes && judge.candidates[pair] === 0) continue;
    const x = Math.min(rank[a[pair]], rank[b[pair]]);
    const y = Math.max(rank[a[pair]], rank[b[pair]]);
    if (find(y) === x) compared[y] = pair;
  }
  const members = order.map((_, at) => at).filter((at) => find(at) !== at);
  return { representative: members.map((at) => order[find(at)]), member: members.map((at) => order[at]), pair: members.map((at) => compared[at]) };
}
