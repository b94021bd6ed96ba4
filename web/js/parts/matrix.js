// A table of every two of some things, coloured by how alike they are.

import { h, put, style } from '../dom.js';
import { percent } from '../format.js';
import { visit } from '../route.js';
import { shortNames } from './graphdata.js';
import { hoverNote } from './hovernote.js';

/**
 * @typedef {{ alike: number, inside: number | null, has: number | null }} Seen  of two rows, seen from the first
 *
 * @typedef {object} Matrix
 * @property {string[]} names      in the order of the rows
 * @property {number} least        what the lightest colour stands for
 * @property {(i: number, j: number) => Seen | null} seen
 * @property {(at: number) => boolean} first   its name is bold
 * @property {(i: number, j: number) => string | null} href
 * @property {import('../dom.js').Child[]} below
 *
 * @typedef {object} MatrixWords
 * @property {string} label        of the table
 * @property {string} alike        behind a number
 * @property {string} none         where there is no number
 * @property {number} most         the highest number in a cell
 */

/** The class of a number on a colour of so much ink: black or white, whichever can be read in light and in dark. @param {number} ink */
export function valueLook(ink) {
  return ink > 0.8 ? 'strong' : ink > 0.6 ? 'middle' : 'pale';
}

/** @param {MatrixWords} said */
export function matrix(said) {
  const table = h('table', { class: 'heat-table', role: 'grid', 'aria-label': said.label });
  const scroll = h('div', { class: 'heat-scroll' }, table);
  const holder = h('div', { class: 'heat-holder' }, scroll);
  const below = h('figcaption', { class: 'heat-caption small muted' });
  const element = h('figure', { class: 'heat', 'data-part': 'heatmap' }, holder, below);
  const note = hoverNote(holder);
  /** @type {Matrix} */
  let shown = { names: [], least: 0, seen: () => null, first: () => false, href: () => null, below: [] };
  let [row, column] = [0, 0];
  const name = (/** @type {number} */ at) => shown.names[at];

  /** @param {Matrix} next */
  function show(next) {
    shown = next;
    [row, column] = [0, 1];
    draw();
    put(below, next.below);
  }

  function draw() {
    const n = shown.names.length;
    const wide = scroll.clientWidth || 800;
    const labels = shortNames(shown.names, Math.floor(Math.min(208, wide * 0.3) / 6.6));
    const numbers = n <= 14;
    table.classList.toggle('dense', n > 24);
    // as large as there is room for, and not smaller than can be read
    const [smallest, largest] = numbers ? [1.7, n <= 6 ? 3.4 : n <= 10 ? 3 : 2.6] : n <= 24 ? [0.9, 1.7] : [0.38, 1.1];
    style(table, { '--heat': `clamp(${smallest}rem, calc((96cqw - var(--heat-name) - 2.6rem) / ${n} - ${n > 24 ? 1 : 2}px), ${largest}rem)` });
    const first = (/** @type {number} */ at) => (shown.first(at) ? ' first' : '');
    const head = h('tr', { role: 'row' }, h('td', { class: 'heat-corner', role: 'presentation' }), labels.map((label, at) => (
      h('th', { scope: 'col', role: 'columnheader', class: `heat-column number${first(at)}`, title: label, 'aria-label': `${at + 1}: ${label}` }, h('span', { class: 'heat-count' }, n <= 24 || (at + 1) % 5 === 0 ? at + 1 : '')))));
    const body = shown.names.map((_, i) => h('tr', { role: 'row' },
      h('th', { scope: 'row', role: 'rowheader', class: `heat-row${first(i)}` }, h('span', { class: 'heat-name' }, h('bdi', { title: name(i) }, labels[i])), h('span', { class: 'number heat-number' }, i + 1)),
      shown.names.map((__, j) => cell(i, j, numbers))));
    put(table, h('thead', { role: 'rowgroup' }, head), h('tbody', { role: 'rowgroup' }, body));
  }

  /** @param {number} i @param {number} j @param {boolean} numbers*/
  function cell(i, j, numbers) {
    const link = i === j ? null : shown.seen(i, j);
    const text = i === j ? 'the same' : link === null ? said.none : `${percent(link.alike)} ${said.alike}`;
    const td = h('td', {
      role: 'gridcell',
      class: `heat-cell${i === j ? ' same' : link === null ? ' blank' : ''}`,
      tabindex: i === row && j === column ? 0 : -1,
      'aria-label': i === j ? name(i) : `${name(i)} and ${name(j)}: ${text}`,
      'data-row': i,
      'data-column': j,
    });
    if (link === null) return td;
    const heat = Math.max(0, Math.min(1, (link.alike - shown.least) / Math.max(0.01, 1 - shown.least)));
    const ink = 0.1 + 0.9 * heat ** 1.3;
    td.append(style(h('span', { class: 'heat-fill' }), { opacity: ink.toFixed(3) }));
    // cut and not rounded: it is the beginning of what the label says
    if (numbers) td.append(h('span', { class: `heat-value ${valueLook(ink)}` }, Math.min(link.alike === 1 ? said.most : 99, Number.parseInt(percent(link.alike), 10))));
    return td;
  }

  /** @param {EventTarget | null} target */
  function placeOf(target) {
    const td = /** @type {HTMLElement | null} */ (target)?.closest?.('.heat-cell');
    return td instanceof HTMLElement ? { td, i: Number(td.dataset.row), j: Number(td.dataset.column) } : null;
  }

  /** @param {{ td: HTMLElement, i: number, j: number } | null} place */
  function tell(place) {
    for (const on of table.querySelectorAll('.on')) on.classList.remove('on');
    if (place === null) return note.hide();
    const { td, i, j } = place;
    table.querySelectorAll('.heat-column')[j].classList.add('on');
    table.querySelectorAll('.heat-row')[i].classList.add('on');
    const link = i === j ? null : shown.seen(i, j);
    const [box, around] = [td.getBoundingClientRect(), holder.getBoundingClientRect()];
    note.show(box.left - around.left + box.width / 2, box.top - around.top,
      h('bdi', { class: 'hovernote-name' }, name(i)), i !== j && h('bdi', { class: 'hovernote-name' }, name(j)),
      i === j ? null : link === null ? h('div', {}, said.none) : h('div', {}, h('strong', {}, percent(link.alike)), ` ${said.alike}`),
      link && link.inside !== null && h('div', {}, `${percent(link.inside)} of the first is in the second, ${percent(link.has)} the other way`));
    return undefined;
  }

  /** @param {number} i @param {number} j */
  function open(i, j) {
    const to = i === j ? null : shown.href(i, j);
    if (to !== null) visit(to);
  }

  table.addEventListener('pointerover', (event) => tell(placeOf(event.target)));
  table.addEventListener('pointerleave', () => tell(null));
  table.addEventListener('focusin', (event) => tell(placeOf(event.target)));
  table.addEventListener('focusout', () => tell(null));
  table.addEventListener('click', (event) => {
    const place = placeOf(event.target);
    if (place !== null) open(place.i, place.j);
  });
  table.addEventListener('keydown', (event) => {
    const place = placeOf(event.target);
    if (place === null) return;
    const step = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] })[event.key];
    if (event.key === 'Enter' && !event.repeat) open(place.i, place.j);
    if (step === undefined) return;
    event.preventDefault();
    const inside = (/** @type {number} */ at) => Math.max(0, Math.min(shown.names.length - 1, at));
    [row, column] = [inside(place.i + step[0]), inside(place.j + step[1])];
    place.td.tabIndex = -1;
    const next = /** @type {HTMLElement} */ (table.querySelector(`[data-row="${row}"][data-column="${column}"]`));
    next.tabIndex = 0;
    next.focus();
  });
  return { element, show };
}

/** What the colours mean. @param {string} low @param {string} blank */
export function heatLegend(low, blank) {
  return h('div', { class: 'heat-legend' },
    h('span', { class: 'number' }, low), h('span', { class: 'heat-ramp', 'aria-hidden': 'true' }), h('span', { class: 'number' }, '100%'),
    h('span', { class: 'heat-key' }, h('span', { class: 'heat-blank', 'aria-hidden': 'true' }), blank));
}
