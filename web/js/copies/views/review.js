// What was decided so far, and how to keep it.

import { h, put, clean, cleanName } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { decode } from '../../csv.js';
import { download } from '../../parts/download.js';
import { progressBar } from '../../parts/progressbar.js';
import { piped, rescan } from '../../rescan.js';
import { address } from '../../route.js';
import { lasting } from '../../storage.js';
import { bulkVerdict } from '../parts/bulkverdict.js';
import { shortNames } from '../parts/names.js';
import { PAIR_VERDICTS } from '../verdictfile.js';

const ROWS = 500;

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesReview(app) {
  const { model, names, verdicts } = app;
  const [lead, list, said] = [h('div'), h('div', { 'data-part': 'decided' }), h('p', { class: 'review-said', role: 'status' })];
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'file', accept: '.json,.csv,application/json,text/csv', class: 'visually-hidden', 'aria-label': 'A file of verdicts', onchange: take }));
  const { page } = model;
  const file = (/** @type {string} */ ending) => `verdicts-${page.name.replace(/[^\w.-]+/g, '_').slice(0, 60)}.${ending}`;
  const same = model.pairs.filter((pair) => pair.same);
  const bulk = bulkVerdict(app, {
    pairs: () => same, verdicts: ['copied', 'not-copied'],
    lead: (open, all) => (open === 0 ? `${all === 1 ? 'The pair' : `All ${count(all, 'pair')}`} with exactly the same tokens ${all === 1 ? 'is' : 'are'} decided.` : `In ${count(open, 'undecided pair')} both have exactly the same tokens${open > 1 ? '. One verdict for all of them:' : ':'}`),
  });
  const element = h('div', { class: 'review', 'data-part': 'review' }, h('h1', {}, 'Review'), h('p', { class: 'muted review-lead' }, 'Your verdicts and notes stay in this browser. Export them to keep them, to hand them to a colleague, or to compare again without what is decided.'),
    h('section', { class: 'panel', 'aria-label': 'Progress' }, lead),
    h('section', { class: 'panel', 'aria-label': 'Export and import' }, h('h2', {}, 'Export and import'),
      h('div', { class: 'row no-print' }, h('button', { type: 'button', class: 'primary', 'data-action': 'export', onclick: () => give('json') }, 'Export JSON'), h('button', { type: 'button', 'data-action': 'export-csv', onclick: () => give('csv') }, 'Export CSV'), h('button', { type: 'button', onclick: () => input.click() }, 'Import …'), input),
      names.on && h('p', { class: 'small muted review-rule' }, 'While names are hidden, the file has pseudonyms too: this page can read it, the command cannot.'), said,
      !names.on && [h('p', { class: 'small muted review-next' }, piped(page) ? 'To compare again without what is decided, export JSON and pipe the same input into:' : 'To compare again without what is decided, export JSON and run:'),
        h('pre', { class: 'review-command', tabindex: 0, 'data-part': 'command' }, h('bdi', {}, cleanName(rescan({ command: page.command ?? ['copies', ...page.inputs], inputs: page.inputs }, file('json')))))]),
    same.length > 0 && h('section', { class: 'panel', 'aria-label': 'Identical submissions' }, h('h2', {}, 'Identical submissions'), bulk.element),
    h('section', { class: 'panel', 'aria-label': 'Verdicts' }, h('h2', {}, 'Verdicts'), list));

  /** @param {'json' | 'csv'} ending */
  function give(ending) {
    if (ending === 'json') download(verdicts.toJson(), 'application/json', file(ending));
    else download(verdicts.toCsv(), 'text/csv', file(ending));
    put(said, `${count(verdicts.all.size, 'verdict')} exported as ${file(ending)}.`);
    said.classList.remove('bad');
  }

  async function take() {
    const [chosen] = input.files ?? [];
    if (chosen === undefined) return;
    try {
      const { taken, strange } = verdicts.import(decode(new Uint8Array(await chosen.arrayBuffer())), chosen.name);
      put(said, `${count(taken, 'verdict')} imported.`, strange > 0 && ` ${commas(strange)} ${strange === 1 ? 'is' : 'are'} of submissions that this report does not have.`);
      said.classList.remove('bad');
    } catch (error) {
      put(said, `This file cannot be read: ${clean(error instanceof Error ? error.message : String(error))}`);
      said.classList.add('bad');
    }
    input.value = '';
  }

  function draw() {
    const decided = verdicts.decided();
    const above = model.pairs.slice(0, model.above(model.threshold));
    const { byVerdict, decided: done } = verdicts.counts(above);
    const next = above.find((p) => verdicts.open(p));
    put(lead, h('div', { class: 'row spread' }, h('div', { class: 'review-big number' }, commas(done), h('span', { class: 'muted' }, ` of ${count(above.length, 'pair')} at the threshold decided`)), next !== undefined && h('a', { class: 'button review-go', href: address(['pair', next.a, next.b]) }, done === 0 ? 'Begin with the most similar →' : 'Go on with the next →')),
      progressBar('Pairs decided', Object.entries(PAIR_VERDICTS).map(([kind, { name }]) => ({ kind, name, count: byVerdict[/** @type {import('../verdicts.js').PairVerdict} */ (kind)] })), { all: above.length, decided: done }),
      !lasting() && h('p', { class: 'note review-warning' }, 'This browser does not keep your verdicts: they are lost when you close the page. Export them before.'));
    put(list, decided.length === 0 && h('p', { class: 'muted' }, 'Nothing yet. Open a pair, read, decide: your verdicts gather here.'),
      decided.length > 0 && h('table', {}, h('thead', {}, h('tr', {}, ['Pair', 'Similarity', 'Verdict', 'Note', ''].map((t) => h('th', { scope: 'col' }, t)))),
        h('tbody', {}, decided.slice(0, ROWS).map((p) => {
          const { verdict = '', note = '' } = verdicts.get(p) ?? {};
          return h('tr', {}, h('td', {}, h('a', { href: address(['pair', p.a, p.b]) }, shortNames(app, p.a, p.b).flatMap((n, at) => [at > 0 && ' ↔ ', h('bdi', {}, n)]))), h('td', { class: 'number' }, percent(p.similarity)),
            h('td', {}, verdict === '' ? h('span', { class: 'muted' }, 'note only') : h('span', { class: `chip is-${verdict}` }, PAIR_VERDICTS[verdict].name)), h('td', { class: 'review-note' }, clean(names.text(note))),
            h('td', { class: 'no-print' }, h('a', { class: 'small', href: address(['dossier', p.a, p.b]) }, 'Dossier'), ' ', h('button', { type: 'button', class: 'quiet small', onclick: () => verdicts.set(p, '', '') }, 'Remove')));
        }))), decided.length > ROWS && h('p', { class: 'muted small' }, `The first ${ROWS} of ${commas(decided.length)}.`));
  }

  verdicts.listen(() => { if (element.isConnected) draw(); });
  return { element, title: 'Review', show() { bulk.reset(); draw(); } };
}
