// A pair side by side: what the two share, linked, coloured, and why it counts.

import { h, put } from '../../dom.js';
import { count } from '../../format.js';
import { keysDialog } from '../../parts/keys.js';
import { listenToKeys } from '../../parts/pairkeys.js';
import { Reader, readerGrid } from '../../parts/reader.js';
import { address, amend, visit } from '../../route.js';
import { load, save } from '../../storage.js';
import { judgeForm } from '../parts/judge.js';
import { fileHead, pairGauges, pairReasons, passageFacts, passagePills, sideHead } from '../parts/pairfacts.js';
import { PairTools } from '../parts/pairtools.js';
import { bothShort } from '../parts/who.js';
import { arranged, folds, segments } from '../sides.js';

/** @type {[string, string][]} */
const KEYS = [
  ['Tab  n', 'next passage, longest first'],
  ['⇧ Tab  p', 'previous passage'],
  ['f', 'fold what is not shared, or show it'],
  ['s', 'scroll both sides together, or apart'],
  ['x', 'swap left and right'],
  ['1  2  3', 'copied, not copied, look again'],
  ['c', 'write a note; Esc leaves it'],
  ['d', 'the dossier, to print'],
  ['[  ]', 'previous, next pair of the list'],
  ['Esc', 'back to the pairs'],
  ['?', 'these keys'],
];

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesPairView(app) {
  return new CopiesPair(app);
}

class CopiesPair {
  /** @param {import('../start.js').CopiesApp} app */
  constructor(app) {
    this.app = app;
    this.title = 'Pair';
    this.turn = 0;
    this.sides = [-1, -1];
    this.folded = false;
    /** @type {import('../types.js').Pair | null} */
    this.pair = null;
    /** @type {{ a: import('../sides.js').Sheet, b: import('../sides.js').Sheet } | null} */
    this.sheets = null;
    this.reader = new Reader({ select: (name, scroll) => this.select(name, scroll), noun: 'token' });
    this.reader.together = load('together', true) !== false;
    this.tools = new PairTools({ step: (by) => this.step(by), fold: () => this.fold(), together: () => this.together(), swap: () => this.swap(), dossier: () => this.dossier(), keys: () => this.dialog.showModal() });
    this.judge = judgeForm(app);
    this.dialog = keysDialog(KEYS, 'Coloured: what both have, in the same colour on both sides. Grey: given code, and what too many share; it does not count.');
    this.heading = h('h1');
    this.gauges = h('div');
    this.why = h('div');
    this.fact = h('div', { class: 'passage-fact', 'data-part': 'passage', role: 'status' });
    this.reasons = h('details', { class: 'pair-why', 'data-part': 'why' }, h('summary', {}, 'Why this counts'), this.why);
    this.pills = h('div', { class: 'pair-pills', role: 'group', 'aria-label': 'Passages, longest first', 'data-part': 'passages' });
    this.heads = { a: h('div', { class: 'pair-head' }), b: h('div', { class: 'pair-head' }) };
    this.element = h('div', { class: 'pair copies-pair wide', 'data-part': 'pair' },
      h('div', { class: 'pair-top' }, h('div', {}, this.heading, this.reasons), this.gauges),
      h('div', { class: 'pair-line' }, h('span', { class: 'muted small' }, 'Passages'), this.pills),
      h('div', { class: 'pair-tools-row' }, this.tools.element, this.judge.element), this.fact,
      readerGrid(this.reader, this.heads.a, this.heads.b), this.dialog);
    this.tools.setTogether(this.reader.together);
    listenToKeys(this.element, {
      n: () => this.step(1), p: () => this.step(-1), f: () => this.fold(), s: () => this.together(), x: () => this.swap(), d: () => this.dossier(), c: () => this.judge.focus(),
      1: () => this.judge.press(0), 2: () => this.judge.press(1), 3: () => this.judge.press(2), ']': () => this.next(1), '[': () => this.next(-1), escape: () => visit(address(['pairs'])), '?': () => this.dialog.showModal(),
    });
    addEventListener('keydown', (event) => this.#tab(event));
  }

  /** Tab leads through the passages, and behind the last one on to whatever follows: nobody is caught. @param {KeyboardEvent} event */
  #tab(event) {
    if (event.key !== 'Tab' || !this.element.isConnected || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || this.pair === null || this.dialog.open) return;
    const at = document.activeElement;
    const reading = at === null || at === document.body || at.id === 'main' || at.closest('.pair-scroll, .pair-pills') !== null;
    const now = this.reader.selected === '' ? -1 : Number(this.reader.selected.slice(1));
    const next = now + (event.shiftKey ? -1 : 1);
    if (!reading || next < 0 || next >= this.pair.passages.length) return;
    event.preventDefault();
    this.select(`p${next}`, true);
  }

