// Both panes and the map between them: what is lit, what is selected, and how one pane follows the other.

import { h, onceAFrame } from '../dom.js';
import { Bridge } from '../sides.js';
import { Minimap } from './minimap.js';
import { Pane } from './panes.js';

/**
 * @template T
 * @typedef {{ a: T, b: T }} Sides
 */

/**
 * @typedef {object} Shown
 * @property {import('../sides.js').Side} a
 * @property {import('../sides.js').Side} b
 * @property {import('../passages.js').Comparison} comparison
 * @property {Sides<import('../sides.js').Segment[]>} segments
 * @property {Sides<import('../sides.js').Fold[]>} folds
 * @property {Sides<import('../dom.js').Child>} notes
 */

/** Where a passage comes to stand when it is stepped to: this share of the height of the pane. */
const STEP = 0.25;

export class Reader {
  /** @param {{ select: (name: string, scroll: boolean) => void, noun: string }} on  `noun`: what the texts are made of */
  constructor(on) {
    this.on = on;
    const open = (/** @type {import('../sides.js').Fold} */ fold) => this.#open(fold.number);
    this.panes = { a: new Pane('a', on.noun, { open }), b: new Pane('b', on.noun, { open }) };
    this.map = new Minimap({
      go: (key, share) => this.#go(key, share),
      select: (passage) => this.on.select(`p${passage}`, true),
      hover: (passage) => this.hover(passage),
    });
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Bridge | null} */
    this.bridge = null;
    this.together = true;
    /** `p3` for a passage, `d5` for a difference, nothing selected if empty. */
    this.selected = '';
    this.hovered = -1;
    /** @type {Pane | null} the pane that the reader moves; the other one follows */
    this.lead = null;
    /** Whether the panes keep their distance: a moved passage is looked at, which the order of the texts would tear apart. */
    this.held = false;
    /** How much further the right pane was scrolled when both were brought together. */
    this.distance = 0;
    this.frame = onceAFrame(() => this.#frame());
    for (const pane of [this.panes.a, this.panes.b]) this.#listen(pane);
    new ResizeObserver(() => this.frame()).observe(this.panes.a.scroller);
  }

