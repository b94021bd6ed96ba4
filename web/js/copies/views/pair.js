// A pair side by side: what the two share, linked, coloured, and why it counts.

import { h, put } from '../../dom.js';
import { keysDialog } from '../../parts/keys.js';
import { readerGrid } from '../../parts/reader.js';
import { SideBySide, selectedBy } from '../../parts/sidebyside.js';
import { worklistBar } from '../../parts/worklistbar.js';
import { address, visit } from '../../route.js';
import { segmentsOf } from '../../sides.js';
import { pairVerdictForm } from '../parts/verdictform.js';
import { fileHead, pairGauges, pairReasons, passageFacts, passagePills, sideHead } from '../parts/pairfacts.js';
import { shortNames } from '../parts/names.js';
import { arrange, foldLines } from '../sheet.js';

/** @type {[string, string][]} */
const KEYS = [
  ['n  p', 'next, previous passage, longest first'],
  ['f', 'fold what is not shared, or show it'],
  ['s', 'scroll both sides together, or apart'],
  ['x', 'swap left and right'],
  ['1  2  3', 'copied, not copied, look again; 0 takes it back'],
  ['Enter', 'on to the next undecided pair of the list'],
  ['c', 'write a note; Esc leaves it'],
  ['d', 'the dossier, to print'],
  ['[  ]', 'previous, next pair of the list'],
  ['Esc', 'back to the list'],
  ['?', 'these keys'],
];

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesPairView(app) {
  return new CopiesPair(app);
}

/** @type {[import('../../sides.js').Folding, string, string][]} */
const FOLDINGS = [
  ['', 'Everything', 'Show both texts whole'],
  ['differs', 'Passages', 'Fold what is not shared: only what both have, with two lines around it'],
];

class CopiesPair extends SideBySide {
  /** @param {import('../start.js').CopiesApp} app */
  constructor(app) {
    const dossier = h('button', { type: 'button', title: 'Everything about this pair, to print or to save as PDF (d)', 'data-action': 'dossier', onclick: () => this.dossier() }, 'Dossier');
    const dialog = keysDialog(KEYS, 'Coloured: what both have, in the same colour on both sides. Grey: given code, and what too many share; it does not count.');
    super({ noun: 'token', toolset: { differences: false, foldings: FOLDINGS, buttons: [dossier] }, dialog, pills: 'Passages, longest first' });
    this.app = app;
    this.title = 'Pair';
    this.sides = [-1, -1];
    /** @type {import('../types.js').Pair | null} */
    this.pair = null;
    /** @type {{ a: import('../sheet.js').Sheet, b: import('../sheet.js').Sheet, comparison: import('../../passages.js').Comparison, words: ReturnType<typeof arrange>['words'], places: ReturnType<typeof arrange>['places'] } | null} */
    this.loaded = null;
    this.verdict = pairVerdictForm(app, () => this.goOn());
    this.worklist = worklistBar(app.worklist, { noun: 'pair', verdicts: app.verdicts, more: [this.verdict.status] });
    this.heading = h('h1');
    this.gauges = h('div');
    this.why = h('div');
    this.fact = h('div', { class: 'passage-fact', 'data-part': 'passage', role: 'status' });
    this.reasons = h('details', { class: 'pair-why', 'data-part': 'why' }, h('summary', {}, 'Why this counts'), this.why);
    this.element = h('div', { class: 'pair copies-pair wide', 'data-part': 'pair' },
      this.worklist.element,
      h('div', { class: 'pair-top' }, h('div', {}, this.heading, this.reasons), this.gauges),
      h('div', { class: 'pair-line' }, h('span', { class: 'muted small' }, 'Passages'), this.pills),
      h('div', { class: 'pair-tools-row' }, this.tools.element, this.verdict.element), this.fact,
      readerGrid(this.reader, this.heads.a, this.heads.b), this.dialog);
    this.listen(this.element, {
      d: () => this.dossier(), c: () => this.verdict.focus(), 1: () => this.verdict.press(0), 2: () => this.verdict.press(1), 3: () => this.verdict.press(2), 0: () => this.verdict.takeBack(),
      ']': () => this.next(1), '[': () => this.next(-1), enter: () => this.goOn(), escape: () => visit(this.worklist.home()),
    });
  }

  /** @param {import('../../route.js').Route} route */
  show({ path, query }) {
    const [a, b] = path.slice(1, 3).map(Number);
    const { model } = this.app;
    const pair = [a, b].every((s) => Number.isInteger(s) && s >= 0 && s < model.size) && a !== b ? model.pair(a, b) : null;
    if (pair === null) return this.#none(a, b);
    const folding = this.foldingOf(query);
    const other = a !== this.sides[0] || b !== this.sides[1];
    const redraw = other || folding !== this.folding;
    [this.sides, this.folding, this.pair] = [[a, b], folding, pair];
    const asked = selectedBy(query.get('at'));
    const at = asked.startsWith('p') && Number(asked.slice(1)) < pair.passages.length ? asked : '';
    this.worklist.show(query, pair);
    if (other) this.#head();
    this.tools.setFolding(folding);
    if (other) void this.#load().then((turn) => this.#draw(turn, at));
    else if (redraw) void this.#draw(this.turn, at);
    else if (at !== this.reader.selected && this.loaded !== null) this.reveal(at);
  }

