// The row of tools above the panes.

import { h, put } from '../dom.js';
import { commas } from '../format.js';

/**
 * @typedef {object} Actions
 * @property {(step: number) => void} passage
 * @property {(step: number) => void} difference
 * @property {(folding: import('../sides.js').Folding) => void} fold
 * @property {(raw: boolean) => void} raw
 * @property {(on: boolean) => void} together
 * @property {() => void} swap
 * @property {() => void} keys
 */

/** @type {[import('../sides.js').Folding, string, string][]} */
const FOLDINGS = [
  ['', 'Everything', 'Show both texts whole'],
  ['alike', 'Differences', 'Fold what is alike: only the differences, with two lines around them'],
  ['differs', 'Passages', 'Fold what differs: only what both have'],
];

export class Tools {
  /** @param {Actions} on */
  constructor(on) {
    this.passages = 0;
    this.differences = 0;
    /** Why there is no source to show; empty if there is. */
    this.rawReason = '';
    this.passage = stepper('Passage', 'passages', 'n', 'p', on.passage);
    this.difference = stepper('Difference', 'differences', 'j', 'k', on.difference);
    this.foldings = FOLDINGS.map(([folding, name, help]) => h('button', { type: 'button', title: `${help} (f)`, 'data-fold': folding || 'none', onclick: () => on.fold(folding) }, name));
    this.read = h('button', { type: 'button', title: 'The text as it was compared (r)', onclick: () => on.raw(false) }, 'Text');
    this.source = /** @type {HTMLButtonElement} */ (h('button', { type: 'button', 'data-view': 'raw', onclick: () => on.raw(true) }, 'Source'));
    // a button, not a box: in a box the keys would be dead
    this.follow = h('button', { type: 'button', 'data-action': 'together', title: 'When one side is scrolled, the other follows (s)', onclick: () => on.together(this.follow.getAttribute('aria-pressed') !== 'true') }, 'Scroll together');
    this.element = h('div', { class: 'pair-tools no-print', role: 'group', 'aria-label': 'Tools', 'data-part': 'tools' },
      this.passage.element, this.difference.element,
      h('div', { class: 'pair-segments', role: 'group', 'aria-label': 'Show' }, this.foldings),
      h('div', { class: 'pair-segments', role: 'group', 'aria-label': 'View' }, this.read, this.source),
      this.follow,
      h('span', { class: 'pair-space' }),
      h('button', { type: 'button', title: 'Swap left and right (x)', 'data-action': 'swap', onclick: on.swap, 'aria-label': 'Swap left and right' }, '⇄', h('span', { class: 'pair-wordy' }, ' Swap')),
      h('button', { type: 'button', title: 'Keys (?)', 'aria-label': 'Show the keys', onclick: on.keys }, '?'));
    this.setFolding('');
    this.setRaw(false, '');
  }

  /** @param {number} passages @param {number} differences */
  count(passages, differences) {
    [this.passages, this.differences] = [passages, differences];
    this.at('');
  }

  /** What is selected. @param {string} name */
  at(name) {
    const number = Number(name.slice(1)) + 1;
    this.passage.say(name.startsWith('p') ? number : 0, this.passages);
    this.difference.say(name.startsWith('d') ? number : 0, this.differences);
  }

  /** @param {import('../sides.js').Folding} folding */
  setFolding(folding) {
    this.foldings.forEach((button, at) => button.setAttribute('aria-pressed', String(FOLDINGS[at][0] === folding)));
  }

  /** @param {boolean} raw @param {string} reason */
  setRaw(raw, reason) {
    this.rawReason = reason;
    this.read.setAttribute('aria-pressed', String(!raw));
    this.source.setAttribute('aria-pressed', String(raw));
    this.source.disabled = reason !== '';
    this.source.title = reason !== '' ? reason : 'The documents as they are written (r)';
  }

  /** @param {boolean} on */
  setTogether(on) {
    this.follow.setAttribute('aria-pressed', String(on));
  }
}

/** @param {string} name @param {string} many @param {string} forth @param {string} back @param {(step: number) => void} go */
export function stepper(name, many, forth, back, go) {
  const what = h('span', { class: 'number', 'data-count': many });
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ step) => /** @type {HTMLButtonElement} */ (
    h('button', { type: 'button', title: label, 'aria-label': label, onclick: () => go(step) }, sign));
  const [previous, next] = [button('‹', `Previous ${name.toLowerCase()} (${back})`, -1), button('›', `Next ${name.toLowerCase()} (${forth})`, 1)];
  return {
    element: h('div', { class: 'pair-stepper', role: 'group', 'aria-label': name }, previous, what, next),
    /** @param {number} at 0 for none @param {number} all */
    say(at, all) {
      previous.disabled = next.disabled = all === 0;
      if (at === 0) put(what, `${commas(all)} ${all === 1 ? name.toLowerCase() : many}`);
      else put(what, h('span', { class: 'pair-wordy' }, `${name} `), `${commas(at)} of ${commas(all)}`);
    },
  };
}
