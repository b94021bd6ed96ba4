// How far a review has come: a bar of verdicts, and what its colours mean.

import { h, style } from '../dom.js';
import { commas, percent } from '../format.js';

/**
 * @param {string} label
 * @param {{ kind: string, name: string, count: number }[]} verdicts  each with its class
 * @param {{ all: number, decided: number }} sums
 */
export function progressBar(label, verdicts, { all, decided }) {
  const share = all === 0 ? 1 : decided / all;
  const untouched = all - verdicts.reduce((n, verdict) => n + verdict.count, 0);
  return h('div', {},
    h('div', { class: 'review-bar', role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.floor(share * 100), 'aria-valuetext': `${decided} of ${all}, ${percent(share)}` },
      verdicts.map(({ kind, count }) => style(h('span', { class: `review-segment is-${kind}` }), { width: `${(count / Math.max(1, all)) * 100}%` }))),
    h('div', { class: 'review-legend small' },
      verdicts.map(({ kind, name, count }) => h('span', {}, h('span', { class: `review-dot is-${kind}`, 'aria-hidden': 'true' }), `${name} `, h('span', { class: 'number muted' }, commas(count)))),
      h('span', {}, h('span', { class: 'review-dot is-open', 'aria-hidden': 'true' }), 'Undecided ', h('span', { class: 'number muted' }, commas(untouched)))));
}
