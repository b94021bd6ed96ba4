// The head of "Side by side": who the two are, how near the scan says they are, how near they are word by word.

import { cleanName, h } from '../dom.js';
import { bytes, commas, count, day, percent } from '../format.js';
import { lensOf, terms } from '../lens.js';
import { isFeatures, short } from '../recipe.js';
import { relation } from '../relation.js';
import { address, visit } from '../route.js';
import { copyIcon } from './copy.js';
import { gauge } from './gauge.js';
import { putPills } from './pills.js';

/** Members that can be chosen; a cluster of ten thousand would freeze the list. */
const CHOICE = 200;

/** @type {Record<string, [string, string]>} */
const MEANING = {
  identical: ['identical', 'The same bytes'],
  lexical: ['same words', 'The same words in the same order: only layout, case or punctuation differ'],
  shingle: ['same shingles', 'The same short runs of words, perhaps in another order'],
  near: ['near', 'The resemblance reaches the threshold'],
  contained: ['contained', 'One is almost wholly in the other'],
  chained: ['chained', 'Joined through other documents, not directly'],
  different: ['below the threshold', 'Compared, but neither near nor contained'],
};

/** What differs where the documents are sets of items. @type {Record<string, [string, string]>} */
const MEANING_OF_ITEMS = {
  ...MEANING,
  identical: ['identical', 'The same items'],
  lexical: ['same items', 'The same items in the same order'],
  shingle: ['same items', 'The same items, perhaps in another order'],
};

/** And where they were compared by their chunks. @type {Record<string, [string, string]>} */
const MEANING_OF_BYTES = {
  ...MEANING,
  near: ['near', 'So much of both together is in common that it reaches the threshold'],
  contained: ['contained', 'So much of the smaller is in the other that it reaches the threshold'],
  different: ['below the threshold', 'Compared, but too little is in common'],
};

/** By lens. */
const MEANINGS = { shingles: MEANING, chunks: MEANING_OF_BYTES };

/** Why nothing is said of two documents. @param {import('../model.js').Model} model @param {number} a @param {number} b @returns {[string, string]} */
export function unknown({ page }, a, b) {
  const { size, canonical } = page.documents;
  const { from } = page.pairs;
  const said = terms(page);
  if (size[canonical[a]] === 0 || size[canonical[b]] === 0) return ['not compared', said.empty];
  if (from > 1) return ['not listed', said.unlisted];
  return [`below ${short(from)}`, said.below(short(from))];
}

/** Bytes with their share of the smaller under them. @param {import('../model.js').Pair} pair */
function sharedGauges({ a_in_b, b_in_a, shared = null, exact = null }) {
  const share = a_in_b === null || b_in_a === null ? null : Math.max(a_in_b, b_in_a);
  const amount = (/** @type {string} */ label, /** @type {number} */ n, /** @type {string} */ more, /** @type {string} */ help) => gauge(label, bytes(n), share ?? 0, help, { more: more === '' ? '' : ` ${more}`, kind: 'pair-amount' });
  return [
    shared !== null && amount('In common', shared, share === null ? '' : `${percent(share)} of the smaller`, 'Bytes of the chunks that both have: at least so much is in common. What is alike in chunks that differ does not count, nor do templates.'),
    exact !== null && amount('Exactly', exact, '', 'Bytes that both have, counted by aligning the two'),
  ];
}

/**
 * What the scan found.
 * @param {import('../main.js').App} app @param {number} a @param {number} b
 */
export function pairFacts({ model }, a, b) {
  const { class: kind, pair } = relation(model, a, b);
  const items = isFeatures(model.page.report.compared_by);
  const why = unknown(model, a, b);
  const lens = lensOf(model.page);
  const [label, help] = kind === null ? why : (items ? MEANING_OF_ITEMS : MEANINGS[lens.name])[kind];
  const chip = h('span', { class: `chip ${kind ?? 'later'}${kind === 'different' ? ' later' : ''}`, title: help, 'data-class': kind ?? '' }, label);
  if (pair === null) {
    return [chip, h('span', { class: 'muted small' }, kind === null ? help : why[1])];
  }
  const { interval } = pair;
  const about = interval === null || interval[0] === interval[1] ? '' : ` ${(interval[0] * 100).toFixed(0)} – ${(interval[1] * 100).toFixed(0)}`;
  const contained = (/** @type {number | null} */ share, /** @type {string} */ help) => (share === null ? 'Samples of this kind cannot tell how much of one is in the other' : `Containment: ${help}`);
  const first = lens.bytes ? sharedGauges(pair) : [gauge('Resemblance', percent(pair.resemblance), pair.resemblance, about === '' ? (items ? 'Items of both, of the items of either' : 'Shingles of both, of the shingles of either') : `An estimate: between ${about}%`, { more: about })];
  return [chip, h('dl', { class: 'pair-gauges' }, first,
    gauge('Left in right', percent(pair.a_in_b), pair.a_in_b ?? 0, contained(pair.a_in_b, 'how much of the left is in the right')),
    gauge('Right in left', percent(pair.b_in_a), pair.b_in_a ?? 0, contained(pair.b_in_a, 'how much of the right is in the left')))];
}

