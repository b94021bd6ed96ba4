// All clusters in one list, to be searched, filtered and sorted. The address says how.

import { h, put, style, cleanName } from '../dom.js';
import { VERDICTS, verdictName } from '../decisions.js';
import { bytes, commas, count, percent } from '../format.js';
import { FIRST, classCounts, topFolders, wanted } from '../filters.js';
import { terms } from '../lens.js';
import { CLASSES } from '../model.js';
import { stepper } from '../parts/explorer.js';
import { List, listKeys } from '../parts/list.js';
import { choice, keepPlace, offer, searchField } from '../parts/listfilters.js';
import { documentName, folderName } from '../parts/name.js';
import { CLASS_NAMES } from '../parts/summary.js';
import { address, amend } from '../route.js';

/** @typedef {import('../model.js').Cluster} Cluster */

/** A select with more choices than this helps nobody. */
const FOLDERS = 200;
/** What a filter is in the address when it is off. */
const NONE = { q: null, class: null, folder: null, also: null, spans: null, verdict: null };

/** @param {import('../main.js').App} app @returns {import('../parts/list.js').Column<Cluster>[]} */
function columns({ model, verdicts }) {
  const said = terms(model.page);
  const unknown = (/** @type {Cluster} */ c) => c.members.every((m) => m.resemblance === null);
  return [
    { key: 'name', label: 'Representative', sorts: FIRST.name, cell: (c) => documentName(model, c.representative) },
    { key: 'size', label: 'Documents', sorts: FIRST.size, cell: (c) => [commas(c.documents.length), h('span', { class: 'list-unit' }, ' documents')] },
    {
      key: 'average', label: said.measure, sorts: FIRST.average,
      cell: (c) => (unknown(c) ? '–' : [
        h('span', { class: 'meter', 'aria-hidden': 'true' }, style(h('span', {}), { width: `${c.average * 100}%` })),
        h('span', { class: 'number', title: said.averaged }, percent(c.average))]),
    },
    { key: 'bytes', label: 'Frees', sorts: FIRST.bytes, cell: (c) => [h('span', { class: 'list-unit' }, 'frees '), bytes(c.redundant)] },
    {
      key: 'folder', label: 'Folders', sorts: FIRST.folder,
      // its own folder is below the name already
      cell: (c) => {
        const other = c.folders.find((folder) => folder !== model.folder(c.representative));
        return h('span', { class: 'list-folders', title: c.folders.slice(0, 20).map(folderName).join('\n') },
          h('span', { class: other === undefined ? 'muted' : '' }, count(c.folders.length, 'folder')), other !== undefined && h('span', { class: 'muted small' }, 'also ', h('bdi', {}, folderName(other))));
      },
    },
    {
      key: 'kinds', label: 'What they are',
      cell: (c) => [...classCounts(c)].sort((x, y) => CLASSES.indexOf(x[0]) - CLASSES.indexOf(y[0])).map(([kind, n]) => h('span', { class: `chip ${kind}`, title: `${CLASS_NAMES[kind]}: ${commas(n)}` }, `${commas(n)} ${kind}`)),
    },
    {
      key: 'verdict', label: 'Verdict', blank: (c) => verdicts.get(c)?.verdict === undefined,
      cell: (c) => {
        const verdict = verdicts.get(c)?.verdict;
        return verdict === undefined ? h('span', { class: 'muted list-none' }, '–') : h('span', { class: `chip ${verdict}` }, verdictName(verdict));
      },
    },
  ];
}

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function clustersView(app) {
  const { model, verdicts } = app;
  const search = searchField('Search the names of all documents in clusters');
  const [kind, folder, verdict] = [choice('Class', 'class'), choice('Folder', 'folder'), choice('Verdict', 'verdict')];
  const spans = h('button', { type: 'button', 'data-filter': 'spans', onclick: () => amend({ spans: spans.getAttribute('aria-pressed') === 'true' ? null : 1 }) }, 'Spans folders');
  const also = h('button', { type: 'button', 'aria-pressed': 'true', 'data-filter': 'also', onclick: () => amend({ also: null }) });
  const clear = h('button', { type: 'button', class: 'quiet', onclick: () => { search.value = ''; amend(NONE); } }, 'Clear filters');
  const shown = h('p', { class: 'list-count muted', 'aria-live': 'polite', 'data-part': 'count' });
  const nothing = h('p', { class: 'list-nothing muted' });
  const threshold = stepper(model);
  /** @type {List<Cluster>} */
  const list = new List({
    part: 'clusters-list', label: 'Clusters', columns: columns(app), height: 60, narrow: 82,
    href: (c) => address(['cluster', c.representative]),
    data: (c) => ({ cluster: c.representative }),
    chosen: (c) => c.representative === opened,
    onsort: (sort, dir) => amend({ sort, dir }),
  });
  const sorting = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Sort by', class: 'list-narrow', onchange: () => amend({ sort: sorting.value, dir: null }) },
    [['size', 'Most documents'], ['bytes', 'Most bytes'], ['average', 'Most alike'], ['folder', 'By folder'], ['name', 'By name']].map(([value, text]) => h('option', { value }, text))));
  const element = h('div', { 'data-part': 'clusters' },
    h('div', { class: 'row spread list-title' }, h('h1', {}, 'Clusters'), threshold.element),
    h('div', { class: 'row list-tools no-print', role: 'search' }, search, kind, folder, also, spans, verdict, sorting, clear),
    shown, list.element, nothing);
  listKeys(element, list, search);
  let opened = -1;
  const arrive = keepPlace(element, 'clusters', (path) => { if (path[0] === 'cluster') opened = Number(path[1]); });
  /** @type {Cluster[] | null} */
  let counted = null;
  /** @type {[string, number][]} */
  let tops = [];
  /** @type {Map<string, number>} */
  let kinds = new Map();

  function recount() {
    if (counted === model.clusters) return;
    counted = model.clusters;
    tops = topFolders(counted.map((c) => c.folders));
    kinds = new Map();
    for (const c of counted) for (const k of c.classes) kinds.set(k, (kinds.get(k) ?? 0) + 1);
  }

  return {
    element,
    title: 'Clusters',
    show(route) {
      const want = wanted(route.query);
      const { clusters } = model;
      recount();
      if (document.activeElement !== search) search.value = want.q;
      const waiting = verdicts.counts(clusters).undecided;
      offer(kind, [['', 'All classes'], ...CLASSES.filter((k) => kinds.has(k)).map((k) => /** @type {[string, string]} */ ([k, `${CLASS_NAMES[k]} (${commas(kinds.get(k) ?? 0)})`]))], want.kind);
      offer(folder, [['', 'All folders'], ...tops.slice(0, FOLDERS).map(([name, n]) => /** @type {[string, string]} */ ([name, `${name === '.' ? folderName('') : cleanName(name)} (${commas(n)})`]))], want.folder);
      offer(verdict, [['', 'Any verdict'], ['undecided', `Undecided (${commas(waiting)})`], ['decided', `Decided (${commas(clusters.length - waiting)})`], ...VERDICTS.map((v) => /** @type {[string, string]} */ ([v, verdictName(v)]))], want.verdict);
      folder.hidden = tops.length < 2 && want.folder === '';
      also.hidden = !want.also;
      put(also, 'also in ', h('bdi', {}, cleanName(want.also ?? '')), ' ✕');
      spans.setAttribute('aria-pressed', String(want.spans));
      sorting.value = want.sort;
      threshold.show();
      const kept = app.worklist.list(route.query);
      const filtered = kept.length < clusters.length || want.q !== '';
      clear.hidden = !(want.q || want.kind || want.folder || want.also || want.spans || want.verdict);
      const documents = kept.reduce((n, c) => n + c.documents.length, 0);
      const freed = kept.reduce((n, c) => n + c.redundant, 0);
      put(shown, filtered ? `${commas(kept.length)} of ${count(clusters.length, 'cluster')}` : count(clusters.length, 'cluster'), `: ${count(documents, 'document')}, ${bytes(freed)} to free`);
      nothing.hidden = kept.length > 0;
      nothing.textContent = clusters.length === 0 ? terms(model.page).nothing : 'No cluster fits. Try fewer filters.';
      list.element.hidden = kept.length === 0;
      list.set(kept, want.sort, want.dir);
      arrive();
    },
  };
}
