// The first view of `copies`: what was compared, what stands out, how sure that is, and where to begin.

import { h, put, clean, cleanName } from '../../dom.js';
import { bytes, commas, count, moment, percent } from '../../format.js';
import { short } from '../../recipe.js';
import { address, visit } from '../../route.js';
import { ruleWords } from '../explain.js';
import { calibrationPart } from '../parts/calibration.js';
import { thresholdPart } from '../parts/threshold.js';
import { bothShort, whoShort } from '../parts/who.js';
import { wantedPairs } from '../select.js';
import { COPY_VERDICTS } from '../verdicts.js';

/** @typedef {import('../start.js').CopiesApp} CopiesApp */

const STARTS = 6;
/** Rows of long lists. */
const ROWS = 100;

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((x, y) => x - y);
  const half = sorted.length >> 1;
  return sorted.length === 0 ? 0 : sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** @param {string} key @param {string} label @param {string} value @param {string} note @param {string | null} [href] */
function card(key, label, value, note, href = null) {
  return h(href === null ? 'div' : 'a', { class: 'card', 'data-card': key, href }, h('span', { class: 'card-label' }, label), h('span', { class: 'card-value number' }, value), h('span', { class: 'card-note' }, note));
}

/** @param {CopiesApp} app */
function cards({ model, verdicts }) {
  const { submissions, pairs, clusters } = model;
  const highest = pairs[0];
  const above = model.above(model.threshold);
  const open = pairs.slice(0, above).filter((p) => !['copied', 'not-copied'].includes(verdicts.get(p)?.verdict ?? '')).length;
  const files = submissions.reduce((n, s) => n + s.files.length, 0);
  const old = submissions.length - model.cohort;
  return [
    card('submissions', 'Submissions', commas(model.cohort), `${count(files, 'file')}${old > 0 ? `; compared with ${commas(old)} of earlier years` : ''}`, address(['submissions'])),
    card('highest', 'Highest similarity', highest === undefined ? '–' : percent(highest.similarity), highest === undefined ? 'no pair shares enough' : 'of two submissions', highest === undefined ? null : address(['pair', highest.a, highest.b])),
    card('median', 'Median of the highest', percent(median(submissions.filter((s) => s.archive !== true).map((s) => s.highest))), `of all pairs: ${percent(model.report.calibration.median)}`),
    card('pairs', 'Pairs', `${model.complete(model.threshold) ? '' : '≥ '}${commas(above)}`, above === 0 ? `none from ${short(model.threshold)} on` : `from ${short(model.threshold)}; ${open === 0 ? 'all decided' : `${commas(open)} undecided`}`, address(['pairs'])),
    card('clusters', 'Clusters', commas(clusters.length), `${count(clusters.reduce((n, c) => n + c.submissions.length, 0), 'submission')} in them`, address(['clusters'])),
  ];
}

/** @param {CopiesApp} app */
function head({ model, names }) {
  const above = model.above(model.threshold);
  const people = new Set(model.pairs.slice(0, above).flatMap((p) => [p.a, p.b])).size;
  const { page, report } = model;
  // a lower threshold than the estimate lets chance in, and where nothing was estimated nothing is known of it
  const alike = report.calibration.source === 'estimated' && model.threshold >= model.scanned - 1e-9 ? 'more alike than chance explains' : `at least ${short(model.threshold)} alike`;
  return [
    h('h1', {}, above === 0 ? `No two of ${count(model.size, 'submission')} are ${alike}` : `${count(above, 'pair')} of ${commas(people)} submissions ${above === 1 ? 'is' : 'are'} ${alike}`),
    h('p', { class: 'overview-what' }, 'Compared ', names.on ? 'the submissions' : page.inputs.slice(0, 3).flatMap((input, at) => [at > 0 && ', ', h('bdi', { class: 'mono' }, cleanName(input))]), ` on ${moment(page.made)}: ${count(report.pairs_possible, 'pair')}, linked from ${short(model.threshold)} similarity on.`),
    h('p', { class: 'muted' }, 'A high similarity is a reason to look, and never a proof. Open a pair, read both sides, then decide.'),
    h('form', { class: 'overview-search no-print', role: 'search', onsubmit: (/** @type {any} */ e) => { e.preventDefault(); visit(address(['submissions'], { q: e.target.elements[0].value })); } }, h('input', { type: 'search', placeholder: 'Find a person, a submission, a file', 'aria-label': 'Find a person, a submission or a file' })),
    model.threshold !== model.scanned && h('p', { class: 'note' }, `You moved the threshold to ${short(model.threshold)}. The report suggests ${short(model.scanned)}.`),
  ];
}

