// A strip at the side of a pair that opens: the numbers, the passages, the reasons. Closed it takes no line from the texts.

import { h } from '../dom.js';
import { load, save } from '../storage.js';

/** @param {string} name  what it is called @param {...import('../dom.js').Child} parts @returns {HTMLDetailsElement} */
export function whyStrip(name, ...parts) {
  const strip = /** @type {HTMLDetailsElement} */ (h('details', { class: 'pair-strip', 'data-part': 'why' },
    h('summary', { title: 'The numbers, the passages and the reasons (w)' }, h('span', {}, name)), h('div', { class: 'pair-strip-body' }, ...parts)));
  strip.open = load('why', false) === true;
  strip.addEventListener('toggle', () => save('why', strip.open));
  return strip;
}
