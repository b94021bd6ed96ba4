// The head of a pair: how similar, why that counts, who the two are.

import { h, clean, cleanName } from '../../dom.js';
import { bytes, commas, count, moment, percent } from '../../format.js';
import { gauge } from '../../parts/gauge.js';
import { putPills } from '../../parts/pills.js';
import { address, visit } from '../../route.js';
import { SIMILARITY, byChance, few, inSubmissions, rare, whyPair, whyPassage } from '../explain.js';
import { shortNames, labelChip, shortNameOf } from './names.js';

/**
 * @typedef {import('../start.js').CopiesApp} CopiesApp
 * @typedef {import('../types.js').Pair} Pair
 */

/** Other pairs of a submission that can be chosen. */
const CHOICE = 100;

/** @param {CopiesApp} app @param {Pair} pair @param {boolean} swapped */
export function pairGauges(app, pair, swapped) {
  const [a, b] = swapped ? [pair.b, pair.a] : [pair.a, pair.b];
  const [x, y] = shortNames(app, a, b);
  const [ofA, ofB] = swapped ? [pair.share_b, pair.share_a] : [pair.share_a, pair.share_b];
  return h('dl', { class: 'pair-gauges', 'data-part': 'facts' },
    gauge('Similarity', percent(pair.similarity), pair.similarity, SIMILARITY),
    gauge(`of ${x}`, percent(ofA), ofA, `Share of ${x} that is in passages which both have`),
    gauge(`of ${y}`, percent(ofB), ofB, `Share of ${y} that is in passages which both have`),
    gauge('Longest', commas(pair.longest), null, 'Equal tokens in one passage, at most'),
    gauge('Rarity', pair.rarity.toFixed(2), pair.rarity, `From 0, everybody has what they share, to 1, only these two: ${rare(app.model, pair.rarity)}`),
    gauge('Expected by chance', few(pair.expected), null, byChance(pair.expected)));
}

/** Why the pair counts, to be opened. @param {CopiesApp} app @param {Pair} pair */
export function pairReasons(app, pair) {
  return h('ul', { class: 'reasons' }, [...whyPair(app.model, pair, shortNames(app, pair.a, pair.b)), byChance(pair.expected)].map((sentence) => h('li', {}, sentence)));
}

/** The passages as pills, longest first. @param {HTMLElement} strip @param {Pair} pair @param {import('../../passages.js').Passage[]} passages @param {{ select: (passage: number) => void, hover: (passage: number) => void }} on */
export function passagePills(strip, pair, passages, on) {
  const tokens = (/** @type {import('../../passages.js').Passage} */ p) => pair.passages[p.number].tokens;
  putPills(strip, passages, { text: (p) => commas(tokens(p)), title: (p) => `Passage ${p.number + 1}: ${count(tokens(p), 'token')}${p.moved ? ', in another order' : ''}`, cross: ' ↕', all: pair.passages_all }, on);
}

/** What is known of one passage. @param {CopiesApp} app @param {Pair} pair @param {number} number @param {boolean} swapped @param {number} [spelt]  differences in it */
export function passageFacts(app, pair, number, swapped, spelt = 0) {
  const passage = pair.passages[number];
  if (passage === undefined) return [h('span', { class: 'muted' }, pair.passages.length === 0 ? 'There are no passages to show.' : 'Choose a passage, or press n: both sides come together, and here stands why it counts.')];
  const { language } = app.model.submissions[pair.a].files[passage.a.file] ?? { language: 'text' };
  const lines = (/** @type {import('../types.js').Stretch} */ s, /** @type {number} */ at) => `${app.model.submissions[at].files.length > 1 ? `${cleanName(app.names.file(at, s.file))} ` : ''}${s.line === s.last_line ? `line ${s.line}` : `lines ${s.line}–${s.last_line}`}`;
  const sides = [lines(passage.a, pair.a), lines(passage.b, pair.b)];
  if (swapped) sides.reverse();
  return [
    h('strong', { class: 'number' }, `Passage ${number + 1}`), h('span', { class: 'number' }, count(passage.tokens, 'token')), spelt > 0 && h('span', { class: 'number' }, `${count(spelt, 'difference')} in spelling`), h('span', { class: 'passage-where' }, h('bdi', {}, sides[0]), ' ↔ ', h('bdi', {}, sides[1])),
    h('span', { class: `chip ${passage.submissions <= 2 ? 'alone' : 'later'}` }, inSubmissions(app.model, passage)),
    h('span', { class: 'passage-why', title: whyPassage(app.model, passage, language) }, whyPassage(app.model, passage, language)),
  ];
}

/** The head of a pane. @param {CopiesApp} app @param {number} at @param {number} other @param {'a' | 'b'} key */
export function sideHead(app, at, other, key) {
  const { model, names } = app;
  const s = model.submissions[at];
  const rest = model.of[at].filter((p) => p.a !== other && p.b !== other).slice(0, CHOICE);
  const theirs = (/** @type {Pair} */ p) => (p.a === at ? p.b : p.a);
  const go = (/** @type {any} */ event) => visit(address(key === 'a' ? ['pair', at, Number(event.target.value)] : ['pair', Number(event.target.value), at]));
  const select = rest.length > 0 && h('select', { class: 'small no-print', 'aria-label': `Other pairs of ${shortNameOf(app, at)}`, onchange: go },
    h('option', { value: '', selected: true, disabled: true }, `other pairs (${commas(rest.length)})`), rest.map((p) => h('option', { value: theirs(p), dir: 'auto' }, `${percent(p.similarity)} ${shortNameOf(app, theirs(p))}`)));
  const when = s.created !== undefined ? moment(s.created) : clean(s.created_at ?? '');
  const tokens = `${count(s.tokens, 'token')}${s.excluded > 0 ? `, ${commas(s.excluded)} of them given` : ''}`;
  return h('div', { class: 'pair-name', 'data-submission': at },
    h('a', { class: 'side-link', href: address(['submission', at]), title: shortNameOf(app, at) }, h('bdi', {}, h('strong', {}, shortNameOf(app, at)))),
    h('div', { class: 'small muted pair-facts' }, s.label !== undefined && labelChip(app, s.label), s.archive === true && h('span', { class: 'chip later' }, 'earlier year'),
      names.person(at) !== null && h('bdi', { class: 'pair-file', title: cleanName(names.submission(at)) }, cleanName(names.submission(at))),
      when !== '' && h('span', { class: 'number', title: 'Handed in' }, when), h('span', { class: 'number', title: tokens }, tokens)), select);
}

/** What stands above a file in a pane. @param {CopiesApp} app @param {number} at @param {number} file @param {import('../sheet.js').Read} read */
export function fileHead({ model, names }, at, file, read) {
  const source = model.submissions[at].files[file];
  return h('div', { class: 'file-head', 'data-file': file },
    h('bdi', { class: 'mono file-name' }, cleanName(names.file(at, file))), h('span', { class: 'muted' }, `${clean(source.language)} · ${count(source.lines, 'line')}`),
    source.degraded !== undefined && h('span', { class: 'chip later', title: clean(names.text(source.degraded)) }, 'read without grammar'),
    read === null && h('p', { class: 'file-missing' }, `This text is not in this page (${bytes(source.bytes)}). A larger --embed-limit takes it in, unless the file has changed since.`),
    read?.cut === true && h('span', { class: 'chip later' }, 'only the beginning is here'));
}
