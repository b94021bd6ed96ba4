// Text that many documents share: a list of excerpts, each with how many have it.

import { h, put, clean, cleanName } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { isFeatures } from '../recipe.js';

/** Entries shown at once. */
const SHOWN = 5;
/** An excerpt that is longer is folded. */
const LONG = 240;

/**
 * @typedef {object} Entry
 * @property {number} documents   how many have it
 * @property {string | null} text how it reads, where that is known
 * @property {import('../dom.js').Child[]} facts  what is said below the excerpt
 * @property {import('../dom.js').Child[]} [title]  and above
 * @property {import('../dom.js').Child} [more]   and below all
 */

/** @param {Entry} entry @param {string} unknown said where there is no excerpt; nothing if empty */
function item({ documents, text, facts, title, more }, unknown) {
  const shown = (text !== null || unknown !== '') && h('blockquote', { class: 'template-text' }, text === null ? h('span', { class: 'muted' }, unknown) : clean(text.replace(/\r\n?/g, '\n')));
  const long = (text ?? '').length > LONG;
  const unfold = h('button', { type: 'button', class: 'quiet small no-print', 'aria-expanded': 'false', onclick: toggle }, 'Show all');
  function toggle() {
    const open = shown !== false && shown.classList.toggle('open');
    unfold.setAttribute('aria-expanded', String(open));
    unfold.textContent = open ? 'Show less' : 'Show all';
  }
  return h('li', { class: 'template' },
    h('div', { class: 'template-count' }, h('b', { class: 'number' }, commas(documents)), h('span', { class: 'small muted' }, documents === 1 ? 'document' : 'documents')),
    h('div', {}, title !== undefined && h('p', { class: 'template-title' }, title), shown, h('div', { class: 'row small muted' }, facts, long && unfold), more));
}

/**
 * A list of which the first few are shown.
 * @template T
 * @param {T[]} all
 * @param {(one: T) => Entry} entry
 * @param {{ unknown?: string, shown?: number }} [options]
 */
export function excerptList(all, entry, { unknown = '', shown = SHOWN } = {}) {
  const list = h('ul', { class: 'templates' });
  const more = h('button', { type: 'button', class: 'small', onclick: () => fill(all.length) }, `Show all ${commas(all.length)}`);
  function fill(/** @type {number} */ n) {
    put(list, all.slice(0, n).map((one) => item(entry(one), unknown)));
    more.hidden = n >= all.length;
  }
  fill(shown);
  return [list, more];
}

/** Why text was left out of the comparison. @param {import('../types.js').Page['templates']} all */
function lead(all) {
  const named = all.filter((t) => t.named === true).length;
  if (named === 0) return 'Text that so many documents share that it was left out of the comparison.';
  if (named === all.length) return 'Text that was named as a template in a decision, and left out of the comparison.';
  return 'Text that was left out of the comparison: very many documents share it, or it was named as a template in a decision.';
}

/** Text that was not compared. @param {import('../model.js').Model} model */
export function templatesPart({ page }) {
  const all = page.templates;
  if (all.length === 0) return null;
  const unit = isFeatures(page.report.compared_by) ? 'item' : 'shingle';
  const entry = (/** @type {import('../types.js').Page['templates'][number]} */ { documents, shingles, text, example, named }) => (
    { documents, text, facts: [named === true && h('span', { class: 'chip template' }, 'named as a template in a decision'), h('span', {}, `${count(shingles, unit)}, for example in `, h('bdi', {}, cleanName(example)))] });
  return h('section', { class: 'panel', 'data-part': 'templates' }, h('h2', {}, 'Templates'),
    h('p', { class: 'muted' }, lead(all)), excerptList(all, entry, { unknown: 'The example could not be read again.' }));
}

/** Templates that people have marked, and that did not count. @param {import('../types.js').Chunks} chunks */
export function ignoredPart({ templates, templates_all }) {
  if (templates.length === 0) return null;
  const row = (/** @type {import('../types.js').Chunks['templates'][number]} */ one) => h('tr', {},
    h('td', {}, h('bdi', {}, cleanName(one.name))),
    h('td', { class: 'number' }, commas(one.documents)), h('td', { class: 'number' }, commas(one.chunks)), h('td', { class: 'number' }, bytes(one.bytes)));
  const numbers = ['Documents', 'Chunks', 'Bytes'].map((label) => h('th', { scope: 'col', class: 'number' }, label));
  return h('section', { class: 'panel', 'data-part': 'ignored' }, h('h2', {}, 'Templates that were ignored'),
    h('p', { class: 'muted' }, 'Marked by people. Their chunks link nothing, and files are as large as they are without them.'),
    h('div', { class: 'folders-scroll' }, h('table', { class: 'ignored-table' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Template'), numbers)), h('tbody', {}, templates.map(row)))),
    templates_all > templates.length && h('p', { class: 'small muted' }, `The first ${commas(templates.length)} of ${commas(templates_all)}.`));
}

/** Chunks in so many documents that they connect none. @param {import('../types.js').Chunks} chunks */
export function frequentPart({ frequent, frequent_all, max_df }) {
  if (frequent.length === 0) return null;
  const entry = (/** @type {import('../types.js').Chunks['frequent'][number]} */ one) => (
    { documents: one.documents, text: one.text, facts: [h('span', {}, `${count(one.chunks, 'chunk')}, ${bytes(one.bytes)}, for example in `, h('bdi', {}, cleanName(one.example)))] });
  return h('section', { class: 'panel', 'data-part': 'frequent' }, h('h2', {}, 'Frequent chunks'),
    h('p', { class: 'muted' }, `In more than ${Math.round(max_df * 100)}% of all documents, so they connect none by themselves.`), excerptList(frequent, entry, { unknown: 'The example could not be read again, or is no text.' }),
    frequent_all > frequent.length && h('p', { class: 'small muted' }, `The first ${commas(frequent.length)} of ${commas(frequent_all)}. --json lists all.`));
}
