// The two panes: text in blocks that the browser lays out when they come into view, so length costs little.

import { clean, h, put, style } from '../dom.js';
import { commas, count } from '../format.js';
import { blocksOf } from '../sides.js';

/**
 * A piece of the sheet: text, or a fold if `fold` is there. `nodes` tells where characters went: first, end, node.
 * @typedef {object} Block
 * @property {number} from
 * @property {number} to
 * @property {HTMLElement} element
 * @property {[number, number, Text][]} nodes
 * @property {import('../sides.js').Fold | null} fold
 */

/** Work this many milliseconds, then let the browser breathe. */
const SLICE = 14;
/** Passages in more pieces than this do not light up under the pointer: all of the page would. */
const LIGHTS = 1500;

/** Classes of colours, by kind (copies/lexemes.js). */
const INKS = ['', 'ink-keyword', '', 'ink-value', 'ink-value', 'ink-comment'];

/** Height of a line, as in pair.css. */
const LINE = 21;

/** Lets the browser do what waits. */
export const pause = () => new Promise((done) => { setTimeout(done, 0); });

export class Pane {
  /**
   * @param {'a' | 'b'} key
   * @param {string} noun  what the text is made of
   * @param {{ open: (fold: import('../sides.js').Fold) => void }} on
   */
  constructor(key, noun, on) {
    this.key = key;
    this.noun = noun;
    this.on = on;
    this.name = key === 'a' ? 'Left' : 'Right';
    this.sheet = h('div', { class: 'pair-sheet' });
    this.scroller = h('div', { class: `pair-scroll pair-${key}`, tabindex: 0, role: 'region', 'aria-label': `${this.name} text`, 'data-part': key === 'a' ? 'left' : 'right' }, this.sheet);
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {import('../sides.js').Segment[]} */
    this.segments = [];
    this.shown = '';
    /** @type {Map<string, HTMLElement[]>} elements by `p3` (passage) or `d5` (difference) */
    this.marks = new Map();
    /** @type {import('../passages.js').Passage[]} */
    this.passages = [];
    this.turn = 0;
    /** @type {((place: number) => number) | null} the number of the line at a place, where lines are numbered */
    this.line = null;
    /** @type {HTMLElement | null} the line that is being filled */
    this.row = null;
    /** @type {import('../sides.js').Paint | null} */
    this.paint = null;
  }

  /** Something else than a text. @param {...import('../dom.js').Child} what */
  say(...what) {
    this.turn += 1;
    this.#clear('');
    put(this.sheet, h('div', { class: 'pair-nothing' }, ...what));
  }