  /** @param {Pane} pane */
  #listen(pane) {
    const { scroller } = pane;
    const other = pane.key === 'a' ? this.panes.b : this.panes.a;
    const follow = onceAFrame(() => this.#follow(pane, other));
    for (const touch of ['wheel', 'pointerdown', 'touchstart', 'keydown']) {
      scroller.addEventListener(touch, () => { this.lead = pane; }, { passive: true });
    }
    scroller.addEventListener('scroll', () => {
      this.frame();
      if (this.lead === pane) follow();
    }, { passive: true });
    scroller.addEventListener('mouseover', (event) => this.hover(passageOf(event)));
    scroller.addEventListener('mouseleave', () => this.hover(-1));
    scroller.addEventListener('click', (event) => {
      const passage = passageOf(event);
      // a reader who marks text to copy it does not want it to jump
      if (passage < 0 || !document.getSelection()?.isCollapsed) return;
      this.on.select(`p${passage}`, false);
      this.#meet(passage, pane, other, event.clientY - scroller.getBoundingClientRect().top);
    });
    scroller.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      const passage = passageOf(event) >= 0 ? passageOf(event) : this.#passageInView(pane);
      if (passage < 0) return;
      event.preventDefault();
      this.on.select(`p${passage}`, false);
      this.#meet(passage, pane, other, scroller.clientHeight * STEP);
    });
  }

  /** Shows two texts. @param {Shown} shown */
  async show(shown) {
    this.shown = shown;
    const { a, b, comparison, segments, folds, notes } = shown;
    this.bridge = new Bridge(a, b, comparison);
    this.selected = '';
    this.hovered = -1;
    this.lead = null;
    this.map.draw(a, b, comparison);
    const done = await Promise.all([
      this.panes.a.fill(a, segments.a, folds.a, comparison.passages, notes.a),
      this.panes.b.fill(b, segments.b, folds.b, comparison.passages, notes.b),
    ]);
    this.frame();
    return done[0] && done[1];
  }

  /** Nothing to compare: each side says why. */
  clear() {
    this.shown = null;
    this.bridge = null;
    this.selected = '';
    this.map.clear();
  }

  /** @param {number} passage -1 for none */
  hover(passage) {
    if (passage === this.hovered) return;
    for (const [number, on] of /** @type {[number, boolean][]} */ ([[this.hovered, false], [passage, true]])) {
      if (number < 0) continue;
      for (const pane of [this.panes.a, this.panes.b]) pane.dress(`p${number}`, 'pair-lit', on);
      this.map.dress(number, 'pair-lit', on);
    }
    this.hovered = passage;
  }

  /** Which passages do not draw the eye. @param {Set<number>} numbers */
  fade(numbers) {
    for (const { number } of this.shown?.comparison.passages ?? []) {
      for (const pane of [this.panes.a, this.panes.b]) pane.dress(`p${number}`, 'pair-faint', numbers.has(number), true);
      this.map.dress(number, 'pair-faint', numbers.has(number));
    }
  }

  /** Marks a passage or a difference. @param {string} name */
  mark(name) {
    for (const [old, on] of /** @type {[string, boolean][]} */ ([[this.selected, false], [name, true]])) {
      if (old === '') continue;
      for (const pane of [this.panes.a, this.panes.b]) {
        pane.dress(old, old.startsWith('p') ? 'pair-selected' : 'pair-chosen', on);
        const first = pane.marks.get(old)?.[0];
        if (first !== undefined && old.startsWith('p')) first.tabIndex = on ? 0 : -1;
      }
      if (old.startsWith('p')) this.map.dress(Number(old.slice(1)), 'pair-selected', on);
    }
    this.selected = name;
  }

  /** Marks it and brings both panes to it. @param {string} name */
  reveal(name) {
    this.mark(name);
    if (this.shown === null || name === '') return;
    const { a, b, comparison } = this.shown;
    const number = Number(name.slice(1));
    const what = name.startsWith('p') ? comparison.passages[number] : comparison.differences[number];
    if (what === undefined) return;
    this.lead = null;
    this.held = name.startsWith('p') && comparison.passages[number].moved;
    for (const side of [a, b]) {
      const pane = this.panes[side.key];
      const [first, end] = what[side.key];
      const place = first < end ? side.from[first] : first > 0 ? side.to[first - 1] : 0;
      this.#openAt(pane, place);
      this.#settle(pane, place, pane.scroller.clientHeight * STEP);
    }
  }

  /** Brings the other pane to what stands at a height of this one. @param {number} passage @param {Pane} pane @param {Pane} other @param {number} height */
  #meet(passage, pane, other, height) {
    if (this.shown === null) return;
    const { a, b, comparison } = this.shown;
    const what = comparison.passages[passage];
    const own = pane.key === 'a' ? a : b;
    const theirs = pane.key === 'a' ? b : a;
    const [first, end] = what[own.key];
    const place = Math.min(own.to[end - 1], Math.max(own.from[first], pane.placeAt(pane.scroller.scrollTop + height)));
    const only = { ...comparison, passages: [{ ...what, moved: false }] };
    const across = new Bridge(a, b, only).across(own.key, place);
    const [firstB, endB] = what[theirs.key];
    const target = Math.min(theirs.to[endB - 1], Math.max(theirs.from[firstB], across));
    const y = pane.yOf(place) - pane.scroller.scrollTop;
    this.lead = null;
    this.held = what.moved;
    this.#openAt(other, target);
    this.#settle(other, target, y);
  }

  /** Scrolls a place to a height; again when the blocks around it have been laid out. @param {Pane} pane @param {number} place @param {number} height */
  #settle(pane, place, height) {
    const move = () => {
      pane.scroller.scrollTop = pane.yOf(place) - height;
      this.distance = this.panes.b.scroller.scrollTop - this.panes.a.scroller.scrollTop;
    };
    move();
    let again = 3;
    const correct = () => {
      if (this.lead !== null || again === 0) return;
      again -= 1;
      move();
      requestAnimationFrame(correct);
    };
    requestAnimationFrame(correct);
  }

  /** @param {Pane} pane @param {number} place */
  #openAt(pane, place) {
    const fold = pane.blocks.find((block) => block.fold !== null && block.from <= place && place < block.to)?.fold;
    if (fold) this.#open(fold.number);
  }

  /** @param {number} number */
  #open(number) {
    this.panes.a.open(number);
    this.panes.b.open(number);
    this.frame();
  }

  /** @param {'a' | 'b'} key @param {number} share of the text */
  #go(key, share) {
    const pane = this.panes[key];
    this.lead = pane;
    this.held = false;
    pane.scroller.scrollTop = pane.yOf(share * pane.shown.length) - pane.scroller.clientHeight / 2;
  }

  /** @param {Pane} lead @param {Pane} other */
  #follow(lead, other) {
    if (!this.together || this.bridge === null || this.lead !== lead) return;
    const { scrollTop, scrollHeight, clientHeight } = lead.scroller;
    if (this.held && this.#inView(lead)) {
      other.scroller.scrollTop = lead.key === 'a' ? scrollTop + this.distance : scrollTop - this.distance;
      return;
    }
    this.held = false;
    // the line that both panes share is at the top when one is at the top, at the bottom at the end
    const share = Math.min(1, Math.max(0, scrollTop / Math.max(1, scrollHeight - clientHeight)));
    if (share === 0 || share === 1) {
      other.scroller.scrollTop = share * other.scroller.scrollHeight;
      return;
    }
    const place = this.bridge.across(lead.key, lead.placeAt(scrollTop + share * clientHeight));
    other.scroller.scrollTop = other.yOf(place, true) - share * other.scroller.clientHeight;
  }

  /** Whether the selected passage can be seen. @param {Pane} pane */
  #inView(pane) {
    const passage = this.selected.startsWith('p') ? this.shown?.comparison.passages[Number(this.selected.slice(1))] : undefined;
    if (passage === undefined || this.shown === null) return false;
    const side = this.shown[pane.key];
    const [first, end] = passage[pane.key];
    const [from, to] = pane.view().map((part) => part * pane.shown.length);
    return side.to[end - 1] > from && side.from[first] < to;
  }

  /** @param {Pane} pane */
  #passageInView(pane) {
    if (this.shown === null) return -1;
    const place = pane.placeAt(pane.scroller.scrollTop + pane.scroller.clientHeight * STEP);
    const side = this.shown[pane.key];
    return this.shown.comparison.passages.find((p) => side.from[p[pane.key][0]] <= place && side.to[p[pane.key][1] - 1] >= place)?.number ?? -1;
  }

  #frame() {
    if (this.shown === null) return;
    this.map.frame('a', this.panes.a.view());
    this.map.frame('b', this.panes.b.view());
  }
}

/** The passage under an event, or -1. @param {Event} event */
function passageOf(event) {
  const element = event.target instanceof Element ? event.target.closest('[data-passage]') : null;
  return element === null ? -1 : Number(element.getAttribute('data-passage'));
}

/** The grid with both panes and their heads. @param {Reader} reader @param {HTMLElement} headA @param {HTMLElement} headB */
export function readerGrid(reader, headA, headB) {
  return h('div', { class: 'pair-grid', 'data-part': 'panes' }, headA, h('div', { class: 'pair-between' }), headB, reader.panes.a.scroller, reader.map.element, reader.panes.b.scroller);
}
