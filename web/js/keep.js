// Which document of a cluster to keep: a suggestion, its reason, and what would be lost.

import { day } from './format.js';

/**
 * @typedef {'newest' | 'longest' | 'folder' | 'representative'} Rule
 * @typedef {Pick<import('./model.js').Model, 'page' | 'pairsOf' | 'folder' | 'threshold'>} Known
 * @typedef {Pick<import('./model.js').Cluster, 'representative' | 'members' | 'documents'>} Group
 * @typedef {{ document: number, reason: string }} Suggestion
 */

/** @type {{ rule: Rule, name: string }[]} */
export const RULES = [
  { rule: 'representative', name: 'Representative' },
  { rule: 'newest', name: 'Newest' },
  { rule: 'longest', name: 'Longest' },
  { rule: 'folder', name: 'By folder' },
];

/** The folder at the top that a document is in; empty if it is in none. @param {Known} model @param {number} document */
export function topFolder(model, document) {
  return model.folder(document).split('/', 1)[0];
}

/**
 * The folders at the top, in the order of the reader; those that are not in it follow, fullest first.
 * @param {Known} model
 * @param {string[]} order
 */
export function topFolders(model, order) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (let d = 0; d < model.page.documents.id.length; d++) {
    const folder = topFolder(model, d);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  const rank = new Map(order.map((folder, at) => [folder, at]));
  const place = (/** @type {string} */ folder) => rank.get(folder) ?? order.length;
  return [...sizes]
    .sort(([x, m], [y, n]) => place(x) - place(y) || n - m || (x < y ? -1 : 1))
    .map(([folder, documents]) => ({ folder, documents }));
}

/**
 * @param {Known} model
 * @param {Group} cluster
 * @param {Rule} rule
 * @param {string[]} folderOrder  folders at the top, the best first
 * @returns {Suggestion}
 */
export function suggest(model, cluster, rule, folderOrder) {
  if (rule === 'newest') return newest(model, cluster);
  if (rule === 'longest') return longest(model, cluster);
  if (rule === 'folder') return byFolder(model, cluster, folderOrder);
  return representative(model, cluster);
}

/** @param {Known} model @param {Group} cluster @returns {Suggestion} */
function representative(model, { representative: document, members }) {
  const all = members.length;
  const equal = members.filter((m) => m.resemblance === 1).length;
  const linked = members.filter((m) => m.resemblance !== null && (m.class !== 'chained' || m.resemblance >= model.threshold)).length;
  if (equal === all) return { document, reason: all === 1 ? 'the representative: the other has the same text' : `the representative: all ${all} others have the same text` };
  if (linked === all) return { document, reason: all === 1 ? 'the representative: the larger of the two' : `the representative: all ${all} others resemble it` };
  return { document, reason: `the representative: ${linked} of ${all} others resemble it directly` };
}

/** @param {Known} model @param {Group} cluster @returns {Suggestion} */
function newest(model, cluster) {
  const { modified } = model.page.documents;
  const dated = cluster.documents.filter((d) => modified[d] !== null);
  const date = (/** @type {number} */ d) => modified[d] ?? 0;
  if (dated.length === 0) return fallback(model, cluster, 'No dates are known');
  const best = dated.reduce((x, y) => (date(y) > date(x) ? y : x));
  const next = rest(dated, best).reduce((most, d) => Math.max(most, date(d)), -Infinity);
  const unknown = cluster.documents.length - dated.length;
  const but = unknown === 0 ? '' : `; ${unknown === 1 ? 'one has' : `${unknown} have`} no date`;
  if (next === date(best)) {
    const equal = dated.filter((d) => date(d) === next);
    if (equal.length === cluster.documents.length) return fallback(model, cluster, `All are of ${day(next)}`);
    return { document: equal[0], reason: `newest: ${day(next)}, as ${equal.length === 2 ? 'is one other' : `are ${equal.length - 1} others`}${but}` };
  }
  return { document: best, reason: `newest: ${day(date(best))}${next === -Infinity ? '' : `, ${gap(date(best) - next)} after the next`}${but}` };
}

