// What does not count, what was read in another way, and what was not read at all.

import { h, clean, cleanName } from '../../dom.js';
import { commas, count } from '../../format.js';
import { address } from '../../route.js';
import { shortNameOf } from './names.js';

/** Rows of long lists. */
const ROWS = 100;

/** @typedef {{ part: string, title: string, lead: string, all: number, rows: HTMLElement[] }} Left */

/** @param {Left} left */
function panel({ part, title, lead, all, rows }) {
  return rows.length > 0 && h('details', { class: 'panel left-out', 'data-part': part },
    h('summary', {}, h('h2', {}, title), h('span', { class: 'muted number' }, commas(all))),
    h('p', { class: 'muted small' }, lead),
    h('ul', { class: 'left-list' }, rows),
    all > rows.length && h('p', { class: 'small muted' }, `The first ${commas(rows.length)} of ${commas(all)}. --json lists all.`));
}

/** @param {import('../start.js').CopiesApp} app @returns {Left} */
function frequent(app) {
  const { ignored } = app.model.section;
  const rows = ignored.frequent.slice(0, ROWS).map(({ submissions, tokens, example, place }) => h('li', {},
    h('a', { href: address(['submission', example], { file: place.file, line: place.line }) }, `${count(tokens, 'token')} in ${count(submissions, 'submission')}`),
    ', for example ', h('bdi', {}, shortNameOf(app, example)), `, lines ${place.line}–${place.last_line}`));
  return { part: 'frequent', title: 'Passages that too many share', lead: 'They are shown in grey and do not count. Perhaps they were given, or are what everybody writes.', all: ignored.frequent_all, rows };
}

/** @param {import('../start.js').CopiesApp} app @returns {Left} */
function degraded(app) {
  const { model, names } = app;
  const all = model.degraded();
  const rows = all.slice(0, ROWS).map(({ submission, file, source }) => h('li', {},
    h('a', { href: address(['submission', submission]) }, h('bdi', {}, shortNameOf(app, submission))), ': ',
    h('bdi', { class: 'mono' }, cleanName(names.file(submission, file))), `, ${clean(source.language)}: `, h('span', { class: 'muted' }, clean(names.text(source.degraded ?? '')))));
  return { part: 'degraded', title: 'Files read without their grammar', lead: 'They were compared all the same, by a plainer reading.', all: all.length, rows };
}

/** @param {import('../start.js').CopiesApp} app @returns {Left} */
function skipped({ model, names }) {
  const all = model.page.report.skipped;
  const rows = all.slice(0, ROWS).map(({ id, reason }, at) => h('li', {}, h('bdi', { class: 'mono' }, cleanName(names.path(id, at))), ': ', h('span', { class: 'muted' }, clean(names.text(reason)))));
  return { part: 'skipped', title: 'Skipped', lead: 'What was not compared, and why.', all: all.length, rows };
}

/** @param {import('../start.js').CopiesApp} app */
export function exclusionsPart(app) {
  const { base_files, base_tokens, frequent_tokens } = app.model.section.ignored;
  const given = base_files > 0 ? `${count(base_files, 'file')} of given code: ${count(base_tokens, 'token')} of the submissions were given and do not count.` : 'No given code was named.';
  const shared = frequent_tokens > 0 ? `${count(frequent_tokens, 'token')} are in passages that too many share and do not count either.` : 'No passage is shared by too many.';
  return [h('p', { class: 'note small', 'data-part': 'ignored' }, `${given} ${shared}`), panel(frequent(app)), panel(degraded(app)), panel(skipped(app))];
}
