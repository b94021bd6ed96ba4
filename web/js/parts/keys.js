// The dialog that lists the keys of a view.

import { h } from '../dom.js';

/** @param {[string, string][]} keys  each with what it does; several divided by two spaces @param {...import('../dom.js').Child} more @returns {HTMLDialogElement} */
export function keysDialog(keys, ...more) {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { class: 'keys', 'aria-label': 'Keys', 'data-part': 'keys' },
    h('h2', {}, 'Keys'),
    h('dl', {}, keys.map(([names, what]) => [h('dt', {}, names.split('  ').map((key) => h('kbd', {}, key))), h('dd', {}, what)]).flat()),
    h('p', { class: 'small muted' }, more),
    h('button', { type: 'button', class: 'primary', onclick: () => dialog.close() }, 'Close')));
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  return dialog;
}
