// The heat map of a cluster: how much every document resembles every other.

import { h, put, style, cleanName } from '../dom.js';
import { percent } from '../format.js';
import { byBytes, terms } from '../lens.js';
import { address, visit } from '../route.js';
import { compared, distinct, seriate, shortNames } from './graphdata.js';
import { hoverNote } from './hovernote.js';

/** More would be too small to be read. */
const MOST = 40;

/** What the lightest colour stands for. Contained documents may be listed although they resemble less than the scale begins with. @param {number} least @param {{ alike: number }[]} links */
export function lowEnd(least, links) {
  return `${Math.round(least * 100)} %${links.some((l) => l.alike < least) ? ' or less' : ''}`;
}

/** @param {import('../model.js').Model} model */
export function heatMap(model) {
  const said = terms(model.page);
  const table = h('table', { class: 'heat-table', role: 'grid', 'aria-label': `${byBytes(model.page) ? 'Share of the smaller in common' : 'Resemblance'} of every two documents` });
  const scroll = h('div', { class: 'heat-scroll' }, table);
  const holder = h('div', { class: 'heat-holder' }, scroll);
  const below = h('figcaption', { class: 'heat-caption small muted' });
  const element = h('figure', { class: 'heat', 'data-part': 'heatmap' }, holder, below);
  const note = hoverNote(holder);
  /** @type {import('./graphdata.js').Node[]} in the order of the rows */
  let nodes = [];
  /** @type {Map<number, import('./graphdata.js').Link>} */
  let known = new Map();
  let [row, column] = [0, 0];

  const name = (/** @type {number} */ at) => cleanName(model.name(nodes[at].document));
  /** The link of two rows, seen from the first. @param {number} i @param {number} j */
  function seen(i, j) {
    const link = known.get(Math.min(i, j) * nodes.length + Math.max(i, j));
    if (link === undefined) return null;
    return link.from === i ? link : { ...link, inside: link.has, has: link.inside };
  }

  /** @param {import('../model.js').Cluster} cluster */
  function show(cluster) {
    const all = distinct(model, cluster);
    const given = all.slice(0, MOST);
    // of two it would say one number
    element.hidden = given.length < 3;
    if (element.hidden) return;
    const links = compared(model, given);
    const value = new Map(links.map((l) => [Math.min(l.from, l.to) * given.length + Math.max(l.from, l.to), l.alike]));
    const order = seriate(given.length, (i, j) => value.get(Math.min(i, j) * given.length + Math.max(i, j)) ?? 0);
    const place = order.reduce((places, at, to) => places.set(at, to), new Map());
    nodes = order.map((at) => given[at]);
    known = new Map(links.map((l) => {
      const [from, to] = [place.get(l.from), place.get(l.to)];
      return [Math.min(from, to) * nodes.length + Math.max(from, to), { ...l, from, to }];
    }));
    [row, column] = [0, 1];
    draw();
    const [least] = model.range;
    put(below, h('div', { class: 'heat-legend' },
      h('span', { class: 'number' }, lowEnd(least, links)), h('span', { class: 'heat-ramp', 'aria-hidden': 'true' }), h('span', { class: 'number' }, '100 %'),
      h('span', { class: 'heat-key' }, h('span', { class: 'heat-blank', 'aria-hidden': 'true' }), links.some((l) => l.alike < least) ? 'not compared, or little in common' : 'less, or not compared')),
    all.length > given.length && h('p', {}, `The first ${given.length} of ${all.length} different ${said.text}s.`));
  }

  function draw() {
    const n = nodes.length;
    const wide = scroll.clientWidth || 800;
    const labels = shortNames(nodes.map((_, at) => name(at)), Math.floor(Math.min(208, wide * 0.3) / 6.6));
    const numbers = n <= 14;
    table.classList.toggle('dense', n > 24);
    // as large as there is room for, and not smaller than can be read
    const [smallest, largest] = numbers ? [1.7, n <= 6 ? 3.4 : n <= 10 ? 3 : 2.6] : n <= 24 ? [1.1, 1.7] : [0.8, 1.1];
    style(table, { '--heat': `clamp(${smallest}rem, calc((96cqw - min(13rem, 30cqw) - 2.6rem) / ${n} - 2px), ${largest}rem)` });
    const [least] = model.range;
    const first = (/** @type {number} */ at) => (nodes[at].member === null ? ' first' : '');
    const head = h('tr', { role: 'row' }, h('td', { class: 'heat-corner', role: 'presentation' }), labels.map((label, at) => (
      h('th', { scope: 'col', role: 'columnheader', class: `heat-column number${first(at)}`, title: label, 'aria-label': `${at + 1}: ${label}` }, at + 1))));
    const body = nodes.map((_, i) => h('tr', { role: 'row' },
      h('th', { scope: 'row', role: 'rowheader', class: `heat-row${first(i)}` }, h('span', { class: 'heat-name' }, h('bdi', { title: name(i) }, labels[i])), h('span', { class: 'number heat-number' }, i + 1)),
      nodes.map((__, j) => cell(i, j, numbers, least))));
    put(table, h('thead', { role: 'rowgroup' }, head), h('tbody', { role: 'rowgroup' }, body));
  }

  /** @param {number} i @param {number} j @param {boolean} numbers @param {number} least */
  function cell(i, j, numbers, least) {
    const link = i === j ? null : seen(i, j);
    const text = i === j ? 'the same' : link === null ? 'less, or not compared' : `${percent(link.alike)} ${said.alike}`;
    const td = h('td', {
      role: 'gridcell',
      class: `heat-cell${i === j ? ' same' : link === null ? ' blank' : ''}`,
      tabindex: i === row && j === column ? 0 : -1,
      'aria-label': i === j ? name(i) : `${name(i)} and ${name(j)}: ${text}`,
      'data-row': i,
      'data-column': j,
    });
    if (link === null) return td;
    const heat = Math.max(0, Math.min(1, (link.alike - least) / Math.max(0.01, 1 - least)));
    const ink = 0.1 + 0.9 * heat ** 1.3;
    td.append(style(h('span', { class: 'heat-fill' }), { opacity: ink.toFixed(3) }));
    if (numbers) td.append(h('span', { class: `heat-value${ink > 0.74 ? ' strong' : ink > 0.58 ? ' middle' : ''}` }, Math.min(byBytes(model.page) && link.alike === 1 ? 100 : 99, Math.round(link.alike * 100))));
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
    const link = i === j ? null : seen(i, j);
    const [box, around] = [td.getBoundingClientRect(), holder.getBoundingClientRect()];
    note.show(box.left - around.left + box.width / 2, box.top - around.top,
      h('bdi', { class: 'hovernote-name' }, name(i)), i !== j && h('bdi', { class: 'hovernote-name' }, name(j)),
      i === j ? null : link === null ? h('div', {}, 'less, or not compared') : h('div', {}, h('strong', {}, percent(link.alike)), ` ${said.alike}`),
      link && link.inside !== null && h('div', {}, `${percent(link.inside)} of the first is in the second, ${percent(link.has)} the other way`));
    return undefined;
  }

  /** @param {number} i @param {number} j */
  function open(i, j) {
    if (i !== j) visit(address(['pair', nodes[i].document, nodes[j].document]));
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
    const inside = (/** @type {number} */ at) => Math.max(0, Math.min(nodes.length - 1, at));
    [row, column] = [inside(place.i + step[0]), inside(place.j + step[1])];
    place.td.tabIndex = -1;
    const next = /** @type {HTMLElement} */ (table.querySelector(`[data-row="${row}"][data-column="${column}"]`));
    next.tabIndex = 0;
    next.focus();
  });
  return { element, show };
}
