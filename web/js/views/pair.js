// Side by side: two documents, what they have in common, and every word in which they differ.

import { h, put } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { lensOf } from '../lens.js';
import { limited } from '../load.js';
import { compare } from '../passages.js';
import { listenToKeys, pairKeys } from '../parts/pairkeys.js';
import { neighbours, paneHead, pairFacts, pairOrigin, pairShares, putPills } from '../parts/pairhead.js';
import { pause } from '../parts/panes.js';
import { Reader, readerGrid } from '../parts/reader.js';
import { Tools } from '../parts/pairtools.js';
import { isFeatures, noun } from '../recipe.js';
import { address, amend, visit } from '../route.js';
import { foldsOf, inSource, segmentsOf } from '../sides.js';
import { load, save } from '../storage.js';
import { Lexicon, itemsOf, lineStarts, wordsOf } from '../words.js';

/** @typedef {{ text: import('../types.js').Text, words: import('../words.js').Words }} Loaded */

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function pairView(app) {
  return new PairView(app);
}

class PairView {
  /** @param {import('../main.js').App} app */
  constructor(app) {
    this.app = app;
    this.title = 'Side by side';
    this.pair = [-1, -1];
    this.threshold = -1;
    this.turn = 0;
    /** @type {{ a: Loaded, b: Loaded, comparison: import('../passages.js').Comparison } | null} */
    this.loaded = null;
    this.raw = false;
    /** @type {import('../sides.js').Folding} */
    this.folding = '';
    const { recipe } = app.model.page.report;
    this.items = isFeatures(recipe);
    this.noun = noun(recipe);
    this.reader = new Reader({ select: (name, scroll) => this.select(name, scroll), noun: this.noun });
    this.reader.together = load('together', true) !== false;
    this.tools = new Tools({
      passage: (step) => this.step('p', step),
      difference: (step) => this.step('d', step),
      fold: (folding) => amend({ fold: folding }),
      raw: (raw) => this.setRaw(raw),
      together: (on) => this.setTogether(on),
      swap: () => this.swap(),
      keys: () => this.dialog.showModal(),
    });
    this.dialog = pairKeys(this.noun);
    this.origin = h('div', { class: 'pair-origin' });
    this.facts = h('div', { class: 'pair-summary', 'data-part': 'facts' });
    this.shares = h('div');
    this.pills = h('div', { class: 'pair-pills', role: 'group', 'aria-label': 'Longest passages', 'data-part': 'passages' });
    this.heads = { a: h('div', { class: 'pair-head' }), b: h('div', { class: 'pair-head' }) };
    this.said = h('p', { class: 'visually-hidden', role: 'status' });
    this.element = h('div', { class: 'pair wide', 'data-part': 'pair' },
      h('div', { class: 'pair-top' }, h('div', {}, h('h1', {}, 'Side by side'), this.origin), this.facts),
      h('div', { class: 'pair-line' }, this.shares, this.pills),
      this.tools.element,
      readerGrid(this.reader, this.heads.a, this.heads.b), this.said, this.dialog);
    listenToKeys(this.element, {
      n: () => this.step('p', 1),
      p: () => this.step('p', -1),
      j: () => this.step('d', 1),
      k: () => this.step('d', -1),
      d: () => this.step('d', 1),
      D: () => this.step('d', -1),
      f: () => amend({ fold: { '': 'alike', alike: 'differs', differs: '' }[this.folding] }),
      r: () => this.setRaw(!this.raw),
      s: () => this.setTogether(!this.reader.together),
      x: () => this.swap(),
      ']': () => this.member(1),
      '[': () => this.member(-1),
      escape: () => this.leave(),
      '?': () => this.dialog.showModal(),
    });
    this.tools.setTogether(this.reader.together);
  }

  /** @param {import('../route.js').Route} route */
  show({ path, query }) {
    const { model } = this.app;
    const alone = model.page.kind === 'comparison';
    const numbers = path.slice(1, 3).map(Number);
    if (numbers.length < 2 || numbers.some((d) => !Number.isInteger(d) || d < 0 || d >= model.size)) return this.#none();
    const [a, b] = alone && query.get('swap') === '1' ? [numbers[1], numbers[0]] : numbers;
    const fold = query.get('fold');
    const folding = fold === 'alike' || fold === 'differs' ? fold : '';
    const raw = query.get('view') === 'raw';
    const other = a !== this.pair[0] || b !== this.pair[1];
    const redraw = other || folding !== this.folding || raw !== this.raw;
    if (other || this.threshold !== model.threshold) this.#head(a, b);
    [this.pair, this.threshold, this.folding, this.raw] = [[a, b], model.threshold, folding, raw];
    const at = named(query.get('at'));
    if (other) void this.#load(a, b).then((turn) => this.#draw(turn, at));
    else if (redraw) void this.#draw(this.turn, at);
    else if (at !== this.reader.selected && this.loaded !== null) this.#reveal(at);
  }

