// Clusters from links, for every lens: stars and connected components. The one place of the page that says who represents.
//
// The rule of stars: documents are taken in the order of representatives, which the page is given; each joins the most similar representative
// before it that it is linked with, or represents itself.

/**
 * Pairs of documents by the order of representatives: a document's rank is its place in `order`.
 * @typedef {object} Ranking
 * @property {Int32Array} a         by pair
 * @property {Int32Array} b
 * @property {Int32Array} order     documents by rank; only those in pairs
 * @property {Int32Array} earlier   by pair: the rank of the one that is offered first
 * @property {Int32Array} later
 * @property {Int32Array} pairs     sorted by `earlier`, then by `later`
 */

/**
 * Documents under their representatives, as columns; `pair` is the index of what was compared, or -1 if a chain joined the two.
 * @typedef {object} Links
 * @property {Int32Array} representative
 * @property {Int32Array} member
 * @property {Int32Array} pair
 */

/**
 * @param {ArrayLike<number>} place  by document: its place in the order of representatives
 * @param {ArrayLike<number>} ofA
 * @param {ArrayLike<number>} ofB
 * @returns {Ranking}
 */
export function rankPairs(place, ofA, ofB) {
  const [a, b] = [Int32Array.from(ofA), Int32Array.from(ofB)];
  const order = Int32Array.from(new Set([...a, ...b])).sort((x, y) => place[x] - place[y]);
  const rank = new Int32Array(place.length);
  for (let at = 0; at < order.length; at++) rank[order[at]] = at;
  const earlier = a.map((document, pair) => Math.min(rank[document], rank[b[pair]]));
  const later = a.map((document, pair) => Math.max(rank[document], rank[b[pair]]));
  const all = a.map((_, pair) => pair);
  return { a, b, order, earlier, later, pairs: sortedBy(earlier, sortedBy(later, all)) };
}

/** Items by their keys, small ones first; equal ones stay in order. @param {Int32Array} key by item, from 0 @param {Int32Array} items */
function sortedBy(key, items) {
  let most = 0;
  for (let at = 0; at < items.length; at++) most = Math.max(most, key[items[at]]);
  const start = new Int32Array(most + 2);
  for (let at = 0; at < items.length; at++) start[key[items[at]] + 1]++;
  for (let k = 1; k < start.length; k++) start[k] += start[k - 1];
  const out = new Int32Array(items.length);
  for (let at = 0; at < items.length; at++) out[start[key[items[at]]]++] = items[at];
  return out;
}

/** Nobody's member. */
const NONE = -1;

/**
 * Stars by the one rule. Of equally similar representatives the earlier one is taken. The twin of the engine's clustering, down to its one exception:
 * where a link holds only the other way, for the earlier document is inside the later, the earlier joins the later, if neither has another place yet.
 * @param {Ranking} ranking
 * @param {(pair: number, representative: number) => boolean} linked  whether the other of the pair may be a member of this representative
 * @param {(pair: number) => number} similarity
 * @returns {Links}
 */
export function stars({ order, earlier, later, pairs }, linked, similarity) {
  const under = new Int32Array(order.length).fill(NONE);
  const score = new Float64Array(order.length);
  const by = new Int32Array(order.length);
  const hasMembers = new Uint8Array(order.length);
  const isContainer = new Uint8Array(order.length);
  for (let at = 0; at < pairs.length; at++) {
    const pair = pairs[at];
    const x = earlier[pair];
    const y = later[pair];
    // all pairs of x with those before it came first, so it is known whether it represents
    if (under[x] !== NONE) continue;
    if (linked(pair, order[x])) {
      const value = similarity(pair);
      if (isContainer[y] === 1 || (under[y] !== NONE && value <= score[y])) continue;
      under[y] = x;
      score[y] = value;
      by[y] = pair;
      hasMembers[x] = 1;
    } else if (hasMembers[x] === 0 && isContainer[x] === 0 && under[y] === NONE && linked(pair, order[y])) {
      under[x] = y;
      by[x] = pair;
      isContainer[y] = 1;
    }
  }
  const links = new LinkColumns(order.length);
  for (let x = 0; x < order.length; x++) if (under[x] !== NONE) links.add(order[under[x]], order[x], by[x]);
  return links.done();
}

/**
 * Connected components; the first in rank represents.
 * @param {Ranking} ranking
 * @param {(pair: number) => boolean} linked
 * @param {(pair: number) => boolean} compared  whether the numbers of a pair are known, linked or not
 * @returns {Links}
 */
export function components({ order, earlier, later, pairs }, linked, compared) {
  const groups = new UnionFind(order.length);
  for (const pair of pairs) if (linked(pair)) groups.join(earlier[pair], later[pair]);
  const known = new Int32Array(order.length).fill(NONE);
  for (const pair of pairs) if (groups.find(later[pair]) === earlier[pair] && compared(pair)) known[later[pair]] = pair;
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
