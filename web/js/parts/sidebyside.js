// What both pages share of a pair side by side: two panes, their tools and keys, what is selected, what is folded.

import { h, put } from '../dom.js';
import { amend } from '../route.js';
import { load, save } from '../storage.js';
import { listenToKeys } from './pairkeys.js';
import { PairTools } from './pairtools.js';
import { Reader } from './reader.js';

/** @typedef {import('../sides.js').Folding} Folding */

export class SideBySide {
  /**
   * @param {object} options
   * @param {string} options.noun  what the texts are made of
   * @param {import('./pairtools.js').PairToolset} options.toolset
   * @param {HTMLDialogElement} options.dialog  lists the keys
   * @param {string} options.pills  what the strip of passages is called
   */
  constructor({ noun, toolset, dialog, pills }) {
    /** Counts what is asked for: an answer that comes too late is dropped. */
    this.turn = 0;
    /** @type {Folding} */
    this.folding = '';
    this.values = toolset.foldings.map(([folding]) => folding);
    this.dialog = dialog;
    this.reader = new Reader({ select: (name, scroll) => this.select(name, scroll), noun });
    this.reader.together = load('together', true) !== false;
    this.tools = new PairTools({
      step: (kind, step) => this.step(kind, step),
      fold: (folding) => amend({ fold: folding }),
      together: () => this.together(),
      swap: () => this.swap(),
      keys: () => this.dialog.showModal(),
    }, toolset);
    this.tools.setTogether(this.reader.together);
    this.pills = h('div', { class: 'pair-pills', role: 'group', 'aria-label': pills, 'data-part': 'passages' });
    this.heads = { a: h('div', { class: 'pair-head' }), b: h('div', { class: 'pair-head' }) };
  }

  /** Passages and differences that can be stepped through. @returns {{ p: { a: [number, number] }[], d: { a: [number, number] }[] } | null}  null while nothing is shown */
  items() {
    return null;
  }

  /** Whether steps go past a passage or difference. @param {'p' | 'd'} _kind @param {number} _number */
  passes(_kind, _number) {
    return false;
  }

  /** Says what is selected. @param {string} name */
  tell(name) {
    this.tools.at(name);
    for (const pill of this.pills.querySelectorAll('[data-passage]')) {
      const here = name === `p${pill.getAttribute('data-passage')}`;
      pill.setAttribute('aria-pressed', String(here));
      if (here) pill.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }

  swap() {}

  /** The keys that both pages have, and those of one. @param {HTMLElement} element @param {Record<string, () => void>} more */
  listen(element, more) {
    listenToKeys(element, {
      n: () => this.step('p', 1),
      p: () => this.step('p', -1),
      f: () => amend({ fold: this.values[(this.values.indexOf(this.folding) + 1) % this.values.length] }),
      s: () => this.together(),
      x: () => this.swap(),
      '?': () => this.dialog.showModal(),
      ...more,
    });
  }

  /** What an address asks to be folded. @param {URLSearchParams} query @returns {Folding} */
  foldingOf(query) {
    return this.values.find((value) => value === query.get('fold')) ?? '';
  }

  /** Forgets what was shown; both panes say something instead. @param {string} text */
  clear(text) {
    this.turn += 1;
    this.reader.clear();
    put(this.pills);
    this.tools.count(0);
    for (const pane of [this.reader.panes.a, this.reader.panes.b]) pane.say(text);
  }

  /** @param {string} name `p3`, `d5` or nothing */
  reveal(name) {
    this.reader.reveal(name);
    this.tell(name);
  }

  /** @param {string} name @param {boolean} scroll */
  select(name, scroll) {
    if (scroll) this.reader.reveal(name);
    else this.reader.mark(name);
    this.tell(name);
    amend({ at: addressOf(name) });
  }

  /** @param {'p' | 'd'} kind @param {number} step */
  step(kind, step) {
    const items = this.items();
    const list = items?.[kind] ?? [];
    if (items === null || list.length === 0) return;
    const now = this.reader.selected;
    let next = step > 0 ? 0 : list.length - 1;
    if (now.startsWith(kind)) next = (Number(now.slice(1)) + step + list.length) % list.length;
    else if (now !== '') {
      // from a passage to the differences in it or behind it, and back
      const here = items[kind === 'p' ? 'd' : 'p'][Number(now.slice(1))]?.a[0] ?? 0;
      const behind = list.findIndex((item) => item.a[0] >= here);
      next = step > 0 ? Math.max(0, behind) : (behind < 0 ? list.length : behind) - 1;
      if (next < 0) next = list.length - 1;
    }
    for (let tried = 0; tried < list.length && this.passes(kind, next); tried++) next = (next + Math.sign(step) + list.length) % list.length;
    this.select(`${kind}${next}`, true);
  }

  /** Whether one side follows the other. */
  together() {
    this.reader.together = !this.reader.together;
    save('together', this.reader.together);
    this.tools.setTogether(this.reader.together);
  }
}

/** How an address names what is selected: readers count from one. @param {string} name */
function addressOf(name) {
  if (name === '') return null;
  const number = Number(name.slice(1)) + 1;
  return name.startsWith('p') ? number : `d${number}`;
}

/** `3` is the passage `p2`, `d3` the difference `d2`. @param {string | null} at */
export function selectedBy(at) {
  const found = /^(d?)([1-9]\d{0,7})$/.exec(at ?? '');
  return found === null ? '' : `${found[1] === 'd' ? 'd' : 'p'}${Number(found[2]) - 1}`;
}