/** @param {Known} model @param {Group} cluster @returns {Suggestion} */
function longest(model, cluster) {
  const { size, bytes } = model.page.documents;
  const more = (/** @type {number} */ x, /** @type {number} */ y) => size[x] - size[y] || bytes[x] - bytes[y];
  const best = cluster.documents.reduce((x, y) => (more(y, x) > 0 ? y : x));
  const next = rest(cluster.documents, best).reduce((x, y) => (more(y, x) > 0 ? y : x));
  if (more(best, next) === 0) {
    const equal = cluster.documents.filter((d) => more(best, d) === 0).length;
    if (equal === cluster.documents.length) return fallback(model, cluster, 'All are equally long');
    return { document: best, reason: `longest, as ${equal === 2 ? 'is one other' : `are ${equal - 1} others`}` };
  }
  // markup counts in bytes, not in text: where the texts are equal, so it is said
  if (size[best] === size[next]) return { document: best, reason: `longest: as much text as the next, ${bytes[best] - bytes[next]} bytes more` };
  const longer = Math.round((size[best] / Math.max(1, size[next]) - 1) * 100);
  return { document: best, reason: `longest: ${longer < 1 ? 'a little' : `${longer} %`} more text than the next` };
}

/** @param {Known} model @param {Group} cluster @param {string[]} order @returns {Suggestion} */
function byFolder(model, cluster, order) {
  if (order.length === 0) return fallback(model, cluster, 'Folders are not ordered yet');
  const rank = (/** @type {number} */ d) => {
    const at = order.indexOf(topFolder(model, d));
    return at < 0 ? order.length : at;
  };
  const ranks = cluster.documents.map(rank);
  const first = ranks.reduce((x, y) => Math.min(x, y));
  const best = cluster.documents.filter((_, at) => ranks[at] === first);
  if (best.length === cluster.documents.length) return fallback(model, cluster, 'All are in folders of equal rank');
  const folder = topFolder(model, best[0]);
  const others = best.length === 1 ? '' : `, as ${best.length === 2 ? 'is one other' : `are ${best.length - 1} others`}`;
  return { document: best[0], reason: `in ${folder === '' ? 'no folder' : `the folder “${folder}”`}, the first of your order${others}` };
}

/** @param {Known} model @param {Group} cluster @param {string} why */
function fallback(model, cluster, why) {
  const { document, reason } = representative(model, cluster);
  return { document, reason: `${why}; therefore ${reason}` };
}

/** @param {number[]} documents @param {number} but */
function rest(documents, but) {
  return documents.filter((d) => d !== but);
}

/** @param {number} seconds */
function gap(seconds) {
  const days = Math.floor(seconds / 86_400);
  if (days < 1) return 'less than a day';
  if (days < 60) return days === 1 ? 'a day' : `${days} days`;
  const months = Math.floor(days / 30.44);
  return months < 36 ? `${months} months` : `${Math.floor(days / 365.25)} years`;
}

/**
 * What documents that are not kept have and none of the kept ones has, most first; and how many were never compared with a kept one.
 * @param {Known} model
 * @param {Group} cluster
 * @param {number[]} keep
 * @returns {{ lost: { document: number, share: number }[], unknown: number }}
 */
export function losses(model, cluster, keep) {
  const { stand_in } = model.page.documents;
  const kept = new Set(keep);
  /** @type {Map<number, number>} by stand-in: the share of it that is in a kept document */
  const saved = new Map();
  const save = (/** @type {number} */ standIn, /** @type {number} */ share) => saved.set(standIn, Math.max(share, saved.get(standIn) ?? 0));
  for (const document of keep) {
    const one = stand_in[document];
    save(one, 1);
    const { a, b, of_a, of_b, common } = model.page.pairs;
    for (const pair of model.pairsOf.get(one) ?? []) {
      if (a[pair] === one) save(b[pair], of_b[pair] === 0 ? 1 : common[pair] / of_b[pair]);
      else save(a[pair], of_a[pair] === 0 ? 1 : common[pair] / of_a[pair]);
    }
  }
  for (const member of cluster.members) {
    if (kept.has(cluster.representative) && member.containment !== null) save(stand_in[member.document], member.containment);
    if (kept.has(member.document) && member.contained_by !== null) save(stand_in[cluster.representative], member.contained_by);
  }
  /** @type {{ document: number, share: number }[]} */
  const lost = [];
  let unknown = 0;
  const seen = new Set();
  for (const document of cluster.documents) {
    const one = stand_in[document];
    if (kept.has(document) || seen.has(one)) continue;
    seen.add(one);
    const share = saved.get(one);
    if (share === undefined) unknown += 1;
    else if (share < 0.995) lost.push({ document, share: 1 - share });
  }
  lost.sort((x, y) => y.share - x.share || x.document - y.document);
  return { lost, unknown };
}
