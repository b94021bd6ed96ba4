// Which document of a cluster to keep: a suggestion, its reason, and what would be lost.

import { isEstimate, tellsContainment } from './estimate.js';
import { bytes, commas, count, day, percent } from './format.js';
import { lensOf } from './lens.js';
import { countsFrequent } from './recipe.js';

/**
 * @typedef {'newest' | 'longest' | 'folder' | 'representative'} Rule
 * @typedef {Pick<import('./model.js').Model, 'page' | 'pairsOf' | 'folder' | 'threshold'>} Known
 * @typedef {Pick<import('./model.js').Cluster, 'representative' | 'members' | 'documents'>} Group
 * @typedef {{ document: number, reason: string }} Suggestion
 */

/** A recipe that compares runs of words, and how long they are. */
const WORDS = /\|words\|shingles:w=(\d+)/;

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
  return { document, reason: `the representative: ${standing(model, members)}` };
}

/** How the others stand to the representative. How large it is says nothing here: it leads by what counts, which nobody sees. @param {Known} model @param {Group['members']} members */
function standing(model, members) {
  const all = members.length;
  const others = all === 1 ? 'the other' : all === 2 ? 'both others' : `all ${commas(all)} others`;
  const { bytes: chunks } = lensOf(model.page);
  if (chunks && members.every((m) => m.class === 'identical')) return `${others} ${all === 1 ? 'is' : 'are'} identical to it`;
  if (members.every((m) => m.resemblance === 1)) return `${others} ${all === 1 ? 'has' : 'have'} the same ${chunks ? 'chunks' : 'text'}`;
  const inside = members.filter((m) => m.class === 'contained' && (m.containment ?? 0) >= (m.contained_by ?? 0)).length;
  const around = members.filter((m) => m.class === 'contained').length - inside;
  const alike = members.filter((m) => m.class !== 'contained' && m.resemblance !== null && (m.class !== 'chained' || m.resemblance >= model.threshold)).length;
  // chunks link from a share on that the reader chose: a half is not the whole
  const much = !chunks || model.threshold >= 0.9 ? '' : model.threshold >= 0.5 ? 'largely ' : 'partly ';
  const [resembles, resemble] = chunks ? ['is much the same', 'are much the same'] : ['resembles it', 'resemble it'];
  if (alike === all) return `${others} ${all === 1 ? resembles : resemble}`;
  if (inside === all) return `${others} ${all === 1 ? 'is' : 'are'} ${much}inside it`;
  if (around === all) return `it is ${much}inside ${others}`;
  const part = (/** @type {number} */ n, /** @type {string} */ one, /** @type {string} */ many) => (n === 0 ? [] : [`${commas(n)} ${n === 1 ? one : many}`]);
  const parts = [...part(alike, resembles, resemble), ...part(inside, `is ${much}inside it`, `are ${much}inside it`), ...part(around, `has it ${much}inside`, `have it ${much}inside`), ...part(all - alike - inside - around, 'is linked through others', 'are linked through others')];
  return `of ${count(all, 'other')}, ${parts.join(', ')}`;
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
  const { length, unit, form } = measure(model.page);
  const most = cluster.documents.reduce((sum, d) => Math.max(sum, length(d)), 0);
  const best = cluster.documents.filter((d) => length(d) === most);
  if (best.length === cluster.documents.length) return fallback(model, cluster, 'All are equally long');
  if (best.length > 1) {
    const document = best.includes(cluster.representative) ? cluster.representative : best[0];
    return { document, reason: `longest, as ${best.length === 2 ? 'is one other' : `are ${best.length - 1} others`}` };
  }
  const next = rest(cluster.documents, best[0]).reduce((sum, d) => Math.max(sum, length(d)), 0);
  const more = most - next;
  const share = Math.round((more / next) * 100);
  // nobody thinks in thousands of per cent
  if (next === 0 || share >= 1000) return { document: best[0], reason: `longest: ${form(most)}, the next has ${next === 0 ? 'none' : unit === 'byte' ? form(next) : commas(next)}` };
  return { document: best[0], reason: `longest: ${share < 1 ? `${form(more)} more` : `${share}% more ${unit}s`} than the next` };
}

