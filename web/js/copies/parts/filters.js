// Choices above a list. What is chosen is in the address.

import { h, put, cleanName, onceAFrame } from '../../dom.js';
import { commas } from '../../format.js';
import { amend } from '../../route.js';

/** A field to search names with. @param {string} label */
export function searchField(label) {
  const typed = onceAFrame((/** @type {string} */ q) => amend({ q: q || null }));
  return /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: 'Search names', 'aria-label': label, title: 'Search (key /)', 'aria-keyshortcuts': '/', oninput: (/** @type {any} */ e) => typed(e.target.value) }));
}

/** @param {string} label @param {string} name of the query */
export function choice(label, name) {
  return /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': label, 'data-filter': name, onchange: (/** @type {any} */ e) => amend({ [name]: e.target.value || null }) }));
}

/** @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} value */
export function offer(select, options, value) {
  put(select, options.map(([v, text]) => h('option', { value: v }, text)));
  select.value = options.some(([v]) => v === value) ? value : '';
  select.toggleAttribute('data-on', value !== '');
}

/** The groups of the cohort. @param {HTMLSelectElement} select @param {import('../start.js').CopiesApp} app @param {number} chosen */
export function offerLabels(select, { model, names }, chosen) {
  select.hidden = model.labels.length < 2;
  offer(select, [['', 'All groups'], ...model.labels.map(([name, n], at) => /** @type {[string, string]} */ ([String(at), `${cleanName(names.label(name))} (${commas(n)})`]))], chosen < 0 ? '' : String(chosen));
}
