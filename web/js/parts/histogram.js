// How alike pairs are, and the threshold as a line that can be dragged.

import { h, s, put, style, onceAFrame } from '../dom.js';
import { commas, count } from '../format.js';

/**
 * @typedef {object} HistogramOptions
 * @property {number[]} values           how alike each pair is
 * @property {string} [noun]             what is counted: pairs, if nothing is said
 * @property {string} label             what the threshold is
 * @property {[number, number]} range    where the threshold can be
 * @property {number} from               below this not all pairs are listed
 * @property {number} scanned            the threshold of the scan
 * @property {boolean} fixed             whether the threshold stays where it is
 * @property {(threshold: number) => void} onmove   while it is dragged
 * @property {(threshold: number) => void} onpick   when it is let go
 */

const HEIGHT = 190;
const ROOM = { left: 46, right: 14, top: 30, bottom: 26 };

/** `63%` @param {number} share */
export function whole(share) {
  return `${Math.round(share * 100)}%`;
}

/**
 * How many values are in each hundredth (or two): the first bin begins at `low`, the last ends at 1 and includes it. What is lower is counted apart.
 * @param {number[]} values @param {number} low in whole hundredths @param {number} hundredths the width of a bin
 */
export function bins(values, low, hundredths) {
  const first = Math.round(low * 100);
  const counts = new Array(Math.max(1, Math.ceil((100 - first) / hundredths))).fill(0);
  let below = 0;
  for (const value of values) {
    // 0.29 * 100 is 28.999…: a hair must not move a pair to another bin
    const at = Math.floor((value * 100 - first) / hundredths + 1e-9);
    if (at < 0) below += 1;
    else counts[Math.min(at, counts.length - 1)] += 1;
  }
  return { counts, below };
}

/** Whether one bin dwarfs the others, so that these cannot be seen. @param {number[]} counts */
export function skewed(counts) {
  const filled = counts.filter((n) => n > 0).sort((x, y) => x - y);
  return filled.length > 2 && filled[filled.length - 1] > 25 * filled[Math.floor(filled.length / 2)];
}

/**
 * A threshold in whole hundredths that can be had: in the range, and not between the scan's own and the first of which all pairs are known.
 * @param {number} wanted @param {{ range: [number, number], from: number, scanned: number }} limits
 */
export function settle(wanted, { range: [low, high], from, scanned }) {
  const t = Math.min(high, Math.max(low, Math.round(wanted * 100) / 100));
  if (Math.abs(wanted - scanned) < 0.0049) return scanned;
  if (t >= from) return t;
  const least = Math.ceil(from * 100 - 1e-9) / 100;
  return scanned < from && t - scanned < least - t ? scanned : Math.min(high, least);
}

/**
 * The next threshold in a direction, over the gap that settle() may leave.
 * @param {number} now @param {number} by @param {{ range: [number, number], from: number, scanned: number }} limits
 */
export function stepped(now, by, limits) {
  const t = settle(Math.round((now + by) * 100) / 100, limits);
  if (by > 0 && t <= now) return Math.max(now, settle(limits.from, limits));
  if (by < 0 && t >= now) return limits.scanned < now ? limits.scanned : now;
  return t;
}

/** Round numbers for an axis up to `most`; powers of ten if it is logarithmic. @param {number} most @param {boolean} log @returns {number[]} */
export function ticks(most, log) {
  if (log) {
    const powers = [];
    for (let n = 1; n <= most; n *= 10) powers.push(n);
    return powers;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 3)));
  const step = Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((n) => most / n <= 4) ?? power * 10);
  return Array.from({ length: Math.floor(most / step) }, (_, at) => (at + 1) * step);
}

/** A round number that fits beside an axis: `5,000`, `50k`, `2M`. @param {number} n */
export function tickLabel(n) {
  if (n >= 1e6) return `${n / 1e6}M`;
  return n >= 1e4 ? `${n / 1e3}k` : commas(n);
}

