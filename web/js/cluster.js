// Clusters from links, for every lens: stars and connected components. The one place of the page that says who represents.
//
// The rule of stars: documents are taken by rank, from the longest to the shortest (ties: by the engine's tie-break, then by id);
// each joins the most similar representative before it that it is linked with, or represents itself.

/**
 * Pairs of documents, and the order in which documents may represent.
 * @typedef {object} Ranking
 * @property {Int32Array} a       by pair
 * @property {Int32Array} b
 * @property {Int32Array} order   documents by rank
 * @property {Int32Array} rank    by document: its place in `order`; -1 for those that are not in it
 */

/**
 * A ranking in which each document knows its pairs with those before it.
 * @typedef {Ranking & { start: Int32Array, pairs: Int32Array }} LinkedRanking
 *   `start`: by rank, where its pairs begin in `pairs`, and one more for the end
 */

/**
 * Documents under their representatives, as columns; `pair` is the index of what was compared, or -1 if a chain joined the two.
 * @typedef {object} Links
 * @property {Int32Array} representative
 * @property {Int32Array} member
 * @property {Int32Array} pair
 */

/**
 * Ranks the documents of some pairs by the one rule.
 * @param {Pick<import('./types.js').Documents, 'size' | 'rank'>} documents
 * @param {ArrayLike<number>} ofA
 * @param {ArrayLike<number>} ofB
 * @returns {LinkedRanking}
 */
export function rankByLength({ size, rank: tieBreak = [] }, ofA, ofB) {
  const [a, b] = [Int32Array.from(ofA), Int32Array.from(ofB)];
  const order = Int32Array.from(new Set([...a, ...b])).sort((x, y) => size[y] - size[x] || (tieBreak[x] ?? 0) - (tieBreak[y] ?? 0) || x - y);
  const rank = rankOf(order, size.length);
  const start = new Int32Array(order.length + 1);
  const later = (/** @type {number} */ pair) => Math.max(rank[a[pair]], rank[b[pair]]);
  for (let pair = 0; pair < a.length; pair++) start[later(pair) + 1]++;
  for (let at = 0; at < order.length; at++) start[at + 1] += start[at];
  const free = start.slice();
  const pairs = new Int32Array(a.length);
  for (let pair = 0; pair < a.length; pair++) pairs[free[later(pair)]++] = pair;
  return { a, b, order, rank, start, pairs };
}

/** The place of each document in an order. @param {Int32Array} order @param {number} documents */
export function rankOf(order, documents) {
  const rank = new Int32Array(documents).fill(-1);
  for (let at = 0; at < order.length; at++) rank[order[at]] = at;
  return rank;
}

/**
 * Stars by the one rule. Of equally similar representatives the earlier one is taken.
 * @param {LinkedRanking} ranking
 * @param {(pair: number, representative: number) => boolean} linked  whether the other of the pair may be a member of this representative
 * @param {(pair: number) => number} similarity
 * @returns {Links}
 */
export function stars({ a, b, order, rank, start, pairs }, linked, similarity) {
  const represents = new Uint8Array(order.length);
  const links = new LinkColumns(order.length);
  for (let x = 0; x < order.length; x++) {
    let [best, most, to] = [-1, -Infinity, -1];
    for (let at = start[x]; at < start[x + 1]; at++) {
      const pair = pairs[at];
      const y = Math.min(rank[a[pair]], rank[b[pair]]);
      if (represents[y] === 0 || !linked(pair, order[y])) continue;
      const value = similarity(pair);
      if (value > most || (value === most && y < to)) [best, most, to] = [pair, value, y];
    }
    if (best < 0) represents[x] = 1;
    else links.add(order[to], order[x], best);
  }
  return links.done();
}

/**
 * Connected components; the first in rank represents.
 * @param {Ranking} ranking
 * @param {(pair: number) => boolean} linked
 * @param {(pair: number) => boolean} compared  whether the numbers of a pair are known, linked or not
 * @returns {Links}
 */
export function components({ a, b, order, rank }, linked, compared) {
  const groups = new UnionFind(order.length);
  for (let pair = 0; pair < a.length; pair++) if (linked(pair)) groups.join(rank[a[pair]], rank[b[pair]]);
  const known = new Int32Array(order.length).fill(-1);
  for (let pair = 0; pair < a.length; pair++) {
    const [p, q] = [rank[a[pair]], rank[b[pair]]];
    if (p < 0 || q < 0 || !compared(pair)) continue;
    if (groups.find(Math.max(p, q)) === Math.min(p, q)) known[Math.max(p, q)] = pair;
  }
  const links = new LinkColumns(order.length);
  for (let at = 0; at < order.length; at++) if (groups.find(at) !== at) links.add(order[groups.find(at)], order[at], known[at]);
  return links.done();
}

/** Groups of numbers from 0 on; the lowest of a group is found for all of it. */
export class UnionFind {
  /** @param {number} size */
  constructor(size) {
    this.parent = Int32Array.from({ length: size }, (_, at) => at);
  }

  /** @param {number} x */
  find(x) {
    const { parent } = this;
    while (parent[x] !== x) x = parent[x] = parent[parent[x]];
    return x;
  }

  /** @param {number} x @param {number} y */
  join(x, y) {
    const [p, q] = [this.find(x), this.find(y)];
    this.parent[Math.max(p, q)] = Math.min(p, q);
  }
}

/** Links while they are made: each document is a member at most once. */
export class LinkColumns {
  /** @param {number} most */
  constructor(most) {
    this.length = 0;
    this.representative = new Int32Array(most);
    this.member = new Int32Array(most);
    this.pair = new Int32Array(most);
  }

  /** @param {number} representative @param {number} member @param {number} pair */
  add(representative, member, pair) {
    this.representative[this.length] = representative;
    this.member[this.length] = member;
    this.pair[this.length++] = pair;
  }

  /** @returns {Links} */
  done() {
    const of = (/** @type {Int32Array} */ column) => column.subarray(0, this.length);
    return { representative: of(this.representative), member: of(this.member), pair: of(this.pair) };
  }
}