  get swapped() {
    return this.pair !== null && this.sides[0] !== this.pair.a;
  }

  /** @param {number} a @param {number} b */
  #none(a, b) {
    const { model } = this.app;
    [this.sides, this.pair, this.loaded] = [[-1, -1], null, null];
    this.clear('Nothing to show.');
    const known = [a, b].every((s) => Number.isInteger(s) && s >= 0 && s < model.size) && a !== b;
    const same = known && model.submissions[a].owner !== undefined && model.submissions[a].owner === model.submissions[b].owner;
    put(this.heading, known ? shortNames(this.app, a, b).join(' and ') : 'No such pair');
    put(this.gauges, h('p', { class: 'muted' }, same ? 'Both are of one person: they were not compared. ' : known ? 'These two share too little to be listed. ' : 'There is no such pair in this report. ', h('a', { href: address(['pairs']) }, 'To the pairs')));
    for (const part of [this.why, this.fact, this.heads.a, this.heads.b]) put(part);
    this.reasons.hidden = true;
    this.verdict.show(null);
    this.worklist.show(new URLSearchParams(), null);
    this.element.dataset.drawn = 'none';
  }

  #head() {
    const { app, pair, sides: [a, b] } = this;
    if (pair === null) return;
    const names = shortNames(app, a, b);
    put(this.heading, h('bdi', {}, names[0]), h('span', { class: 'muted' }, ' ↔ '), h('bdi', {}, names[1]));
    this.title = names.join(' ↔ ');
    put(this.gauges, pairGauges(app, pair, this.swapped));
    put(this.why, pairReasons(app, pair));
    this.reasons.hidden = false;
    put(this.heads.a, sideHead(app, a, b, 'a'));
    put(this.heads.b, sideHead(app, b, a, 'b'));
    this.verdict.show(pair);
  }

  /** Reads both and finds the places of their passages. */
  async #load() {
    this.loaded = null;
    this.clear('Reading …');
    const { turn, sides, pair } = this;
    put(this.fact);
    const [a, b] = await Promise.all(sides.map((s) => this.app.texts.of(s)));
    if (turn !== this.turn || pair === null) return turn;
    const shared = pair.passages.map((p) => (this.swapped ? { a: p.b, b: p.a, equal: p.equal } : p));
    this.loaded = { a, b, ...arrange(shared, a, b) };
    passagePills(this.pills, pair, this.loaded.comparison.passages, { select: (p) => this.select(`p${p}`, true), hover: (p) => this.reader.hover(p) });
    this.tools.count(pair.passages.length);
    return turn;
  }

  /** @override */
  items() {
    return this.loaded === null ? null : { p: this.loaded.comparison.passages, d: [] };
  }

  /** @param {'a' | 'b'} key @param {number} submission @returns {import('../../sides.js').Side} */
  #side(key, submission) {
    const { [key]: sheet, words } = /** @type {NonNullable<typeof this.loaded>} */ (this.loaded);
    return {
      key, shown: sheet.shown, ...words[key], given: sheet.given, line: (place) => sheet.line(place),
      heads: sheet.starts.map((start, file) => ({ at: start, head: fileHead(this.app, submission, file, sheet.files[file]) })),
    };
  }

  /** @param {number} turn @param {string} at */
  async #draw(turn, at) {
    const { loaded } = this;
    if (turn !== this.turn || loaded === null) return;
    const [a, b] = this.sides;
    const [left, right] = [this.#side('a', a), this.#side('b', b)];
    const { comparison, places } = loaded;
    const done = await this.reader.show({
      a: left, b: right, comparison, segments: { a: segmentsOf(left, comparison), b: segmentsOf(right, comparison) }, notes: { a: null, b: null },
      folds: this.folding === '' ? { a: [], b: [] } : { a: foldLines(loaded.a, places.a, 0), b: foldLines(loaded.b, places.b, 1_000_000) },
    });
    if (!done) return;
    this.element.dataset.drawn = `${a}-${b}${this.folding}`;
    this.reveal(at);
  }

  /** @override @param {string} name */
  tell(name) {
    super.tell(name);
    if (this.pair !== null) put(this.fact, passageFacts(this.app, this.pair, name === '' ? -1 : Number(name.slice(1)), this.swapped));
  }

  /** @override */
  swap() {
    if (this.pair === null) return;
    const at = this.reader.selected === '' ? null : Number(this.reader.selected.slice(1)) + 1;
    visit(address(['pair', this.sides[1], this.sides[0]], { fold: this.folding, at }));
  }

  dossier() {
    if (this.pair !== null) visit(address(['dossier', ...this.sides]));
  }

  /** Another pair of the list. @param {number} by */
  next(by) {
    const to = this.worklist.neighbour(by);
    if (to !== null) visit(to);
    else put(this.fact, `This is the ${by > 0 ? 'last' : 'first'} pair of the list.`);
  }

  /** To the next pair that is undecided; to the review if none is. */
  goOn() {
    visit(this.worklist.undecided() ?? address(['review']));
  }
}
