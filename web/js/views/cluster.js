// One cluster: its documents, how they are linked, and what to do about them.

import { h, put, cleanName } from '../dom.js';
import { bytes, commas, count, percent } from '../format.js';
import { short } from '../recipe.js';
import { LARGE } from '../cores.js';
import { terms } from '../lens.js';
import { clusterGraph } from '../parts/graph.js';
import { distinct } from '../parts/graphdata.js';
import { heatMap } from '../parts/heatmap.js';
import { membersTable } from '../parts/members.js';
import { fileName } from '../parts/name.js';
import { suggestedNote } from '../parts/suggestions.js';
import { verdictForm } from '../parts/verdictform.js';
import { keysDialog } from '../parts/keys.js';
import { worklistBar } from '../parts/worklistbar.js';
import { address, visit } from '../route.js';

/** @typedef {import('../model.js').Cluster} Cluster */

/** More documents than these scroll by themselves. */
const BOXED = 40;

/** What each key does. @type {[string, string][]} */
const KEYS = [
  ['1  2  3  4', 'duplicates, not duplicates, template, later'],
  ['n', 'write a note; Esc leaves it'],
  ['Enter  s', 'save and go to the next undecided of the list'],
  ['u', 'undo what was done last'],
  ['[  ]', 'previous, next cluster of the list'],
  ['Esc', 'back to the list'],
  ['?', 'these keys'],
];

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function clusterView(app) {
  const { model } = app;
  /** @type {Cluster | null} */
  let cluster = null;
  const head = h('header', { class: 'cluster-head', 'data-part': 'cluster-head' });
  const graph = clusterGraph(model);
  const heat = heatMap(model);
  const members = membersTable(app, (document, keep) => form.tick(document, keep));
  const form = verdictForm(app, { kept: members.mark, go });
  const membersPanel = h('section', { class: 'panel cluster-members', 'aria-label': 'Documents' }, h('div', { class: 'row spread' }, h('h2', {}, 'Documents'), h('span', { class: 'small muted no-print' }, 'A name opens it side by side with the representative.')), members.element);
  const graphPanel = h('section', { class: 'panel', 'aria-label': 'Links' }, h('h2', {}, 'How they are linked'), graph.element);
  const heatPanel = h('section', { class: 'panel', 'aria-label': 'Heat map' }, h('h2', {}, terms(model.page).heat), heat.element);
  const main = h('div', { class: 'cluster-main' }, membersPanel, graphPanel, heatPanel);
  const body = h('div', { class: 'cluster-body' }, main, h('aside', { class: 'cluster-aside' }, form.element));
  const dialog = keysDialog(KEYS, 'In the graph and the heat map, arrow keys move and Enter opens two documents side by side.');
  const keys = h('button', { type: 'button', class: 'quiet', title: 'Keys (key ?)', 'aria-label': 'Keys', 'aria-keyshortcuts': '?', onclick: () => dialog.showModal() }, '?');
  const worklist = worklistBar(app.worklist, { noun: 'cluster', verdicts: app.verdicts, more: [keys] });
  const element = h('div', { class: 'cluster', 'data-part': 'cluster' }, head, body, dialog);

  /** @param {Cluster} of */
  const href = (of) => address(['cluster', of.representative]);

  /** Goes to a cluster; to the next undecided if none is named. @param {Cluster | null} to */
  function go(to) {
    visit(to === null ? worklist.undecided() ?? address(['review']) : href(to));
  }

  /** @param {number} document */
  function title(document) {
    const folder = model.folder(document);
    return h('bdi', { title: cleanName(model.id(document)) }, folder !== '' && h('span', { class: 'muted' }, `${cleanName(folder)}/`), fileName(model, document));
  }

  /** @param {Cluster} of @param {number} asked */
  function drawHead(of, asked) {
    const folders = of.folders.filter((f) => f !== '');
    const fact = (/** @type {string} */ value, /** @type {string} */ what, /** @type {string} */ help = '') => h('div', { title: help || null }, h('dt', {}, what), h('dd', { class: 'number' }, value));
    put(head,
      h('div', { class: 'cluster-nav no-print' }, worklist.element),
      h('h1', { 'data-cluster': of.representative }, title(of.representative)),
      asked !== of.representative && h('p', { class: 'note' }, 'At this threshold ', h('bdi', {}, cleanName(model.name(asked))), ' is in this cluster, under another representative.'),
      suggestedNote(model, of),
      h('dl', { class: 'cluster-facts' },
        fact(commas(of.documents.length), of.documents.length === 1 ? 'document' : 'documents'),
        fact(percent(of.average), terms(model.page).average, terms(model.page).averaged),
        fact(bytes(of.redundant), 'to free'),
        h('div', { class: 'cluster-folders' }, h('dt', {}, count(of.folders.length, 'folder')), h('dd', {}, folders.slice(0, 3).map((f, at) => [at > 0 && ', ', h('bdi', {}, cleanName(f))]).flat(), folders.length === 0 && 'top', folders.length > 3 && ` and ${commas(folders.length - 3)} more`))));
  }

  /** @param {string | undefined} asked */
  function alone(asked) {
    const document = Number(asked);
    const known = asked !== undefined && Number.isInteger(document) && document >= 0 && document < model.size;
    const there = known && model.at(model.scanned).find((c) => c.documents.includes(document));
    put(head,
      h('div', { class: 'row cluster-nav' }, h('a', { href: address(['clusters']) }, '← All clusters')),
      h('h1', {}, known ? title(document) : 'No such cluster'),
      h('p', { class: 'note' }, known ? `At the threshold of ${short(model.threshold)} this document is alone: no other is like it. ` : 'The address names no document of this report. ',
        there && h('a', { href: address(['cluster', there.representative], { t: null }) }, `Back to the threshold of the scan, ${short(model.scanned)}`)));
  }

  /** @param {import('../route.js').Route} route */
  function show(route) {
    const asked = Number(route.path[1] ?? NaN);
    const found = model.clusters.find((c) => c.representative === asked) ?? model.clusterOf(asked) ?? null;
    body.hidden = found === null;
    if (found === null) {
      cluster = null;
      alone(route.path[1]);
      return;
    }
    worklist.show(route.query, found);
    drawHead(found, asked);
    if (found !== cluster) {
      if (cluster !== null) scrollTo(0, 0);
      cluster = found;
      members.show(found);
      const texts = distinct(model, found).length;
      // then the pictures are above, and the documents scroll by themselves
      body.classList.toggle('large', texts > LARGE);
      body.classList.toggle('boxed', found.documents.length > BOXED);
      [graphPanel.hidden, heatPanel.hidden] = [texts < 2, texts < 3];
      const draw = () => {
        if (cluster !== found) return;
        graph.show(found);
        heat.show(found);
      };
      // a large picture comes a moment after the rest
      if (texts > 60) setTimeout(draw, 30);
      else draw();
    }
    form.show(found);
  }

  document.addEventListener('keydown', (event) => {
    if (!element.isConnected || cluster === null || !isCommand(event)) return;
    const to = event.key === '[' ? worklist.neighbour(-1) : event.key === ']' ? worklist.neighbour(1) : event.key === 'Escape' ? worklist.home() : undefined;
    if (to !== undefined && to !== null) visit(to);
    else if (event.key === '?') dialog.showModal();
    else if (to === null || !form.press(event.key)) return;
    event.preventDefault();
  });
  return { element, show, title: 'Cluster' };
}

/**
 * Whether a key is meant for the page. Commands decide about documents: they are pressed on purpose, once each.
 * @param {Pick<KeyboardEvent, 'key' | 'repeat' | 'defaultPrevented' | 'isComposing' | 'metaKey' | 'altKey' | 'ctrlKey' | 'target'>} event
 */
export function isCommand({ key, repeat, defaultPrevented, isComposing, metaKey, altKey, ctrlKey, target }) {
  if (repeat || defaultPrevented || isComposing || metaKey) return false;
  // on many keyboards brackets are typed with Alt, or with Alt and Ctrl
  if ((altKey || ctrlKey) && !(altKey && '[]'.includes(key))) return false;
  const at = /** @type {Partial<Element> | null} */ (target);
  // Enter opens links and presses buttons: there it is no command
  if (key === 'Enter' && at?.closest?.('a, button, summary, input, [tabindex]:not(main)')) return false;
  return !at?.closest?.('dialog[open], textarea, select, input:not([type="checkbox"]):not([type="radio"])');
}
