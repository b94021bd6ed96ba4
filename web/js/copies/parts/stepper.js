// The threshold with a button on either side, for views that have no room for a histogram.

import { h, put } from '../../dom.js';
import { stepped } from '../../parts/histogram.js';
import { short } from '../../recipe.js';
import { amend } from '../../route.js';

/** @param {import('../model.js').CopiesModel} model */
export function thresholdStepper(model) {
  const value = h('output', { class: 'number' });
  const step = (/** @type {number} */ by) => {
    const next = stepped(model.threshold, by, { range: model.range, from: model.from, scanned: model.scanned });
    amend({ t: next === model.scanned ? null : next.toFixed(2) });
  };
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ by) => /** @type {HTMLButtonElement} */ (h('button', { type: 'button', 'aria-label': label, onclick: () => step(by) }, sign));
  const [less, more] = [button('−', 'Lower the threshold by 1 %', -0.01), button('+', 'Raise the threshold by 1 %', 0.01)];
  const back = h('button', { type: 'button', class: 'quiet small', onclick: () => amend({ t: null }) }, `Back to ${short(model.scanned)}`);
  return {
    element: h('div', { class: 'stepper no-print', role: 'group', 'aria-label': 'Threshold' }, h('div', { class: 'row' }, h('span', { class: 'muted' }, 'From'), less, value, more, h('span', { class: 'muted' }, 'similarity'), back)),
    show() {
      const [low, high] = model.range;
      put(value, short(model.threshold));
      less.disabled = model.threshold <= low + 1e-9;
      more.disabled = model.threshold >= high - 1e-9;
      back.hidden = model.threshold === model.scanned;
    },
  };
}
