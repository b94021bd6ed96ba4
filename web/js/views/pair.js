// Side by side: two documents, what they have in common, and every word in which they differ.

import { compareChunks } from '../chunkpassages.js';
import { h, put } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { lensOf } from '../lens.js';
import { limited } from '../load.js';
import { compare } from '../passages.js';
import { pairKeys } from '../parts/pairkeys.js';
import { evidenceStrip } from '../parts/evidence.js';
import { chunkShares, neighbours, paneHead, pairFacts, pairFigure, pairNames, pairOrigin, pairPills, pairShares } from '../parts/pairhead.js';
import { pause } from '../parts/panes.js';
import { readerGrid } from '../parts/reader.js';
import { SideBySide, selectedBy } from '../parts/sidebyside.js';
import { whyStrip } from '../parts/whystrip.js';
import { isFeatures, noun } from '../recipe.js';
import { address, amend, visit } from '../route.js';
import { foldsOf, inSource, segmentsOf } from '../sides.js';
import { Lexicon, itemsOf, lineStarts, wordsOf } from '../words.js';

/** @typedef {{ text: import('../types.js').Text, words: import('../words.js').Words }} Loaded */

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function pairView(app) {
  return new PairView(app);
}

/** @type {[import('../sides.js').Folding, string, string][]} */
const FOLDINGS = [
  ['', 'Everything', 'Show both texts whole'],
  ['alike', 'Differences', 'Fold what is alike: only the differences, with two lines around them'],
  ['differs', 'Matches', 'Fold what differs: only what both have'],
];

