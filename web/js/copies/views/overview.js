// The first view of `copies`: what was compared, what stands out, how sure that is, and where to begin.

import { h, put, cleanName } from '../../dom.js';
import { bytes, commas, count, moment, percent } from '../../format.js';
import { short } from '../../recipe.js';
import { address, visit } from '../../route.js';
import { calibrationPart } from '../parts/calibration.js';
import { parameters, winnowing } from '../parts/method.js';
import { exclusionsPart } from '../parts/exclusions.js';
import { listed } from '../parts/table.js';
import { thresholdPart } from '../parts/threshold.js';
import { shortNames, shortNameOf } from '../parts/names.js';
import { wantedPairs } from '../filters.js';
import { PAIR_VERDICTS } from '../verdictfile.js';

/** @typedef {import('../start.js').CopiesApp} CopiesApp */

const STARTS = 6;

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
  const striking = model.striking(model.threshold);
  const open = pairs.slice(0, above).filter((p) => verdicts.open(p)).length;
  const files = submissions.reduce((n, s) => n + s.files.length, 0);
  const old = submissions.length - model.cohort;
  return [
    card('submissions', 'Submissions', commas(model.cohort), `${count(files, 'file')}${old > 0 ? `; compared with ${commas(old)} of earlier years` : ''}`, address(['submissions'])),
    card('highest', 'Highest similarity', highest === undefined ? '–' : percent(highest.similarity), highest === undefined ? 'no pair shares enough' : 'of two submissions', highest === undefined ? null : address(['pair', highest.a, highest.b])),
    card('median', 'Median of the highest', percent(median(submissions.filter((s) => s.archive !== true).map((s) => s.highest))), `of all pairs: ${percent(model.section.calibration.median)}`),
    card('pairs', 'Pairs', `${striking.all ? '' : '≥ '}${commas(striking.pairs)}`, striking.pairs === 0 ? `none from ${short(model.threshold)} on` : `from ${short(model.threshold)}; ${open === 0 ? 'all decided' : `${commas(open)} undecided`}`, address(['pairs'])),
    card('clusters', 'Clusters', commas(clusters.length), `${count(clusters.reduce((n, c) => n + c.submissions.length, 0), 'submission')} in them`, address(['clusters'])),
  ];
}

/** @param {CopiesApp} app @param {HTMLElement} search */
function head({ model, names }, search) {
  const { pairs: above } = model.striking(model.threshold);
  const people = model.clusters.reduce((n, cluster) => n + cluster.submissions.length, 0);
  const { page, section } = model;
  const alike = `at least ${short(model.threshold)} alike`;
  return [
    h('h1', {}, above === 0 ? `No two of ${count(model.size, 'submission')} are ${alike}` : `${count(above, 'pair')} of ${commas(people)} submissions ${above === 1 ? 'is' : 'are'} ${alike}`),
    h('p', { class: 'overview-what' }, 'Compared ', names.on ? 'the submissions' : listed(page.inputs, 3, (input) => h('bdi', { class: 'mono' }, cleanName(input))), ` on ${moment(page.made)}: ${count(section.pairs_possible, 'pair')}, linked from ${short(model.threshold)} similarity on.${section.pairs_estimated ? ` ${count(section.pairs_estimated, 'pair')} that may be similar too ${section.pairs_estimated === 1 ? 'was' : 'were'} only estimated: more similar ones come first.` : ''}`),
    h('p', { class: 'muted' }, 'A high similarity is a reason to look, and never a proof. Open a pair, read both sides, then decide.'),
    search,
    model.threshold !== model.scanned && h('p', { class: 'note' }, `You moved the threshold to ${short(model.threshold)}. The report suggests ${short(model.scanned)}.`),
  ];
}

/** @param {string} title @param {HTMLElement[]} items @param {string} href @param {string} more */
function start(title, items, href, more) {
  return items.length > 0 && h('div', { class: 'start' }, h('h3', {}, title), h('ol', { class: 'start-list' }, items.map((item) => h('li', {}, item))), h('a', { class: 'small', href }, more));
}