  /** @param {import('../../route.js').Route} route */
  show({ path, query }) {
    const [a, b] = path.slice(1, 3).map(Number);
    const { model } = this.app;
    const pair = [a, b].every((s) => Number.isInteger(s) && s >= 0 && s < model.size) && a !== b ? model.pair(a, b) : null;
    if (pair === null) return this.#none(a, b);
    const folded = query.get('fold') === '1';
    const other = a !== this.sides[0] || b !== this.sides[1];
    const redraw = other || folded !== this.folded;
    [this.sides, this.folded, this.pair] = [[a, b], folded, pair];
    const at = /^[1-9]\d{0,6}$/.test(query.get('at') ?? '') && Number(query.get('at')) <= pair.passages.length ? `p${Number(query.get('at')) - 1}` : '';
    if (other) this.#head();
    this.tools.setFolded(folded);
    if (other) void this.#load().then((turn) => this.#draw(turn, at));
    else if (redraw) void this.#draw(this.turn, at);
    else if (at !== this.reader.selected && this.sheets !== null) this.#reveal(at);
  }

  get swapped() {
    return this.pair !== null && this.sides[0] !== this.pair.a;
  }

  /** @param {number} a @param {number} b */
  #none(a, b) {
    const { model } = this.app;
    this.turn += 1;
    [this.sides, this.pair, this.sheets] = [[-1, -1], null, null];
    this.reader.clear();
    const known = [a, b].every((s) => Number.isInteger(s) && s >= 0 && s < model.size) && a !== b;
    const same = known && model.submissions[a].owner !== undefined && model.submissions[a].owner === model.submissions[b].owner;
    put(this.heading, known ? bothShort(this.app, a, b).join(' and ') : 'No such pair');
    put(this.gauges, h('p', { class: 'muted' }, same ? 'Both are of one person: they were not compared. ' : known ? 'These two share too little to be listed. ' : 'There is no such pair in this report. ', h('a', { href: address(['pairs']) }, 'To the pairs')));
    for (const part of [this.why, this.pills, this.fact, this.heads.a, this.heads.b]) put(part);
    this.reasons.hidden = true;
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.say('Nothing to show.');
    this.judge.show(null);
    this.tools.count(0);
    this.element.dataset.drawn = 'none';
  }

  #head() {
    const { app, pair, sides: [a, b] } = this;
    if (pair === null) return;
    const names = bothShort(app, a, b);
    put(this.heading, h('bdi', {}, names[0]), h('span', { class: 'muted' }, ' ↔ '), h('bdi', {}, names[1]));
    this.title = names.join(' ↔ ');
    put(this.gauges, pairGauges(app, pair, this.swapped));
    put(this.why, pairReasons(app, pair));
    this.reasons.hidden = false;
    put(this.heads.a, sideHead(app, a, b, 'a'));
    put(this.heads.b, sideHead(app, b, a, 'b'));
    this.judge.show(pair);
  }

  async #load() {
    this.turn += 1;
    const { turn, sides } = this;
    this.sheets = null;
    this.reader.clear();
    put(this.pills);
    put(this.fact);
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.say('Reading …');
    const [a, b] = await Promise.all(sides.map((s) => this.app.texts.of(s)));
    if (turn === this.turn) this.sheets = { a, b };
    return turn;
  }

  /** @param {number} turn @param {string} at */
  async #draw(turn, at) {
    const { sheets, pair, app } = this;
    if (turn !== this.turn || sheets === null || pair === null) return;
    const shared = pair.passages.map((p) => (this.swapped ? { a: p.b, b: p.a, equal: p.equal } : p));
    const { comparison, words, places } = arranged(shared, sheets.a, sheets.b);
    const side = (/** @type {'a' | 'b'} */ key, /** @type {number} */ submission) => ({
      key, shown: sheets[key].shown, ...words[key], given: sheets[key].given, line: (/** @type {number} */ place) => sheets[key].line(place),
      heads: sheets[key].starts.map((start, file) => ({ at: start, head: fileHead(app, submission, file, sheets[key].files[file]) })),
    });
    const part = (/** @type {'a' | 'b'} */ key) => segments(sheets[key].shown.length, places[key], sheets[key].given);
    const none = { a: [], b: [] };
    passagePills(this.pills, pair, comparison.passages, (p) => this.select(`p${p}`, true), (p) => this.reader.hover(p));
    this.tools.count(pair.passages.length);
    const [a, b] = this.sides;
    const done = await this.reader.show({
      a: side('a', a), b: side('b', b), comparison, segments: { a: part('a'), b: part('b') }, notes: { a: null, b: null },
      folds: this.folded ? { a: folds(sheets.a, places.a, 0), b: folds(sheets.b, places.b, 1_000_000) } : none,
    });
    if (!done) return;
    this.element.dataset.drawn = `${a}-${b}${this.folded ? '-folded' : ''}`;
    this.#reveal(at);
  }

  /** @param {string} name */
  #reveal(name) {
    this.reader.reveal(name);
    this.#tell(name);
  }

  /** @param {string} name @param {boolean} scroll */
  select(name, scroll) {
    if (scroll) this.reader.reveal(name);
    else this.reader.mark(name);
    this.#tell(name);
    amend({ at: name === '' ? null : Number(name.slice(1)) + 1 });
  }

  /** @param {string} name */
  #tell(name) {
    const number = name === '' ? -1 : Number(name.slice(1));
    this.tools.at(number);
    for (const pill of this.pills.querySelectorAll('[data-passage]')) {
      const here = Number(pill.getAttribute('data-passage')) === number;
      pill.setAttribute('aria-pressed', String(here));
      if (here) pill.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    if (this.pair !== null) put(this.fact, passageFacts(this.app, this.pair, number, this.swapped));
  }

  /** @param {number} by */
  step(by) {
    const all = this.pair?.passages.length ?? 0;
    if (all === 0 || this.sheets === null) return;
    const now = this.reader.selected === '' ? (by > 0 ? -1 : 0) : Number(this.reader.selected.slice(1));
    this.select(`p${(now + by + all) % all}`, true);
  }

  fold() {
    amend({ fold: this.folded ? null : 1 });
  }

  together() {
    this.reader.together = !this.reader.together;
    save('together', this.reader.together);
    this.tools.setTogether(this.reader.together);
  }

  swap() {
    if (this.pair === null) return;
    const at = this.reader.selected === '' ? null : Number(this.reader.selected.slice(1)) + 1;
    visit(address(['pair', this.sides[1], this.sides[0]], { fold: this.folded ? 1 : null, at }));
  }

  dossier() {
    if (this.pair !== null) visit(address(['dossier', ...this.sides]));
  }

  /** Another pair of the list. @param {number} by */
  next(by) {
    const { model } = this.app;
    const to = this.pair === null ? undefined : model.pairs[model.pairs.indexOf(this.pair) + by];
    if (to !== undefined) visit(address(['pair', to.a, to.b], { fold: this.folded ? 1 : null }));
    else put(this.fact, `This is the ${by > 0 ? 'last' : 'first'} of ${count(model.pairs.length, 'pair')}.`);
  }
}
