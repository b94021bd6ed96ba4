// Folders that hold the same files: two places where one would do (Forman et al. 2005, section 2.4).

import { h } from '../dom.js';
import { bytes, commas } from '../format.js';
import { MANY_FOLDERS, folderPairs } from '../filters.js';
import { short } from '../recipe.js';
import { address } from '../route.js';
import { folderName, pathName } from './name.js';

const SHOWN = 50;

/** @param {import('../filters.js').Copies[]} sets @returns {HTMLElement | null} */
export function foldersPart(sets) {
  const pairs = folderPairs(sets);
  if (pairs.length === 0) return null;
  const wide = sets.filter((set) => set.folders.length > MANY_FOLDERS).length;
  const share = (/** @type {number} */ part, /** @type {number} */ of) => h('span', { class: 'muted small number' }, part === of ? 'all' : `${short(part / of)} of ${commas(of)}`);
  const row = (/** @type {import('../filters.js').FolderPair} */ pair) => h('tr', {},
    h('td', {}, pathName(pair.a || folderName('')), ' ', share(pair.shared, pair.of_a)),
    h('td', {}, pathName(pair.b || folderName('')), ' ', share(pair.shared, pair.of_b)),
    h('td', { class: 'number' }, h('a', { href: address(['identical'], { a: pair.a || '.', b: pair.b || '.' }) }, commas(pair.shared))),
    h('td', { class: 'number folders-bytes' }, bytes(pair.bytes)));
  const body = h('tbody', {}, pairs.slice(0, 5).map(row));
  const more = h('button', { type: 'button', class: 'small', onclick: () => { body.append(...pairs.slice(5, SHOWN).map(row)); more.remove(); } }, `Show ${commas(Math.min(SHOWN, pairs.length) - 5)} more`);
  return h('section', { class: 'panel', 'data-part': 'folders' },
    h('h2', {}, 'Folders that hold the same files'),
    h('p', { class: 'muted' }, 'Files that two folders have in common, and which part that is of all files of the folder that have a copy somewhere.',
      wide > 0 && ` ${commas(wide)} contents that are in more than ${MANY_FOLDERS} folders are left out.`),
    h('div', { class: 'folders-scroll' }, h('table', { class: 'folders' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Folder'), h('th', { scope: 'col' }, 'and folder'), h('th', { scope: 'col', class: 'number' }, 'Same files'), h('th', { scope: 'col', class: 'number folders-bytes' }, 'Bytes'))), body)),
    pairs.length > 5 && more,
    pairs.length > SHOWN && h('p', { class: 'small muted' }, `The ${SHOWN} pairs that share most, of ${commas(pairs.length)}.`));
}
