// The first view: what was scanned, what came out, and where to begin.

import { h, put, cleanName } from '../dom.js';
import { bytes, commas, count, moment } from '../format.js';
import { copies } from '../filters.js';
import { terms } from '../lens.js';
import { limited } from '../load.js';
import { chunkFacts } from '../parts/chunkfacts.js';
import { explorerPart } from '../parts/explorer.js';
import { documentName } from '../parts/name.js';
import { similarFoldersPart } from '../parts/similarfolders.js';
import { skippedPart } from '../parts/skipped.js';
import { suggestionsPart } from '../parts/suggestions.js';
import { summaryPart, summaryAt } from '../parts/summary.js';
import { frequentPart, ignoredPart, templatesPart } from '../parts/templates.js';
import { describeRecipe, plain, short } from '../recipe.js';
import { address } from '../route.js';

/** @typedef {import('../model.js').Model} Model */

/** Places to begin with, of each kind. */
const STARTS = 5;

/** @param {Model} model */
function head(model) {
  const { page } = model;
  const { documents } = page.report;
  const { clustered } = summaryAt(model);
  const inputs = page.inputs.slice(0, 3).flatMap((input, at) => [at > 0 && ', ', h('bdi', { class: 'mono' }, cleanName(input))]);
  const more = page.inputs.length - 3;
  return [
    h('h1', {}, clustered === 0 ? `No lookalikes among ${count(documents, 'document')}` : `${commas(clustered)} of ${count(documents, 'document')} have a lookalike`),
    h('p', { class: 'overview-what' }, 'Scanned ', inputs, more > 0 && ` and ${commas(more)} more`, ` on ${moment(page.made)}.`),
    h('p', { class: 'muted' }, plain(page.report).join(' ')),
  ];
}

/** What it takes to do the scan again. @param {Model} model */
function recipe({ page }) {
  const named = page.templates.filter((t) => t.named === true).length;
  return h('details', { class: 'overview-how small muted', 'data-part': 'recipe' }, h('summary', {}, 'How it was done'), h('p', {}, describeRecipe(page.report, named).join(' ')));
}

/** What a reader must know before trusting the numbers. @param {Model} model @returns {HTMLElement[]} */
function notes(model) {
  const { page } = model;
  const { shingles: { unsampled, thinned = 0 } = { unsampled: 0 }, simhash, repeated_ids } = page.report;
  const uncompared = simhash?.verified?.not_compared ?? 0;
  const moved = model.threshold !== model.scanned;
  const all = [
    page.left_out.clusters > 0 && `${count(page.left_out.clusters, 'cluster')} with ${count(page.left_out.documents, 'document')} ${page.left_out.clusters === 1 ? 'is' : 'are'} counted but not shown: this file would have grown too large. --json lists all.`,
    page.texts.embedded < page.contents.length && `${commas(page.texts.embedded)} of ${count(page.contents.length, 'text')} are in this file. The others are listed, but cannot be read here: ${limited(page) ? 'a larger --embed-limit takes more in' : terms(page).textless}.`,
    unsampled > 0 && `${count(unsampled, 'document')} ${unsampled === 1 ? 'is' : 'are'} too short to be sampled. Only exact copies of ${unsampled === 1 ? 'it' : 'them'} could be found.`,
    thinned > 0 && `${count(thinned, 'document')} ${thinned === 1 ? 'shares' : 'share'} so much with so many that pairs were looked for by a part of the sketch. A pair at the very threshold may be missing.`,
    uncompared > 0 && `${count(uncompared, 'pair')} of documents that are near very many others ${uncompared === 1 ? 'was' : 'were'} not compared.`,
    repeated_ids > 0 && `${count(repeated_ids, 'document')} ${repeated_ids === 1 ? 'has' : 'have'} the same id as another.`,
  ].filter((note) => note !== false);
  return [
    ...(moved ? [h('p', { class: 'note' }, `Grouped again at ${short(model.threshold)}. The scan itself linked documents from ${short(model.scanned)}.`)] : []),
    ...(all.length > 0 ? [h('div', { class: 'note small', 'data-part': 'notes' }, h('ul', { class: 'notes' }, all.map((note) => h('li', {}, note))))] : []),
  ];
}

/** @param {string} title @param {(HTMLElement | string)[]} items @param {string} href @param {string} more */
function start(title, items, href, more) {
  return items.length > 0 && h('div', { class: 'start' }, h('h3', {}, title), h('ol', { class: 'start-list' }, items.map((item) => h('li', {}, item))), h('a', { class: 'small', href }, more));
}

/** Where the time of a reader is best spent first. @param {Model} model */
function starts(model) {
  const { clusters } = model;
  const entry = (/** @type {(string | number)[]} */ path, /** @type {Record<string, string | number>} */ query, /** @type {number} */ document, /** @type {string} */ note) => (
    h('a', { class: 'start-link', href: address(path, query), 'data-document': document }, documentName(model, document), h('span', { class: 'start-note number' }, note)));
  const cluster = (/** @type {import('../model.js').Cluster} */ c, /** @type {string} */ note) => entry(['cluster', c.representative], {}, c.representative, note);
  const across = clusters.filter((c) => c.folders.length > 1);
  // those in the first list need no second mention
  const further = across.filter((c) => c.number > STARTS).sort((x, y) => y.folders.length - x.folders.length || x.number - y.number);
  const sets = copies(model).filter((set) => set.folders.length > 1).sort((x, y) => y.freed - x.freed || x.number - y.number);
  const lists = [
    start('Largest clusters', clusters.slice(0, STARTS).map((c) => cluster(c, count(c.documents.length, 'document'))), address(['clusters']), 'All clusters'),
    start('Across folders', further.slice(0, STARTS).map((c) => cluster(c, count(c.folders.length, 'folder'))), address(['clusters'], { spans: 1 }), `All ${commas(across.length)} across folders`),
    start('Copies across folders', sets.slice(0, STARTS).map((set) => entry(['identical'], { set: set.documents[0] }, set.documents[0], `${commas(set.documents.length)} × ${bytes(set.each)}`)), address(['identical'], { spans: 1 }), `All ${commas(sets.length)} sets across folders`),
  ].filter((list) => list !== false);
  return lists.length > 0 && h('section', { class: 'panel', 'data-part': 'starts' }, h('h2', {}, 'Where to start'), h('div', { class: 'starts' }, lists));
}

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function overviewView(app) {
  const { model } = app;
  const [top, warnings, begin] = [h('div', { class: 'overview-head' }), h('div', {}), h('div', {})];
  const summary = summaryPart(app);
  const explorer = explorerPart(app);
  const how = recipe(model);
  const skipped = skippedPart(model);
  const { chunks } = model.page;
  const element = h('div', { class: 'overview', 'data-part': 'overview' }, top, warnings, summary.element, skipped.element,
    chunks !== undefined && suggestionsPart(model), explorer.element, begin,
    chunks !== undefined && [similarFoldersPart(model), ignoredPart(chunks), frequentPart(chunks), chunkFacts(chunks)], templatesPart(model));
  return {
    element,
    title: 'Overview',
    show(route) {
      put(top, head(model), how);
      put(warnings, notes(model));
      summary.show();
      skipped.show(route.query.get('show') === 'skipped');
      explorer.show();
      put(begin, starts(model));
    },
  };
}
