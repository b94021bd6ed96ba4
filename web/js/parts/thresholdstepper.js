// The threshold with a button on either side, for views that have no room for a histogram.

import { h, put } from '../dom.js';
import { short } from '../recipe.js';
import { amend } from '../route.js';
import { stepped } from './histogram.js';

/**
 * @param {{ threshold: number, scanned: number, from: number, range: [number, number] }} model
 * @param {{ before: string, after: string, fixed?: string }} say  what stands on either side; why it cannot be moved, if it cannot
 */
export function thresholdStepper(model, { before, after, fixed = '' }) {
  const value = h('output', { class: 'number' });
  const step = (/** @type {number} */ by) => {
    const next = stepped(model.threshold, by, { range: model.range, from: model.from, scanned: model.scanned });
    amend({ t: next === model.scanned ? null : next.toFixed(2) });
  };
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ by) => /** @type {HTMLButtonElement} */ (h('button', { type: 'button', 'aria-label': label, onclick: () => step(by) }, sign));
  const [less, more] = [button('−', 'Lower the threshold by 1%', -0.01), button('+', 'Raise the threshold by 1%', 0.01)];
  const back = h('button', { type: 'button', class: 'quiet small', onclick: () => amend({ t: null }) }, `Back to ${short(model.scanned)}`);
  return {
    element: h('div', { class: 'stepper no-print', role: 'group', 'aria-label': 'Threshold' },
      h('div', { class: 'row' }, h('span', { class: 'muted' }, before), fixed === '' && less, value, fixed === '' && more, after !== '' && h('span', { class: 'muted' }, after), back),
      fixed !== '' && h('p', { class: 'small muted', 'data-part': 'fixed' }, fixed)),
    show() {
      const [low, high] = model.range;
      put(value, short(model.threshold));
      less.disabled = model.threshold <= low + 1e-9;
      more.disabled = model.threshold >= high - 1e-9;
      back.hidden = model.threshold === model.scanned;
    },
  };
}