/** @param {CopiesApp} app @param {number} label  a group, if one is chosen */
function starts(app, label) {
  const { model, verdicts } = app;
  const line = (/** @type {import('../types.js').Pair} */ pair, /** @type {string} */ note, /** @type {string | null} */ sort) => {
    const verdict = verdicts.get(pair)?.verdict;
    const [a, b] = shortNames(app, pair.a, pair.b).map((name) => h('bdi', { class: 'lk-inline' }, name));
    return h('a', { class: 'start-link', href: address(['pair', pair.a, pair.b], { sort }), 'data-pair': `${pair.a}-${pair.b}` },
      h('span', { class: 'start-two' }, a, h('span', { class: 'muted' }, ' ↔ '), b),
      h('span', { class: 'start-note number' }, verdict ? `${PAIR_VERDICTS[verdict].name.toLowerCase()} · ` : '', note));
  };
  const ring = (/** @type {import('../model.js').Cluster} */ cluster) => h('a', { class: 'start-link', href: address(['cluster', cluster.submissions[0]]) },
    h('bdi', { class: 'lk-inline' }, [...new Set(cluster.submissions.map((s) => shortNameOf(app, s)))].slice(0, 3).join(', '), cluster.submissions.length > 3 && ' …'),
    h('span', { class: 'start-note number' }, count(cluster.submissions.length, 'submission')));
  const group = model.labels[label]?.[0];
  const grouped = (/** @type {number[]} */ ...of) => group === undefined || of.some((s) => model.submissions[s].label === group);
  const linked = model.pairs.slice(0, model.above(model.threshold)).filter((p) => grouped(p.a, p.b));
  const first = linked.slice(0, STARTS);
  const longest = linked.slice(STARTS).sort((x, y) => y.longest - x.longest).slice(0, STARTS);
  return h('section', { class: 'panel', 'data-part': 'starts' }, h('h2', {}, 'Where to start', group !== undefined && h('span', { class: 'muted' }, ' in ', h('bdi', {}, cleanName(app.names.label(group))))),
    linked.length === 0 && h('p', { class: 'muted' }, 'No pair reaches the threshold. Lower it to see what is most alike nevertheless.'),
    h('div', { class: 'starts' },
      start('Most similar pairs', first.map((p) => line(p, percent(p.similarity), null)), address(['pairs']), `All ${commas(linked.length)} pairs`),
      start('Longest passages among the others', longest.map((p) => line(p, count(p.longest, 'token'), 'longest')), address(['pairs'], { sort: 'longest' }), 'By the longest passage'),
      start('Largest clusters', model.clusters.filter((c) => grouped(...c.submissions)).slice(0, STARTS).map(ring), address(['clusters']), 'All clusters')));
}

/** @param {CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesOverview(app) {
  const { model } = app;
  const [top, numbers, begin] = [h('div', { class: 'overview-head' }), h('div', { class: 'cards five', 'data-part': 'cards' }), h('div', {})];
  const find = /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: 'Find a person, a submission, a file', 'aria-label': 'Find a person, a submission or a file' }));
  const look = (/** @type {Event} */ event) => {
    event.preventDefault();
    visit(address(['submissions'], { q: find.value }));
  };
  const search = h('form', { class: 'overview-search no-print', role: 'search', onsubmit: look }, find);
  const threshold = thresholdPart(app);
  const calibration = calibrationPart(app);
  const all = new Set(model.page.contents).size;
  const element = h('div', { class: 'overview', 'data-part': 'overview' }, top, numbers, threshold.element, begin, calibration.element, parameters(app), winnowing(app), exclusionsPart(app),
    model.page.texts.embedded < all && h('p', { class: 'note small' }, `${commas(model.page.texts.embedded)} of ${count(all, 'text')} are in this file, those of the most similar pairs first. A larger --embed-limit (now ${bytes(model.page.texts.limit)}) takes more in.`));
  app.verdicts.listen(() => { if (element.isConnected) put(numbers, cards(app)); });
  return {
    element,
    title: 'Overview',
    show(route) {
      put(top, head(app, search));
      put(numbers, cards(app));
      threshold.show(wantedPairs(route.query).label);
      calibration.show();
      put(begin, starts(app, wantedPairs(route.query).label));
    },
  };
}

