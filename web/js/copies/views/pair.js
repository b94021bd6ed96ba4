// A pair side by side: what the two share, linked, coloured, and why it counts.

import { clean, h, put } from '../../dom.js';
import { percent } from '../../format.js';
import { keysDialog } from '../../parts/keys.js';
import { readerGrid } from '../../parts/reader.js';
import { SideBySide, selectedBy } from '../../parts/sidebyside.js';
import { whyStrip } from '../../parts/whystrip.js';
import { worklistBar } from '../../parts/worklistbar.js';
import { address, visit } from '../../route.js';
import { segmentsOf } from '../../sides.js';
import { arrange, unlike } from '../arrange.js';
import { SIMILARITY } from '../explain.js';
import { passageFader } from '../parts/fader.js';
import { pairVerdictForm } from '../parts/verdictform.js';
import { fileHead, pairGauges, pairReasons, passageFacts, passagePills, sideHead } from '../parts/pairfacts.js';
import { shortNames } from '../parts/names.js';
import { renameTable } from '../parts/renames.js';
import { foldLines } from '../sheet.js';
import { renamesOf } from '../spelling.js';

/** @type {[string, string][]} */
const KEYS = [
  ['n  p', 'next, previous passage, longest first'],
  ['j  k', 'next, previous difference inside a passage'],
  ['f', 'matches only, differences only, everything'],
  ['s', 'scroll both sides together, or apart'],
  ['x', 'swap left and right'],
  ['1  2  3', 'copied, not copied, look again; 0 takes it back'],
  ['Enter', 'on to the next undecided pair of the list'],
  ['c', 'write a note; Esc leaves it'],
  ['w', 'why this counts: open the strip at the side, or close it'],
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
  ['differs', 'Matches', 'Fold what is not shared: only what both have, with two lines around it'],
  ['alike', 'Differences', 'Fold what is alike: only what is spelt differently or not shared, with two lines around it'],
];

/** Characters of a difference that are said. */
const SPELT = 60;

class CopiesPair extends SideBySide {
  /** @param {import('../start.js').CopiesApp} app */
  constructor(app) {
    const dossier = h('button', { type: 'button', title: 'Everything about this pair, to print or to save as PDF (d)', 'data-action': 'dossier', onclick: () => this.dossier() }, 'Dossier');
    const dialog = keysDialog(KEYS, 'Coloured: what both have, in the same colour on both sides. Underlined in it: what is spelt differently, or stands on one side only. Grey: given code, and what too many share; it does not count.');
    const fader = passageFader(app.model, () => this.#fade());
    super({ noun: 'token', toolset: { differences: true, foldings: FOLDINGS, buttons: [dossier], filters: [fader.element] }, dialog, pills: 'Passages, longest first' });
    this.app = app;
    this.title = 'Pair';
    this.sides = [-1, -1];
    /** @type {import('../types.js').Pair | null} */
    this.pair = null;
    /** @type {{ a: import('../sheet.js').Sheet, b: import('../sheet.js').Sheet, arranged: ReturnType<typeof arrange> } | null} */
    this.loaded = null;
    this.fader = fader;
    this.verdict = pairVerdictForm(app, () => this.goOn());
    this.worklist = worklistBar(app.worklist, { noun: 'pair', verdicts: app.verdicts, more: [this.verdict.status] });
    this.heading = h('h1');
    this.figure = h('strong', { class: 'pair-figure number', title: SIMILARITY, 'data-part': 'similarity' });
    this.gauges = h('div');
    this.why = h('div');
    this.renames = h('div');
    this.fact = h('div', { class: 'passage-fact', 'data-part': 'passage', role: 'status' });
    this.told = h('div', { class: 'passage-told' });
    this.strip = whyStrip('Why this counts', this.gauges, this.told, this.renames, h('section', {}, h('h2', {}, 'Passages'), this.pills), this.why);
    this.element = h('div', { class: 'pair copies-pair wide', 'data-part': 'pair' },
      this.worklist.element,
      h('div', { class: 'pair-headline', 'data-part': 'headline' }, this.heading, this.figure, this.verdict.element),
      this.tools.element,
      h('div', { class: 'pair-body' }, readerGrid(this.reader, this.heads.a, this.heads.b), this.strip), this.fact, this.dialog);
    this.listen(this.element, {
      j: () => this.step('d', 1), k: () => this.step('d', -1), w: () => { this.strip.open = !this.strip.open; },
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
    const at = asked.startsWith('d') || Number(asked.slice(1)) < pair.passages.length ? asked : '';
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
    for (const part of [this.why, this.fact, this.told, this.renames, this.heads.a, this.heads.b]) put(part);
    const why = same ? 'Both are of one person: they were not compared. ' : known ? 'These two share too little to be listed. ' : 'There is no such pair in this report. ';
    put(this.figure, h('span', { class: 'muted' }, why), h('a', { href: address(['pairs']) }, 'To the pairs'));
    put(this.gauges);
    this.verdict.show(null);
    this.worklist.show(new URLSearchParams(), null);
    this.fader.show(null);
    this.element.dataset.drawn = 'none';
  }

  #head() {
    const { app, pair, sides: [a, b] } = this;
    if (pair === null) return;
    const names = shortNames(app, a, b);
    put(this.heading, h('bdi', {}, names[0]), h('span', { class: 'muted' }, ' ↔ '), h('bdi', {}, names[1]));
    this.title = names.join(' ↔ ');
    put(this.figure, percent(pair.similarity));
    put(this.gauges, pairGauges(app, pair, this.swapped));
    put(this.why, h('h2', {}, 'Reasons'), pairReasons(app, pair));
    this.fader.show(pair);
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
    this.loaded = { a, b, arranged: arrange(shared, a, b) };
    const { comparison } = this.loaded.arranged;
    passagePills(this.pills, pair, comparison.passages, { select: (p) => this.select(`p${p}`, true), hover: (p) => this.reader.hover(p) });
    this.tools.count(pair.passages.length, comparison.differences.length);
    return turn;
  }

  /** @override */
  items() {
    return this.loaded === null ? null : { p: this.loaded.arranged.comparison.passages, d: this.loaded.arranged.comparison.differences };
  }

  /** @override @param {'p' | 'd'} kind @param {number} number */
  passes(kind, number) {
    const passage = kind === 'p' ? number : this.loaded?.arranged.comparison.differences[number]?.inside ?? -1;
    return this.fader.numbers.has(passage);
  }

  /** Lets passages fade, and lists the renames of the others. */
  #fade() {
    if (this.loaded === null) return;
    this.reader.fade(this.fader.numbers);
    for (const pill of this.pills.querySelectorAll('[data-passage]')) pill.classList.toggle('pair-faint', this.fader.numbers.has(Number(pill.getAttribute('data-passage'))));
    const { a, b, arranged: { words, names, comparison } } = this.loaded;
    const seen = names.flatMap((list, passage) => (this.fader.numbers.has(passage) ? [] : list));
    const spelt = (/** @type {import('../sheet.js').Sheet} */ sheet, /** @type {import('../arrange.js').SheetWords} */ side, /** @type {number} */ word) => sheet.shown.slice(side.from[word], side.to[word]);
    put(this.renames, renameTable(renamesOf(words.a, words.b, seen).map(({ words: places, of }) => ({
      left: spelt(a, words.a, places[0][0]), right: spelt(b, words.b, places[0][1]), times: places.length, of,
      go: () => this.select(`d${comparison.differences.findIndex((d) => d.a[0] <= places[0][0] && places[0][0] < d.a[1])}`, true),
    }))));
  }

  /** @param {'a' | 'b'} key @param {number} submission @returns {import('../../sides.js').Side} */
  #side(key, submission) {
    const { [key]: sheet, arranged: { words } } = /** @type {NonNullable<typeof this.loaded>} */ (this.loaded);
    return {
      key, shown: sheet.shown, from: words[key].from, to: words[key].to, given: sheet.given, paint: sheet.paint, line: (place) => sheet.line(place),
      heads: sheet.starts.map((start, file) => ({ at: start, head: fileHead(this.app, submission, file, sheet.files[file]) })),
    };
  }