export class Histogram {
  /** @param {HistogramOptions} options */
  constructor(options) {
    this.options = options;
    this.value = options.scanned;
    this.log = false;
    this.dragging = false;
    this.width = 0;
    // the strip below the range tells that there is more
    const [low] = options.range;
    this.low = Math.floor(low * 100 + 1e-9) / 100;
    this.begin = Math.max(0, this.low - (1 - this.low) * 0.1);
    this.plot = s('svg', { class: 'histogram-plot', height: HEIGHT, 'aria-hidden': 'true' });
    this.clip = s('rect', { y: 0, height: HEIGHT });
    this.tag = h('span', { class: 'histogram-tag number' });
    this.handle = h('div', {
      class: 'histogram-handle', role: 'slider', tabindex: 0, 'aria-disabled': options.fixed ? 'true' : null, 'aria-label': options.label, 'aria-orientation': 'horizontal',
      'aria-valuemin': Math.round(low * 100), 'aria-valuemax': 100, onkeydown: (/** @type {KeyboardEvent} */ e) => this.#key(e),
    }, this.tag, h('span', { class: 'histogram-grip', 'aria-hidden': 'true' }));
    this.hint = h('div', { class: 'histogram-hint number', hidden: true });
    this.stage = h('div', { class: 'histogram-stage' }, this.plot, this.hint, this.handle);
    this.scale = h('button', { class: 'quiet small', type: 'button', 'aria-pressed': 'false', onclick: () => this.#rescale() }, 'Logarithmic');
    this.element = h('div', { class: `histogram${options.fixed ? ' fixed' : ''}`, 'data-part': 'histogram' }, this.stage);
    const move = onceAFrame((/** @type {number} */ t) => { if (this.dragging) options.onmove(t); });
    let before = this.value;
    this.stage.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || options.fixed) return;
      before = this.value;
      this.dragging = true;
      this.stage.setPointerCapture(event.pointerId);
      this.hint.hidden = true;
      // a finger may be about to scroll: the line follows when it moves sideways or is lifted
      if (event.pointerType !== 'touch') move(this.#to(this.#at(event)));
    });
    this.stage.addEventListener('pointermove', (event) => {
      if (this.dragging) move(this.#to(this.#at(event)));
      else this.#point(event);
    });
    this.stage.addEventListener('pointerup', (event) => {
      if (!this.dragging) return;
      this.dragging = false;
      options.onpick(this.#to(this.#at(event)));
    });
    this.stage.addEventListener('pointercancel', () => {
      if (!this.dragging) return;
      this.dragging = false;
      options.onmove(this.#to(before));
    });
    this.stage.addEventListener('pointerleave', () => { this.hint.hidden = true; });
    new ResizeObserver(onceAFrame(() => this.#size())).observe(this.stage);
  }

  /** The button for the other scale, if it helps. */
  get wantsLog() {
    return skewed(this.counts().counts);
  }

  counts() {
    return bins(this.options.values, this.low, this.width > 0 && this.width < 520 ? 2 : 1);
  }

  /** Moves the line. @param {number} threshold */
  set(threshold) {
    this.value = threshold;
    const x = this.#x(threshold);
    style(this.handle, { left: `${x}px` });
    this.handle.classList.toggle('at-end', x > this.width - 60);
    this.clip.setAttribute('x', String(x));
    this.clip.setAttribute('width', String(Math.max(0, this.width - x)));
    this.tag.textContent = whole(threshold);
    this.handle.setAttribute('aria-valuenow', String(Math.round(threshold * 100)));
    this.handle.setAttribute('aria-valuetext', whole(threshold));
  }

  /** What the threshold of the moment means, for readers of screens. @param {string} text */
  say(text) {
    this.handle.setAttribute('aria-valuetext', `${whole(this.value)}: ${text}`);
  }

  /** @param {number} wanted @returns {number} */
  #to(wanted) {
    const t = settle(wanted, this.options);
    this.set(t);
    return t;
  }

  /** @param {number} share */
  #x(share) {
    return ROOM.left + ((share - this.begin) / (1 - this.begin)) * (this.width - ROOM.left - ROOM.right);
  }

  /** @param {PointerEvent} event */
  #at(event) {
    const inside = event.clientX - this.stage.getBoundingClientRect().left - ROOM.left;
    return this.begin + (inside / Math.max(1, this.width - ROOM.left - ROOM.right)) * (1 - this.begin);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = event.shiftKey ? 0.05 : 0.01;
    const [low, high] = this.options.range;
    const moves = new Map([['ArrowRight', step], ['ArrowUp', step], ['ArrowLeft', -step], ['ArrowDown', -step], ['PageUp', 0.05], ['PageDown', -0.05], ['Home', low - this.value], ['End', high - this.value]]);
    const by = moves.get(event.key);
    if (by === undefined || this.options.fixed || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const t = stepped(this.value, by, this.options);
    this.set(t);
    this.options.onpick(t);
  }

  /** Says what the bar under the pointer is. @param {PointerEvent} event */
  #point(event) {
    const { counts } = this.counted ?? this.counts();
    const step = (1 - this.low) / counts.length;
    const at = Math.floor((this.#at(event) - this.low) / step);
    this.hint.hidden = at < 0 || at >= counts.length;
    if (this.hint.hidden) return;
    const width = Math.round(step * 100);
    const from = Math.round(this.low * 100) + at * width;
    put(this.hint, `${from}–${Math.min(100, from + width)}%: ${count(counts[at], this.options.noun ?? 'pair')}`);
    const x = this.#x(this.low + (at + 0.5) * step);
    style(this.hint, { left: `${Math.min(this.width - 80, Math.max(80, x))}px` });
  }

  #rescale() {
    this.log = !this.log;
    this.scale.setAttribute('aria-pressed', String(this.log));
    this.draw();
  }

  #size() {
    const width = this.stage.clientWidth;
    if (width === 0 || width === this.width) return;
    this.width = width;
    this.draw();
  }

  /** Draws all but the line. */
  draw() {
    this.counted = this.counts();
    const { counts } = this.counted;
    const most = Math.max(1, ...counts);
    const high = (/** @type {number} */ n) => (this.log ? Math.log10(1 + n) / Math.log10(1 + most) : n / most) * (HEIGHT - ROOM.top - ROOM.bottom);
    const base = HEIGHT - ROOM.bottom;
    const step = (1 - this.low) / counts.length;
    const bars = counts.map((n, at) => {
      const [x, end] = [this.#x(this.low + at * step) + 0.5, this.#x(this.low + (at + 1) * step) - 0.5];
      // a single pair beside thousands must be seen too
      return n === 0 ? '' : `M${x.toFixed(1)} ${base}V${(base - Math.max(2, high(n))).toFixed(1)}H${end.toFixed(1)}V${base}Z`;
    }).join('');
    const right = this.width - ROOM.right;
    const lines = ticks(most, this.log).map((n) => {
      const y = Math.round(base - high(n)) + 0.5;
      return s('g', {}, s('line', { class: 'histogram-line', x1: ROOM.left, x2: right, y1: y, y2: y }), s('text', { class: 'histogram-label', x: ROOM.left - 6, y: y + 4, 'text-anchor': 'end' }, tickLabel(n)));
    });
    const marks = Array.from({ length: 11 }, (_, at) => at / 10).filter((share) => share >= this.low - 1e-9 && (this.width > 520 || Math.round(share * 10) % 2 === 0))
      .map((share) => s('text', { class: 'histogram-label', x: this.#x(share), y: HEIGHT - 8, 'text-anchor': share === 1 ? 'end' : 'middle' }, whole(share)));
    const own = this.#x(this.options.scanned);
    // where the line cannot go at all there is nothing to tell apart
    const unknown = this.options.fixed ? 0 : Math.max(this.low, Math.min(1, this.options.from));
    this.plot.setAttribute('width', String(this.width));
    put(this.plot,
      s('defs', {},
        s('clipPath', { id: 'histogram-above' }, this.clip),
        s('pattern', { id: 'histogram-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, s('line', { class: 'histogram-hatch', x1: 0, y1: 0, x2: 0, y2: 6 }))),
      lines,
      s('path', { class: 'histogram-bars', d: bars }),
      s('path', { class: 'histogram-bars above', d: bars, 'clip-path': 'url(#histogram-above)' }),
      this.#x(unknown) > ROOM.left + 1 && s('rect', { class: 'histogram-unknown', x: ROOM.left, y: ROOM.top, width: this.#x(unknown) - ROOM.left, height: base - ROOM.top }),
      s('line', { class: 'histogram-base', x1: ROOM.left, x2: right, y1: base + 0.5, y2: base + 0.5 }),
      s('line', { class: 'histogram-own', x1: own, x2: own, y1: ROOM.top, y2: base }),
      marks);
    this.set(this.value);
  }
}
