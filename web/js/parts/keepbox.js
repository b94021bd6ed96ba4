// Which document to keep: the rule of the reader, what it suggests and why, and what would be lost.

import { h, put, cleanName } from '../dom.js';
import { commas } from '../format.js';
import { RULES, lossShare, losses, promise, suggest, topFolder, topFolders } from '../keep.js';
import { terms } from '../lens.js';
import { address } from '../route.js';
import { distinctName } from './members.js';
import { load, save } from '../storage.js';

/** Folders that are offered for ordering. */
const FOLDERS = 20;

/** What the reader prefers. @param {import('../types.js').Page} page */
export function preferences(page) {
  const rule = load(`rule:${page.name}`, 'representative');
  const order = load(`folders:${page.name}`, []);
  return {
    rule: /** @type {import('../keep.js').Rule} */ (RULES.some((r) => r.rule === rule) ? rule : 'representative'),
    order: /** @type {string[]} */ (Array.isArray(order) ? order.filter((f) => typeof f === 'string') : []),
  };
}

/**
 * @param {import('../main.js').App} app
 * @param {{ suggested: (document: number) => void, take: (document: number) => void }} hooks  the suggestion has changed; the reader wants it
 */
export function keepBox({ model }, hooks) {
  const { page } = model;
  let { rule, order } = preferences(page);
  /** @type {import('../model.js').Cluster | null} */
  let cluster = null;
  const buttons = RULES.map(({ rule: value, name }) => h('button', { type: 'button', 'data-rule': value, onclick: () => choose(value) }, name));
  const words = h('p', { class: 'keep-words', 'aria-live': 'polite' });
  const folders = h('ol', { class: 'keep-folders', 'aria-label': 'Folders, the best first' });
  const ordering = h('details', { class: 'keep-order', open: true }, h('summary', {}, 'Order of folders'), h('p', { class: 'small muted' }, 'Set it once: it counts for all clusters.'), folders);
  const warning = h('div', { class: 'keep-warning', 'data-part': 'losses' });
  const element = h('div', { class: 'keep', 'data-part': 'keep' },
    h('div', { class: 'keep-rules', role: 'group', 'aria-label': 'Suggest by' }, buttons), words, ordering);

  /** @param {import('../keep.js').Rule} value */
  function choose(value) {
    rule = value;
    save(`rule:${page.name}`, rule);
    if (rule === 'folder' && order.length === 0) store(topFolders(model, []).slice(0, FOLDERS).map((f) => f.folder));
    refresh();
  }

  /** @param {string[]} next */
  function store(next) {
    order = next;
    save(`folders:${page.name}`, order);
  }

  /** @param {string} folder @param {number} by */
  function move(folder, by) {
    const all = topFolders(model, order).map((f) => f.folder);
    const from = all.indexOf(folder);
    const to = Math.max(0, Math.min(all.length - 1, from + by));
    all.splice(to, 0, ...all.splice(from, 1));
    store(all);
    refresh();
    const again = folders.querySelector(`[data-place="${to}"] button[data-by="${by}"]:not(:disabled)`) ?? folders.querySelector(`[data-place="${to}"] button:not(:disabled)`);
    /** @type {HTMLElement | null} */ (again)?.focus();
  }

  function drawFolders() {
    const here = new Set(cluster?.documents.slice(0, 2000).map((d) => topFolder(model, d)));
    const all = topFolders(model, order);
    const listed = all.map((f, place) => ({ ...f, place })).filter((f) => f.place < FOLDERS || here.has(f.folder)).slice(0, FOLDERS + 10);
    put(folders, listed.map(({ folder, documents, place }) => {
      const name = folder === '' ? '(no folder)' : cleanName(folder);
      const arrow = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ where) => (
        h('button', { type: 'button', class: 'quiet', 'data-by': by, disabled: place + by < 0 || place + by >= all.length, 'aria-label': `${name} ${where}`, onclick: () => move(folder, by) }, sign));
      return h('li', { 'data-place': place, class: here.has(folder) ? 'here' : null },
        h('span', { class: 'keep-folder' }, h('bdi', {}, name), h('span', { class: 'muted small number' }, ` ${commas(documents)}`)), arrow(-1, '↑', 'up'), arrow(1, '↓', 'down'));
    }), all.length > listed.length && h('li', { class: 'muted small' }, `and ${commas(all.length - listed.length)} more folders`));
  }

  function refresh() {
    if (cluster === null) return;
    const { document, reason } = suggest(model, cluster, rule, order);
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.rule === rule));
    put(words, 'Suggested: ', h('button', { type: 'button', class: 'keep-take', title: 'Keep this one only', onclick: () => hooks.take(document) }, distinctName(model, cluster, document)), h('strong', { class: 'paper-only' }, distinctName(model, cluster, document)), ` – ${cleanName(reason)}.`);
    ordering.hidden = rule !== 'folder';
    if (rule === 'folder') drawFolders();
    hooks.suggested(document);
  }

  return {
    element,
    warning,
    /** @param {import('../model.js').Cluster} next */
    show(next) {
      cluster = next;
      // another page of this report may have changed them
      ({ rule, order } = preferences(page));
      refresh();
    },
    /** Says what the kept documents lack. @param {Set<number>} keep @param {boolean} chosen by the reader, not only suggested */
    weigh(keep, chosen) {
      if (cluster === null || keep.size === 0) return put(warning);
      const kept = [...keep];
      const found = losses(model, cluster, kept);
      const { lost, unknown } = found;
      const promised = promise(model, found, keep.size);
      const ones = keep.size > 1 ? 'the kept ones' : chosen ? 'the kept one' : 'the suggested one';
      return put(warning,
        lost.length > 0 && h('ul', {}, lost.slice(0, 3).map(({ document, share }) => h('li', {},
          h('a', { href: address(['pair', kept[0], document]) }, distinctName(model, cluster, document)),
          `: ${lossShare(found, share, keep.size)} of it is not in ${ones}`)),
        lost.length > 3 && h('li', {}, `and ${commas(lost.length - 3)} more have ${terms(page).text} of their own`)),
        unknown > 0 && h('p', {}, `${unknown === 1 ? 'One was' : `${commas(unknown)} were`} never compared with ${ones}: look before you delete.`),
        promised && h('p', { class: promised.sure ? 'keep-safe' : 'keep-unsure' }, promised.sure && '✓ ', promised.text));
    },
  };
}
