// Two documents side by side: what was asked and a match of it, two of a cluster, two versions of a URL. The texts come from the server,
// where it shows them; else a reader can paste them.

import { clean, cleanName, h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { compare } from '../../passages.js';
import { evidenceLines } from '../../parts/evidence.js';
import { gauge } from '../../parts/gauge.js';
import { keysDialog } from '../../parts/keys.js';
import { pause } from '../../parts/panes.js';
import { putPills } from '../../parts/pills.js';
import { readerGrid } from '../../parts/reader.js';
import { SideBySide, selectedBy } from '../../parts/sidebyside.js';
import { whyStrip } from '../../parts/whystrip.js';
import { address, visit } from '../../route.js';
import { foldsOf, segmentsOf } from '../../sides.js';
import { Lexicon, lineStarts, wordsOf } from '../../words.js';
import { Refused, documentPath } from '../api.js';

/** @type {[string, string][]} */
const KEYS = [
  ['n  p', 'next, previous passage'],
  ['j  k', 'next, previous difference'],
  ['f', 'fold what is alike, what differs, nothing'],
  ['w', 'numbers and passages: open the strip at the side, or close it'],
  ['s', 'scroll together, or apart'],
  ['x', 'swap left and right'],
  ['?', 'these keys'],
];

/** @type {[import('../../sides.js').Folding, string, string][]} */
const FOLDINGS = [
  ['', 'Everything', 'Show both texts whole'],
  ['alike', 'Differences', 'Fold what is alike: only the differences, with two lines around them'],
  ['differs', 'Matches', 'Fold what differs: only what both have'],
];

/** @typedef {{ id: string | null, content: string | null }} Wanted  no id: what was asked last */

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function pairView(app) {
  return new PairView(app);
}

class PairView extends SideBySide {
  /** @param {import('../start.js').ServeApp} app */
  constructor(app) {
    super({ noun: 'word', toolset: { differences: true, foldings: FOLDINGS }, dialog: keysDialog(KEYS, 'Coloured: what both have. Underlined, red or green: what only one has.'), pills: 'Longest passages' });
    this.app = app;
    this.title = 'Side by side';
    /** What is shown, as the address has it. */
    this.shown = '';
    /** @type {import('../start.js').Asked | null} */
    this.asked = null;
    /** @type {[Wanted, Wanted]} */
    this.sides = [{ id: null, content: null }, { id: null, content: null }];
    /** @type {string | null} */
    this.index = null;
    /** @type {Map<string, string>} texts that were pasted, by side and document */
    this.pasted = new Map();
    /** @type {import('../../passages.js').Comparison | null} */
    this.comparison = null;
    /** @type {[string, string] | null} */
    this.texts = null;
    this.heading = h('h1');
    this.figure = h('span', { class: 'pair-figure' });
    this.evidence = h('div', { 'data-part': 'compared' });
    this.facts = h('dl', { class: 'pair-gauges', 'data-part': 'facts' });
    this.shares = h('p', { class: 'pair-shares', 'data-part': 'shares' });
    this.strip = whyStrip('Numbers and passages', this.facts, this.shares, h('section', {}, h('h2', {}, 'Longest passages'), this.pills));
    this.element = h('div', { class: 'pair wide', 'data-part': 'pair' },
      h('div', { class: 'pair-headline' }, h('button', { type: 'button', class: 'quiet small', onclick: () => history.back() }, '← Back'), this.heading, this.figure), this.evidence,
      this.tools.element, h('div', { class: 'pair-body' }, readerGrid(this.reader, this.heads.a, this.heads.b), this.strip), this.dialog);
    this.listen(this.element, {
      j: () => this.step('d', 1),
      k: () => this.step('d', -1),
      w: () => { this.strip.open = !this.strip.open; },
    });
  }

  /** @override */
  items() {
    return this.comparison === null ? null : { p: this.comparison.passages, d: this.comparison.differences };
  }

  /** @param {import('../../route.js').Route} route */
  show({ query }) {
    const folding = this.foldingOf(query);
    const key = ['index', 'a', 'ac', 'b', 'bc'].map((name) => query.get(name) ?? '').join('\n');
    const at = selectedBy(query.get('at'));
    // what was asked has no name: another document may be meant
    const other = key !== this.shown || (query.get('a') === null && this.asked !== this.app.asked);
    const redraw = other || folding !== this.folding;
    [this.shown, this.folding, this.asked] = [key, folding, this.app.asked];
    this.sides = [{ id: query.get('a'), content: query.get('ac') }, { id: query.get('b'), content: query.get('bc') }];
    this.index = query.get('index');
    if (other) void this.load(at);
    else if (redraw) void this.draw(at);
    else this.#select(at);
  }

  /** @param {string} at */
  #select(at) {
    if (at !== this.reader.selected && this.comparison !== null) this.reveal(at);
  }

  /** @param {Wanted} wanted */
  nameOf({ id }) {
    return cleanName(id ?? this.app.asked?.name ?? 'pasted text');
  }

  /** Reads both texts, and compares them. @param {string} at */
  async load(at) {
    this.clear('Reading …');
    const { turn } = this;
    this.comparison = null;
    this.texts = null;
    delete this.element.dataset.drawn;
    const { sides } = this;
    put(this.heading, h('bdi', {}, this.nameOf(sides[0])), h('span', { class: 'muted' }, ' ↔ '), h('bdi', {}, this.nameOf(sides[1])));
    for (const part of [this.figure, this.evidence, this.facts, this.shares]) put(part);
    put(this.heads.a, h('div', { class: 'pair-name' }, h('div', { class: 'pair-title' }, h('bdi', {}, this.nameOf(sides[0])))));
    put(this.heads.b, h('div', { class: 'pair-name' }, h('div', { class: 'pair-title' }, h('bdi', {}, this.nameOf(sides[1])))));
    const [a, b] = await Promise.all([this.#text('a', sides[0]), this.#text('b', sides[1])]);
    if (turn !== this.turn) return;
    if (typeof a !== 'string' || typeof b !== 'string') {
      this.#missing('a', a, sides[0]);
      this.#missing('b', b, sides[1]);
      this.element.dataset.drawn = 'without';
      return;
    }
    this.texts = [a, b];
    void this.#compare(a, b, turn);
    await this.draw(at);
  }

  /** A text, or why there is none. @param {'a' | 'b'} key @param {Wanted} wanted @returns {Promise<string | Refused>} */
  async #text(key, wanted) {
    const pasted = this.pasted.get(this.#place(key, wanted));
    if (pasted !== undefined) return pasted;
    if (wanted.id === null) {
      const text = this.app.asked?.text ?? '';
      return text !== '' ? text : new Refused(0, this.app.asked === null ? 'The document that was asked for is not kept over a reload.' : 'The document has no text.');
    }
    try {
      return (await this.app.api.get(`${documentPath(this.index ?? '', wanted.id)}/text`, { content: wanted.content })).text;
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  /** @param {'a' | 'b'} key @param {Wanted} wanted */
  #place(key, { id, content }) {
    return [key, id ?? '', content ?? ''].join('\n');
  }

  /** Says why a text cannot be shown, and takes one. @param {'a' | 'b'} key @param {string | Refused} text @param {Wanted} wanted */
  #missing(key, text, wanted) {
    const pane = this.reader.panes[key];
    if (typeof text === 'string') {
      const none = new Int32Array(0);
      void pane.fill({ key, shown: text, from: none, to: none }, [{ from: 0, to: text.length, passage: -1, difference: -1 }], [], [], null);
      return;
    }
    const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { rows: 8, 'aria-label': `Text of ${this.nameOf(wanted)}`, placeholder: 'Paste its text here' }));
    pane.say(h('strong', {}, 'There is no text to show.'), h('p', { 'data-part': 'why-none' }, clean(text.message)),
      h('form', { class: 'serve-paste', onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        if (area.value.trim() === '') return area.focus();
        this.pasted.set(this.#place(key, wanted), area.value);
        void this.load('');
      } }, area, h('button', { type: 'submit', class: 'primary' }, 'Compare with this text')));
  }

  /** What all lenses say. @param {string} a @param {string} b @param {number} turn */
  async #compare(a, b, turn) {
    try {
      const said = await this.app.api.send('v1/compare', {}, { a, b });
      if (turn !== this.turn) return;
      put(this.evidence, evidenceLines(said.sentence, evidenceRows(said), 'a is on the left, b on the right'));
      if (typeof said.resemblance !== 'number') return;
      put(this.figure, h('strong', { class: 'number', title: 'Resemblance' }, percent(said.resemblance)));
      put(this.facts, gauge('Resemblance', percent(said.resemblance), said.resemblance, 'Shingles in both, of all'),
        gauge('Left in right', percent(said.a_in_b), said.a_in_b, 'Share of the left that is in the right'), gauge('Right in left', percent(said.b_in_a), said.b_in_a, 'Share of the right that is in the left'));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (turn === this.turn) put(this.evidence, h('p', { class: 'small muted' }, clean(error.message)));
    }
  }

  /** @param {string} at */
  async draw(at) {
    if (this.texts === null) return;
    const { turn } = this;
    const [left, right] = this.texts;
    const lexicon = new Lexicon();
    const words = { a: wordsOf(left, lexicon), b: wordsOf(right, lexicon) };
    await pause();
    if (turn !== this.turn) return;
    const comparison = compare(words.a.ids, words.b.ids, { linesA: lineStarts(left, words.a), linesB: lineStarts(right, words.b) });
    /** @type {import('../../sides.js').Side} */
    const a = { key: 'a', shown: left, from: words.a.from, to: words.a.to };
    /** @type {import('../../sides.js').Side} */
    const b = { key: 'b', shown: right, from: words.b.from, to: words.b.to };
    this.comparison = comparison;
    this.element.classList.toggle('pair-strangers', comparison.passages.length === 0);
    this.tools.setFolding(this.folding);
    this.tools.count(comparison.passages.length, comparison.differences.length);
    put(this.shares, comparison.passages.length === 0 ? 'No passage in common: nothing is coloured' : ['Coloured: ', h('strong', { class: 'number' }, percent(comparison.shareA)), ' of the left, ', h('strong', { class: 'number' }, percent(comparison.shareB)), ' of the right']);
    const longest = [...comparison.passages].sort((x, y) => y.equal - x.equal);
    putPills(this.pills, longest, { text: (p) => count(p.equal, 'word'), title: (p) => `Passage ${commas(p.number + 1)}`, cross: ' ↕ moved' }, { select: (passage) => this.select(`p${passage}`, true), hover: (passage) => this.reader.hover(passage) });
    const done = await this.reader.show({ a, b, comparison, segments: { a: segmentsOf(a, comparison), b: segmentsOf(b, comparison) }, folds: foldsOf(a, b, comparison, this.folding), notes: { a: null, b: null } });
    if (!done) return;
    this.element.dataset.drawn = `yes${this.folding}`;
    this.reveal(at);
  }

  /** @override */
  swap() {
    const [a, b] = this.sides;
    // what was asked has no name that an address could have
    if (a.id === null || b.id === null) return;
    visit(address(['pair'], { index: this.index, a: b.id, ac: b.content, b: a.id, bc: a.content, fold: this.folding }));
  }
}

/** A line for each lens, of the numbers of a comparison. @param {any} said @returns {[string, string][]} */
export function evidenceRows(said) {
  const { shingles, simhash, passages, alignment, chunks } = said.evidence ?? {};
  /** @type {[string, string | false | undefined][]} */
  const rows = [
    ['shingles', shingles && `${commas(shingles.shared)} in both, of ${commas(shingles.shingles[0])} and ${commas(shingles.shingles[1])}`],
    ['passages', passages && `${commas(passages.shared[0])} of ${commas(passages.tokens[0])} and ${commas(passages.shared[1])} of ${commas(passages.tokens[1])} tokens`],
    ['simhash', simhash && `${commas(simhash.distance)} of ${commas(simhash.bits)} bits differ`],
    ['alignment', alignment && `${commas(alignment.equal[0])} equal letters, of ${commas(alignment.letters[0])} and ${commas(alignment.letters[1])}`],
    ['chunks', chunks && `${commas(chunks.shared)} bytes in common, of ${commas(chunks.bytes[0])} and ${commas(chunks.bytes[1])}`],
  ];
  return /** @type {[string, string][]} */ (rows.filter(([, line]) => typeof line === 'string'));
}
