// What was decided so far, and what to do with it.

import { h, put, clean, cleanName } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { decode } from '../csv.js';
import { VERDICTS, toCsv, toJson, verdictName } from '../decisions.js';
import { RULES, suggest } from '../keep.js';
import { terms } from '../lens.js';
import { removablePanel } from '../parts/removable.js';
import { download } from '../parts/download.js';
import { appliedDecisionsPanel } from '../parts/applieddecisions.js';
import { preferences } from '../parts/keepbox.js';
import { documentName } from '../parts/name.js';
import { progressBar } from '../parts/progressbar.js';
import { piped, rescan } from '../rescan.js';
import { address } from '../route.js';
import { lasting } from '../storage.js';

/** @typedef {import('../model.js').Cluster} Cluster */

/** Rows that are drawn at first, and with each further step. */
const STEP = 100;

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function reviewView(app) {
  const { model, verdicts } = app;
  const { page } = model;
  const progress = h('section', { class: 'panel review-progress', 'data-part': 'progress', 'aria-label': 'Progress' });
  const bulk = h('section', { class: 'panel review-bulk', 'data-part': 'bulk', 'aria-label': 'Identical documents' });
  const said = h('p', { class: 'review-said', role: 'status' });
  const list = h('tbody');
  const more = h('div', { class: 'row' });
  const table = h('table', { class: 'review-table' }, h('thead', {}, h('tr', {}, ['Cluster', 'Verdict', 'Kept', 'Note', ''].map((t) => h('th', { scope: 'col' }, t)))), list);
  const empty = h('p', { class: 'muted' }, 'Nothing yet. Open a cluster, look, decide: your verdicts gather here.');
  const decidedPanel = h('section', { class: 'panel', 'data-part': 'decided', 'aria-label': 'Decided clusters' }, h('h2', {}, 'Verdicts'), empty, table, more);
  const going = removablePanel(app, (text, type, name) => {
    hand(text, type, name);
    put(said, `The list of what can go is saved as ${name}.`);
  });
  const honoured = appliedDecisionsPanel(app);
  const element = h('div', { class: 'review', 'data-part': 'review' },
    h('h1', {}, 'Review'), h('p', { class: 'muted review-lead' }, 'Your verdicts stay in this browser. Export them to keep them, to share them, or to scan again with them.'),
    progress, h('div', { class: 'review-two' }, filePanel(), going.element, bulk), decidedPanel, honoured.element);
  /** @type {Cluster[]} */
  let decided = [];
  let shown = 0;
  // a question is open, or what was done can be taken back
  let asking = false;
  /** @type {{ clusters: number, change: import('../verdicts.js').Change } | null} */
  let bulkDone = null;

  function drawProgress() {
    const all = model.clusters;
    const counts = verdicts.counts(all);
    const free = going.draw();
    const next = app.worklist.nextOpen(new URLSearchParams(), null);
    put(progress,
      h('div', { class: 'row spread' },
        h('div', {}, h('div', { class: 'review-big number' }, commas(counts.decided), h('span', { class: 'muted' }, ` of ${count(all.length, 'cluster')} decided`)),
          free.ids.length > 0 && h('div', { class: 'muted small' }, `${count(free.ids.length, 'document')} can go: ${bytes(free.bytes)}`)),
        next === null
          ? h('span', { class: 'chip decided' }, all.length === 0 ? 'no clusters' : 'all decided')
          : h('a', { class: 'button review-go', href: address(['cluster', next.representative]) }, counts.decided === 0 ? 'Begin with the first' : 'Go on with the next undecided', ' →')),
      progressBar('Clusters decided', VERDICTS.map((verdict) => ({ kind: verdict, name: verdictName(verdict), count: counts.byVerdict[verdict] })), { all: all.length, decided: counts.decided }),
      !lasting() && h('p', { class: 'note review-warning' }, 'This browser does not keep your verdicts: they are lost when you close the page. Export them before.'));
  }

  /** @param {string} text @param {string} type @param {string} name */
  function hand(text, type, name) {
    download(text, type, name);
    said.classList.remove('bad');
  }

  /** @param {'json' | 'csv'} ending */
  function exportAs(ending) {
    const all = verdicts.all();
    const of = { version: page.report.lookalike, name: page.name, made: new Date().toISOString() };
    if (ending === 'json') hand(toJson(all, of), 'application/json', exportName(ending));
    else hand(toCsv(all), 'text/csv', exportName(ending));
    put(said, `${count(all.length, 'verdict')} exported as ${exportName(ending)}.`);
  }

  /** @param {string} ending */
  function exportName(ending) {
    return `decisions-${page.name.replace(/[^\w.-]+/g, '_').slice(0, 60)}.${ending}`;
  }

  /** @param {HTMLInputElement} input */
  async function read(input) {
    const file = input.files?.[0];
    if (file === undefined) return;
    try {
      const n = verdicts.import(decode(new Uint8Array(await file.arrayBuffer())), file.name);
      const applies = model.clusters.filter((c) => verdicts.get(c) !== undefined).length;
      put(said, clean(`${count(n, 'verdict')} imported from ${file.name}. ${count(applies, 'cluster')} of this report ${applies === 1 ? 'has' : 'have'} a verdict now.`));
      said.classList.remove('bad');
    } catch (error) {
      put(said, clean(error instanceof Error ? error.message : String(error)));
      said.classList.add('bad');
    }
    input.value = '';
  }

  function filePanel() {
    const input = /** @type {HTMLInputElement} */ (h('input', { type: 'file', accept: '.json,.csv,application/json,text/csv', class: 'visually-hidden', 'aria-label': 'Import decisions', onchange: () => read(input) }));
    return h('section', { class: 'panel', 'data-part': 'files', 'aria-label': 'Export and import' }, h('h2', {}, 'Export and import'),
      h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', onclick: () => exportAs('json') }, 'Export JSON'),
        h('button', { type: 'button', onclick: () => exportAs('csv') }, 'Export CSV'),
        h('button', { type: 'button', onclick: () => input.click() }, 'Import …'), input),
      said,
      h('p', { class: 'small muted review-next' }, piped(page) ? 'To scan again with your verdicts, export JSON and pipe the same input into:' : 'To scan again with your verdicts, export JSON and run:'),
      h('pre', { class: 'review-command', tabindex: 0, 'data-part': 'command' }, h('bdi', {}, cleanName(rescan(page, exportName('json'))))));
  }

  function drawBulk() {
    const open = undecidedCopies(model.clusters, verdicts);
    const { rule, order } = preferences(page);
    const by = (RULES.find((r) => r.rule === rule)?.name ?? rule).toLowerCase();
    bulk.hidden = open.length === 0 && bulkDone === null;
    const act = () => {
      asking = false;
      const change = verdicts.setAll(open.map((c) => [c, { verdict: 'keep', keep: [suggest(model, c, rule, order).document], note: '' }]));
      bulkDone = { clusters: open.length, change };
      drawBulk();
      /** @type {HTMLElement | null} */ (bulk.querySelector('.review-undo button'))?.focus();
    };
    const sum = open.reduce((all, c) => all + c.redundant, 0);
    put(bulk, h('h2', {}, 'Identical documents'),
      open.length > 0 && h('p', {}, `In ${count(open.length, 'undecided cluster')} all documents are identical: whichever is kept, no ${terms(page).text} is lost. ${bytes(sum)} would go.`),
      open.length > 0 && (asking
        ? h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', onclick: act }, `Yes, decide ${commas(open.length)}`), h('button', { type: 'button', onclick: () => { asking = false; drawBulk(); } }, 'No'))
        : h('button', { type: 'button', onclick: () => { asking = true; drawBulk(); bulk.querySelector('button')?.focus(); } }, `Keep one in each (${by})`)),
      open.length > 0 && !asking && h('p', { class: 'small muted review-rule' }, 'Which one is kept follows your rule; you can change it on the page of any cluster.'),
      bulkDone !== null && h('p', { class: 'review-undo' }, `${count(bulkDone.clusters, 'cluster')} decided at once. `, h('button', { type: 'button', class: 'quiet', onclick: undoBulk }, 'Undo')));
  }

  function undoBulk() {
    const last = bulkDone;
    bulkDone = null;
    if (last !== null) verdicts.undo(last.change);
  }

  function drawList() {
    decided = model.clusters.filter((c) => verdicts.get(c) !== undefined);
    const keepRows = Math.max(STEP, shown);
    shown = 0;
    put(list);
    empty.hidden = decided.length > 0;
    table.hidden = decided.length === 0;
    extend(keepRows);
  }

  /** @param {number} by */
  function extend(by) {
    const next = decided.slice(shown, shown + by);
    list.append(...next.map(row));
    shown += next.length;
    const left = decided.length - shown;
    put(more, left > 0 && h('button', { type: 'button', onclick: () => extend(STEP) }, `Show ${commas(Math.min(STEP, left))} more`),
      left > 0 && h('span', { class: 'muted small' }, `${commas(shown)} of ${commas(decided.length)}`));
  }

  /** @param {Cluster} cluster */
  function row(cluster) {
    const { verdict, keep, note } = verdicts.get(cluster) ?? { verdict: 'later', keep: [], note: '' };
    const names = keep.slice(0, 3).map((d) => h('div', {}, documentName(model, d)));
    return h('tr', { 'data-cluster': cluster.representative },
      h('td', { class: 'review-cluster' }, h('a', { href: address(['cluster', cluster.representative]) }, documentName(model, cluster.representative)), h('div', { class: 'small muted' }, count(cluster.documents.length, 'document'))),
      h('td', { class: 'review-verdict' }, h('span', { class: `chip ${verdict}` }, verdictName(/** @type {import('../types.js').Verdict} */ (verdict)).toLowerCase())),
      h('td', { class: 'review-kept' }, names, keep.length > 3 && h('div', { class: 'small muted' }, `and ${commas(keep.length - 3)} more`)),
      h('td', { class: 'review-note' }, clean(note)),
      h('td', { class: 'review-remove' }, h('button', { type: 'button', class: 'quiet small', 'aria-label': `Remove the verdict on ${cleanName(model.name(cluster.representative))}`, onclick: () => verdicts.clear(cluster) }, 'Remove')));
  }

  function draw() {
    drawProgress();
    drawBulk();
    drawList();
    honoured.draw();
  }

  verdicts.listen(() => { if (element.isConnected) draw(); });
  return {
    element,
    show() {
      [asking, bulkDone] = [false, null];
      honoured.reset();
      put(said);
      said.classList.remove('bad');
      draw();
    },
    title: 'Review',
  };
}

/**
 * Clusters of identical documents on which nobody has said anything: no verdict, no note, not even on some of the documents.
 * @param {Cluster[]} clusters
 * @param {import('../verdicts.js').Verdicts} verdicts
 */
export function undecidedCopies(clusters, verdicts) {
  return clusters.filter((c) => [...c.classes].every((kind) => kind === 'identical') && verdicts.untouched(c));
}
