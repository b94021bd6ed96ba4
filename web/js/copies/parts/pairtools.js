// The row of tools above the panes of a pair.

import { h } from '../../dom.js';
import { stepper } from '../../parts/pairtools.js';

/**
 * @typedef {object} PairActions
 * @property {(by: number) => void} step
 * @property {() => void} fold
 * @property {() => void} together
 * @property {() => void} swap
 * @property {() => void} dossier
 * @property {() => void} keys
 */

export class PairTools {
  /** @param {PairActions} on */
  constructor(on) {
    this.passages = 0;
    this.passage = stepper('Passage', 'passages', 'n', 'p', on.step);
    // buttons, not boxes: in a box the keys would be dead
    this.folding = h('button', { type: 'button', 'data-action': 'fold', title: 'Fold what is not shared, or show it (f)', onclick: on.fold }, 'Fold the rest');
    this.follow = h('button', { type: 'button', 'data-action': 'together', title: 'When one side is scrolled, the other follows (s)', onclick: on.together }, 'Scroll together');
    this.element = h('div', { class: 'pair-tools no-print', role: 'group', 'aria-label': 'Tools', 'data-part': 'tools' },
      this.passage.element, this.folding, this.follow,
      h('button', { type: 'button', title: 'Swap left and right (x)', 'data-action': 'swap', 'aria-label': 'Swap left and right', onclick: on.swap }, '⇄'),
      h('button', { type: 'button', title: 'Everything about this pair, to print or to save as PDF (d)', 'data-action': 'dossier', onclick: on.dossier }, 'Dossier'),
      h('button', { type: 'button', title: 'Keys (?)', 'aria-label': 'Show the keys', onclick: on.keys }, '?'));
  }

  /** @param {number} passages */
  count(passages) {
    this.passages = passages;
    this.at(-1);
  }

  /** @param {number} passage  -1 for none */
  at(passage) {
    this.passage.say(passage + 1, this.passages);
  }

  /** @param {boolean} on */
  setFolded(on) {
    this.folding.setAttribute('aria-pressed', String(on));
  }

  /** @param {boolean} on */
  setTogether(on) {
    this.follow.setAttribute('aria-pressed', String(on));
  }
}
