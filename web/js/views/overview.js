// The first view: what was scanned, what came out, and where to begin.

import { h, put, clean, cleanName } from '../dom.js';
import { bytes, commas, count, moment } from '../format.js';
import { copies } from '../filters.js';
import { limited } from '../load.js';
import { explorerPart } from '../parts/explorer.js';
import { documentName } from '../parts/name.js';
import { skippedPart } from '../parts/skipped.js';
import { summaryPart, summaryAt } from '../parts/summary.js';
import { isFeatures, plain, short, told } from '../recipe.js';
import { address } from '../route.js';

/** @typedef {import('../model.js').Model} Model */

/** Places to begin with, of each kind. */
const STARTS = 5;
/** Templates shown at once. */
const TEMPLATES = 5;

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
  return h('details', { class: 'overview-how small muted', 'data-part': 'recipe' }, h('summary', {}, 'How it was done'), h('p', {}, told(page.report, named).join(' ')));
}

/** What a reader must know before trusting the numbers. @param {Model} model @returns {HTMLElement[]} */
function notes(model) {
  const { page } = model;
  const { unsampled, repeated_ids } = page.report;
  const moved = model.threshold !== model.scanned;
  const all = [
    page.left_out.clusters > 0 && `${count(page.left_out.clusters, 'cluster')} with ${count(page.left_out.documents, 'document')} ${page.left_out.clusters === 1 ? 'is' : 'are'} counted but not shown: this file would have grown too large. --json lists all.`,
    page.texts.embedded < page.contents.length && `${commas(page.texts.embedded)} of ${count(page.contents.length, 'text')} are in this file. The others are listed, but cannot be read here: ${limited(page) ? 'a larger --embed-limit takes more in' : 'they were changed, moved or deleted during the scan'}.`,
    unsampled > 0 && `${count(unsampled, 'document')} ${unsampled === 1 ? 'is' : 'are'} too short to be sampled. Only exact copies of ${unsampled === 1 ? 'it' : 'them'} could be found.`,
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

/** Why text was left out of the comparison. @param {import('../types.js').Page['templates']} all */
function templatesLead(all) {
  const named = all.filter((t) => t.named === true).length;
  if (named === 0) return 'Text that so many documents share that it was left out of the comparison.';
  if (named === all.length) return 'Text that was named as a template in a decision, and left out of the comparison.';
  return 'Text that was left out of the comparison: very many documents share it, or it was named as a template in a decision.';
}

/** Text that was not compared. @param {Model} model */
function templates(model) {
  const all = model.page.templates;
  if (all.length === 0) return null;
  const list = h('ul', { class: 'templates' });
  const more = h('button', { type: 'button', class: 'small', onclick: () => fill(all.length) }, `Show all ${commas(all.length)}`);
  function fill(/** @type {number} */ n) {
    put(list, all.slice(0, n).map((each) => template(each, isFeatures(model.page.report.recipe) ? 'item' : 'shingle')));
    more.hidden = n >= all.length;
  }
  fill(TEMPLATES);
  return h('section', { class: 'panel', 'data-part': 'templates' }, h('h2', {}, 'Templates'),
    h('p', { class: 'muted' }, templatesLead(all)), list, more);
}

/** @param {import('../types.js').Page['templates'][number]} item @param {string} unit */
function template({ documents, shingles, text, example, named }, unit) {
  const shown = h('blockquote', { class: 'template-text' }, text === null ? h('span', { class: 'muted' }, 'The example could not be read again.') : clean(text));
  const long = (text ?? '').length > 240;
  const more = h('button', { type: 'button', class: 'quiet small no-print', 'aria-expanded': 'false', onclick: toggle }, 'Show all');
  function toggle() {
    const open = shown.classList.toggle('open');
    more.setAttribute('aria-expanded', String(open));
    more.textContent = open ? 'Show less' : 'Show all';
  }
  return h('li', { class: 'template' },
    h('div', { class: 'template-count' }, h('b', { class: 'number' }, commas(documents)), h('span', { class: 'small muted' }, documents === 1 ? 'document' : 'documents')),
    h('div', {}, shown, h('div', { class: 'row small muted' }, named === true && h('span', { class: 'chip template' }, 'named as a template in a decision'), h('span', {}, `${count(shingles, unit)}, for example in `, h('bdi', {}, cleanName(example))), long && more)));
}

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function overviewView(app) {
  const { model } = app;
  const [top, warnings, begin] = [h('div', { class: 'overview-head' }), h('div', {}), h('div', {})];
  const summary = summaryPart(app);
  const explorer = explorerPart(app);
  const how = recipe(model);
  const skipped = skippedPart(model);
  const element = h('div', { class: 'overview', 'data-part': 'overview' }, top, warnings, summary.element, skipped.element, explorer.element, begin, templates(model));
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
