// Both texts from above, between the panes: what stands where, and where one is.

import { h, put, s } from '../dom.js';
import { commas, count } from '../format.js';

/** Ribbons that are drawn, the largest first. */
const RIBBONS = 400;
const BLOCKS = 1500;
const TICKS = 2000;
const HEIGHT = 1000;
const LANES = { a: [5, 19], b: [81, 95] };

export class Minimap {
  /** @param {{ go: (key: 'a' | 'b', share: number) => void, select: (passage: number) => void, hover: (passage: number) => void }} on */
  constructor(on) {
    this.on = on;
    this.ground = s('g');
    this.frames = { a: s('rect', { class: 'pair-frame' }), b: s('rect', { class: 'pair-frame' }) };
    this.svg = s('svg', { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' }, this.ground, this.frames.a, this.frames.b);
    this.words = h('p', { class: 'visually-hidden' });
    this.element = h('div', { class: 'pair-map', 'data-part': 'minimap', title: 'Both texts from above: click to go there' }, this.svg, this.words);
    /** @type {Map<number, SVGElement>} */
    this.ribbons = new Map();
    /** @type {Map<number, SVGElement[]>} */
    this.spots = new Map();
    /** @type {'a' | 'b' | null} */
    this.dragged = null;
    this.svg.addEventListener('pointerdown', (event) => this.#down(event));
    this.svg.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) this.svg.addEventListener(end, () => { this.dragged = null; });
    this.svg.addEventListener('pointerleave', () => this.on.hover(-1));
  }

  /**
   * @param {import('../sides.js').Side} a
   * @param {import('../sides.js').Side} b
   * @param {import('../passages.js').Comparison} comparison
   */
  draw(a, b, comparison) {
    const { passages, differences } = comparison;
    this.ribbons.clear();
    this.spots.clear();
    const largest = [...passages].sort((x, y) => y.equal - x.equal);
    put(this.ground,
      this.#lane('a', a, largest),
      this.#lane('b', b, largest),
      // small ones last: they would vanish under large ones
      largest.slice(0, RIBBONS).reverse().sort((x, y) => Number(x.moved) - Number(y.moved)).map((passage) => this.#ribbon(passage, a, b)),
      this.#ticks(a, differences),
      this.#ticks(b, differences));
    const moved = passages.filter((p) => p.moved).length;
    this.words.textContent = `Map of both texts: ${count(passages.length, 'passage')} in common, ${commas(moved)} of them moved${differences.length === 0 ? '' : `, ${count(differences.length, 'difference')}`}.`;
  }

  clear() {
    this.ribbons.clear();
    put(this.ground);
    this.words.textContent = '';
    for (const frame of [this.frames.a, this.frames.b]) frame.setAttribute('height', '0');
  }

  /** @param {'a' | 'b'} key @param {import('../sides.js').Side} side @param {import('../passages.js').Passage[]} largest */
  #lane(key, side, largest) {
    const [left, right] = LANES[key];
    return [
      s('rect', { class: 'pair-lane', x: left, width: right - left, y: 0, height: HEIGHT }),
      ...(side.given ?? []).slice(0, BLOCKS).map(([from, to]) => s('rect', { class: 'pair-given-spot', x: left, width: right - left, y: share(side, from), height: share(side, to) - share(side, from) })),
      ...largest.slice(0, BLOCKS).map((passage) => {
        const [from, to] = extent(side, passage[key]);
        const spot = s('rect', { class: `pair-spot pair-hue${passage.hue}`, x: left, width: right - left, y: from, height: Math.max(2, to - from) });
        this.spots.set(passage.number, [...(this.spots.get(passage.number) ?? []), spot]);
        return spot;
      }),
      // where a file begins
      ...(side.heads ?? []).slice(1, BLOCKS).map(({ at }) => s('line', { class: 'pair-edge', x1: left - 3, x2: right + 3, y1: share(side, at), y2: share(side, at) })),
    ];
  }

  /** @param {import('../passages.js').Passage} passage @param {import('../sides.js').Side} a @param {import('../sides.js').Side} b */
  #ribbon(passage, a, b) {
    const [top, bottom] = extent(a, passage.a);
    const [topB, bottomB] = extent(b, passage.b);
    const [x, y] = [LANES.a[1], LANES.b[0]];
    const [lower, lowerB] = [Math.max(bottom, top + 2), Math.max(bottomB, topB + 2)];
    const path = `M${x} ${top}C50 ${top} 50 ${topB} ${y} ${topB}V${lowerB}C50 ${lowerB} 50 ${lower} ${x} ${lower}Z`;
    const ribbon = s('path', { class: `pair-ribbon pair-hue${passage.hue}${passage.moved ? ' pair-moved' : ''}`, d: path, 'data-passage': passage.number });
    this.ribbons.set(passage.number, ribbon);
    return ribbon;
  }

  /** Where the differences are. @param {import('../sides.js').Side} side @param {import('../passages.js').Difference[]} differences */
  #ticks(side, differences) {
    const [left, right] = side.key === 'a' ? [LANES.a[0], LANES.a[0] + 5] : [LANES.b[1] - 5, LANES.b[1]];
    const marks = differences.filter((d) => d.inside >= 0).slice(0, TICKS).map((d) => {
      const word = Math.min(side.from.length - 1, d[side.key][0]);
      return `M${left} ${(side.from[word] / Math.max(1, side.shown.length)) * HEIGHT}H${right}`;
    });
    return s('path', { class: `pair-ticks pair-${side.key}`, d: marks.join('') });
  }

  /** @param {'a' | 'b'} key @param {[number, number]} view from 0 to 1 */
  frame(key, [from, to]) {
    const [left, right] = LANES[key];
    const frame = this.frames[key];
    frame.setAttribute('x', String(left - 3));
    frame.setAttribute('width', String(right - left + 6));
    frame.setAttribute('y', String(from * HEIGHT));
    frame.setAttribute('height', String(Math.max(6, (to - from) * HEIGHT)));
  }

  /** @param {number} passage @param {string} look @param {boolean} on */
  dress(passage, look, on) {
    this.ribbons.get(passage)?.classList.toggle(look, on);
    for (const spot of this.spots.get(passage) ?? []) spot.classList.toggle(look, on);
  }

  /** @param {PointerEvent} event @returns {[number, number]} where in the drawing, from 0 to 1 */
  #place(event) {
    const box = this.svg.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const [x, y] = this.#place(event);
    const passage = /** @type {Element} */ (event.target).getAttribute('data-passage');
    event.preventDefault();
    if (passage !== null) {
      this.on.select(Number(passage));
      return;
    }
    this.dragged = x < 0.5 ? 'a' : 'b';
    this.svg.setPointerCapture(event.pointerId);
    this.on.go(this.dragged, y);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.dragged !== null) this.on.go(this.dragged, this.#place(event)[1]);
    else this.on.hover(Number(/** @type {Element} */ (event.target).getAttribute('data-passage') ?? -1));
  }
}

/** How far down a place is in the drawing. @param {import('../sides.js').Side} side @param {number} place */
function share(side, place) {
  return (place / Math.max(1, side.shown.length)) * HEIGHT;
}

/** Top and bottom of some words in the drawing. @param {import('../sides.js').Side} side @param {[number, number]} words @returns {[number, number]} */
function extent(side, [first, end]) {
  return [share(side, side.from[first]), share(side, side.to[end - 1])];
}
