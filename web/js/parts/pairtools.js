// The row of tools above the panes of a pair. What a page has of them is data: steppers, what can be folded, and buttons of its own.

import { h, put, style } from '../dom.js';
import { commas } from '../format.js';

/** @typedef {import('../sides.js').Folding} Folding */

/**
 * @typedef {object} PairActions
 * @property {(kind: 'p' | 'd', step: number) => void} step   to another passage or difference
 * @property {(folding: Folding) => void} fold
 * @property {() => void} together
 * @property {() => void} swap
 * @property {() => void} keys
 */

/**
 * @typedef {object} PairToolset
 * @property {boolean} differences             whether differences can be stepped through
 * @property {[Folding, string, string][]} foldings  what can be shown: value, name, help; the first is everything
 * @property {HTMLElement[]} [filters]         what else chooses what is shown
 * @property {HTMLElement[]} [views]           other ways to show the texts
 * @property {HTMLElement[]} [buttons]         further buttons, at the end
 */

export class PairTools {
  /** @param {PairActions} on @param {PairToolset} toolset */
  constructor(on, { differences, foldings, filters = [], views = [], buttons = [] }) {
    this.counts = { p: 0, d: 0 };
    this.steppers = { p: stepper('Passage', 'passages', 'n', 'p', (step) => on.step('p', step)), d: stepper('Difference', 'differences', 'j', 'k', (step) => on.step('d', step)) };
    // buttons, not boxes: in a box the keys would be dead
    this.foldings = foldings.map(([folding, name, help]) => h('button', { type: 'button', title: `${help} (f)`, 'data-fold': folding || 'none', onclick: () => on.fold(folding) }, name));
    this.follow = h('button', { type: 'button', 'data-action': 'together', title: 'When one side is scrolled, the other follows (s)', onclick: on.together }, 'Together');
    this.element = h('div', { class: 'pair-tools no-print', role: 'group', 'aria-label': 'Tools', 'data-part': 'tools' },
      this.steppers.p.element, differences && this.steppers.d.element,
      h('div', { class: 'pair-segments', role: 'group', 'aria-label': 'Show' }, this.foldings),
      filters,
      views.length > 0 && h('div', { class: 'pair-segments', role: 'group', 'aria-label': 'View' }, views),
      this.follow,
      h('span', { class: 'pair-space' }),
      h('button', { type: 'button', title: 'Swap left and right (x)', 'data-action': 'swap', onclick: on.swap, 'aria-label': 'Swap left and right' }, '⇄', h('span', { class: 'pair-wordy' }, ' Swap')),
      buttons,
      h('button', { type: 'button', title: 'Keys (?)', 'aria-label': 'Show the keys', onclick: on.keys }, '?'));
    this.setFolding('');
  }

  /** @param {number} passages @param {number} [differences] */
  count(passages, differences = 0) {
    this.counts = { p: passages, d: differences };
    this.at('');
  }

  /** What is selected: `p3`, `d5`, or nothing. @param {string} name */
  at(name) {
    for (const kind of /** @type {const} */ (['p', 'd'])) this.steppers[kind].say(name.startsWith(kind) ? Number(name.slice(1)) + 1 : 0, this.counts[kind]);
  }

  /** @param {Folding} folding */
  setFolding(folding) {
    for (const button of this.foldings) button.setAttribute('aria-pressed', String(button.dataset.fold === (folding || 'none')));
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
      // as wide as it will ever be: nothing moves at the first step
      style(what, { '--widest': `${Math.max(`${name} ${commas(all)} of ${commas(all)}`.length, `${commas(all)} ${many}`.length)}ch` });
      if (at === 0) put(what, `${commas(all)} ${all === 1 ? name.toLowerCase() : many}`);
      else put(what, h('span', { class: 'pair-wordy' }, `${name} `), `${commas(at)} of ${commas(all)}`);
    },
  };
}