  #none() {
    this.pair = [-1, -1];
    this.turn += 1;
    this.loaded = null;
    this.reader.clear();
    put(this.origin, h('span', {}, 'There is no such pair in this report. ', h('a', { href: address(['clusters']) }, 'To the clusters')));
    for (const part of [this.facts, this.shares, this.pills, this.heads.a, this.heads.b]) put(part);
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.say('Nothing to show.');
    this.tools.count(0, 0);
  }

  /** @param {number} a @param {number} b */
  #head(a, b) {
    put(this.origin, pairOrigin(this.app, a, b, (step) => this.member(step)));
    put(this.facts, pairFacts(this.app, a, b));
    put(this.heads.a, paneHead(this.app, a, b, 'a'));
    put(this.heads.b, paneHead(this.app, b, a, 'b'));
  }

  /** Reads and compares both texts. @param {number} a @param {number} b */
  async #load(a, b) {
    this.turn += 1;
    const turn = this.turn;
    this.loaded = null;
    this.reader.clear();
    put(this.shares);
    put(this.pills);
    this.tools.count(0, 0);
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.say('Reading …');
    const texts = await Promise.all([this.app.texts.of(a), this.app.texts.of(b)].map((text) => text.catch(() => null)));
    if (turn !== this.turn) return turn;
    const [left, right] = texts;
    if (left === null || right === null) {
      this.#missing(a, left, 'a');
      this.#missing(b, right, 'b');
      return turn;
    }
    const lexicon = new Lexicon();
    const parts = this.items ? itemsOf : wordsOf;
    const x = { text: left, words: parts(left.text, lexicon) };
    await pause();
    const y = { text: right, words: parts(right.text, lexicon) };
    await pause();
    if (turn !== this.turn) return turn;
    const comparison = compare(x.words.ids, y.words.ids, { linesA: lineStarts(left.text, x.words), linesB: lineStarts(right.text, y.words), items: this.items });
    this.loaded = { a: x, b: y, comparison };
    this.element.classList.toggle('pair-strangers', comparison.passages.length === 0);
    put(this.shares, pairShares(this.app, comparison));
    putPills(this.app, this.pills, comparison.passages, (passage) => this.select(`p${passage}`, true));
    return turn;
  }

  /** Says why a text cannot be shown, or shows it alone. @param {number} document @param {import('../types.js').Text | null} text @param {'a' | 'b'} key */
  #missing(document, text, key) {
    const pane = this.reader.panes[key];
    this.tools.setRaw(false, 'One of the two texts is not in this file');
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
    const { a, b, comparison } = this.loaded;
    const source = a.text.raw !== undefined || b.text.raw !== undefined;
    this.tools.setRaw(this.raw && source, source ? '' : 'Both texts are as they were written: there is no other source');
    this.tools.setFolding(this.folding);
    this.tools.count(comparison.passages.length, comparison.differences.length);
    const left = this.#side('a', a);
    const right = this.#side('b', b);
    const segments = { a: segmentsOf(left, comparison), b: segmentsOf(right, comparison) };
    const done = await this.reader.show({ a: left, b: right, comparison, segments, folds: foldsOf(left, right, comparison, this.folding), notes: { a: note(a.text), b: note(b.text) } });
    if (!done) return;
    if (left.shown === '') this.reader.panes.a.say('This text is empty.');
    if (right.shown === '') this.reader.panes.b.say('This text is empty.');
    this.element.dataset.drawn = `${this.pair.join('-')}${this.folding}${this.raw ? '-raw' : ''}`;
    this.#reveal(at);
  }

  /** @param {'a' | 'b'} key @param {Loaded} loaded @returns {import('../sides.js').Side} */
  #side(key, { text, words }) {
    if (!this.raw || text.raw === undefined) return { key, shown: text.text, from: words.from, to: words.to };
    return { key, shown: text.raw, ...inSource(words, text.map ?? [], text.raw.length) };
  }

  /** @param {string} at */
  #reveal(at) {
    this.reader.reveal(at);
    this.#tell(at);
  }

  /** @param {string} name @param {boolean} scroll */
  select(name, scroll) {
    if (scroll) this.reader.reveal(name);
    else this.reader.mark(name);
    this.#tell(name);
    amend({ at: name === '' ? null : name.startsWith('p') ? Number(name.slice(1)) + 1 : `d${Number(name.slice(1)) + 1}` });
  }

  /** @param {string} name */
  #tell(name) {
    const number = Number(name.slice(1));
    this.tools.at(name);
    for (const pill of this.pills.querySelectorAll('[data-passage]')) pill.setAttribute('aria-pressed', String(name === `p${pill.getAttribute('data-passage')}`));
    const passage = name.startsWith('p') ? this.loaded?.comparison.passages[number] : undefined;
    if (passage !== undefined) this.said.textContent = `Passage ${commas(number + 1)}: ${count(passage.equal, this.noun)}${passage.moved ? ', moved' : ''}`;
    else if (name !== '') this.said.textContent = `Difference ${commas(number + 1)}`;
  }

  /** @param {'p' | 'd'} kind @param {number} step */
  step(kind, step) {
    if (this.loaded === null) return;
    const { passages, differences } = this.loaded.comparison;
    const list = kind === 'p' ? passages : differences;
    if (list.length === 0) return;
    const now = this.reader.selected;
    let next = step > 0 ? 0 : list.length - 1;
    if (now.startsWith(kind)) next = (Number(now.slice(1)) + step + list.length) % list.length;
    else if (now !== '') {
      // from a passage to the differences in it or behind it, and back
      const here = (kind === 'p' ? differences : passages)[Number(now.slice(1))]?.a[0] ?? 0;
      const behind = list.findIndex((item) => item.a[0] >= here);
      next = step > 0 ? Math.max(0, behind) : (behind < 0 ? list.length : behind) - 1;
      if (next < 0) next = list.length - 1;
    }
    this.select(`${kind}${next}`, true);
  }

  /** @param {boolean} raw */
  setRaw(raw) {
    if (this.tools.rawReason === '') amend({ view: raw ? 'raw' : null });
  }

  /** @param {boolean} on */
  setTogether(on) {
    this.reader.together = on;
    save('together', on);
    this.tools.setTogether(on);
  }

  /** Goes on to another document of the cluster. @param {number} step */
  member(step) {
    const [a, b] = this.pair;
    const row = a < 0 ? null : neighbours(this.app.model, a, b);
    const to = step > 0 ? row?.next : row?.previous;
    if (to) visit(address(['pair', ...to], { fold: this.folding, view: this.raw ? 'raw' : null }));
    else if (row) this.said.textContent = step > 0 ? 'This is the last document of the cluster' : 'This is the first document of the cluster';
  }

  /** Back to the cluster. */
  leave() {
    const { model } = this.app;
    const cluster = model.page.kind === 'comparison' || this.pair[0] < 0 ? undefined : model.clusterOf(this.pair[0]) ?? model.clusterOf(this.pair[1]);
    if (cluster !== undefined) visit(address(['cluster', cluster.representative]));
  }

  swap() {
    const [a, b] = this.pair;
    if (a < 0) return;
    const keep = { fold: this.folding, view: this.raw ? 'raw' : null };
    const { selected } = this.reader;
    const passages = this.loaded?.comparison.passages ?? [];
    const order = [...passages].sort((x, y) => x.b[0] - y.b[0]).findIndex((p) => `p${p.number}` === selected);
    const at = order < 0 ? null : order + 1;
    if (this.app.model.page.kind === 'comparison') amend({ ...keep, at, swap: a === 0 ? 1 : null });
    else visit(address(['pair', b, a], { ...keep, at }));
  }
}

/** `3` is the passage `p2`, `d3` the difference `d2`: readers count from one. @param {string | null} at */
function named(at) {
  const found = /^(d?)([1-9]\d{0,7})$/.exec(at ?? '');
  return found === null ? '' : `${found[1] === 'd' ? 'd' : 'p'}${Number(found[2]) - 1}`;
}

/** @param {import('../types.js').Text} text */
function note(text) {
  return text.cut === true ? `Cut here: only the first ${commas(text.text.length)} characters are in this file and compared.` : null;
}
