// The dense cores of a cluster of submissions (the rule: cores.js).

import { CORE, LARGE, denseCores } from '../cores.js';

/**
 * @typedef {import('./model.js').Cluster} Cluster
 * @typedef {import('./types.js').Pair} Pair
 *
 * @typedef {object} ClusterCores
 * @property {number[][]} cores     submissions of each core, the largest first
 * @property {number[][]} groups    the same, with those that are in none
 * @property {Map<number, number>} group  by submission: its place in `groups`
 * @property {Set<Pair>} bridges    pairs between two groups
 */

/** @type {WeakMap<Cluster, ClusterCores | null>} */
const known = new WeakMap();

/** The cores of a large cluster; null where it is small, or dense as it is. @param {Cluster} cluster @returns {ClusterCores | null} */
export function coresOf(cluster) {
  let found = known.get(cluster);
  if (found === undefined) known.set(cluster, (found = split(cluster)));
  return found;
}

/** @param {Cluster} cluster @returns {ClusterCores | null} */
function split({ submissions, pairs }) {
  if (submissions.length <= LARGE) return null;
  const place = new Map(submissions.map((s, at) => [s, at]));
  const { groups, bridge } = denseCores(submissions.length, pairs.map((p) => ({ from: place.get(p.a) ?? 0, to: place.get(p.b) ?? 0, alike: p.similarity })));
  const cores = groups.filter((members) => members.length >= CORE).map((members) => members.map((at) => submissions[at]));
  if (groups.length < 2 || cores.length === 0) return null;
  const all = groups.map((members) => members.map((at) => submissions[at]));
  return { cores, groups: all, group: new Map(all.flatMap((members, at) => members.map((s) => [s, at]))), bridges: new Set(pairs.filter((_, at) => bridge[at])) };
}

/** The core that an address names, from 1 on; -1 for none. @param {ClusterCores | null} cores @param {string | null} asked */
export function coreAsked(cores, asked) {
  const at = /^\d{1,6}$/.test(asked ?? '') ? Number(asked) - 1 : -1;
  return cores !== null && at >= 0 && at < cores.cores.length ? at : -1;
}
