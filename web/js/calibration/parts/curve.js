// Precision and recall by threshold, with their intervals, as lines and bands.

import { h, s } from '../../dom.js';
import { range, thresholdName, value } from '../words.js';

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 44;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 40;

/** Where a share stands from top to bottom. @param {number} share */
function y(share) {
  return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
}

/** The points of a band, there and back; of a line, there. @param {[number, import('../types.js').Estimate][]} points @returns {{ band: string, line: string }} */
export function paths(points) {
  const path = (/** @type {[number, number][]} */ places) => places.map(([px, share], at) => `${at === 0 ? 'M' : 'L'}${px.toFixed(1)} ${y(share).toFixed(1)}`).join('');
  const [low, high] = [points.map(([px, e]) => /** @type {[number, number]} */ ([px, e.low])), points.map(([px, e]) => /** @type {[number, number]} */ ([px, e.high]))];
  return { band: points.length === 0 ? '' : `${path([...high, ...low.reverse()])}Z`, line: path(points.map(([px, e]) => [px, e.value])) };
}

/**
 * @param {import('../types.js').MeasureEstimates} measure
 * @param {number} asked  the precision that was asked for
 * @returns {HTMLElement}
 */
export function curve(measure, asked) {
  const rows = measure.thresholds;
  const first = rows[0]?.threshold ?? 0.5;
  const last = rows[rows.length - 1]?.threshold ?? 0.95;
  const x = (/** @type {number} */ threshold) => LEFT + (last === first ? 0.5 : (threshold - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    s('line', { class: 'curve-grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share) }),
    s('text', { class: 'curve-label', x: LEFT - 8, y: y(share) + 4, 'text-anchor': 'end' }, `${share * 100}%`),
  ]);
  const ticks = rows.map((row) => s('text', { class: 'curve-label', x: x(row.threshold), y: HEIGHT - BOTTOM + 18, 'text-anchor': 'middle' }, thresholdName(row.threshold)));
  const series = (/** @type {'precision' | 'recall'} */ name) => {
    const points = rows.flatMap((row) => (row[name] === null ? [] : [/** @type {[number, import('../types.js').Estimate]} */ ([x(row.threshold), row[name]])]));
    const { band, line } = paths(points);
    const dots = rows.flatMap((row) => (row[name] === null ? [] : [
      s('circle', { class: `curve-dot is-${name}`, cx: x(row.threshold), cy: y(row[name].value), r: 4 },
        s('title', {}, `${name} at ${thresholdName(row.threshold)}: ${value(row[name])} (${range(row[name])})`)),
    ]));
    return [s('path', { class: `curve-band is-${name}`, d: band }), s('path', { class: `curve-line is-${name}`, d: line }), ...dots];
  };
  const marks = [s('line', { class: 'curve-asked', x1: LEFT, x2: WIDTH - RIGHT, y1: y(asked), y2: y(asked) })];
  if (measure.suggested !== null) marks.push(s('line', { class: 'curve-suggested', x1: x(measure.suggested), x2: x(measure.suggested), y1: TOP, y2: HEIGHT - BOTTOM }));
  const svg = s('svg', { class: 'curve', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'Precision and recall by threshold; the table below has the numbers' },
    grid, ticks, s('text', { class: 'curve-label', x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, 'text-anchor': 'middle' }, 'threshold'),
    ...marks, ...series('recall'), ...series('precision'));
  return h('figure', { class: 'curve-figure', 'data-part': 'curve' }, svg,
    h('figcaption', { class: 'row small muted' },
      h('span', {}, h('span', { class: 'curve-key is-precision' }), 'precision: of the linked pairs, those that are the same'),
      h('span', {}, h('span', { class: 'curve-key is-recall' }), 'recall: of the same pairs, those that are linked'),
      h('span', {}, 'bands: 95% intervals; dashed: what was asked for, and what is suggested')));
}
