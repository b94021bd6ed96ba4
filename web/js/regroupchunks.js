// Links of the chunks lens at another threshold: what `lookalike recluster` would say of a run by chunks.
// The twin of the clustering in crates/engine/src/chunks; tests/twin holds the two against each other.
// Documents are ranked once, by their bytes, so a drag of the threshold only looks at each pair once.

/**
 * What does not depend on the threshold. Ranks are places in `order`.
 * @typedef {object} Prepared
 * @property {Int32Array} a
 * @property {Int32Array} b
 * @property {Float64Array} common
 * @property {Float64Array} share    of the smaller of the two
 * @property {Int32Array} order      documents that are in pairs: largest first, equal ones by the engine's order
 * @property {Int32Array} rank       by document; -1 for those in no pair
 * @property {Int32Array} start      by rank: where the pairs with earlier ones begin in `pairs`; one more at the end
 * @property {Int32Array} pairs
 */

/** @type {WeakMap<import('./types.js').Page, Prepared>} */
const known = new WeakMap();

/** @param {import('./types.js').Page} page @returns {Prepared} */
function prepare(page) {
  const ready = known.get(page);
  if (ready !== undefined) return ready;
  const { a: ofA, b: ofB, of_a, of_b, common } = page.pairs;
  const [a, b] = [Int32Array.from(ofA), Int32Array.from(ofB)];
  const share = Float64Array.from(common, (n, pair) => {
    const smaller = Math.min(of_a[pair], of_b[pair]);
    // nothing but templates: alike to nobody
    return smaller === 0 ? 0 : n / smaller;
  });
  const { size, rank: among = [] } = page.documents;
  const order = Int32Array.from(new Set([...a, ...b])).sort((x, y) => size[y] - size[x] || (among[x] ?? 0) - (among[y] ?? 0) || x - y);
  const rank = new Int32Array(size.length).fill(-1);
  order.forEach((document, at) => { rank[document] = at; });
  const prepared = { a, b, common: Float64Array.from(common), share, order, rank, ...byLater(a, b, rank, order.length) };
  known.set(page, prepared);
  return prepared;
}

/** Pairs by the one of the two that comes later. @param {Int32Array} a @param {Int32Array} b @param {Int32Array} rank @param {number} documents */
function byLater(a, b, rank, documents) {
  const start = new Int32Array(documents + 1);
  const later = (/** @type {number} */ pair) => Math.max(rank[a[pair]], rank[b[pair]]);
  for (let pair = 0; pair < a.length; pair++) start[later(pair) + 1]++;
  for (let at = 0; at < documents; at++) start[at + 1] += start[at];
  const free = start.slice();
  const pairs = new Int32Array(a.length);
  for (let pair = 0; pair < a.length; pair++) pairs[free[later(pair)]++] = pair;
  return { start, pairs };
}

/** Decides on pairs by the bytes that they have in common. */
export class ByBytes {
  /** @param {import('./types.js').Page} page @param {number} threshold */
  constructor(page, threshold) {
    this.pairs = prepare(page);
    const { common, share } = this.pairs;
    const least = page.report.policy.min_common ?? 0;
    /** by pair: whether it is a link */
    this.candidates = new Uint8Array(share.length);
    for (let pair = 0; pair < share.length; pair++) if (share[pair] >= threshold && share[pair] > 0 && common[pair] >= least) this.candidates[pair] = 1;
  }

  /** @param {number} pair */
  accepts(pair) {
    return this.candidates[pair] === 1;
  }

  /** Each document joins the leader before it with which it has most in common, if that is a link; else it leads. @returns {import('./regroup.js').Links} */
  stars() {
    const { a, b, common, order, rank, start, pairs } = this.pairs;
    const leads = new Uint8Array(order.length);
    const representative = new Int32Array(order.length);
    const member = new Int32Array(order.length);
    const why = new Int32Array(order.length);
    let length = 0;
    for (let x = 0; x < order.length; x++) {
      let best = -1;
      let most = -1;
      let to = -1;
      for (let at = start[x]; at < start[x + 1]; at++) {
        const pair = pairs[at];
        const y = Math.min(rank[a[pair]], rank[b[pair]]);
        if (leads[y] === 0 || common[pair] < most || (common[pair] === most && y >= to)) continue;
        best = pair;
        most = common[pair];
        to = y;
      }
      if (best < 0 || !this.accepts(best)) leads[x] = 1;
      else {
        representative[length] = order[to];
        member[length] = order[x];
        why[length++] = best;
      }
    }
    return { representative: representative.subarray(0, length), member: member.subarray(0, length), pair: why.subarray(0, length) };
  }
}
