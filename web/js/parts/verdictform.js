// The form in which a reader decides about a cluster.

import { verdictName } from '../decisions.js';
import { h, put, clean } from '../dom.js';
import { commas } from '../format.js';
import { losesNothing } from '../keep.js';
import { terms } from '../lens.js';
import { lasting } from '../storage.js';
import { keepBox } from './keepbox.js';
import { nameList, shortName } from './members.js';
import { earlierNote } from './earliernote.js';

/** @typedef {import('../types.js').Verdict} Verdict */

/** What each verdict means, and what `scan --decisions` does with it; of a template the lens tells. @type {{ verdict: Verdict, means: string, rescan: string }[]} */
const CHOICES = [
  { verdict: 'keep', means: 'Keep the ticked ones, the others can go', rescan: 'shown as decided, with what you keep' },
  { verdict: 'not-duplicates', means: 'All of them are needed', rescan: 'not reported again' },
  { verdict: 'template', means: 'They share boilerplate only', rescan: '' },
  { verdict: 'later', means: 'Not sure yet', rescan: 'still undecided, with your note' },
];

/**
 * @param {import('../main.js').App} app
 * @param {{ kept: (keep: Set<number>, suggestion: number, decided: Set<number>) => void, go: (cluster: import('../model.js').Cluster | null) => void }} hooks
 *   what is ticked has changed, beside what was saved; go to a cluster, or on to the next that is undecided
 */
