// Small parts that the views of a server share.

import { clean, cleanName, h, put, style } from '../../dom.js';
import { commas, percent } from '../../format.js';
import { address, amend } from '../../route.js';
import { Refused } from '../api.js';

/** What went wrong, in the words of the server. @param {unknown} error */
export function problemNote(error) {
  if (!(error instanceof Refused)) throw error;
  return h('p', { class: 'note serve-problem', role: 'alert', 'data-part': 'problem' }, clean(error.message),
    error.status === 401 && [' ', h('button', { type: 'button', onclick: () => location.reload() }, 'Give another token')]);
}

/**
 * Runs a question and shows how it goes: only the last one that was asked is answered.
 * @param {HTMLElement} place
 * @returns {(question: () => Promise<import('../../dom.js').Child | import('../../dom.js').Child[]>) => Promise<boolean>}  whether it was answered
 */
export function answers(place) {
  let turn = 0;
  return async (question) => {
    turn += 1;
    const own = turn;
    place.setAttribute('aria-busy', 'true');
    /** @type {import('../../dom.js').Child | import('../../dom.js').Child[]} */
    let shown;
    let good = true;
    try {
      shown = await question();
    } catch (error) {
      shown = problemNote(error);
      good = false;
    }
    if (own !== turn) return false;
    put(place, shown);
    place.removeAttribute('aria-busy');
    return good;
  };
}

/** The index that an address means, or the first that has the view. @param {import('../start.js').ServeApp} app @param {URLSearchParams} query @param {(served: import('../types.js').Served) => boolean} able */
export function chosenIndex(app, query, able) {
  const fit = app.indexes.filter(able);
  return fit.find(({ name }) => name === query.get('index')) ?? fit[0];
}

/** A choice among the indexes that can answer; nothing if there is none. @param {import('../start.js').ServeApp} app @param {(served: import('../types.js').Served) => boolean} able @param {string} chosen */
export function indexChoice(app, able, chosen) {
  const fit = app.indexes.filter(able);
  if (fit.length < 2) return null;
  const select = /** @type {HTMLSelectElement} */ (h('select', { 'data-part': 'index', onchange: () => amend({ index: select.value, from: null, open: null }) },
    fit.map(({ name }) => h('option', { value: name, selected: name === chosen }, cleanName(name)))));
  return h('label', {}, 'Index ', select);
}

/** A share with a bar; an estimate with its interval. @param {import('../types.js').Estimate | number | null | undefined} share @param {string} label  what it says on a narrow window */
export function shareCell(share, label) {
  if (share === null || share === undefined) return h('td', { class: 'number serve-share', 'data-label': label }, h('span', {}, '–'));
  const estimate = typeof share === 'number' ? { value: share, low: share, high: share } : share;
  const { value, low, high } = estimate;
  const sure = high - low < 0.0005;
  return h('td', { class: 'number serve-share', 'data-label': label, title: sure ? null : `estimated: ${percent(low)} to ${percent(high)} with 95% confidence` },
    h('span', {}, sure ? '' : '≈ ', percent(value)),
    h('span', { class: 'meter', 'aria-hidden': 'true' }, style(h('span'), { width: `${(value * 100).toFixed(1)}%` })));
}

/** `2026-05-01`, `2026-05-01 to 2026-06-01`, or nothing. @param {{ first: string | null, last: string | null }} seen */
export function dates({ first, last }) {
  const known = [first, last].filter((date) => date !== null);
  return known.length === 0 ? '' : known[0] === known[known.length - 1] ? `${known[0]}` : `${known[0]} to ${known[known.length - 1]}`;
}

/** A name, which leads to its history where the index has one. @param {string} name @param {import('../types.js').Served | undefined} index */
export function nameLink(name, index) {
  const text = h('bdi', {}, cleanName(name));
  return index?.kind === 'shingles' ? h('a', { href: address(['url'], { index: index.name, url: name }) }, text) : text;
}

/** Names listed at once. */
const LISTED = 3;

/** Where a document was seen. @param {import('../types.js').Sighting[]} seen @param {import('../types.js').Served | undefined} index */
export function sightings(seen, index) {
  const one = (/** @type {import('../types.js').Sighting} */ sighting) => h('div', { class: 'serve-seen' }, nameLink(sighting.url, index),
    h('span', { class: 'small muted' }, ' ', dates(sighting), !sighting.current && ' · not there any more'));
  const rest = seen.slice(LISTED);
  return [...seen.slice(0, LISTED).map(one), rest.length > 0 && h('details', { class: 'small' }, h('summary', {}, `${commas(rest.length)} more names`), rest.map(one))];
}

/** The address of two documents side by side. @param {string} index @param {{ id: string, content: string | null } | null} a  null for what was asked @param {{ id: string, content: string | null }} b */
export function pairAddress(index, a, b) {
  return address(['pair'], { index, a: a?.id ?? null, ac: a?.content ?? null, b: b.id, bc: b.content });
}

/** A table that becomes a list of cards on a narrow window. @param {string} part @param {string[]} heads  of columns of numbers with a # in front, of those that speak for themselves with a ~ @param {import('../../dom.js').Child[]} rows */
export function table(part, heads, rows) {
  return h('table', { class: 'serve-table', 'data-part': part },
    h('thead', {}, h('tr', {}, heads.map((head) => h('th', { class: head.startsWith('#') ? 'number' : null, scope: 'col' }, head.startsWith('~') ? h('span', { class: 'visually-hidden' }, head.slice(1)) : head.replace('#', ''))))),
    h('tbody', {}, rows));
}