/** @param {CopiesApp} app */
function starts(app) {
  const { model, verdicts } = app;
  const list = (/** @type {string} */ title, /** @type {HTMLElement[]} */ items, /** @type {string} */ href, /** @type {string} */ more) => items.length > 0 && h('div', { class: 'start' }, h('h3', {}, title), h('ol', { class: 'start-list' }, items.map((item) => h('li', {}, item))), h('a', { class: 'small', href }, more));
  const line = (/** @type {import('../types.js').Pair} */ pair, /** @type {string} */ note) => {
    const verdict = verdicts.get(pair)?.verdict;
    return h('a', { class: 'start-link', href: address(['pair', pair.a, pair.b]), 'data-pair': `${pair.a}-${pair.b}` },
      h('span', { class: 'start-two' }, bothShort(app, pair.a, pair.b).flatMap((name, at) => [at > 0 && h('span', { class: 'muted' }, ' ↔ '), h('bdi', { class: 'lk-inline' }, name)])),
      h('span', { class: 'start-note number' }, verdict ? `${COPY_VERDICTS[verdict].name.toLowerCase()} · ` : '', note));
  };
  const linked = model.pairs.slice(0, model.above(model.threshold));
  const first = new Set(linked.slice(0, STARTS));
  const longest = [...linked].filter((p) => !first.has(p)).sort((x, y) => y.longest - x.longest).slice(0, STARTS);
  return h('section', { class: 'panel', 'data-part': 'starts' }, h('h2', {}, 'Where to start'), linked.length === 0 && h('p', { class: 'muted' }, 'Nothing stands out. Lower the threshold to see what is most alike nevertheless.'),
    h('div', { class: 'starts' },
      list('Most similar pairs', linked.slice(0, STARTS).map((p) => line(p, percent(p.similarity))), address(['pairs']), `All ${commas(linked.length)} pairs`),
      list('Longest passages among the others', longest.map((p) => line(p, count(p.longest, 'token'))), address(['pairs'], { sort: 'longest' }), 'By the longest passage'),
      list('Largest clusters', model.clusters.slice(0, STARTS).map((c) => h('a', { class: 'start-link', href: address(['cluster', c.submissions[0]]) }, h('bdi', { class: 'lk-inline' }, c.submissions.slice(0, 3).map((s) => whoShort(app, s)).join(', '), c.submissions.length > 3 && ' …'), h('span', { class: 'start-note number' }, count(c.submissions.length, 'submission')))), address(['clusters']), 'All clusters')));
}

/** How it was done: enough to do it again. @param {CopiesApp} app */
function parameters({ model, names }) {
  const { report, page } = model;
  return h('section', { class: 'panel', 'data-part': 'parameters' }, h('h2', {}, 'How it was done'),
    h('div', { class: 'table-scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ['Family', 'Files', 'Shortest run found', 'Runs found for certain', 'Recipe'].map((t) => h('th', { scope: 'col' }, t)))),
      h('tbody', {}, report.recipes.map((r) => h('tr', {}, h('td', {}, clean(r.family)), h('td', {}, commas(r.files)), h('td', {}, count(r.k, 'token')), h('td', {}, `from ${count(r.t, 'token')}`), h('td', { class: 'mono' }, clean(r.recipe))))))),
    h('p', { class: 'small' }, ruleWords(report.rules).join(' ')),
    page.command.length > 0 && h('p', { class: 'small muted' }, 'To do it again: ', h('code', {}, names.on ? 'lookalike copies …' : cleanName(`lookalike ${page.command.join(' ')}`))),
    h('p', { class: 'small muted' }, `lookalike ${clean(report.lookalike)}. The page of a pair leads to its dossier, which lists the hashes of all files.`));
}

