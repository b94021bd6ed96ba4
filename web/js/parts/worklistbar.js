// One line above an item of a list: the way back, the way on, which list it is, and how much of it is decided. Nothing in it moves.

import { h, put, style } from '../dom.js';
import { commas } from '../format.js';

/**
 * @template T
 * @param {import('../worklist.js').Worklist<T>} worklist
 * @param {{ noun: string, verdicts: { listen(listener: () => void): void }, more?: HTMLElement[] }} options  what an item is called; what stands at the end
 */
export function worklistBar(worklist, { noun, verdicts, more = [] }) {
  /** @type {T | null} */
  let item = null;
  let query = new URLSearchParams();
  const back = h('a', { class: 'worklist-back', title: 'Back to the list (Esc)' });
  const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {string} */ key) => h('a', { class: 'button worklist-step', title: `${name} ${noun} of the list (key ${key})`, 'aria-label': `${name} ${noun}`, 'aria-keyshortcuts': key }, sign);
  const [previous, next] = [step('‹', 'Previous', '['), step('›', 'Next', ']')];
  const where = h('span', { class: 'number', 'data-part': 'place' });
  const which = h('span', { class: 'muted worklist-which', 'data-part': 'which' });
  const fill = h('span', {});
  const bar = h('span', { class: 'worklist-bar', role: 'progressbar', 'aria-label': 'Decided', 'aria-valuemin': 0 }, fill);
  const done = h('span', { class: 'muted number worklist-done', 'data-part': 'done' });
  const element = h('nav', { class: 'worklist small no-print', 'aria-label': 'The list', 'data-part': 'worklist' }, back, h('span', { class: 'worklist-steps' }, previous, next), where, which, bar, done, more);

  /** @param {HTMLElement} link @param {T | undefined} to */
  function lead(link, to) {
    if (to === undefined) link.removeAttribute('href');
    else link.setAttribute('href', worklist.href(to, query, kept()));
    link.setAttribute('aria-disabled', String(to === undefined));
  }

  /** What of the address stays when the reader steps on. @returns {Record<string, string>} */
  function kept() {
    return Object.fromEntries(['fold', 'view'].map((name) => [name, query.get(name) ?? '']));
  }

  function draw() {
    if (item === null) return;
    const place = worklist.place(query, item);
    const { href, name } = worklist.options.home(place.query);
    back.setAttribute('href', href);
    put(back, `← ${name}`);
    lead(previous, place.previous);
    lead(next, place.next);
    const all = place.items.length;
    put(where, place.at < 0 ? `not among ${commas(all)}` : `${commas(place.at + 1)} of ${commas(all)}`);
    const told = worklist.options.tell(place.query);
    put(which, told);
    which.title = told;
    const decided = place.items.reduce((n, one) => n + (worklist.options.open(one) ? 0 : 1), 0);
    style(fill, { width: `${all === 0 ? 0 : (decided / all) * 100}%` });
    bar.setAttribute('aria-valuemax', String(all));
    bar.setAttribute('aria-valuenow', String(decided));
    bar.setAttribute('aria-valuetext', `${decided} of ${all} decided`);
    put(done, `${commas(decided)} decided`);
    // as wide as it will ever be
    style(done, { 'min-width': `${`${commas(all)} decided`.length - 1}ch` });
    style(where, { 'min-width': `${`${commas(all)} of ${commas(all)}`.length - 1.5}ch` });
  }

  verdicts.listen(() => { if (element.isConnected) draw(); });
  return {
    element,
    /** @param {URLSearchParams} asked @param {T | null} shown */
    show(asked, shown) {
      [query, item] = [asked, shown];
      element.hidden = shown === null;
      draw();
    },
    /** The address of a neighbour; nothing at the ends. @param {number} by @returns {string | null} */
    neighbour(by) {
      const to = item === null ? undefined : worklist.place(query, item)[by > 0 ? 'next' : 'previous'];
      return to === undefined ? null : worklist.href(to, query, kept());
    },
    /** The address of the next that is undecided; nothing if none is. @returns {string | null} */
    undecided() {
      const to = worklist.nextOpen(query, item);
      return to === null ? null : worklist.href(to, query, kept());
    },
    /** The address of the list. */
    home: () => worklist.options.home(item === null ? query : worklist.place(query, item).query).href,
  };
}
