// The form in which a reader decides about a pair.

import { h, put } from '../../dom.js';
import { lasting } from '../../storage.js';
import { PAIR_VERDICTS } from '../verdicts.js';

/** @typedef {import('../verdicts.js').PairVerdict} PairVerdict */

const KEYS = /** @type {PairVerdict[]} */ (Object.keys(PAIR_VERDICTS));

/** @param {import('../start.js').CopiesApp} app */
export function pairVerdictForm({ verdicts, names }) {
  /** @type {import('../types.js').Pair | null} */
  let pair = null;
  const boxes = KEYS.map((verdict, at) => {
    const button = h('button', { type: 'button', class: `pair-verdict is-${verdict}`, 'data-verdict': verdict, title: `${PAIR_VERDICTS[verdict].means} (key ${at + 1})`, 'aria-keyshortcuts': String(at + 1), onclick: () => choose(verdict) }, PAIR_VERDICTS[verdict].name);
    return button;
  });
  const note = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'pair-verdict-note', rows: 1, placeholder: 'Note', 'aria-label': 'Note on this pair', oninput: write, onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Escape') { e.stopPropagation(); note.blur(); } } }));
  const status = h('span', { class: 'small muted pair-verdict-status', role: 'status' });
  const element = h('div', { class: 'pair-verdicts no-print', role: 'group', 'aria-label': 'Verdict', 'data-part': 'verdict' }, boxes, note, status);

  /** With pseudonyms the field shows another text than the note. */
  const written = () => (names.on && pair !== null ? verdicts.get(pair)?.note ?? '' : note.value);

  /** The verdict again takes it back. @param {PairVerdict} verdict */
  function choose(verdict) {
    if (pair === null) return;
    verdicts.set(pair, verdicts.get(pair)?.verdict === verdict ? '' : verdict, written());
    draw();
    say();
  }
  function write() {
    if (pair === null || names.on) return;
    verdicts.set(pair, verdicts.get(pair)?.verdict ?? '', note.value);
    say();
  }
  function say() {
    put(status, lasting() ? 'Saved in this browser' : 'This browser keeps nothing: export your verdicts');
  }
  function draw() {
    const verdict = pair === null ? '' : verdicts.get(pair)?.verdict ?? '';
    boxes.forEach((box, at) => box.setAttribute('aria-pressed', String(KEYS[at] === verdict)));
  }
  verdicts.listen(() => { if (element.isConnected) draw(); });
  return {
    element,
    /** @param {import('../types.js').Pair | null} next */
    show(next) {
      if (pair !== next) put(status);
      pair = next;
      element.hidden = next === null;
      note.readOnly = names.on;
      if (document.activeElement !== note) note.value = next === null ? '' : names.text(verdicts.get(next)?.note ?? '');
      draw();
    },
    /** @param {number} at */
    press: (at) => choose(KEYS[at]),
    focus: () => note.focus(),
  };
}
