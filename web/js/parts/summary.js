// The first look: cards with the sums, and all documents as one bar.

import { h, put, style, clean } from '../dom.js';
import { bytes, commas, count, countKind } from '../format.js';
import { lensOf } from '../lens.js';
import { CLASSES } from '../model.js';
import { isFeatures, short } from '../recipe.js';
import { address } from '../route.js';

/** @typedef {import('../types.js').Class} Class */

/** What the classes are called: as in every other form of the report. @type {Record<Class, string>} */
export const CLASS_NAMES = { identical: 'Identical', lexical: 'Lexical', shingle: 'Shingle', near: 'Near', contained: 'Contained', chained: 'Chained' };

/** The sums at the threshold of the moment; the scan's own include clusters that are not on the page. @param {import('../model.js').Model} model @returns {import('../types.js').Summary} */
export function summaryAt(model) {
  if (model.threshold === model.scanned) return model.page.report.summary;
  const { clusters, documents, bytes: redundant_bytes } = model.sums(model.threshold);
  const summary = { clusters, clustered: documents, identical: 0, lexical: 0, shingle: 0, near: 0, contained: 0, chained: 0, redundant_bytes };
  for (const cluster of model.clusters) for (const member of cluster.members) summary[member.class] += 1;
  return summary;
}

/** @param {{ key: string, value: string, label: string, note: string, more?: string, href?: string | null, dot?: string }} card */
function card({ key, value, label, note, more = '', href, dot }) {
  const inside = [
    h('span', { class: 'card-label' }, dot !== undefined && h('span', { class: `dot ${dot}`, 'aria-hidden': 'true' }), label),
    h('span', { class: 'card-value number' }, value),
    h('span', { class: 'card-note' }, note),
    more !== '' && h('span', { class: 'card-note card-more' }, more),
  ];
  return href === undefined || href === null ? h('div', { class: 'card', 'data-card': key }, inside) : h('a', { class: 'card', 'data-card': key, href }, inside);
}

/** `2 binary, 1 empty` @param {{ kind: string }[]} skipped */
function reasons(skipped) {
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const { kind } of skipped) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const all = [...kinds].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1));
  const told = all.slice(0, 3).map(([kind, n]) => countKind(n, clean(kind))).join(', ');
  return all.length > 3 ? `${told}, …` : told;
}

/** What goes with the members: much of it may be their own. @param {import('../model.js').Model} model @param {number} redundant */
export function freed(model, redundant) {
  const { left_out, report } = model.page;
  const all = report.bytes > 0 ? `${short(redundant / report.bytes)} of all bytes` : 'all of them';
  if (left_out.clusters > 0 || redundant === 0) return `${all}, if only representatives stay`;
  let shared = 0;
  for (const cluster of model.clusters) for (const member of cluster.members) shared += member.shared ?? 0;
  return `${all}, if only representatives stay; they have ${bytes(shared)} of it`;
}