export function verdictForm(app, hooks) {
  const { verdicts, model } = app;
  /** @type {import('../model.js').Cluster | null} */
  let cluster = null;
  /** @type {Verdict | null} */
  let verdict = null;
  // whether it is the reader's: what is suggested follows the suggestion
  let chosen = false;
  let keep = /** @type {Set<number>} */ (new Set());
  let suggestion = -1;
  // whether the ticks are the suggestion's: then they follow it
  let follows = true;
  /** @type {{ cluster: import('../model.js').Cluster, change: import('../verdicts.js').Change, text: string }[]} what was done, the last at the end */
  const done = [];

  const box = keepBox(app, {
    suggested(document) {
      suggestion = document;
      if (follows) keep = new Set([document]);
      // where text would be lost nobody should save without having looked
      if (!chosen) verdict = cluster !== null && losesNothing(model, cluster, document) ? 'keep' : null;
      refresh();
    },
    take(document) {
      keep = new Set([document]);
      follows = true;
      choose('keep');
    },
  });
  const radios = CHOICES.map(({ verdict: value, means }, at) => {
    const input = h('input', { type: 'radio', name: 'verdict', value, onchange: () => choose(value) });
    return h('label', { class: 'verdict-choice', 'data-verdict': value }, input,
      h('span', { class: 'verdict-text' }, h('span', { class: 'verdict-name' }, verdictName(value)), h('span', { class: 'small muted' }, ` ${means}`)), h('kbd', { 'aria-hidden': 'true' }, at + 1));
  });
  const kept = h('div', { class: 'verdict-kept small', 'aria-live': 'polite' });
  const note = /** @type {HTMLInputElement} */ (h('input', { type: 'text', class: 'verdict-note', placeholder: 'Note (optional)', 'aria-label': 'Note', 'aria-keyshortcuts': 'n', maxlength: 1000, autocomplete: 'off' }));
  note.addEventListener('keydown', (event) => { if (event.key === 'Escape') note.blur(); });
  const paperNote = h('p', { class: 'paper-only' });
  const paper = h('p', { class: 'paper-only verdict-paper' });
  const before = earlierNote(model, again);
  const problem = h('p', { class: 'verdict-problem', role: 'alert' });
  const next = h('button', { class: 'primary', type: 'submit', 'aria-keyshortcuts': 's' }, 'Save and next ', h('kbd', { 'aria-hidden': 'true' }, 's'));
  const only = h('button', { type: 'button', onclick: () => store() }, 'Save');
  const back = h('button', { type: 'button', class: 'quiet', onclick: takeBack }, 'Take back');
  const hint = h('p', { class: 'verdict-hint small muted' }, `None is preset here: ${terms(model.page).text} could be lost.`);
  const status = h('p', { class: 'verdict-status small', role: 'status' });
  const state = h('span', { class: 'verdict-state' });
  const form = h('form', { class: 'verdict-form', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); saveAndNext(); } },
    h('div', { class: 'row spread verdict-head' }, h('h2', {}, 'Your verdict'), state), before.element, paper,
    h('div', { class: 'verdict-choices', role: 'radiogroup', 'aria-label': 'Verdict' }, radios[0],
      h('div', { class: 'verdict-keep' }, box.element, kept, box.warning), radios.slice(1)),
    note, paperNote, problem, h('div', { class: 'verdict-foot' }, hint, h('div', { class: 'row verdict-actions' }, next, only, back), status),
    h('details', { class: 'verdict-rescan small' }, h('summary', {}, 'What a rescan does with it'),
      h('p', { class: 'muted' }, 'With ', h('code', {}, 'lookalike scan --decisions'), ' a cluster is, as long as no document is new or changed:'),
      h('dl', {}, CHOICES.map(({ verdict: value, rescan }) => [h('dt', {}, verdictName(value)), h('dd', {}, value === 'template' ? terms(model.page).template : rescan)]).flat())));
  const element = h('section', { class: 'panel verdict', 'data-part': 'verdict', 'aria-label': 'Verdict' }, form);

  // a key that is held down would decide one cluster after the other
  form.addEventListener('keydown', (event) => { if (event.key === 'Enter' && event.repeat) event.preventDefault(); });

  /** @param {Verdict} value */
  function choose(value) {
    verdict = value;
    chosen = true;
    refresh();
  }

  /** Fills the form with what was decided before. @param {import('../earlierdecision.js').Earlier} earlier */
  function again(earlier) {
    if (earlier.verdict === 'keep') {
      keep = new Set(earlier.keep);
      follows = false;
    }
    note.value = earlier.note;
    choose(earlier.verdict);
  }

  function refresh() {
    for (const label of radios) {
      const on = label.dataset.verdict === verdict;
      /** @type {HTMLInputElement} */ (label.firstElementChild).checked = on;
      label.classList.toggle('on', on);
    }
    const keeps = verdict === 'keep';
    element.classList.toggle('keeps', keeps || verdict === null);
    put(problem);
    const total = cluster?.documents.length ?? 0;
    kept.hidden = !keeps || (keep.size === 1 && keep.has(suggestion));
    put(kept, keep.size === 0 ? 'Tick at least one document to keep.' : h('span', {}, h('strong', {}, `Keeps ${commas(keep.size)} of ${commas(total)}: `), nameList(model, cluster, [...keep], 5)));
    if (keeps || verdict === null) box.weigh(keep, keeps);
    const decided = cluster === null ? undefined : verdicts.get(cluster);
    const saved = decided?.verdict === 'keep' ? decided.keep : [];
    hooks.kept(keeps ? keep : new Set(), suggestion, new Set(saved));
    back.hidden = decided === undefined;
    hint.hidden = verdict !== null;
    for (const button of [next, only]) button.setAttribute('aria-disabled', String(verdict === null));
    before.show(cluster, cluster === null ? undefined : verdicts.earlier(cluster));
    put(state, decided === undefined ? h('span', { class: 'chip later' }, 'undecided') : h('span', { class: `chip ${decided.verdict}` }, decided.verdict === 'later' ? 'later' : `decided: ${verdictName(decided.verdict).toLowerCase()}`));
    element.classList.toggle('decided', decided !== undefined);
    put(paper, saved.length > 0 && ['Kept: ', ...nameList(model, cluster, saved, 50), '.']);
    put(paperNote, decided !== undefined && decided.note !== '' && `Note: ${clean(decided.note)}`);
    const last = done[done.length - 1];
    put(status, last && [`${last.text} `, h('button', { type: 'button', class: 'quiet', onclick: undo }, 'Undo', h('kbd', { 'aria-hidden': 'true' }, 'u'))],
      !lasting() && h('span', { class: 'verdict-problem' }, ' This browser does not keep it: export your decisions before you close the page.'));
  }

  /** @returns {boolean} whether it was saved */
  function store() {
    if (cluster === null) return false;
    if (verdict === null) {
      put(problem, 'Choose a verdict first: click one, or press 1 to 4.');
      return false;
    }
    if (verdict === 'keep' && keep.size === 0) {
      put(problem, 'Tick at least one document to keep, or choose another verdict.');
      return false;
    }
    const change = verdicts.set(cluster, { verdict, keep: verdict === 'keep' ? [...keep].sort((x, y) => x - y) : [], note: note.value.trim() });
    did(cluster, change, `Saved “${verdictName(verdict)}” for ${short(cluster)}.`);
    refresh();
    return true;
  }

  /** @param {import('../model.js').Cluster} of @param {import('../verdicts.js').Change} change @param {string} text */
  function did(of, change, text) {
    done.push({ cluster: of, change, text });
    if (done.length > 200) done.shift();
  }

  function saveAndNext() {
    if (store()) hooks.go(null);
  }

  function takeBack() {
    if (cluster === null) return;
    did(cluster, verdicts.clear(cluster), `Took back the verdict for ${short(cluster)}.`);
    reset();
  }

  function undo() {
    const last = done.pop();
    if (last === undefined) return;
    verdicts.undo(last.change);
    // after another threshold it may be the same cluster, made anew: its address would not change
    if (last.cluster.representative === cluster?.representative) reset();
    else {
      cluster = null;
      hooks.go(last.cluster);
    }
  }

  /** @param {import('../model.js').Cluster} of */
  function short(of) {
    return shortName(model, of.representative).textContent ?? '';
  }

  /** Fills the form with what was decided, or with the suggestion. */
  function reset() {
    if (cluster === null) return;
    const decided = verdicts.get(cluster);
    const here = new Set(cluster.documents);
    // the suggestion chooses where nothing was decided
    [verdict, chosen] = [decided?.verdict ?? null, decided !== undefined];
    follows = decided === undefined || decided.verdict !== 'keep';
    keep = new Set(follows ? [] : decided?.keep.filter((d) => here.has(d)));
    note.value = decided?.note ?? '';
    box.show(cluster);
  }

  verdicts.listen(() => { if (element.isConnected) refresh(); });

  return {
    element,
    /** @param {import('../model.js').Cluster} of */
    show(of) {
      // what the reader has begun stays as long as it is the same cluster
      if (of === cluster) return refresh();
      cluster = of;
      return reset();
    },
    /** @param {number} document @param {boolean} on */
    tick(document, on) {
      follows = false;
      // under another verdict nothing is ticked
      keep = new Set(verdict === 'keep' ? keep : []);
      if (on) keep.add(document);
      else keep.delete(document);
      choose('keep');
    },
    /** @param {string} key @returns {boolean} whether it was a key of the form */
    press(key) {
      const at = Number(key);
      if (at >= 1 && at <= CHOICES.length) choose(CHOICES[at - 1].verdict);
      else if (key === 's') saveAndNext();
      // what is only suggested is not decided by a key that is pressed everywhere
      else if (key === 'Enter' && chosen) saveAndNext();
      else if (key === 'n') note.focus();
      else if (key === 'u' && done.length > 0) undo();
      else return false;
      return true;
    },
  };
}