/** What was found here, word by word. @param {import('../main.js').App} app @param {import('../passages.js').Comparison} comparison */
export function pairShares({ model }, { passages, shareA, shareB }) {
  const items = isFeatures(model.page.report.compared_by);
  if (passages.length === 0) return h('p', { class: 'pair-shares', 'data-part': 'shares' }, `No ${items ? 'item' : 'passage'} in common: 0% of the left, 0% of the right`);
  return h('p', { class: 'pair-shares', 'data-part': 'shares' }, items ? 'Items in common: ' : 'Words in common passages: ',
    h('strong', { class: 'number' }, percent(shareA)), ' of the left, ', h('strong', { class: 'number' }, percent(shareB)), ' of the right');
}

/**
 * The pairs before and behind this one: one side stays, the other goes through the cluster. It is the side that does not
 * show the representative, or the right one.
 * @param {import('../model.js').Model} model @param {number} a @param {number} b
 * @returns {{ at: number, all: number, previous: [number, number] | null, next: [number, number] | null } | null}  `at` counts from 1
 */
export function neighbours(model, a, b) {
  const cluster = model.page.kind === 'comparison' ? undefined : model.clusterOf(b);
  if (cluster === undefined || a === b || !cluster.documents.includes(a)) return null;
  const turned = b === cluster.representative;
  const [stays, goes] = turned ? [b, a] : [a, b];
  const others = cluster.documents.filter((d) => d !== stays);
  const at = others.indexOf(goes);
  const pair = (/** @type {number | undefined} */ d) => (d === undefined ? null : /** @type {[number, number]} */ (turned ? [d, stays] : [stays, d]));
  return { at: at + 1, all: others.length, previous: pair(others[at - 1]), next: pair(others[at + 1]) };
}

/** The way back, and the way on. @param {import('../main.js').App} app @param {number} a @param {number} b @param {(step: number) => void} go */
export function pairOrigin({ model }, a, b, go) {
  if (model.page.kind === 'comparison') return null;
  const [of_a, of_b] = [model.clusterOf(a), model.clusterOf(b)];
  const cluster = of_a ?? of_b;
  if (cluster === undefined) return h('span', { class: 'muted small' }, 'In no cluster at this threshold');
  const link = h('a', { href: address(['cluster', cluster.representative]), 'data-cluster': cluster.representative }, `← Cluster ${commas(cluster.number)}`);
  link.title = 'Back to the cluster (Esc)';
  const row = neighbours(model, a, b);
  const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {unknown} */ to, /** @type {number} */ by) => h('button', { type: 'button', class: 'quiet small', title: name, 'aria-label': name, disabled: to === null, onclick: () => go(by) }, sign);
  const steps = row !== null && row.all > 1 && h('span', { class: 'pair-members no-print', role: 'group', 'aria-label': 'Pairs of the cluster', 'data-part': 'neighbours' },
    step('‹', 'Previous document of the cluster ([)', row.previous, -1), h('span', { class: 'number muted' }, `${commas(row.at)} of ${commas(row.all)}`), step('›', 'Next document of the cluster (])', row.next, 1));
  const apart = of_a !== of_b ? ' · only one of the two is in it' : '';
  return h('span', { class: 'small' }, link, h('span', { class: 'muted' }, ` · ${count(cluster.documents.length, 'document')}${apart}`), steps);
}

/**
 * The head of one pane.
 * @param {import('../main.js').App} app @param {number} document @param {number} other @param {'a' | 'b'} key
 */
