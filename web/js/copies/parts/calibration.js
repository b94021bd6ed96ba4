// How surprising similarities are in this cohort: the reasoning, the table, and how similar all pairs are.

import { h, s, clean, style } from '../../dom.js';
import { commas, percent } from '../../format.js';
import { short } from '../../recipe.js';
import { amend } from '../../route.js';
import { few, reasoning } from '../explain.js';

/** @type {Record<string, string>} */
const SOURCES = { estimated: 'by the size of submissions, held against chance in this cohort', default: 'by the kind and size of submissions', alike: 'by the size of submissions: most are alike', given: 'given by you' };

/** All pairs by their similarity; heights are logarithms, or one bar would hide the others. @param {number[]} counts @param {number} threshold */
function distribution(counts, threshold) {
  const [width, height] = [400, 70];
  const most = Math.max(1, ...counts);
  const tall = (/** @type {number} */ n) => (n === 0 ? 0 : Math.max(2, (Math.log10(1 + n) / Math.log10(1 + most)) * (height - 6)));
  const bars = counts.map((n, at) => (n === 0 ? '' : `M${at * 4 + 0.4} ${height}V${(height - tall(n)).toFixed(1)}H${at * 4 + 3.6}V${height}Z`));
  const part = (/** @type {boolean} */ above) => bars.filter((_, at) => (at / 100 >= threshold - 1e-9) === above).join('');
  return h('figure', { class: 'spread-figure' },
    s('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', class: 'spread-plot', role: 'img', 'aria-label': `Similarity of all pairs; ${commas(counts.slice(Math.ceil(threshold * 100 - 1e-9)).reduce((x, y) => x + y, 0))} from ${short(threshold)} on` },
      s('path', { class: 'histogram-bars', d: part(false) }), s('path', { class: 'histogram-bars above', d: part(true) }), s('line', { class: 'histogram-base', x1: 0, x2: width, y1: height, y2: height })),
    h('figcaption', { class: 'small muted row spread' }, h('span', {}, '0%'), h('span', {}, 'all pairs, logarithmic'), h('span', {}, '100%')));
}

/** @param {import('../start.js').CopiesApp} app */
export function calibrationPart({ model, names }) {
  const { calibration } = model.section;
  // every hundredth is known; tenths are enough to read
  const read = calibration.table.filter(({ threshold }) => Math.round(threshold * 100) % 10 === 0 || Math.abs(threshold - model.scanned) < 1e-9);
  const rows = new Map(read.map((row) => [row, h('tr', { class: 'calibration-row' })]));
  // a small cohort does not tell what chance does
  const known = calibration.table.some(({ expected }) => expected !== null);
  for (const [{ threshold, expected, found }, row] of rows) {
    const share = Math.min(1, (expected ?? 0) / Math.max(1e-9, found));
    row.append(
      h('td', { class: 'number' }, h('button', { type: 'button', class: 'quiet calibration-pick', title: 'Move the threshold here', onclick: () => amend({ t: Math.abs(threshold - model.scanned) < 1e-9 ? null : threshold.toFixed(2) }) }, short(threshold)), h('span', { class: 'paper-only' }, short(threshold))),
      h('td', { class: 'number' }, few(expected)),
      h('td', { class: 'number' }, commas(found)),
      h('td', { class: 'calibration-bar' }, known && h('span', { class: 'calibration-track', title: found === 0 ? 'none found' : `${percent(share)} of what was found would be expected by chance` }, found > 0 && style(h('span', { class: 'calibration-chance' }), { width: `${share * 100}%` }), found > 0 && style(h('span', { class: 'calibration-found' }), { width: `${(1 - share) * 100}%` }))));
  }
  const element = h('section', { class: 'panel calibration', 'data-part': 'calibration', 'aria-labelledby': 'calibration-title' },
    h('h2', { id: 'calibration-title' }, `Why ${short(model.scanned)}?`),
    h('div', { class: 'calibration-two' },
      h('div', {},
        h('p', { class: 'muted' }, `The threshold is ${SOURCES[calibration.source] ?? clean(calibration.source)}.`),
        h('ol', { class: 'reasons' }, reasoning(model).map((sentence) => h('li', {}, clean(names.text(sentence))))),
        calibration.histogram.some((n) => n > 0) && distribution(calibration.histogram, model.scanned)),
      h('div', {},
        h('table', { class: 'calibration-table' },
          h('thead', {}, h('tr', {}, h('th', { scope: 'col', class: 'number' }, 'Similarity from'), h('th', { scope: 'col', class: 'number' }, 'Expected by chance'), h('th', { scope: 'col', class: 'number' }, 'Found'), h('th', { scope: 'col', class: 'calibration-bar' }, h('span', { class: 'visually-hidden' }, 'Share')))),
          h('tbody', {}, [...rows.values()])),
        known && h('p', { class: 'small muted calibration-legend' }, h('span', { class: 'calibration-key chance', 'aria-hidden': 'true' }), 'expected by chance ', h('span', { class: 'calibration-key found', 'aria-hidden': 'true' }), 'found beyond that'))));
  return {
    element,
    show() {
      for (const [{ threshold }, row] of rows) row.classList.toggle('here', Math.abs(threshold - model.threshold) < 0.005);
    },
  };
}
