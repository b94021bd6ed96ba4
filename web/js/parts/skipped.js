// What was not read, and why.

import { h, cleanName, clean, onceAFrame } from '../dom.js';
import { commas, count } from '../format.js';
import { amend } from '../route.js';
import { List } from './list.js';

/** @param {import('../model.js').Model} model */
export function skippedPart(model) {
  const { skipped } = model.page;
  const all = model.page.skipped_all ?? skipped.length;
  // the counts of the choices, and what a search finds, are of those that are listed
  const cut = all > skipped.length && h('p', { class: 'muted small', 'data-part': 'skipped-cut' }, `The first ${commas(skipped.length)} of ${commas(all)} are listed. --json lists all.`);
  /** @type {List<{ id: string, reason: string, kind: string }>} */
  const list = new List({
    part: 'skipped-list', label: 'Skipped', box: true, height: 38, narrow: 58,
    columns: [
      { key: 'id', label: 'What', cell: (item) => h('bdi', { title: cleanName(item.id) }, cleanName(item.id)) },
      { key: 'reason', label: 'Why', cell: (item) => clean(item.reason) },
    ],
  });
  const kinds = new Map(skipped.map(({ kind }) => [kind, 0]));
  for (const { kind } of skipped) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const search = /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search what was skipped', oninput: onceAFrame(fill) }));
  const choice = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Reason', onchange: fill },
    h('option', { value: '' }, 'All reasons'), [...kinds].map(([kind, n]) => h('option', { value: kind }, `${clean(kind)} (${commas(n)})`))));
  const shown = h('span', { class: 'muted small', 'aria-live': 'polite' });
  const title = h('h2', { tabindex: -1 }, 'Skipped');
  const element = h('section', { class: 'panel', 'data-part': 'skipped', hidden: true, 'aria-label': 'Skipped' },
    h('div', { class: 'row spread' }, title, h('button', { class: 'quiet', type: 'button', onclick: () => amend({ show: null }) }, 'Close')),
    h('div', { class: 'row no-print list-tools' }, search, choice, shown), cut, list.element);
  function fill() {
    const q = search.value.toLowerCase();
    const kept = skipped.filter((item) => (choice.value === '' || item.kind === choice.value) && (q === '' || item.id.toLowerCase().includes(q)));
    shown.textContent = kept.length === skipped.length ? count(kept.length, 'entry').replace('entrys', 'entries') : `${commas(kept.length)} of ${commas(skipped.length)}`;
    list.set(kept);
  }
  return {
    element,
    /** @param {boolean} open */
    show(open) {
      if (!element.hidden === open) return;
      element.hidden = !open;
      if (!open) return;
      fill();
      // after the view has taken its place
      requestAnimationFrame(() => { title.focus({ preventScroll: true }); element.scrollIntoView({ block: 'nearest' }); });
    },
  };
}
