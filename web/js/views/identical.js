// Identical documents: a report of its own. A set is one row with all its names, never a web of links.

import { h, put, cleanName } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { Finder, copies, selectCopies } from '../filters.js';
import { copyButton } from '../parts/copy.js';
import { foldersPart } from '../parts/folders.js';
import { List, listKeys } from '../parts/list.js';
import { searchField } from '../parts/listfilters.js';
import { documentName, folderName, pathName } from '../parts/name.js';
import { isFeatures } from '../recipe.js';
import { address, amend } from '../route.js';

/** @typedef {import('../filters.js').Copies} Copies */

/** Names shown at once in the panel of a set. */
const NAMES = 20;
/** And at most: beyond it the list is for copying. */
const MOST = 2000;

/** The address of a set, with what is asked for now. @param {Copies} set @param {URLSearchParams} query */
function setAddress(set, query) {
  return address(['identical'], { ...Object.fromEntries(query), set: set.documents[0] });
}

/** All names of one set. @param {import('../model.js').Model} model @param {Copies} set */
function detail(model, set) {
  const names = h('ol', { class: 'copies-names' });
  const more = h('button', { type: 'button', class: 'small', onclick: () => fill(MOST) }, `Show all ${commas(set.documents.length)}`);
  function fill(/** @type {number} */ n) {
    put(names, set.documents.slice(0, n).map((d) => h('li', { 'data-document': d }, pathName(model.name(d)))));
    more.hidden = set.documents.length <= n;
  }
  fill(NAMES);
  const cluster = model.clusterOf(set.documents[0]);
  return [
    h('div', { class: 'row spread' }, h('h2', { tabindex: -1 }, `${count(set.documents.length, 'name')} for the same ${bytes(set.each)}`),
      h('a', { class: 'copies-back', href: address(['identical'], { set: null }), onclick: (/** @type {Event} */ e) => { e.preventDefault(); amend({ set: null }); } }, 'Close')),
    h('p', { class: 'muted' }, `Keeping one frees ${bytes(set.freed)}. ${set.folders.length > 1 ? `They are in ${count(set.folders.length, 'folder')}.` : 'They are all in one folder.'}`),
    model.root !== '' && h('p', { class: 'small muted copies-root' }, 'Below ', h('bdi', { class: 'mono' }, cleanName(model.root))),
    names,
    h('div', { class: 'row' }, more, copyButton('Copy names', () => set.documents.map((d) => model.id(d))), cluster !== undefined && h('a', { class: 'button small', href: address(['cluster', cluster.representative]) }, 'Open the cluster')),
    set.documents.length > MOST && h('p', { class: 'small muted' }, `The page shows at most ${commas(MOST)}; copying gives all.`),
  ];
}

