// Plots: stacked bars over time, bars of a spread, a line that falls in steps.

import { h, s } from '../../dom.js';
import { commas } from '../../format.js';

const HEIGHT = 240;
const ROOM = { left: 54, right: 12, top: 10, bottom: 30 };
const BASE = HEIGHT - ROOM.bottom;

/** Drawn for the window that is there: labels that shrink with a plot cannot be read. */
export function breadth(half = false) {
  return matchMedia('(max-width: 640px)').matches ? 360 : half ? 480 : 720;
}

/** Round numbers up to one. @param {number} most @returns {number[]} */
export function ticks(most) {
  if (most <= 0) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(most < 5 ? 1 : 0, power * ([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10));
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, at) => at * step);
}

/** @param {number} width @param {number} most @param {(n: number) => string} label @param {number[]} [at] */
function grid(width, most, label, at = ticks(most)) {
  return at.flatMap((n) => {
    const y = BASE - (n / Math.max(most, 1e-9)) * (BASE - ROOM.top);
    return [s('line', { class: 'curve-grid', x1: ROOM.left, x2: width - ROOM.right, y1: y, y2: y }), s('text', { class: 'curve-label', x: ROOM.left - 8, y: y + 4, 'text-anchor': 'end' }, label(n))];
  });
}

/** @param {string} part @param {string} label @param {number} width @param {(SVGElement | SVGElement[])[]} inside */
function plot(part, label, width, ...inside) {
  return s('svg', { class: 'curve', viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label, 'data-part': part }, inside.flat());
}

/**
 * Bars that stand on each other.
 * @param {string} part
 * @param {string} label
 * @param {{ name: string, title: string, values: number[] }[]} bars  values in the order of the kinds
 * @param {[string, string][]} kinds  class and name of each value
 * @param {number} [width]
 */
export function stackedBars(part, label, bars, kinds, width = breadth()) {
  const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, n) => sum + n, 0)));
  const step = (width - ROOM.left - ROOM.right) / Math.max(1, bars.length);
  const every = Math.ceil((bars.length * 90) / width);
  const drawn = bars.map(({ name, title, values }, at) => {
    let y = BASE;
    const parts = values.flatMap((n, kind) => {
      if (n === 0) return [];
      const tall = Math.max(1, (n / most) * (BASE - ROOM.top));
      y -= tall;
      return [s('rect', { class: `bar ${kinds[kind][0]}`, x: (ROOM.left + at * step + step * 0.12).toFixed(1), y: y.toFixed(1), width: (step * 0.76).toFixed(1), height: tall.toFixed(1) })];
    });
    const tick = at % every === 0 ? [s('text', { class: 'curve-label', x: (ROOM.left + (at + 0.5) * step).toFixed(1), y: HEIGHT - 10, 'text-anchor': 'middle' }, name)] : [];
    return s('g', {}, s('title', {}, title), parts, tick);
  });
  return h('figure', { class: 'curve-figure' }, plot(part, label, width, grid(width, most, (n) => commas(n)), drawn),
    h('figcaption', { class: 'row small muted' }, kinds.map(([kind, name]) => h('span', {}, h('span', { class: `curve-key bar ${kind}` }), name))));
}

/**
 * A share that falls in steps from 1.
 * @param {string} part @param {string} label @param {[number, number][]} points  where, and the share from there on @param {string} unit @param {number} [width]
 */
export function fallingSteps(part, label, points, unit, width = breadth()) {
  const far = Math.max(1, ...points.map(([at]) => at));
  const x = (/** @type {number} */ at) => (ROOM.left + (at / far) * (width - ROOM.left - ROOM.right)).toFixed(1);
  const y = (/** @type {number} */ share) => (BASE - share * (BASE - ROOM.top)).toFixed(1);
  const path = points.map(([at, share]) => `H${x(at)}V${y(share)}`).join('');
  const marks = ticks(far).map((at) => s('text', { class: 'curve-label', x: x(at), y: HEIGHT - 10, 'text-anchor': 'middle' }, commas(at)));
  return h('figure', { class: 'curve-figure' }, plot(part, label, width, grid(width, 1, (n) => `${Math.round(n * 100)}%`, [0, 0.25, 0.5, 0.75, 1]), marks, [s('path', { class: 'curve-line is-precision', d: `M${x(0)} ${y(1)}${path}H${x(far)}` })]),
    h('figcaption', { class: 'small muted' }, unit));
}

/**
 * The last values of something that goes on.
 * @param {string} part @param {string} label @param {number[]} values @param {number} room  for how many
 */
export function sparkline(part, label, values, room) {
  const most = Math.max(1, ...values);
  const step = 300 / (room - 1);
  const points = values.map((n, at) => `${((room - values.length + at) * step).toFixed(1)} ${(44 - (n / most) * 40).toFixed(1)}`);
  return s('svg', { class: 'spark', viewBox: '0 0 300 48', role: 'img', 'aria-label': label, 'data-part': part, preserveAspectRatio: 'none' },
    s('path', { class: 'spark-line', d: points.length < 2 ? '' : `M${points.join('L')}` }));
}
