// One pair after the other, side by side: the same, or different?

import { cleanName, h, put, style } from '../../dom.js';
import { bytes, commas, percent } from '../../format.js';
import { compare } from '../../passages.js';
import { download } from '../../parts/download.js';
import { keysDialog } from '../../parts/keys.js';
import { listenToKeys } from '../../parts/pairkeys.js';
import { pause } from '../../parts/panes.js';
import { Reader, readerGrid } from '../../parts/reader.js';
import { address, visit } from '../../route.js';
import { foldsOf, segmentsOf } from '../../sides.js';
import { lasting, load, save } from '../../storage.js';
import { Lexicon, lineStarts, wordsOf } from '../../words.js';
import { JUDGEMENTS } from '../judgements.js';
import { measureName } from '../words.js';

/** @type {[string, string][]} */
const KEYS = [
  ['s', 'the same: one of the two is enough'],
  ['d', 'different: both are wanted'],
  ['u', 'unsure: it does not count'],
  ['Backspace', 'take it back'],
  ['←  →', 'previous, next pair'],
  ['j  k', 'next, previous difference'],
  ['h', 'hide or show the numbers'],
  ['?', 'these keys'],
];

const LABELS = { same: 'Same', different: 'Different', unsure: 'Unsure' };

/** @param {import('../start.js').CalibrationApp} app @returns {import('../../shell.js').View} */
export function judgeView(app) {
  return new JudgeView(app);
}

class JudgeView {
  /** @param {import('../start.js').CalibrationApp} app */
  constructor({ page, judgements, texts }) {
    this.page = page;
    this.judgements = judgements;
    this.title = 'Judge';
    this.sample = page.calibration.sample;
    this.contents = texts;
    this.at = -1;
    this.turn = 0;
    /** @type {import('../../passages.js').Comparison | null} */
    this.comparison = null;
    this.hidden = load('hidenumbers', false) === true;
    this.dialog = keysDialog(KEYS, 'Coloured: what both have. Underlined, red or green: what only one has.');
    this.reader = new Reader({ select: (name, scroll) => (scroll ? this.reader.reveal(name) : this.reader.mark(name)), noun: 'word' });
    this.place = h('p', { class: 'muted', 'data-part': 'place' });
    this.facts = h('dl', { class: 'pair-gauges', 'data-part': 'facts' });
    this.heads = { a: h('div', { class: 'pair-head' }), b: h('div', { class: 'pair-head' }) };
    this.said = h('p', { class: 'visually-hidden', role: 'status' });
    this.buttons = JUDGEMENTS.map((judgement) => h('button', { type: 'button', class: `judge-${judgement}`, 'data-judgement': judgement, title: `${LABELS[judgement]} (${judgement[0]})`, onclick: () => this.judge(judgement) }, LABELS[judgement], ' ', h('kbd', {}, judgement[0])));
    this.hide = h('button', { type: 'button', 'data-action': 'hide', title: 'Judge without knowing what the numbers say (h)', onclick: () => this.toggle() }, 'Hide numbers');
    this.bar = h('div', { class: 'review-bar', role: 'img' });
    this.done = h('p', { class: 'small muted', 'data-part': 'progress' });
    this.element = h('div', { class: 'pair wide judge', 'data-part': 'judge' },
      h('div', { class: 'pair-top' }, h('div', {}, h('h1', {}, 'The same, or different?'), this.place), this.facts),
      h('div', { class: 'pair-tools' },
        h('button', { type: 'button', title: 'Previous pair (←)', 'aria-label': 'Previous pair', onclick: () => this.go(-1) }, '←'),
        h('div', { class: 'row judge-buttons', role: 'group', 'aria-label': 'Judgement' }, this.buttons),
        h('button', { type: 'button', title: 'Next pair (→)', 'aria-label': 'Next pair', onclick: () => this.go(1) }, '→'),
        h('span', { class: 'pair-space' }), this.hide,
        h('button', { type: 'button', 'data-action': 'export', onclick: () => download(judgements.json(), 'application/json', 'judgements.json') }, 'Export'),
        h('button', { type: 'button', 'data-action': 'export-csv', onclick: () => download(judgements.csv(), 'text/csv', 'judgements.csv') }, 'as CSV'),
        h('button', { type: 'button', 'aria-label': 'Keys', title: 'Keys (?)', onclick: () => this.dialog.showModal() }, '?')),
      h('div', {}, this.bar, this.done),
      readerGrid(this.reader, this.heads.a, this.heads.b), this.said, this.dialog);
    listenToKeys(this.element, {
      s: () => this.judge('same'),
      d: () => this.judge('different'),
      u: () => this.judge('unsure'),
      backspace: () => this.judge(null),
      arrowleft: () => this.go(-1),
      arrowright: () => this.go(1),
      j: () => this.step(1),
      k: () => this.step(-1),
      h: () => this.toggle(),
      '?': () => this.dialog.showModal(),
    });
  }

  /** @param {import('../../route.js').Route} route */
  show({ path }) {
    if (this.sample.length === 0) return this.none('No pairs were drawn.');
    const wanted = Number(path[1]) - 1;
    const at = Number.isInteger(wanted) && wanted >= 0 && wanted < this.sample.length ? wanted : Math.max(0, this.judgements.next(0));
    const other = at !== this.at;
    this.at = at;
    this.tell();
    if (other) void this.load();
  }

  /** @param {string} why */
  none(why) {
    put(this.place, why);
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.say(why);
  }