/** How long documents are, in what, and how that is written. @param {import('./types.js').Page} page @returns {{ length: (document: number) => number, unit: string, form: (n: number) => string }} */
export function measure(page) {
  // what was written by hand for trying the page may lack the column
  const { length: lengths, bytes: sizes } = /** @type {{ length?: number[], bytes: number[] }} */ (page.documents);
  const form = (/** @type {string} */ unit) => (/** @type {number} */ n) => count(n, unit);
  if (lengths === undefined || lensOf(page).bytes) return { length: (d) => sizes[d], unit: 'byte', form: bytes };
  const width = WORDS.exec(page.report.compared_by)?.[1];
  if (width === undefined) return { length: (d) => lengths[d], unit: 'shingle', form: form('shingle') };
  // each word begins a shingle, but for the last few
  return { length: (d) => (lengths[d] === 0 ? 0 : lengths[d] + Number(width) - 1), unit: 'word', form: form('word') };
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
 * What is known of documents that are not kept.
 * @typedef {object} Losses
 * @property {{ document: number, share: number }[]} lost  those with text that no single one of the kept has, most first
 * @property {number} unknown      how many were never compared with a kept one
 * @property {boolean} identical   whether each is identical to a kept one, byte for byte
 * @property {boolean} estimate    whether the shares are estimates
 * @property {boolean} [most]      whether the shares are the most that can be lost: chunks that differ may have much in common
 */

/**
 * Documents of the same text count once.
 * @param {Known} model
 * @param {Group} cluster
 * @param {number[]} keep
 * @returns {Losses}
 */
export function losses(model, cluster, keep) {
  const { documents, pairs, report } = model.page;
  const { content, canonical } = documents;
  const kept = new Set(keep);
  const safe = new Set(keep.map((d) => canonical[d]));
  /** @type {Map<number, number>} by canonical document: the share of it that is in a kept document */
  const saved = new Map();
  const save = (/** @type {number} */ standIn, /** @type {number} */ share) => saved.set(standIn, Math.max(share, saved.get(standIn) ?? 0));
  const told = (/** @type {number} */ pair) => !isEstimate(report) || pairs.sample_exhaustive[pair] === 1 || tellsContainment(report.compared_by);
  for (const one of safe) {
    save(one, 1);
    for (const pair of model.pairsOf.get(one) ?? []) {
      if (!told(pair)) continue;
      const [other, of] = pairs.a[pair] === one ? [pairs.b[pair], pairs.of_b[pair]] : [pairs.a[pair], pairs.of_a[pair]];
      save(other, of === 0 ? 1 : pairs.shared[pair] / of);
    }
  }
  const representative = canonical[cluster.representative];
  for (const member of cluster.members) {
    const one = canonical[member.document];
    if (safe.has(representative) && member.containment !== null) save(one, member.containment);
    if (safe.has(one) && member.contained_by !== null) save(representative, member.contained_by);
  }
  /** @type {{ document: number, share: number }[]} */
  const lost = [];
  let unknown = 0;
  const contents = new Set(keep.map((d) => content[d]));
  let identical = true;
  const seen = new Set();
  for (const document of cluster.documents) {
    if (kept.has(document) || contents.has(content[document])) continue;
    identical = false;
    const one = canonical[document];
    if (seen.has(one)) continue;
    seen.add(one);
    const share = saved.get(one);
    if (share === undefined) unknown += 1;
    else if (share < 1) lost.push({ document, share: 1 - share });
  }
  lost.sort((x, y) => y.share - x.share || x.document - y.document);
  return { lost, unknown, identical, estimate: isEstimate(report) || cluster.members.some((m) => m.interval !== null), ...(lensOf(model.page).bytes ? { most: true } : {}) };
}

/** A share of a document that would be lost. @param {Losses} losses @param {number} share @param {number} kept how many are kept */
export function lossShare({ estimate, most = false }, share, kept) {
  if (share < 0.0005) return `less than ${percent(0.001)}`;
  // what one of the kept ones lacks another one may have
  return `${estimate ? 'about ' : kept > 1 || most ? 'up to ' : ''}${percent(share)}`;
}

/** Whether nothing would be lost for sure: then the others can be called duplicates without looking. @param {Known} model @param {Group} cluster @param {number} document the only one that is kept */
export function losesNothing(model, cluster, document) {
  return promise(model, losses(model, cluster, [document]), 1)?.sure ?? false;
}

/**
 * What can be promised where no loss is known; null where one is. Only what is sure deserves a tick.
 * @param {Known} model
 * @param {Losses} losses
 * @param {number} kept  how many are kept
 * @returns {{ sure: boolean, text: string } | null}
 */
export function promise(model, { lost, unknown, identical, estimate }, kept) {
  if (lost.length > 0 || unknown > 0) return null;
  const ones = kept === 1 ? 'the kept one' : 'the kept ones';
  if (identical) return { sure: true, text: `Nothing is lost: the others are identical to ${kept === 1 ? 'it' : 'them'}.` };
  if (estimate) return { sure: false, text: `No loss was found, but these numbers are estimates from samples: a few sentences may be missing in ${ones}. Look before you delete.` };
  if (lensOf(model.page).bytes) {
    const ignored = model.page.chunks?.templates.length ?? 0;
    return { sure: true, text: `Nothing is lost: all chunks of the others are in ${ones}. Not compared: their order${ignored > 0 ? ', templates' : ''}.` };
  }
  const aside = [...(WORDS.test(model.page.report.compared_by) ? ['layout', 'case', 'punctuation'] : []), ...(countsFrequent(model.page.report) ? [] : ['template text'])];
  const but = aside.length === 0 ? '' : ` Not compared: ${aside.join(', ')}.`;
  return { sure: true, text: `Nothing of what was compared is lost: all of it is in ${ones}.${but}` };
}
