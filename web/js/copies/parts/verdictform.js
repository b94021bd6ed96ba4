// The form in which a reader decides about a pair. Nothing in it moves when something is saved, and the same click twice is one click.

import { h, put } from '../../dom.js';
import { lasting } from '../../storage.js';
import { PAIR_VERDICTS } from '../verdictfile.js';

/** @typedef {import('../verdicts.js').PairVerdict} PairVerdict */

const KEYS = /** @type {PairVerdict[]} */ (Object.keys(PAIR_VERDICTS));

/** @param {import('../start.js').CopiesApp} app @param {() => void} goOn  to the next that is undecided */
export function pairVerdictForm({ verdicts, names }, goOn) {
  /** @type {import('../types.js').Pair | null} */
  let pair = null;
  const boxes = KEYS.map((verdict, at) => h('button', {
    type: 'button', class: `pair-verdict is-${verdict}`, 'data-verdict': verdict, title: `${PAIR_VERDICTS[verdict].means} (key ${at + 1})`, 'aria-keyshortcuts': String(at + 1), onclick: () => choose(verdict),
    // Enter on what is chosen already goes on, as it does everywhere else
    onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Enter' && decided() === verdict) { e.preventDefault(); e.stopPropagation(); if (!e.repeat) goOn(); } },
  }, PAIR_VERDICTS[verdict].name));
  const back = /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: 'quiet pair-verdict-back', title: 'Take the verdict back (key 0)', 'aria-label': 'Take the verdict back', 'aria-keyshortcuts': '0', 'data-action': 'take-back', onclick: takeBack }, '✕'));
  const note = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'pair-verdict-note', rows: 1, placeholder: 'Note', 'aria-label': 'Note on this pair', oninput: write, onkeydown: leaveNote }));
  const next = h('button', { type: 'button', class: 'primary pair-verdict-next', title: 'On to the next undecided pair of the list (Enter)', 'aria-keyshortcuts': 'Enter', 'data-action': 'next', onclick: goOn }, 'Next', h('kbd', { 'aria-hidden': 'true' }, '↵'));
  const status = h('span', { class: 'small muted pair-verdict-status', role: 'status' });
  const element = h('div', { class: 'pair-verdicts no-print', role: 'group', 'aria-label': 'Verdict', 'data-part': 'verdict' }, boxes, back, note, next);

  const decided = () => (pair === null ? '' : verdicts.get(pair)?.verdict ?? '');
  /** With pseudonyms the field shows another text than the note. */
  const written = () => (names.on && pair !== null ? verdicts.get(pair)?.note ?? '' : note.value);

  /** @param {KeyboardEvent} e */
  function leaveNote(e) {
    if (e.key === 'Escape') {
      e.stopPropagation();
      note.blur();
    } else if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      goOn();
    }
  }
  /** @param {PairVerdict} verdict */
  function choose(verdict) {
    if (pair === null) return;
    if (decided() !== verdict) verdicts.set(pair, verdict, written());
    draw();
    say();
  }
  function takeBack() {
    if (pair === null || decided() === '') return;
    verdicts.set(pair, '', written());
    draw();
    put(status, 'Taken back');
  }
  function write() {
    if (pair === null || names.on) return;
    verdicts.set(pair, decided(), note.value);
    say();
  }
  function say() {
    const kept = lasting();
    put(status, kept ? 'Saved' : 'Not kept', h('span', { class: 'visually-hidden' }, kept ? ' in this browser' : ': this browser keeps nothing, export your verdicts'));
    status.title = kept ? 'Saved in this browser' : 'This browser keeps nothing: export your verdicts before you close the page';
    status.classList.toggle('bad', !kept);
  }
  function draw() {
    const verdict = decided();
    boxes.forEach((box, at) => box.setAttribute('aria-pressed', String(KEYS[at] === verdict)));
    back.disabled = verdict === '';
  }
  verdicts.listen(() => { if (element.isConnected) draw(); });
  return {
    element,
    /** What was saved: to be put where its coming and going moves nothing. */
    status,
    /** @param {import('../types.js').Pair | null} shown */
    show(shown) {
      if (pair !== shown) put(status);
      pair = shown;
      element.hidden = shown === null;
      note.readOnly = names.on;
      if (document.activeElement !== note) note.value = shown === null ? '' : names.text(verdicts.get(shown)?.note ?? '');
      draw();
    },
    /** @param {number} at */
    press: (at) => choose(KEYS[at]),
    takeBack,
    focus: () => note.focus(),
  };
}
