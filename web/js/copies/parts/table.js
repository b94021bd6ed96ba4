// A plain table. A head that begins with `#` stands above numbers.

import { h } from '../../dom.js';

/** @typedef {import('../../dom.js').Child | import('../../dom.js').Child[]} Cell */

/** @param {string[]} heads @param {Cell[][]} rows @param {string} [kind] a class */
export function table(heads, rows, kind) {
  const number = (/** @type {number} */ at) => (heads[at].startsWith('#') ? 'number' : null);
  return h('div', { class: 'table-scroll' }, h('table', { class: kind },
    h('thead', {}, h('tr', {}, heads.map((head, at) => h('th', { scope: 'col', class: number(at) }, head.replace(/^#/, ''))))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, at) => h('td', { class: number(at) }, cell)))))));
}

/** Some elements with commas between, and how many more there are. @template T @param {T[]} all @param {number} most @param {(item: T) => import('../../dom.js').Child} show @returns {import('../../dom.js').Child[]} */
export function listed(all, most, show) {
  const items = all.slice(0, most).flatMap((item, at) => [at > 0 && ', ', show(item)]);
  return all.length > most ? [...items, ` and ${all.length - most} more`] : items;
}