class PairView extends SideBySide {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    const { recipe } = app.model.page.report;
    const read = h('button', { type: 'button', title: 'The text as it was compared (r)', onclick: () => this.setRaw(false) }, 'Text');
    const source = /** @type {HTMLButtonElement} */ (h('button', { type: 'button', 'data-view': 'raw', onclick: () => this.setRaw(true) }, 'Source'));
    super({ noun: noun(recipe), toolset: { differences: true, foldings: FOLDINGS, views: [read, source] }, dialog: pairKeys(noun(recipe)), pills: 'Longest passages' });
    this.app = app;
    this.title = 'Side by side';
    this.pair = [-1, -1];
    this.threshold = -1;
    /** @type {{ a: Loaded, b: Loaded, comparison: import('../passages.js').Comparison, chunks: ReturnType<typeof compareChunks> | null } | null} `chunks`: where bytes were compared and can be shown */
    this.loaded = null;
    /** Whether bytes were compared: then they are what is shown first. */
    this.bytes = lensOf(app.model.page).bytes;
    this.raw = this.bytes;
    this.views = { read, source };
    /** Why there is no source to show; empty if there is. */
    this.rawReason = '';
    this.sets = isFeatures(recipe);
    this.noun = noun(recipe);
    this.origin = h('div', { class: 'pair-origin' });
    this.heading = h('h1');
    this.figure = h('span', { class: 'pair-figure' });
    this.facts = h('div', { class: 'pair-summary', 'data-part': 'facts' });
    this.shares = h('div');
    this.strip = whyStrip('Numbers and passages', this.facts, this.shares, h('section', {}, h('h2', {}, 'Longest passages'), this.pills));
    this.said = h('p', { class: 'visually-hidden', role: 'status' });
    this.element = h('div', { class: 'pair wide', 'data-part': 'pair' },
      h('div', { class: 'pair-headline', 'data-part': 'headline' }, this.origin, this.heading, this.figure),
      evidenceStrip(app.model.page),
      this.tools.element,
      h('div', { class: 'pair-body' }, readerGrid(this.reader, this.heads.a, this.heads.b), this.strip), this.said, this.dialog);
    this.listen(this.element, {
      j: () => this.step('d', 1),
      k: () => this.step('d', -1),
      d: () => this.step('d', 1),
      D: () => this.step('d', -1),
      r: () => this.setRaw(!this.raw),
      w: () => { this.strip.open = !this.strip.open; },
      ']': () => this.member(1),
      '[': () => this.member(-1),
      escape: () => this.leave(),
    });
    this.#showRaw(false, '');
  }

  /** What is shown of what was loaded: chunks in the source, if bytes were compared; words otherwise. */
  get comparison() {
    return (this.raw ? this.loaded?.chunks?.comparison : undefined) ?? this.loaded?.comparison ?? null;
  }

  /** @override */
  items() {
    const { comparison } = this;
    return comparison === null ? null : { p: comparison.passages, d: comparison.differences };
  }

  /** @param {import('../route.js').Route} route */
  show({ path, query }) {
    const { model } = this.app;
    const alone = model.page.kind === 'comparison';
    const numbers = path.slice(1, 3).map(Number);
    if (numbers.length < 2 || numbers.some((d) => !Number.isInteger(d) || d < 0 || d >= model.size)) return this.#none();
    const [a, b] = alone && query.get('swap') === '1' ? [numbers[1], numbers[0]] : numbers;
    const folding = this.foldingOf(query);
    const raw = this.bytes ? query.get('view') !== 'text' : query.get('view') === 'raw';
    const other = a !== this.pair[0] || b !== this.pair[1];
    const redraw = other || folding !== this.folding || raw !== this.raw;
    if (other || this.threshold !== model.threshold) this.#head(a, b);
    [this.pair, this.threshold, this.folding, this.raw] = [[a, b], model.threshold, folding, raw];
    const at = selectedBy(query.get('at'));
    if (other) void this.#load(a, b).then((turn) => this.#draw(turn, at));
    else if (redraw) void this.#draw(this.turn, at);
    else if (at !== this.reader.selected && this.loaded !== null) this.reveal(at);
  }

  #none() {
    this.pair = [-1, -1];
    this.loaded = null;
    this.clear('Nothing to show.');
    put(this.origin, h('span', {}, 'There is no such pair in this report. ', h('a', { href: address(['clusters']) }, 'To the clusters')));
    put(this.heading, 'Side by side');
    for (const part of [this.facts, this.figure, this.shares, this.heads.a, this.heads.b]) put(part);
  }

  /** @param {number} a @param {number} b */
  #head(a, b) {
    put(this.origin, pairOrigin(this.app, a, b, (step) => this.member(step)));
    put(this.heading, pairNames(this.app, a, b));
    put(this.figure, pairFigure(this.app, a, b));
    put(this.facts, pairFacts(this.app, a, b));
    put(this.heads.a, paneHead(this.app, a, b, 'a'));
    put(this.heads.b, paneHead(this.app, b, a, 'b'));
  }

  /** Reads and compares both texts. @param {number} a @param {number} b */
  async #load(a, b) {
    this.loaded = null;
    this.clear('Reading …');
    const { turn } = this;
    put(this.shares);
    const texts = await Promise.all([this.app.texts.of(a), this.app.texts.of(b)].map((text) => text.catch(() => null)));
    if (turn !== this.turn) return turn;
    const [left, right] = texts;
    if (left === null || right === null) {
      this.#missing(a, left, 'a');
      this.#missing(b, right, 'b');
      return turn;
    }
    const lexicon = new Lexicon();
    const parts = this.sets ? itemsOf : wordsOf;
    const x = { text: left, words: parts(left.text, lexicon) };
    await pause();
    const y = { text: right, words: parts(right.text, lexicon) };
    await pause();
    if (turn !== this.turn) return turn;
    const comparison = compare(x.words.ids, y.words.ids, { linesA: lineStarts(left.text, x.words), linesB: lineStarts(right.text, y.words), items: this.sets });
    const chunks = left.chunks === undefined || right.chunks === undefined ? null : compareChunks(left.chunks, right.chunks, { a: left.raw ?? left.text, b: right.raw ?? right.text });
    this.loaded = { a: x, b: y, comparison, chunks };
    return turn;
  }

  /** Says why a text cannot be shown, or shows it alone. @param {number} document @param {import('../types.js').Text | null} text @param {'a' | 'b'} key */
  #missing(document, text, key) {
    const pane = this.reader.panes[key];
    this.#showRaw(false, 'One of the two texts is not in this file');
    const all = lensOf(this.app.model.page).anyFile && this.pair.every((d) => this.app.texts.none(d));
    put(this.shares, h('p', { class: 'muted' }, all ? 'There is no text to lay side by side: what the two have in common is in the numbers.' : 'Without both texts nothing can be laid side by side.'));
    if (text !== null) {
      const shown = text.text;
      const none = new Int32Array(0);
      void pane.fill({ key, shown, from: none, to: none }, [{ from: 0, to: shown.length, passage: -1, difference: -1 }], [], [], null);
      return;
    }
    const { page } = this.app.model;
    const damaged = this.app.texts.has(document);
    if (!damaged && lensOf(page).anyFile && (this.app.texts.none(document) || !limited(page))) {
      pane.say(h('strong', {}, 'There is no text to show.'),
        h('p', {}, 'The file is binary (a picture, a program, an archive), is known from an exchange file only, or was changed, moved or deleted during the scan. It was compared byte for byte all the same.'),
        h('p', { class: 'muted' }, `The document has ${bytes(page.documents.bytes[document])}.`));
      return;
    }
    pane.say(h('strong', {}, damaged ? 'This text cannot be read: this file is damaged.' : 'This text is not in this file.'),
      !damaged && h('p', {}, limited(page) && !this.app.texts.none(document) ? `The texts stop at --embed-limit ${bytes(page.texts.limit)}; scan again with a higher one.` : 'It could not be read again: the document was changed, moved or deleted during the scan.'),
      h('p', { class: 'muted' }, `The document has ${bytes(page.documents.bytes[document])}.`));
  }

  /** @param {number} turn @param {string} at */
  async #draw(turn, at) {
    if (turn !== this.turn || this.loaded === null) return;
    const { a, b, chunks } = this.loaded;
    const source = chunks !== null || a.text.raw !== undefined || b.text.raw !== undefined;
    this.#showRaw(this.raw && source, source ? '' : 'Both texts are as they were written: there is no other source');
    const comparison = /** @type {import('../passages.js').Comparison} */ (this.comparison);
    const inChunks = this.raw && chunks !== null;
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.noun = inChunks ? 'chunk' : this.noun;
    this.element.classList.toggle('pair-strangers', comparison.passages.length === 0);
    put(this.shares, inChunks ? chunkShares(comparison) : [pairShares(this.app, comparison), this.bytes && this.raw && h('p', { class: 'small muted', 'data-part': 'no-chunks' }, 'Coloured are common words, not common bytes: these cannot be shown in what was read from such a file.')]);
    pairPills(this.pills, comparison.passages, inChunks ? 'chunk' : this.noun, { select: (passage) => this.select(`p${passage}`, true), hover: (passage) => this.reader.hover(passage) });
    this.tools.setFolding(this.folding);
    this.tools.count(comparison.passages.length, comparison.differences.length);
    const [left, right] = inChunks ? [this.#bytes('a', a, chunks.a), this.#bytes('b', b, chunks.b)] : [this.#side('a', a), this.#side('b', b)];
    const segments = { a: segmentsOf(left, comparison), b: segmentsOf(right, comparison) };
    const done = await this.reader.show({ a: left, b: right, comparison, segments, folds: foldsOf(left, right, comparison, this.folding), notes: { a: note(a.text), b: note(b.text) } });
    if (!done) return;
    if (left.shown === '') this.reader.panes.a.say('This text is empty.');
    if (right.shown === '') this.reader.panes.b.say('This text is empty.');
    this.element.dataset.drawn = `${this.pair.join('-')}${this.folding}${this.raw && !this.bytes ? '-raw' : this.bytes && !this.raw ? '-text' : ''}`;
    this.reveal(at);
  }

  /** @param {'a' | 'b'} key @param {Loaded} loaded @returns {import('../sides.js').Side} */
  #side(key, { text, words }) {
    if (!this.raw || text.raw === undefined) return { key, shown: text.text, from: words.from, to: words.to };
    return { key, shown: text.raw, ...inSource(words, text.map ?? [], text.raw.length) };
  }

  /** A text as it is written, and its chunks. @param {'a' | 'b'} key @param {Loaded} loaded @param {import('../chunkpassages.js').Cut} cut @returns {import('../sides.js').Side} */
  #bytes(key, { text }, { from, to }) {
    return { key, shown: text.raw ?? text.text, from, to };
  }

  /** @override @param {string} name */
  tell(name) {
    super.tell(name);
    const number = Number(name.slice(1));
    const passage = name.startsWith('p') ? this.comparison?.passages[number] : undefined;
    if (passage !== undefined) this.said.textContent = `Passage ${commas(number + 1)}: ${count(passage.equal, this.reader.panes.a.noun)}${passage.moved ? ', moved' : ''}`;
    else if (name !== '') this.said.textContent = `Difference ${commas(number + 1)}`;
  }

  /** @param {boolean} raw @param {string} reason */
  #showRaw(raw, reason) {
    const { read, source } = this.views;
    this.rawReason = reason;
    read.setAttribute('aria-pressed', String(!raw));
    source.setAttribute('aria-pressed', String(raw));
    source.disabled = reason !== '';
    source.title = reason !== '' ? reason : 'The documents as they are written (r)';
  }

  /** @param {boolean} raw */
  setRaw(raw) {
    if (this.rawReason === '') amend({ view: this.#view(raw) });
  }

  /** How an address says which view is meant; what is shown first needs no word. @param {boolean} raw */
  #view(raw) {
    return raw === this.bytes ? null : raw ? 'raw' : 'text';
  }

  /** Goes on to another document of the cluster. @param {number} step */
  member(step) {
    const [a, b] = this.pair;
    const row = a < 0 ? null : neighbours(this.app.model, a, b);
    const to = step > 0 ? row?.next : row?.previous;
    if (to) visit(address(['pair', ...to], { fold: this.folding, view: this.#view(this.raw) }));
    else if (row) this.said.textContent = step > 0 ? 'This is the last document of the cluster' : 'This is the first document of the cluster';
  }

  /** Back to the cluster. */
  leave() {
    const { model } = this.app;
    const cluster = model.page.kind === 'comparison' || this.pair[0] < 0 ? undefined : model.clusterOf(this.pair[0]) ?? model.clusterOf(this.pair[1]);
    if (cluster !== undefined) visit(address(['cluster', cluster.representative]));
  }

  /** @override */
  swap() {
    const [a, b] = this.pair;
    if (a < 0) return;
    const keep = { fold: this.folding, view: this.#view(this.raw) };
    const { selected } = this.reader;
    const passages = this.comparison?.passages ?? [];
    const order = [...passages].sort((x, y) => x.b[0] - y.b[0]).findIndex((p) => `p${p.number}` === selected);
    const at = order < 0 ? null : order + 1;
    if (this.app.model.page.kind === 'comparison') amend({ ...keep, at, swap: a === 0 ? 1 : null });
    else visit(address(['pair', b, a], { ...keep, at }));
  }
}

/** @param {import('../types.js').Text} text */
function note(text) {
  return text.cut === true ? `Cut here: only the first ${commas(text.text.length)} characters are in this file and compared.` : null;
}