/** @param {import('../main.js').App} app @returns {HTMLElement[]} */
function cards({ model, verdicts }) {
  const { report, skipped } = model.page;
  const skips = model.page.skipped_all ?? skipped.length;
  const why = skips === 0 ? 'everything was read' : skips > skipped.length ? `the first ${commas(skipped.length)} are listed: ${reasons(skipped)}` : reasons(skipped);
  const sums = summaryAt(model);
  const lens = lensOf(model.page);
  const share = lens.bytes ? freed(model, sums.redundant_bytes) : `${report.bytes > 0 ? `${short(sums.redundant_bytes / report.bytes)} of all bytes` : 'all of them'}, if only representatives stay${sums.near + sums.contained + sums.chained > 0 ? ', those of near-duplicates included' : ''}`;
  const sets = model.identicalSets();
  // more than the card counts: a copy of a near duplicate is near, as that is
  const names = sets.reduce((n, set) => n + set.length, 0);
  const items = isFeatures(report.compared_by);
  const to = (/** @type {Class} */ kind) => (sums[kind] > 0 ? address(['clusters'], { class: kind }) : null);
  // fingerprints are of words, and the same words may be in any form
  const untold = report.simhash !== undefined && sums.lexical === 0;
  const contained = lens.containedFrom(report.policy, model.threshold);
  const { undecided } = verdicts.counts(model.clusters);
  const all = model.clusters.length;
  return [
    card({ key: 'documents', value: commas(report.documents), label: 'Documents', note: `${bytes(report.bytes)} in all` }),
    card({ key: 'clusters', value: commas(sums.clusters), label: 'Clusters', note: `${count(sums.clustered, 'document')} in them`, href: address(['clusters']) }),
    card({ key: 'bytes', value: bytes(sums.redundant_bytes), label: 'Could be freed', note: share, href: sums.clusters > 0 ? address(['clusters'], { sort: 'bytes' }) : null }),
    card({ key: 'undecided', value: commas(undecided), label: 'Undecided', note: all === 0 ? 'nothing to decide' : undecided === 0 ? 'every cluster has a verdict' : `of ${count(all, 'cluster')}`, href: all > 0 ? address(['review']) : null }),
    card({ key: 'skipped', value: commas(skips), label: 'Skipped', note: why, href: skips > 0 ? address([], { show: 'skipped' }) : null }),
    card({ key: 'identical', dot: 'identical', value: commas(sums.identical), label: CLASS_NAMES.identical, note: `the same ${items ? 'items' : 'bytes'} as the representative`, more: sets.length === 0 ? '' : `${count(names, 'name')} in ${count(sets.length, 'set')}`, href: sets.length > 0 ? address(['identical']) : null }),
    ...(!lens.lexical ? [] : [card({ key: 'lexical', dot: 'lexical', value: untold ? '–' : commas(sums.lexical), label: CLASS_NAMES.lexical, note: untold ? 'fingerprints do not tell them from near ones' : items ? 'the same items, in the same order' : 'the same words, formatted differently', href: to('lexical') })]),
    ...(sums.shingle > 0 ? [card({ key: 'shingle', dot: 'shingle', value: commas(sums.shingle), label: CLASS_NAMES.shingle, note: `the same ${items ? 'items' : 'shingles (word sequences)'}, in another order or number`, href: to('shingle') })] : []),
    card({ key: 'near', dot: 'near', value: commas(sums.near), label: CLASS_NAMES.near, note: lens.terms.near(model.threshold), href: to('near') }),
    card({ key: 'contained', dot: 'contained', value: contained === null ? '–' : commas(sums.contained), label: CLASS_NAMES.contained, note: contained === null ? 'not looked for: scan with --contained 0.9' : lens.terms.contained(contained), href: to('contained') }),
    ...(sums.chained > 0 ? [card({ key: 'chained', dot: 'chained', value: commas(sums.chained), label: CLASS_NAMES.chained, note: 'linked through other members', href: to('chained') })] : []),
  ];
}

/** Every document in one bar: alone, standing for others, or redundant. @param {import('../model.js').Model} model */
function shares(model) {
  const sums = summaryAt(model);
  const { documents } = model.page.report;
  /** @type {[string, string, number][]} */
  const parts = [
    ['alone', 'Without a lookalike', Math.max(0, documents - sums.clustered)],
    ['stands', 'Representatives', sums.clusters],
    ...CLASSES.map((kind) => /** @type {[string, string, number]} */ ([kind, CLASS_NAMES[kind], sums[kind]])),
  ];
  const shown = parts.filter(([, , n]) => n > 0);
  const text = shown.map(([, name, n]) => `${name}: ${commas(n)}`).join('; ');
  return h('figure', { class: 'shares', 'data-part': 'shares' },
    h('div', { class: 'shares-bar', role: 'img', 'aria-label': text }, shown.map(([key, name, n]) => style(h('span', { class: `share ${key}`, title: `${name}: ${commas(n)}` }), { 'flex-grow': String(n) }))),
    h('figcaption', { class: 'shares-key small muted' }, shown.map(([key, name, n]) => h('span', {}, h('span', { class: `dot ${key}`, 'aria-hidden': 'true' }), `${name} `, h('b', { class: 'number' }, commas(n))))));
}

/** @param {import('../main.js').App} app */
export function summaryPart(app) {
  const [sums, kinds] = [h('div', { class: 'cards five' }), h('div', { class: 'cards kinds' })];
  const bar = h('div', { class: 'panel' });
  const lead = h('p', { class: 'cards-lead muted', 'data-part': 'could-go' });
  return {
    element: h('section', { 'aria-label': 'In numbers', 'data-part': 'cards' }, bar, sums, lead, kinds),
    show() {
      put(bar, shares(app.model));
      const all = cards(app);
      put(sums, all.slice(0, 5));
      put(kinds, all.slice(5));
      const { clusters, clustered } = summaryAt(app.model);
      lead.hidden = clusters === 0;
      put(lead, h('strong', {}, `${count(clustered - clusters, 'document')} could go`), ' if the representative of each cluster stays. Compared with it they are:');
    },
  };
}
