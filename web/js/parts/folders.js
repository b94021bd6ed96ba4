// Folders that hold the same files: two places where one would do (Forman et al. 2005, section 2.4).

import { h } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { MANY_FOLDERS, folderPairs } from '../filters.js';
import { address } from '../route.js';
import { folderName, pathName } from './name.js';

const SHOWN = 50;

/** @param {import('../filters.js').Copies[]} sets @returns {HTMLElement | null} */
export function foldersPart(sets) {
  const pairs = folderPairs(sets);
  if (pairs.length === 0) return null;
  const wide = sets.filter((set) => set.folders.length > MANY_FOLDERS).length;
  const row = (/** @type {import('../filters.js').FolderPair} */ pair) => {
    const open = h('a', { href: address(['identical'], { a: pair.a || '.', b: pair.b || '.' }) }, count(pair.shared, 'file'));
    // a click anywhere opens the list, unless a reader marks a name to copy it
    const click = (/** @type {Event} */ e) => { if (e.target !== open && document.getSelection()?.isCollapsed !== false) open.click(); };
    return h('tr', { onclick: click },
      h('td', {}, pathName(pair.a || folderName(''))),
      h('td', {}, pathName(pair.b || folderName(''))),
      h('td', { class: 'number' }, open),
      h('td', { class: 'number folders-bytes' }, bytes(pair.bytes)));
  };
  const body = h('tbody', {}, pairs.slice(0, 5).map(row));
  const more = h('button', { type: 'button', class: 'small', onclick: () => { body.append(...pairs.slice(5, SHOWN).map(row)); more.remove(); } }, `Show ${commas(Math.min(SHOWN, pairs.length) - 5)} more`);
  return h('section', { class: 'panel', 'data-part': 'folders' },
    h('h2', {}, 'Folders that share files'),
    h('p', { class: 'muted' }, 'How many files two folders have in common. Either may have other files too. Open a row to see the files.',
      wide > 0 && ` ${count(wide, 'content')} that ${wide === 1 ? 'is' : 'are'} in more than ${MANY_FOLDERS} folders ${wide === 1 ? 'is' : 'are'} left out.`),
    h('div', { class: 'folders-scroll' }, h('table', { class: 'folders' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Folder'), h('th', { scope: 'col' }, 'and folder'), h('th', { scope: 'col', class: 'number' }, 'Same files'), h('th', { scope: 'col', class: 'number folders-bytes' }, 'Bytes'))), body)),
    pairs.length > 5 && more,
    pairs.length > SHOWN && h('p', { class: 'small muted' }, `The ${SHOWN} pairs that share most, of ${commas(pairs.length)}.`));
}
