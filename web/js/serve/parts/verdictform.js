// The form in which a reviewer decides about a cluster, for all who review it.

import { clean, cleanName, h, put } from '../../dom.js';
import { verdictName } from '../../decisions.js';
import { commas, moment } from '../../format.js';
import { load, save } from '../../storage.js';
import { Refused } from '../api.js';
import { named, since } from '../review.js';

/** @typedef {import('../types.js').ReviewVerdict} ReviewVerdict */

/** @type {[ReviewVerdict, string][]} */
const CHOICES = [
  ['keep', 'Keep the ticked ones, the others can go'],
  ['not-duplicates', 'All of them are needed'],
  ['template', 'They share boilerplate only'],
  ['later', 'Not sure yet'],
];

/** Who said something, and when. @param {import('../types.js').KeptVerdict} verdict */
export function saidBy({ who, when }) {
  return `${who === '' ? 'somebody' : cleanName(who)}, ${moment(when)}`;
}

/**
 * @param {{ say: (verdict: { cluster: string, verdict: ReviewVerdict | null, keep: string[], note: string, who: string, documents: { id: string, content?: string }[] }) => Promise<unknown>, kept: () => string[], next: () => void }} hooks
 *   tells the server; which documents are ticked; goes on
 * @param {boolean} readOnly  nothing can be decided here
 */
export function verdictForm(hooks, readOnly) {
  /** @type {import('../types.js').ReviewCluster | null} */
  let cluster = null;
  // the number of the verdict that the form shows
  let shownNumber = 0;
  const who = /** @type {HTMLInputElement} */ (h('input', { type: 'text', id: 'who', name: 'who', autocomplete: 'name', maxlength: 100, value: String(load('who', '')), onchange: () => save('who', who.value.trim()) }));
  const note = /** @type {HTMLInputElement} */ (h('input', { type: 'text', 'aria-label': 'Note', placeholder: 'Note (optional)', maxlength: 1000, autocomplete: 'off', class: 'serve-wide' }));
  const radios = CHOICES.map(([value, means], at) => h('label', { class: 'verdict-choice', 'data-verdict': value }, h('input', { type: 'radio', name: 'verdict', value }),
    h('span', { class: 'verdict-text' }, h('span', { class: 'verdict-name' }, verdictName(value)), h('span', { class: 'small muted' }, ` ${means}`)), h('kbd', { 'aria-hidden': 'true' }, at + 1)));
  const before = h('div', { 'data-part': 'said' });
  const back = h('button', { type: 'button', class: 'quiet', onclick: () => { void store(null); } }, 'Take back');
  const status = h('p', { class: 'small', role: 'status' });
  const input = (/** @type {string} */ value) => /** @type {HTMLInputElement | null} */ (form.querySelector(`input[value="${value}"]`));
  const form = h('form', { class: 'serve-verdict', 'data-part': 'verdict', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); void submit(true); } },
    h('h3', {}, 'Verdict'), before, h('div', { class: 'verdict-choices', role: 'radiogroup', 'aria-label': 'Verdict' }, radios), note,
    h('p', { class: 'row' }, h('label', { for: 'who' }, 'Your name'), who),
    readOnly ? h('p', { class: 'small muted' }, 'This server is for reading only: nothing can be decided here.') : h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary', 'aria-keyshortcuts': 's' }, 'Save and next ', h('kbd', { 'aria-hidden': 'true' }, 's')), h('button', { type: 'button', onclick: () => { void submit(false); } }, 'Save'), back), status);

  /** @param {boolean} on */
  async function submit(on) {
    const chosen = CHOICES.find(([value]) => input(value)?.checked)?.[0];
    if (chosen === undefined) {
      status.textContent = 'Choose a verdict first.';
      return;
    }
    if (await store(chosen) && on) hooks.next();
  }

  /** @param {ReviewVerdict | null} verdict */
  async function store(verdict) {
    if (cluster === null) return false;
    try {
      await hooks.say({ cluster: cluster.key, verdict, keep: verdict === 'keep' ? hooks.kept() : [], note: note.value.trim(), who: who.value.trim(), documents: named(cluster) });
      status.textContent = verdict === null ? 'Taken back.' : 'Saved for all reviewers.';
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      status.textContent = clean(error.message);
      return false;
    }
  }

  return {
    element: form,
    /** Chooses a verdict by its number. @param {number} at */
    choose(at) {
      const radio = input(CHOICES[at][0]);
      if (radio !== null) radio.checked = true;
    },
    submit,
    /** @param {import('../types.js').ReviewCluster} shown @param {import('../types.js').KeptVerdict | null} said */
    show(shown, said) {
      const other = shown.key !== cluster?.key;
      const number = said?.number ?? 0;
      cluster = shown;
      back.hidden = said === null;
      // what others say elsewhere does not undo what is being chosen here
      if (other || number !== shownNumber) {
        for (const [value] of CHOICES) {
          const radio = input(value);
          if (radio !== null) radio.checked = value === said?.verdict;
        }
      }
      shownNumber = number;
      if (other) {
        note.value = said?.note ?? '';
        status.textContent = '';
      }
      if (said === null || said.verdict === null) put(before, h('p', { class: 'small muted' }, 'Nobody has decided yet.'));
      else {
        const { came, went } = since(said, shown);
        put(before, h('p', { class: 'note' }, h('strong', {}, verdictName(said.verdict)), ` · ${saidBy(said)}`, said.note !== '' && h('span', {}, ' · ', h('q', {}, clean(said.note))),
          came + went > 0 && h('span', { class: 'serve-since' }, ` Since then ${[came > 0 ? `${commas(came)} came` : '', went > 0 ? `${commas(went)} went` : ''].filter((part) => part !== '').join(' and ')}: look again.`)));
      }
    },
  };
}
