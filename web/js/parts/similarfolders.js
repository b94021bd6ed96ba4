// Folders that share content: this one is 96% inside that one (Forman et al. 2005, section 4). A list that can be filtered and sorted.

import { h, style, onceAFrame } from '../dom.js';
import { bytes, commas, count, percent } from '../format.js';
import { address } from '../route.js';
import { List } from './list.js';
import { folderName, pathName } from './name.js';

/** @typedef {import('../types.js').FolderPair} FolderPair */

/** Fewer need no filter. */
const FEW = 6;
/** Least shares that are offered. */
const SHARES = [0.5, 0.9, 1];

/** What a column sorts by. @type {Record<string, (pair: FolderPair) => number | string>} */
const VALUES = { folder: (pair) => pair.folder, held: (pair) => pair.share, other: (pair) => pair.other, inside: (pair) => pair.inside };

/**
 * The pairs that are wanted, in order. Words may be in either name.
 * @param {FolderPair[]} pairs
 * @param {{ q: string, least: number, sort: string, dir: string }} want
 */
export function selectFolders(pairs, { q, least, sort, dir }) {
  const words = q.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const kept = pairs.filter((pair) => {
    const names = `${pair.folder}\n${pair.other}`.toLowerCase();
    return pair.share >= least && words.every((word) => names.includes(word));
  });
  const value = VALUES[sort] ?? VALUES.inside;
  const sign = dir === 'asc' ? 1 : -1;
  const order = (/** @type {number | string} */ x, /** @type {number | string} */ y) => (x < y ? -sign : x > y ? sign : 0);
  // equal ones stay as the engine has them: most shared bytes first
  return kept.sort((x, y) => order(value(x), value(y)));
}

/**
 * A folder as the list of clusters names it: below the one that all documents share. Null if that is in it, or it is not there at all.
 * @param {string} folder @param {string} root
 */
export function belowRoot(folder, root) {
  const path = folder.replace(/\/+$/, '');
  if (root === '') return path === '' || path === '.' ? null : path;
  return path.startsWith(root) && path.length > root.length ? path.slice(root.length) : null;
}

/** The clusters of both folders; null where they cannot be told. @param {import('../model.js').Model} model @param {FolderPair} pair */
function clustersOf({ root }, { folder, other }) {
  const [a, b] = [belowRoot(folder, root), belowRoot(other, root)];
  return a === null || b === null ? null : address(['clusters'], { folder: a, also: b });
}

/** @param {import('../model.js').Model} model @returns {import('./list.js').Column<FolderPair>[]} */
function columns({ root }) {
  const name = (/** @type {string} */ folder, /** @type {number} */ files, /** @type {number} */ size) => {
    const short = folder.startsWith(root) ? folder.slice(root.length) : folder;
    return h('span', { class: 'lk-name', title: folderName(folder) }, pathName(short === '' ? folderName('') : short, 'lk-file'), h('span', { class: 'lk-folder' }, `${count(files, 'file')}, ${bytes(size)}`));
  };
  return [
    { key: 'folder', label: 'Folder', sorts: 'asc', cell: (pair) => name(pair.folder, pair.files, pair.bytes) },
    {
      key: 'held', label: 'is inside', sorts: 'desc',
      cell: (pair) => [h('span', { class: 'meter', 'aria-hidden': 'true' }, style(h('span', {}), { width: `${pair.share * 100}%` })), h('span', { class: 'number' }, percent(pair.share), h('span', { class: 'list-unit' }, ' inside'))],
    },
    { key: 'other', label: 'this folder', sorts: 'asc', cell: (pair) => name(pair.other, pair.other_files, pair.other_bytes) },
    {
      key: 'inside', label: 'Shared', sorts: 'desc',
      cell: (pair) => h('span', { class: 'list-folders', title: `${bytes(pair.inside)} of the first; ${bytes(pair.other_inside)} of the second, ${percent(pair.other_share)}` },
        h('span', {}, bytes(pair.inside), h('span', { class: 'list-unit' }, ' shared')), h('span', { class: 'muted small' }, `${percent(pair.other_share)} of that one`)),
    },
  ];
}

/** @param {import('../model.js').Model} model */
export function similarFoldersPart(model) {
  const { folders, folders_all } = /** @type {import('../types.js').Chunks} */ (model.page.chunks);
  if (folders.length === 0) return null;
  const want = { q: '', least: 0, sort: 'inside', dir: 'desc' };
  /** @type {List<FolderPair>} */
  const list = new List({
    part: 'similar-list', label: 'Similar folders', box: true, columns: columns(model), height: 58, narrow: 132,
    href: (pair) => clustersOf(model, pair),
    onsort: (sort, dir) => fill({ sort, dir }),
  });
  const typed = onceAFrame((/** @type {string} */ q) => fill({ q }));
  const search = h('input', { type: 'search', placeholder: 'Filter folders', 'aria-label': 'Filter folders by name', oninput: (/** @type {any} */ e) => typed(e.target.value) });
  const least = h('select', { 'aria-label': 'Least share inside', onchange: (/** @type {any} */ e) => fill({ least: Number(e.target.value) }) },
    h('option', { value: 0 }, 'Any share'), SHARES.map((share) => h('option', { value: share }, share === 1 ? 'All of it inside' : `${share * 100}% or more inside`)));
  const shown = h('span', { class: 'muted small', 'aria-live': 'polite', 'data-part': 'similar-count' });
  const nothing = h('p', { class: 'list-nothing muted' }, 'No pair of folders fits.');

  /** @param {Partial<typeof want>} change */
  function fill(change) {
    Object.assign(want, change);
    const kept = selectFolders(folders, want);
    shown.textContent = kept.length === folders.length ? count(kept.length, 'pair') : `${commas(kept.length)} of ${count(folders.length, 'pair')}`;
    nothing.hidden = kept.length > 0;
    list.element.hidden = kept.length === 0;
    list.set(kept, want.sort, want.dir);
  }

  fill({});
  return h('section', { class: 'panel', 'data-part': 'similar-folders' }, h('h2', {}, 'Similar folders'),
    h('p', { class: 'muted' }, 'How much of one folder, with all that lies below it, is in another. Those that share most come first; a row opens the clusters of both.'),
    folders.length >= FEW && h('div', { class: 'row no-print list-tools' }, search, least, shown),
    list.element, nothing,
    folders_all > folders.length && h('p', { class: 'small muted' }, `The ${commas(folders.length)} pairs that share most, of ${commas(folders_all)}. --json lists all.`));
}