export function paneHead({ model }, document, other, key) {
  const { documents } = model.page;
  const path = model.name(document);
  const slash = path.lastIndexOf('/') + 1;
  const id = model.id(document);
  const side = key === 'a' ? 'Left' : 'Right';
  return h('div', { class: 'pair-name', 'data-document': document },
    h('div', { class: 'pair-title' },
      h('bdi', { title: cleanName(id) }, h('span', { class: 'muted' }, cleanName(path.slice(0, slash))), h('strong', {}, cleanName(path.slice(slash)))),
      copyIcon('Copy the path', () => [id])),
    h('div', { class: 'small muted pair-facts' },
      h('span', { class: 'number' }, bytes(documents.bytes[document])),
      documents.modified[document] === null ? null : h('span', { class: 'number', title: 'Last changed' }, day(documents.modified[document]))),
    choice(model, document, other, key, side));
}

/** Another member of the cluster on this side. @param {import('../model.js').Model} model @param {number} document @param {number} other @param {'a' | 'b'} key @param {string} side */
function choice(model, document, other, key, side) {
  const cluster = model.page.kind === 'comparison' ? undefined : model.clusterOf(document) ?? model.clusterOf(other);
  if (cluster === undefined || cluster.documents.length < 3) return null;
  const shown = cluster.documents.slice(0, CHOICE);
  if (!shown.includes(document)) shown.unshift(document);
  const rest = cluster.documents.length - Math.min(CHOICE, cluster.documents.length);
  const select = /** @type {HTMLSelectElement} */ (h('select', { class: 'small no-print', 'aria-label': `${side}: another document of this cluster`, onchange: () => {
    const next = Number(select.value);
    visit(address(key === 'a' ? ['pair', next, other] : ['pair', other, next]));
  } },
  shown.map((d) => h('option', { value: d, selected: d === document, disabled: d === other, dir: 'auto' }, cleanName(model.name(d)))),
  rest > 0 ? h('option', { disabled: true }, `and ${commas(rest)} more: see the cluster`) : null));
  return select;
}

/**
 * The longest passages, to jump to.
 * @param {HTMLElement} strip
 * @param {import('../passages.js').Passage[]} passages
 * @param {string} unit  what they are made of
 * @param {{ select: (passage: number) => void, hover: (passage: number) => void }} on
 */
export function pairPills(strip, passages, unit, on) {
  const longest = [...passages].sort((x, y) => y.equal - x.equal);
  putPills(strip, longest, { text: (p) => count(p.equal, unit), title: (p) => `Passage ${p.number + 1}${p.moved ? ', moved' : ''}`, cross: ' ↕ moved' }, on);
}

/** What was coloured of the bytes. @param {import('../passages.js').Comparison} comparison */
export function chunkShares({ passages, shareA, shareB }) {
  return h('p', { class: 'pair-shares', 'data-part': 'shares' }, passages.length === 0 ? 'No chunk in common: nothing is coloured' : [
    'Common chunks are coloured: ', h('strong', { class: 'number' }, percent(shareA)), ' of the left, ', h('strong', { class: 'number' }, percent(shareB)), ' of the right']);
}

/** The last parts of both names. @param {import('../main.js').App} app @param {number} a @param {number} b */
export function pairNames({ model }, a, b) {
  const last = (/** @type {number} */ document) => h('bdi', { title: cleanName(model.id(document)) }, cleanName(model.name(document).replace(/^.*\/(?=.)/s, '')));
  return [last(a), h('span', { class: 'muted' }, ' ↔ '), last(b)];
}

/** The one number of a pair, and what it is. @param {import('../main.js').App} app @param {number} a @param {number} b */
export function pairFigure({ model }, a, b) {
  const { class: kind, pair } = relation(model, a, b);
  const lens = lensOf(model.page);
  const share = pair === null ? null : lens.likeness(pair.resemblance, pair.a_in_b, pair.b_in_a);
  const meaning = kind === null ? unknown(model, a, b) : (isFeatures(model.page.report.compared_by) ? MEANING_OF_ITEMS : MEANINGS[lens.name])[kind];
  return [h('strong', { class: 'number', title: lens.terms.measure }, share === null ? '–' : percent(share)), h('span', { class: `chip ${kind ?? 'later'}${kind === 'different' ? ' later' : ''}`, title: meaning[1] }, meaning[0])];
}