  /** @param {number} turn @param {string} at */
  async #draw(turn, at) {
    const { loaded } = this;
    if (turn !== this.turn || loaded === null) return;
    const [a, b] = this.sides;
    const [left, right] = [this.#side('a', a), this.#side('b', b)];
    const { comparison, places } = loaded.arranged;
    const alike = this.folding === 'alike';
    const folds = (/** @type {'a' | 'b'} */ key, /** @type {number} */ first) => (this.folding === '' ? [] : foldLines(loaded[key], alike ? unlike(loaded[key], key, loaded.arranged) : places[key], first, alike));
    const done = await this.reader.show({
      a: left, b: right, comparison, segments: { a: segmentsOf(left, comparison), b: segmentsOf(right, comparison) }, notes: { a: null, b: null },
      folds: { a: folds('a', 0), b: folds('b', 1_000_000) },
    });
    if (!done) return;
    this.#fade();
    this.element.dataset.drawn = `${a}-${b}${this.folding}`;
    this.reveal(at);
  }

  /** @override @param {string} name */
  tell(name) {
    super.tell(name);
    if (this.pair === null) return;
    const difference = name.startsWith('d') ? this.loaded?.arranged.comparison.differences[Number(name.slice(1))] : undefined;
    const passage = difference?.inside ?? (name.startsWith('p') ? Number(name.slice(1)) : -1);
    const spelt = this.loaded?.arranged.comparison.differences.filter((d) => d.inside === passage).length;
    const facts = passageFacts(this.app, this.pair, passage, this.swapped, spelt);
    if (difference !== undefined) facts.unshift(this.#difference(difference));
    put(this.fact, facts);
    this.fact.title = passage < 0 ? '' : this.fact.textContent ?? '';
    put(this.told, passage < 0 ? null : passageFacts(this.app, this.pair, passage, this.swapped, spelt));
  }

  /** How a difference is spelt on either side. @param {import('../../passages.js').Difference} difference */
  #difference(difference) {
    const { a, b, arranged: { words } } = /** @type {NonNullable<typeof this.loaded>} */ (this.loaded);
    const spelt = (/** @type {import('../sheet.js').Sheet} */ sheet, /** @type {import('../arrange.js').SheetWords} */ { from, to }, /** @type {[number, number]} */ [first, end]) => {
      const text = first < end ? sheet.shown.slice(from[first], to[end - 1]).replace(/\s+/g, ' ') : '';
      return text === '' ? h('span', { class: 'muted' }, 'nothing') : h('bdi', { class: 'mono' }, clean(text.length > SPELT ? `${text.slice(0, SPELT)}…` : text));
    };
    return h('span', { 'data-part': 'spelt' }, spelt(a, words.a, difference.a), ' → ', spelt(b, words.b, difference.b));
  }

  /** @override */
  swap() {
    if (this.pair === null) return;
    const at = this.reader.selected.startsWith('p') ? Number(this.reader.selected.slice(1)) + 1 : null;
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