  /** @param {string} shown */
  #clear(shown) {
    this.shown = shown;
    this.blocks = [];
    this.segments = [];
    this.marks.clear();
    put(this.sheet);
    this.scroller.scrollTop = 0;
  }

  /**
   * Shows a text; done when all of it is there. False if something else was shown meanwhile.
   * @param {import('../sides.js').Side} side
   * @param {import('../sides.js').Segment[]} segments
   * @param {import('../sides.js').Fold[]} folds
   * @param {import('../passages.js').Passage[]} passages
   * @param {import('../dom.js').Child} note said below the text
   */
  async fill(side, segments, folds, passages, note) {
    this.turn += 1;
    const turn = this.turn;
    this.#clear(side.shown);
    this.segments = segments;
    this.passages = passages;
    this.line = side.line ?? null;
    this.paint = side.paint ?? null;
    const columns = Math.max(20, (this.scroller.clientWidth || 500) / 7.2);
    let began = performance.now();
    let at = 0;
    const heads = (side.heads ?? []).map(({ at: place, head }) => ({ from: place, to: place, head }));
    /** @type {(import('../sides.js').Fold | { from: number, to: number, head: HTMLElement } | null)[]} */
    const stops = [...[...heads, ...folds].sort((x, y) => x.from - y.from || x.to - y.to), null];
    for (const stop of stops) {
      for (const [from, to] of blocksOf(side.shown, at, stop?.from ?? side.shown.length)) {
        this.#append(this.#text(from, to, columns));
        if (performance.now() - began < SLICE) continue;
        await pause();
        if (turn !== this.turn) return false;
        began = performance.now();
      }
      if (stop === null) break;
      this.#append('head' in stop ? { from: stop.from, to: stop.to, element: stop.head, nodes: [], fold: null } : this.#fold(stop));
      at = stop.to;
    }
    if (note) this.sheet.append(h('p', { class: 'pair-end' }, note));
    return true;
  }

  /** @param {Block} block */
  #append(block) {
    this.blocks.push(block);
    this.sheet.append(block.element);
  }

  /** @param {import('../sides.js').Fold} fold @returns {Block} */
  #fold(fold) {
    const what = fold.told ?? `⋯ ${count(fold.words, this.noun)} ${fold.alike ? 'alike' : 'only here'}`;
    const element = h('button', { type: 'button', class: 'pair-fold', title: 'Show this text', onclick: () => this.on.open(fold) }, what);
    return { from: fold.from, to: fold.to, element, nodes: [], fold };
  }

  /** Shows what a fold hides. @param {number} number */
  open(number) {
    const at = this.blocks.findIndex((block) => block.fold?.number === number);
    if (at < 0) return;
    const { from, to, element } = this.blocks[at];
    const columns = Math.max(20, this.scroller.clientWidth / 7.2);
    const blocks = blocksOf(this.shown, from, to).map(([x, y]) => this.#text(x, y, columns));
    this.blocks.splice(at, 1, ...blocks);
    element.replaceWith(...blocks.map((block) => block.element));
  }

  /** @param {number} from @param {number} to @param {number} columns @returns {Block} */
  #text(from, to, columns) {
    const element = h('div', { class: 'pair-block' });
    /** @type {Block} */
    const block = { from, to, element, nodes: [], fold: null };
    const lines = this.shown.slice(from, to).replace(/\n$/, '').split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    style(element, { 'contain-intrinsic-size': `auto ${Math.round(lines * LINE)}px` });
    if (this.line === null) this.#run(block, from, to);
    else for (let at = from; at < to;) at = this.#row(block, at, to, this.line);
    return block;
  }

  /** A line of its own, with its number. Where it ends. @param {Block} block @param {number} from @param {number} to @param {(place: number) => number} line */
  #row(block, from, to, line) {
    const end = this.shown.indexOf('\n', from);
    const stop = end < 0 || end >= to ? to : end;
    const fresh = from === 0 || this.shown[from - 1] === '\n';
    const row = h('div', { class: 'pair-row', 'data-line': fresh ? line(from) : null });
    block.element.append(row);
    this.row = row;
    this.#run(block, from, stop);
    this.row = null;
    return stop === end ? stop + 1 : stop;
  }

  /** The segments of a stretch. @param {Block} block @param {number} from @param {number} to */
  #run(block, from, to) {
    for (let at = this.#segmentAt(from); at < this.segments.length && this.segments[at].from < to; at++) {
      const segment = this.segments[at];
      // an empty one belongs to the block in which it begins
      if (segment.to === segment.from ? segment.from < from : segment.to <= from) continue;
      this.#pieces(block, segment, Math.max(from, segment.from), Math.min(to, segment.to));
    }
  }

  /** The first segment that ends behind a place or at it. @param {number} place */
  #segmentAt(place) {
    let [low, high] = [0, this.segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.segments[middle].to < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Line by line: the white space at the beginning of lines stays bare. @param {Block} block @param {import('../sides.js').Segment} segment @param {number} from @param {number} to */
  #pieces(block, segment, from, to) {
    const bare = { from, to, passage: -1, difference: -1, given: false };
    const begins = from === block.from || this.shown[from - 1] === '\n';
    // what ends a row has no line feed in it
    const ends = this.row !== null && this.shown[to] === '\n';
    const spaces = new RegExp(`${begins ? '^\\s+|' : ''}\\s*\\n\\s*${ends ? '|\\s+$' : ''}`, 'g');
    let at = from;
    for (const space of segment.passage < 0 && segment.difference < 0 ? [] : this.shown.slice(from, to).matchAll(spaces)) {
      if (from + space.index > at) this.#piece(block, segment, at, from + space.index);
      at = from + space.index + space[0].length;
      this.#piece(block, bare, from + space.index, at);
    }
    if (at < to || from === to) this.#piece(block, segment, at, to);
  }

  /** @param {Block} block @param {import('../sides.js').Segment} segment @param {number} from @param {number} to */
  #piece(block, segment, from, to) {
    const { passage, difference, given = false } = segment;
    const into = this.row ?? block.element;
    const nodes = this.#nodes(block, from, to);
    if (passage < 0 && difference < 0) {
      into.append(...(given ? [h('span', { class: 'pair-given' }, nodes)] : nodes));
      return;
    }
    const hue = passage < 0 ? '' : ` pair-hue${this.passages[passage].hue}`;
    const kind = difference < 0 ? '' : from === to ? ' pair-missing' : passage < 0 ? ' pair-outer' : ' pair-inner';
    const tag = difference < 0 || from === to ? 'span' : this.key === 'a' ? 'del' : 'ins';
    const element = h(tag, { class: `${passage < 0 ? '' : 'pair-passage'}${hue}${kind}${given ? ' pair-given' : ''}`.trim() }, nodes);
    if (passage >= 0) {
      if (!this.marks.has(`p${passage}`)) this.#introduce(element, this.passages[passage]);
      element.dataset.passage = String(passage);
      this.#mark(`p${passage}`, element);
    }
    if (difference >= 0) {
      element.dataset.difference = String(difference);
      this.#mark(`d${difference}`, element);
    }
    into.append(element);
  }

  /** The text of a stretch, in the colours of code. @param {Block} block @param {number} from @param {number} to @returns {(Text | HTMLElement)[]} */
  #nodes(block, from, to) {
    const { paint } = this;
    if (paint === null) return [this.#node(block, from, to)];
    /** @type {(Text | HTMLElement)[]} */
    const nodes = [];
    let at = from;
    for (let stroke = this.#strokeAt(from); stroke < paint.from.length && paint.from[stroke] < to; stroke++) {
      const [start, end] = [Math.max(from, paint.from[stroke]), Math.min(to, paint.to[stroke])];
      if (start > at) nodes.push(this.#node(block, at, start));
      nodes.push(h('span', { class: INKS[paint.kind[stroke]] }, this.#node(block, start, end)));
      at = end;
    }
    if (at < to || nodes.length === 0) nodes.push(this.#node(block, at, to));
    return nodes;
  }

  /** @param {Block} block @param {number} from @param {number} to */
  #node(block, from, to) {
    let text = this.shown.slice(from, to);
    // lines that end in CR LF are lines; any other CR is spelled out
    if (text.includes('\r')) text = (text + (this.shown[to] ?? '')).replace(/\r(?=\n)/g, '').slice(0, this.shown[to] === undefined ? undefined : -1);
    const node = document.createTextNode(clean(text));
    if (from < to) block.nodes.push([from, to, node]);
    return node;
  }

  /** The first colour that ends behind a place. @param {number} place */
  #strokeAt(place) {
    const ends = /** @type {import('../sides.js').Paint} */ (this.paint).to;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first piece of a passage can be reached and says what it is. @param {HTMLElement} element @param {import('../passages.js').Passage} passage */
  #introduce(element, passage) {
    const what = `Passage ${commas(passage.number + 1)}, ${count(passage.equal, this.noun)}${passage.moved ? ', moved' : ''}`;
    element.title = `${what}. Click: bring both sides together`;
    element.tabIndex = -1;
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', what);
    if (passage.moved) element.classList.add('pair-moved');
  }

  /** @param {string} name @param {HTMLElement} element */
  #mark(name, element) {
    const list = this.marks.get(name);
    if (list === undefined) this.marks.set(name, [element]);
    else list.push(element);
  }

  /** Gives the pieces of a passage or difference a class, or takes it. @param {string} name @param {string} look @param {boolean} on @param {boolean} [always] */
  dress(name, look, on, always = false) {
    const elements = this.marks.get(name) ?? [];
    if (!always && elements.length > LIGHTS) return;
    for (const element of elements) element.classList.toggle(look, on);
  }

  /** The block that holds a place. @param {number} place */
  #blockAt(place) {
    let [low, high] = [0, this.blocks.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.blocks[middle].to <= place) low = middle + 1;
      else high = middle;
    }
    return this.blocks[low];
  }

  /** How far below the top of the sheet a character stands; smoothly from line to line if `smooth`. @param {number} place @param {boolean} [smooth] */
  yOf(place, smooth = false) {
    const block = this.#blockAt(place);
    if (block === undefined) return 0;
    if (block.fold !== null) return block.element.offsetTop;
    const [y, across] = this.#spot(block, place);
    return smooth ? y + across * LINE : y;
  }

  /** Where a character of a block stands: how far down, and how far across from 0 to 1. @param {Block} block @param {number} place @returns {[number, number]} */
  #spot(block, place) {
    const found = block.nodes.find(([, to]) => to > place) ?? block.nodes[block.nodes.length - 1];
    if (found === undefined) return [block.element.offsetTop, 0];
    const [from, to, node] = found;
    const share = Math.min(1, Math.max(0, (place - from) / Math.max(1, to - from)));
    const at = Math.min(Math.max(0, node.length - 1), node.length === to - from ? Math.max(0, Math.floor(place) - from) : Math.round(share * node.length));
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, Math.min(node.length, at + 1));
    const box = range.getClientRects()[0];
    if (box === undefined || box.height === 0) return [block.element.offsetTop, 0];
    const frame = this.scroller.getBoundingClientRect();
    return [box.top - frame.top + this.scroller.scrollTop, Math.min(1, Math.max(0, (box.left - frame.left) / Math.max(1, frame.width)))];
  }

  /** The character at a height of the sheet; near enough if `rough`. @param {number} y @param {boolean} [rough] */
  placeAt(y, rough = false) {
    if (this.blocks.length === 0) return 0;
    let [low, high] = [0, this.blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.blocks[middle].element.offsetTop <= y) low = middle;
      else high = middle - 1;
    }
    const block = this.blocks[low];
    const share = Math.min(1, Math.max(0, (y - block.element.offsetTop) / Math.max(1, block.element.offsetHeight)));
    if (rough || block.fold !== null) return block.from + share * (block.to - block.from);
    const end = this.#lastAbove(block, y);
    const line = this.#spot(block, end)[0];
    const start = this.#lastAbove(block, line - 2);
    return start + Math.min(1, Math.max(0, (y - line) / LINE)) * (end - start);
  }

  /** The last character of a block that is not below a height. @param {Block} block @param {number} y */
  #lastAbove(block, y) {
    let [first, end] = [block.from, block.to];
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      if (this.#spot(block, middle)[0] <= y) first = middle;
      else end = middle;
    }
    return first;
  }

  /** What part of the text is in view, from 0 to 1. @returns {[number, number]} */
  view() {
    const all = Math.max(1, this.shown.length);
    const { scrollTop, clientHeight } = this.scroller;
    return [this.placeAt(scrollTop, true) / all, this.placeAt(scrollTop + clientHeight, true) / all];
  }
}
