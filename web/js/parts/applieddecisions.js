// Decisions that came with the page and that its scan has followed. They left no cluster, so they are shown here.

import { verdictName } from '../decisions.js';
import { h, put, clean, cleanName } from '../dom.js';
import { commas, count } from '../format.js';
import { terms } from '../lens.js';
import { pathName } from './name.js';

/** Rows that are drawn at first, and with each further step. */
const STEP = 50;
/** Documents that are named in a row. */
const NAMES = 4;

/** @typedef {import('../types.js').Decision} Decision */

/** What the scan did. @param {Decision} decision @param {string} text what documents have */
function effect({ verdict }, text) {
  return verdict === 'template' ? `The ${text} they share was ignored` : 'Never linked with each other';
}

/** How many of the decisions that came with a page its scan could not follow: too few of their documents are left as they were. @param {Pick<import('../types.js').Page, 'report' | 'decisions'>} page */
export function idle({ report, decisions }) {
  const { reviewed } = report;
  const given = decisions.filter(({ verdict }) => verdict === 'not-duplicates' || verdict === 'template').length;
  return reviewed === undefined ? 0 : Math.max(0, given - reviewed.not_duplicates - reviewed.templates);
}

/** @param {import('../main.js').App} app */
export function appliedDecisionsPanel({ model, verdicts }) {
  const lead = h('p', { class: 'muted' });
  const list = h('tbody');
  const table = h('table', { class: 'review-table honoured-table' }, h('thead', {}, h('tr', {}, ['Documents', 'Verdict', 'Note', ''].map((t) => h('th', { scope: 'col' }, t)))), list);
  const more = h('div', { class: 'row' });
  const said = h('p', { class: 'honoured-said', role: 'status' });
  const element = h('section', { class: 'panel', 'data-part': 'honoured', 'aria-label': 'Honoured by this scan' }, h('h2', {}, 'Honoured by this scan'), lead, table, more, said);
  /** @type {Decision[]} */
  let all = [];
  let shown = 0;
  /** @type {import('../verdicts.js').Change | null} */
  let last = null;

  /** @param {string} id */
  function name(id) {
    const short = id.startsWith(model.root) ? id.slice(model.root.length) : id;
    return h('div', { class: 'honoured-name', title: cleanName(id) }, pathName(short));
  }

  /** @param {Decision} decision */
  function row(decision) {
    const { documents, verdict, note } = decision;
    const first = documents.filter((d) => d.id === decision.representative).slice(0, 1);
    const ids = [...first, ...documents.filter((d) => d !== first[0])].map((d) => d.id);
    return h('tr', { 'data-verdict': verdict },
      h('td', { class: 'honoured-names' }, ids.slice(0, NAMES).map(name), ids.length > NAMES && h('div', { class: 'small muted' }, `and ${commas(ids.length - NAMES)} more`)),
      h('td', { class: 'honoured-verdict' }, h('span', { class: `chip ${verdict}` }, verdictName(verdict).toLowerCase()), h('div', { class: 'small muted' }, effect(decision, terms(model.page).text))),
      h('td', { class: 'review-note' }, clean(note)),
      h('td', { class: 'review-remove' }, h('button', { type: 'button', class: 'quiet small', 'aria-label': `Take back the verdict on ${cleanName(decision.representative)}`, onclick: () => takeBack(decision) }, 'Take back')));
  }

  /** @param {Decision} decision */
  function takeBack(decision) {
    last = verdicts.withdraw(decision);
    draw();
    /** @type {HTMLElement | null} */ (said.querySelector('button'))?.focus();
  }

  function undo() {
    const change = last;
    last = null;
    if (change !== null) verdicts.undo(change);
  }

  /** @param {number} by */
  function extend(by) {
    const next = all.slice(shown, shown + by);
    list.append(...next.map(row));
    shown += next.length;
    const left = all.length - shown;
    put(more, left > 0 && h('button', { type: 'button', onclick: () => extend(STEP) }, `Show ${commas(Math.min(STEP, left))} more`),
      left > 0 && h('span', { class: 'muted small' }, `${commas(shown)} of ${commas(all.length)}`));
  }

  function draw() {
    all = verdicts.applied();
    element.hidden = all.length === 0 && last === null;
    const without = idle(model.page);
    put(lead, `${count(all.length, 'decision')} came with this report and ${all.length === 1 ? 'was' : 'were'} followed, so ${all.length === 1 ? 'it has' : 'they have'} no cluster any more. `,
      `${all.length === 1 ? 'It stays' : 'They stay'} in what you export.`, without > 0 && ` ${commas(without)} of those that came ${without === 1 ? 'does' : 'do'} not apply any more: too few of their documents are as they were.`);
    lead.hidden = all.length === 0;
    table.hidden = all.length === 0;
    const rows = Math.max(STEP, shown);
    shown = 0;
    put(list);
    extend(rows);
    put(said, last !== null && ['Taken back: the next scan will report them again. ', h('button', { type: 'button', class: 'quiet', onclick: undo }, 'Undo')]);
  }

  return {
    element,
    draw,
    /** Another look at the page: what was taken back before is done. */
    reset() {
      last = null;
    },
  };
}