/** What winnowing selected, if that was asked for. @param {CopiesApp} app */
function winnowing({ model }) {
  const all = model.report.winnowing ?? [];
  const heads = ['Family', 'Window', 'Hashes', 'Fingerprints', 'Density', 'Expected', 'Longest gap', 'Longest gap of 0 mod p', 'Slope'];
  return all.length > 0 && h('section', { class: 'panel', 'data-part': 'winnowing' }, h('h2', {}, 'What winnowing selected'),
    h('div', { class: 'table-scroll' }, h('table', {}, h('thead', {}, h('tr', {}, heads.map((t, at) => h('th', { scope: 'col', class: at > 0 ? 'number' : null }, t)))),
      h('tbody', {}, all.map((w) => h('tr', {}, [clean(w.family), commas(w.w), commas(w.hashes), commas(w.fingerprints), w.density.toFixed(4), w.expected.toFixed(4), commas(w.longest_gap), `${commas(w.zero_mod.longest_gap)} (p = ${commas(w.zero_mod.p)})`, w.slope.toFixed(2)].map((t, at) => h('td', { class: at > 0 ? 'number' : null }, t))))))),
    h('p', { class: 'small muted' }, 'Density is the share of hashes that became fingerprints, beside the 2/(w+1) that the paper expects. Winnowing never leaves a gap longer than its window; selecting hashes that are 0 mod p does.'));
}

/** @param {CopiesApp} app */
function leftOut(app) {
  const { model, names } = app;
  const { ignored, skipped } = model.report;
  const degraded = model.degraded();
  const panel = (/** @type {string} */ part, /** @type {string} */ title, /** @type {number} */ all, /** @type {HTMLElement[]} */ rows, /** @type {string} */ lead) => rows.length > 0 && h('details', { class: 'panel left-out', 'data-part': part }, h('summary', {}, h('h2', {}, title), h('span', { class: 'muted number' }, commas(all))), h('p', { class: 'muted small' }, lead), h('ul', { class: 'left-list' }, rows), all > rows.length && h('p', { class: 'small muted' }, `The first ${commas(rows.length)} of ${commas(all)}. --json lists all.`));
  return [
    h('p', { class: 'note small', 'data-part': 'ignored' }, ignored.base_files > 0 ? `${count(ignored.base_files, 'file')} of given code: ${count(ignored.base_tokens, 'token')} of the submissions were given and do not count. ` : 'No given code was named. ', ignored.common_tokens > 0 ? `${count(ignored.common_tokens, 'token')} are in passages that too many share and do not count either.` : 'No passage is shared by too many.'),
    panel('common', 'Passages that too many share', ignored.common_all, ignored.common.slice(0, ROWS).map((c) => h('li', {}, h('a', { href: address(['submission', c.example], { file: c.place.file, line: c.place.line }) }, `${count(c.tokens, 'token')} in ${count(c.submissions, 'submission')}`), ' for example ', h('bdi', {}, whoShort(app, c.example)), `, lines ${c.place.line}–${c.place.last_line}`)), 'They are shown in grey and do not count. Perhaps they were given, or are what everybody writes.'),
    panel('degraded', 'Files read without their grammar', degraded.length, degraded.slice(0, ROWS).map(({ submission, file, source }) => h('li', {}, h('a', { href: address(['submission', submission]) }, h('bdi', {}, whoShort(app, submission))), ': ', h('bdi', { class: 'mono' }, cleanName(names.file(submission, file))), `, ${clean(source.language)}: `, h('span', { class: 'muted' }, clean(names.text(source.degraded ?? ''))))), 'They were compared all the same, by a plainer reading.'),
    panel('skipped', 'Skipped', skipped.length, skipped.slice(0, ROWS).map(({ id, reason }, at) => h('li', {}, h('bdi', { class: 'mono' }, cleanName(names.path(id, at))), ': ', h('span', { class: 'muted' }, clean(names.text(reason))))), 'What was not compared, and why.'),
  ];
}

/** @param {CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesOverview(app) {
  const { model } = app;
  const [top, numbers, begin] = [h('div', { class: 'overview-head' }), h('div', { class: 'cards five', 'data-part': 'cards' }), h('div', {})];
  const threshold = thresholdPart(app);
  const calibration = calibrationPart(app);
  const missing = model.page.texts.embedded < new Set(model.page.contents).size;
  const element = h('div', { class: 'overview', 'data-part': 'overview' }, top, numbers, threshold.element, begin, calibration.element, parameters(app), winnowing(app), leftOut(app),
    missing && h('p', { class: 'note small' }, `${commas(model.page.texts.embedded)} of ${count(new Set(model.page.contents).size, 'text')} are in this file, those of the most similar pairs first. A larger --embed-limit (now ${bytes(model.page.texts.limit)}) takes more in.`));
  app.verdicts.listen(() => { if (element.isConnected) put(numbers, cards(app)); });
  return {
    element,
    title: 'Overview',
    show(route) {
      put(top, head(app));
      put(numbers, cards(app));
      threshold.show(wantedPairs(route.query).label);
      calibration.show();
      put(begin, starts(app));
    },
  };
}

