// The keys of "Side by side".

import { keysDialog } from './keys.js';

/** @type {[string, string][]} */
const KEYS = [
  ['n  p', 'next, previous passage'],
  ['j  k', 'next, previous difference (also d, Shift d)'],
  ['Enter', 'bring the passage under the focus together'],
  ['f', 'fold what is alike, what differs, nothing'],
  ['r', 'text as read, or source'],
  ['w', 'numbers and passages: open the strip at the side, or close it'],
  ['s', 'scroll together, or apart'],
  ['x', 'swap left and right'],
  ['[  ]', 'previous, next document of the cluster'],
  ['Esc', 'back to the cluster'],
  ['?', 'these keys'],
];

/** @param {string} noun  what the texts are made of @returns {HTMLDialogElement} */
export function pairKeys(noun) {
  return keysDialog(KEYS,
    `Coloured: passages that both have; the same colour on both sides. The one you are at stands out. Underlined: ${noun}s inside a passage that only one side has. `,
    `Pale red or green: the rest that only one side has. A small bar: there the other side has ${noun}s.`, noun === 'word' && ' Case and punctuation do not count.');
}

/**
 * Listens while the element is on the page and nothing else wants the keys.
 * @param {HTMLElement} element
 * @param {Record<string, () => void>} actions by key, in small letters if it has a name
 */
export function listenToKeys(element, actions) {
  addEventListener('keydown', (event) => {
    if (!element.isConnected || event.metaKey || event.defaultPrevented || event.isComposing) return;
    // on many keyboards brackets are typed with Alt, or with Alt and Ctrl
    if ((event.ctrlKey || event.altKey) && !(event.altKey && '[]'.includes(event.key))) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('input, select, textarea, [contenteditable], dialog')) return;
    const action = actions[event.shiftKey && event.key.length === 1 ? event.key : event.key.toLowerCase()];
    // who holds Enter down does not mean to go on and on
    if (action === undefined || (event.key === 'Enter' && (event.repeat || target?.closest('button, a, summary')))) return;
    event.preventDefault();
    action();
  });
}