/** @param {import('../model.js').Model} model @returns {import('../parts/list.js').Column<Copies>[]} */
function columns(model) {
  return [
    { key: 'first', label: 'First name', cell: (set) => documentName(model, set.documents[0]) },
    { key: 'copies', label: 'Names', sorts: 'desc', cell: (set) => [commas(set.documents.length), h('span', { class: 'list-unit' }, ' names')] },
    { key: 'each', label: 'Each', sorts: 'desc', cell: (set) => [bytes(set.each), h('span', { class: 'list-unit' }, ' each')] },
    { key: 'freed', label: 'Frees', sorts: 'desc', cell: (set) => [h('span', { class: 'list-unit' }, 'frees '), bytes(set.freed)] },
    {
      key: 'folders', label: 'Folders',
      cell: (set) => h('span', { class: 'list-folders', title: set.folders.slice(0, 20).map(folderName).join('\n') }, h('bdi', {}, folderName(set.folders[0])), set.folders.length > 1 && h('span', { class: 'muted' }, `and ${commas(set.folders.length - 1)} more`)),
    },
  ];
}

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function identicalView({ model }) {
  const sets = copies(model);
  const finder = new Finder(model);
  let query = new URLSearchParams();
  /** the set whose names are shown */
  let shownSet = -1;
  let folders = '';
  const search = searchField('Search the names of identical files');
  const spans = h('button', { type: 'button', 'data-filter': 'spans', onclick: () => amend({ spans: spans.getAttribute('aria-pressed') === 'true' ? null : 1 }) }, 'Spans folders');
  const between = h('button', { type: 'button', 'aria-pressed': 'true', onclick: () => amend({ a: null, b: null }) });
  const sorting = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Sort by', class: 'list-narrow', onchange: () => amend({ sort: sorting.value, dir: null }) },
    [['copies', 'Most names'], ['freed', 'Most bytes freed'], ['each', 'Largest files']].map(([value, text]) => h('option', { value }, text))));
  const shown = h('p', { class: 'list-count muted', 'aria-live': 'polite', 'data-part': 'count' });
  /** @type {Copies[]} */
  let kept = [];
  const copyAll = copyButton('Copy this list', () => kept.flatMap((set, at) => [...(at > 0 ? [''] : []), ...set.documents.map((d) => model.id(d))]));
  /** @type {List<Copies>} */
  const list = new List({
    part: 'copies-list', label: 'Sets of identical files', columns: columns(model), height: 56, narrow: 78,
    href: (set) => setAddress(set, query),
    data: (set) => ({ set: set.documents[0] }),
    chosen: (set) => set.documents[0] === shownSet,
    onsort: (sort, dir) => amend({ sort, dir }),
  });
  const panel = h('aside', { class: 'panel copies-panel', 'data-part': 'copies', 'aria-label': 'Names of the set' });
  const nothing = h('p', { class: 'list-nothing muted' }, 'No set fits. Try fewer filters.');
  const names = sets.reduce((n, set) => n + set.documents.length, 0);
  const freed = sets.reduce((n, set) => n + set.freed, 0);
  const layout = h('div', { class: 'copies-layout' }, h('div', { class: 'copies-side' }, shown, list.element, nothing), panel);
  const tools = h('div', { class: 'row list-tools no-print', role: 'search' }, search, spans, between, sorting, copyAll);
  const element = h('div', { class: 'identical', 'data-part': 'identical' },
    h('h1', {}, 'Identical files'),
    sets.length === 0 ? h('p', { class: 'muted' }, `Every document has content of its own: no two ${isFeatures(model.page.report.compared_by) ? 'have the same items' : 'are the same byte for byte'}.`)
      : [h('p', { class: 'muted' }, `${commas(names)} names for ${count(sets.length, 'content')}. Keeping one of each frees ${bytes(freed)}.`),
        foldersPart(sets),
        tools, layout]);
  listKeys(element, list, search);

  return {
    element,
    title: 'Identical files',
    show(route) {
      if (sets.length === 0) return;
      ({ query } = route);
      const [a, b] = [query.get('a'), query.get('b')];
      const folder = (/** @type {string} */ name) => (name === '.' ? '' : name);
      const sort = ['copies', 'each', 'freed'].find((key) => key === query.get('sort')) ?? 'copies';
      const dir = query.get('dir') === 'asc' ? 'asc' : 'desc';
      const want = { sort, dir, q: query.get('q') ?? '', spans: query.get('spans') === '1', folders: a !== null && b !== null ? /** @type {[string, string]} */ ([folder(a), folder(b)]) : null };
      if (document.activeElement !== search) search.value = want.q;
      spans.setAttribute('aria-pressed', String(want.spans));
      sorting.value = sort;
      between.hidden = want.folders === null;
      put(between, want.folders !== null && [h('bdi', {}, folderName(want.folders[0])), ' and ', h('bdi', {}, folderName(want.folders[1])), ' ✕']);
      kept = selectCopies(sets, want, finder);
      shown.textContent = kept.length === sets.length ? count(sets.length, 'set') : `${commas(kept.length)} of ${count(sets.length, 'set')}`;
      nothing.hidden = kept.length > 0;
      list.element.hidden = kept.length === 0;
      const asked = sets.find((each) => each.documents[0] === Number(query.get('set') ?? -1));
      const wasOpen = element.hasAttribute('data-open');
      element.toggleAttribute('data-open', asked !== undefined);
      const set = asked ?? kept[0];
      panel.hidden = set === undefined;
      if (set !== undefined && set.documents[0] !== shownSet) put(panel, detail(model, set));
      const before = sets.find((each) => each.documents[0] === shownSet);
      shownSet = set?.documents[0] ?? -1;
      list.set(kept, sort, dir);
      // where there is room for one of the two, the panel takes the place of the list
      const narrow = getComputedStyle(layout).gridTemplateColumns.split(' ').length === 1;
      if (narrow && asked !== undefined && !wasOpen) scrollTo(0, 0);
      if (narrow && asked === undefined && wasOpen && before !== undefined) list.reveal(Math.max(0, kept.indexOf(before)));
      const now = want.folders === null ? '' : want.folders.join('\n');
      if (now !== folders && now !== '') tools.scrollIntoView({ block: 'start' });
      folders = now;
    },
  };
}