  /** What is known of the pair, and how far the reader has come. */
  tell() {
    const pair = this.sample[this.at];
    const { measures, strata } = this.page.calibration;
    const said = this.judgements.of(pair);
    put(this.place, `Pair ${commas(this.at + 1)} of ${commas(this.sample.length)}`);
    for (const button of this.buttons) button.setAttribute('aria-pressed', String(button.dataset.judgement === said));
    this.hide.setAttribute('aria-pressed', String(this.hidden));
    /** @type {[string, string][]} */
    const facts = this.hidden ? [] : [...measures.map((measure, at) => /** @type {[string, string]} */ ([measureName(measure), percent(pair.scores[at])])), ['Aligned', percent(pair.aligned)]];
    put(this.facts, facts.map(([name, number]) => h('div', { class: 'pair-gauge judge-fact' }, h('dt', {}, name), h('dd', {}, number))));
    this.facts.title = this.hidden ? '' : `One of ${commas(strata[pair.stratum].pairs)} pairs from ${strata[pair.stratum].from.toFixed(2)} to ${strata[pair.stratum].to.toFixed(2)}`;
    put(this.heads.a, headOf(pair.a));
    put(this.heads.b, headOf(pair.b));
    const counts = this.judgements.counts();
    const share = (/** @type {number} */ n) => `${((100 * n) / this.sample.length).toFixed(2)}%`;
    put(this.bar, JUDGEMENTS.map((judgement) => style(h('span', { class: `review-segment judge-is-${judgement}` }), { width: share(counts[judgement]) })));
    const judged = this.sample.length - counts.open;
    this.bar.setAttribute('aria-label', `${commas(judged)} of ${commas(this.sample.length)} pairs judged`);
    put(this.done, `${commas(judged)} of ${commas(this.sample.length)} judged: ${commas(counts.same)} the same, ${commas(counts.different)} different, ${commas(counts.unsure)} unsure. `,
      judged === 0 ? 'Some of each range come first: judge as many as you like.' : ['Export them, then: ', h('code', {}, `${cleanName(this.page.command)} --judged judgements.json`)],
      lasting() ? '' : ' This browser keeps nothing: export before you close the page.');
  }

  async load() {
    this.turn += 1;
    const { turn } = this;
    this.comparison = null;
    this.reader.clear();
    delete this.element.dataset.drawn;
    const pair = this.sample[this.at];
    const { panes } = this.reader;
    for (const pane of [panes.a, panes.b]) pane.say('Reading …');
    const [left, right] = await Promise.all([pair.a, pair.b].map((document) => this.contents.get(this.page.contents[document.content] ?? -1).catch(() => null)));
    if (turn !== this.turn) return;
    if (left === null || right === null) {
      for (const [pane, text, document] of /** @type {const} */ ([[panes.a, left, pair.a], [panes.b, right, pair.b]])) {
        pane.say(h('strong', {}, text === null ? 'This text is not in this file.' : 'The other text is not in this file.'),
          h('p', {}, `The texts stop at --embed-limit ${bytes(this.page.texts.limit)}, or the document had changed.`), h('p', { class: 'muted' }, `The document has ${bytes(document.bytes)}.`));
      }
      this.element.dataset.drawn = String(this.at + 1);
      return;
    }
    const lexicon = new Lexicon();
    const words = { a: wordsOf(left.text, lexicon), b: wordsOf(right.text, lexicon) };
    await pause();
    if (turn !== this.turn) return;
    const comparison = compare(words.a.ids, words.b.ids, { linesA: lineStarts(left.text, words.a), linesB: lineStarts(right.text, words.b) });
    /** @type {import('../../sides.js').Side} */
    const a = { key: 'a', shown: left.text, from: words.a.from, to: words.a.to };
    /** @type {import('../../sides.js').Side} */
    const b = { key: 'b', shown: right.text, from: words.b.from, to: words.b.to };
    this.comparison = comparison;
    const cut = (/** @type {import('../../types.js').Text} */ text) => (text.cut === true ? `Cut here: only the first ${commas(text.text.length)} characters are in this file.` : null);
    const done = await this.reader.show({ a, b, comparison, segments: { a: segmentsOf(a, comparison), b: segmentsOf(b, comparison) }, folds: foldsOf(a, b, comparison, ''), notes: { a: cut(left), b: cut(right) } });
    if (done) this.element.dataset.drawn = String(this.at + 1);
  }

  /** @param {import('../types.js').Judgement | null} judgement */
  judge(judgement) {
    const pair = this.sample[this.at];
    if (pair === undefined) return;
    this.judgements.say(pair, judgement);
    this.said.textContent = judgement === null ? 'Taken back' : `${LABELS[judgement]}.`;
    const next = judgement === null ? -1 : this.judgements.next(this.at);
    if (next >= 0) visit(address(['judge', next + 1]));
    else this.tell();
  }

  /** @param {number} step */
  go(step) {
    if (this.sample.length === 0) return;
    visit(address(['judge', ((this.at + step + this.sample.length) % this.sample.length) + 1]));
  }

  /** @param {number} step */
  step(step) {
    const all = this.comparison?.differences ?? [];
    if (all.length === 0) return;
    const { selected } = this.reader;
    const now = selected.startsWith('d') ? Number(selected.slice(1)) : step > 0 ? -1 : 0;
    this.reader.reveal(`d${(now + step + all.length) % all.length}`);
  }

  toggle() {
    this.hidden = !this.hidden;
    save('hidenumbers', this.hidden);
    this.tell();
  }
}

/** @param {import('../types.js').PairDocument} document */
function headOf(document) {
  return [h('div', { class: 'pair-title' }, h('bdi', {}, cleanName(document.id))), h('div', { class: 'small muted' }, bytes(document.bytes))];
}
