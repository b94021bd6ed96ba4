// Choices above a list. What is chosen is in the address.

import { h, put, cleanName, onceAFrame } from '../dom.js';
import { amend, current, here } from '../route.js';

/** A field to search names with. @param {string} label */
export function searchField(label) {
  const typed = onceAFrame((/** @type {string} */ q) => amend({ q: q || null }));
  return /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: 'Search names', 'aria-label': label, title: 'Search (key /)', 'aria-keyshortcuts': '/', oninput: (/** @type {any} */ e) => typed(e.target.value) }));
}

/** @param {string} label @param {string} name of the query */
export function choice(label, name) {
  return /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': label, 'data-filter': name, onchange: (/** @type {any} */ e) => amend({ [name]: e.target.value || null }) }));
}

/** Fills a select. @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} value  what is asked for; it stays choosable */
export function offer(select, options, value) {
  const all = value === '' || options.some(([v]) => v === value) ? options : [...options, /** @type {[string, string]} */ ([value, cleanName(value)])];
  put(select, all.map(([v, text]) => h('option', { value: v }, text)));
  select.value = value;
  select.toggleAttribute('data-on', value !== '');
}

/**
 * A reader who comes back to a list finds it as it was left.
 * @param {HTMLElement} element
 * @param {string} view  the address of the list
 * @param {(path: string[]) => void} leave  called with the address that the reader goes to
 * @returns {() => void}  to be called whenever the list was drawn
 */
export function keepPlace(element, view, leave) {
  let [left, place, asked] = [false, 0, ''];
  addEventListener('scroll', () => { if (element.isConnected && !left) place = scrollY; }, { passive: true });
  addEventListener('hashchange', () => {
    const { path } = current();
    if (path[0] === view) return;
    left = true;
    leave(path);
  });
  return () => {
    const back = left && asked === here();
    left = false;
    asked = here();
    if (back) scrollTo(0, place);
  };
}
