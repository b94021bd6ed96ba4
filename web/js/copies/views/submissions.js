// Everybody in one list, the most alike first.

import { h, put, clean } from '../../dom.js';
import { commas, count, day, percent } from '../../format.js';
import { List, listKeys } from '../../parts/list.js';
import { choice, searchField } from '../../parts/listfilters.js';
import { address, amend } from '../../route.js';
import { offerLabels } from '../parts/labelfilter.js';
import { meter } from '../parts/pairlist.js';
import { labelChip, submissionName } from '../parts/names.js';
import { finder, wantedPairs } from '../filters.js';

/** @type {Record<string, 'asc' | 'desc'>} */
const DIRS = { highest: 'desc', name: 'asc', pairs: 'desc', tokens: 'desc', files: 'desc', created: 'asc' };

/** What a number counts, where the list has no head. @param {number} n @param {string} noun */
const unit = (n, noun) => h('span', { class: 'list-unit' }, ` ${noun}${n === 1 ? '' : 's'}`);

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function submissionsView(app) {
  const { model, names } = app;
  const search = searchField('Search the names of submissions, people and files');
  const label = choice('Group', 'label');
  const shown = h('p', { class: 'list-count muted', 'aria-live': 'polite', 'data-part': 'count' });
  const linked = (/** @type {number} */ at) => model.of[at].filter((p) => p.similarity >= model.threshold).length;
  /** @type {List<number>} */
  const list = new List({
    part: 'submissions-list', label: 'Submissions', height: 52, narrow: 84, href: (at) => address(['submission', at]), data: (at) => ({ submission: at }), onsort: (sort, dir) => amend({ sort, dir }),
    columns: [
      { key: 'name', label: 'Submission', sorts: DIRS.name, cell: (at) => submissionName(app, at) },
      { key: 'highest', label: 'Highest', sorts: DIRS.highest, cell: (at) => [meter(model.submissions[at].highest, model.threshold), h('span', { class: 'number' }, percent(model.submissions[at].highest))] },
      { key: 'pairs', label: 'Pairs', sorts: DIRS.pairs, cell: (at) => [commas(linked(at)), unit(linked(at), 'pair')] },
      { key: 'group', label: 'Group', blank: (at) => model.submissions[at].label === undefined, cell: (at) => { const l = model.submissions[at].label; return l === undefined ? '' : labelChip(app, l); } },
      { key: 'files', label: 'Files', sorts: DIRS.files, cell: (at) => [commas(model.submissions[at].files.length), unit(model.submissions[at].files.length, 'file')] },
      { key: 'tokens', label: 'Tokens', sorts: DIRS.tokens, cell: (at) => [commas(model.submissions[at].tokens), unit(model.submissions[at].tokens, 'token')] },
      { key: 'created', label: 'Handed in', sorts: DIRS.created, blank: (at) => model.submissions[at].created === undefined && model.submissions[at].created_at === undefined, cell: (at) => (model.submissions[at].created === undefined ? clean(model.submissions[at].created_at ?? '–') : day(model.submissions[at].created)) },
    ],
  });
  const sorting = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Sort by', class: 'list-narrow', onchange: () => amend({ sort: sorting.value, dir: null }) },
    [['highest', 'Most similar'], ['pairs', 'Most pairs'], ['tokens', 'Most tokens'], ['files', 'Most files'], ['created', 'First handed in'], ['name', 'By name']].map(([value, text]) => h('option', { value }, text))));
  const element = h('div', { 'data-part': 'submissions' }, h('h1', {}, 'Submissions'), h('div', { class: 'row list-tools no-print', role: 'search' }, search, label, sorting), shown, list.element);
  listKeys(element, list, search);
  return {
    element,
    title: 'Submissions',
    show(route) {
      const want = wantedPairs(route.query);
      const asked = route.query.get('sort') ?? '';
      const sort = Object.hasOwn(DIRS, asked) ? asked : 'highest';
      const dir = route.query.get('dir') === 'asc' || route.query.get('dir') === 'desc' ? want.dir : DIRS[sort];
      if (document.activeElement !== search) search.value = want.q;
      offerLabels(label, app, want.label);
      sorting.value = sort;
      const found = finder(names, want.q);
      const group = model.labels[want.label]?.[0];
      const of = model.submissions;
      const value = { highest: (/** @type {number} */ s) => of[s].highest, name: (/** @type {number} */ s) => names.short(s).toLowerCase(), pairs: linked, tokens: (/** @type {number} */ s) => of[s].tokens, files: (/** @type {number} */ s) => of[s].files.length, created: (/** @type {number} */ s) => of[s].created ?? Infinity }[sort] ?? (() => 0);
      const keys = of.map((_, at) => value(at));
      const kept = of.map((_, at) => at).filter((at) => (want.label < 0 || of[at].label === group) && (found === null || found(at)));
      const sign = dir === 'asc' ? 1 : -1;
      kept.sort((x, y) => (keys[x] < keys[y] ? -sign : keys[x] > keys[y] ? sign : x - y));
      put(shown, kept.length < of.length ? `${commas(kept.length)} of ${count(of.length, 'submission')}` : count(of.length, 'submission'));
      list.set(kept, sort, dir);
    },
  };
}
