// The dense cores of a cluster. Single links chain: of a hundred in one cluster most have nothing to do with each other.
//
// The rule: those that are 90% alike are one. Links are taken from the strongest down; two groups become one core if at least half of all
// pairs between them are linked. What links two cores is a bridge. No elements here: everything can be tested.

import { UnionFind } from './cluster.js';

/** As much alike as this is as good as the same: a report may list the pairs of one of them only. */
export const SAME = 0.9;
/** Fewer than these are a pair, and no core that is worth a name. */
export const CORE = 3;
/** Smaller clusters are seen at one sight. */
export const LARGE = 12;

/**
 * @typedef {{ from: number, to: number, alike: number }} Alike
 *
 * @typedef {object} Cores
 * @property {number[][]} groups    all nodes, largest group first, each rising; those of one or two too
 * @property {number[]} group       by node: its place in `groups`
 * @property {boolean[]} bridge     by link: whether it links two groups
 */

/** @param {number} size @param {Alike[]} links @returns {Cores} */
export function denseCores(size, links) {
  const units = new UnionFind(size);
  for (const { from, to, alike } of links) if (alike >= SAME) units.join(from, to);
  const parent = new UnionFind(size);
  /** @type {Map<number, number>[]} by group: how many of its pairs with another group are linked */
  const between = Array.from({ length: size }, () => new Map());
  const many = new Array(size).fill(1);
  const add = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ n) => between[x].set(y, (between[x].get(y) ?? 0) + n);
  const seen = new Set();
  const order = links.map(({ from, to, alike }) => ({ x: units.find(from), y: units.find(to), alike }))
    .filter(({ x, y }) => x !== y)
    .map(({ x, y, alike }) => ({ x: Math.min(x, y), y: Math.max(x, y), alike }))
    .sort((p, q) => q.alike - p.alike || p.x - q.x || p.y - q.y)
    .filter(({ x, y }) => !seen.has(x * size + y) && seen.add(x * size + y));
  for (const { x, y } of order) {
    add(x, y, 1);
    add(y, x, 1);
  }
  for (const link of order) {
    const [x, y] = [parent.find(link.x), parent.find(link.y)].sort((p, q) => p - q);
    if (x === y || 2 * (between[x].get(y) ?? 0) < many[x] * many[y]) continue;
    parent.join(x, y);
    many[x] += many[y];
    for (const [other, n] of between[y]) {
      between[other].delete(y);
      if (other === x) continue;
      add(x, other, n);
      add(other, x, n);
    }
    between[y].clear();
  }
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (let at = 0; at < size; at++) {
    const first = parent.find(units.find(at));
    const group = found.get(first);
    if (group === undefined) found.set(first, [at]);
    else group.push(at);
  }
  const groups = [...found.values()].sort((x, y) => y.length - x.length || x[0] - y[0]);
  const group = new Array(size).fill(0);
  groups.forEach((members, place) => { for (const at of members) group[at] = place; });
  return { groups, group, bridge: links.map(({ from, to }) => group[from] !== group[to]) };
}

/** How many of the groups are cores. @param {Cores} cores */
export function coreCount({ groups }) {
  const first = groups.findIndex((members) => members.length < CORE);
  return first < 0 ? groups.length : first;
}
