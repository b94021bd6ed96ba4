// The form in which a reader decides about a pair.

import { h, put } from '../../dom.js';
import { lasting } from '../../storage.js';
import { COPY_VERDICTS } from '../verdicts.js';

/** @typedef {import('../verdicts.js').CopyVerdict} CopyVerdict */

const KEYS = /** @type {CopyVerdict[]} */ (Object.keys(COPY_VERDICTS));

/** @param {import('../start.js').CopiesApp} app */
export function judgeForm({ verdicts, names }) {
  /** @type {import('../types.js').Pair | null} */
  let pair = null;
  const boxes = KEYS.map((verdict, at) => {
    const button = h('button', { type: 'button', class: `judge is-${verdict}`, 'data-verdict': verdict, title: `${COPY_VERDICTS[verdict].means} (key ${at + 1})`, 'aria-keyshortcuts': String(at + 1), onclick: () => choose(verdict) }, COPY_VERDICTS[verdict].name);
    return button;
  });
  const note = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'judge-note', rows: 1, placeholder: 'Note', 'aria-label': 'Note on this pair', oninput: write, onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Escape') { e.stopPropagation(); note.blur(); } } }));
  const status = h('span', { class: 'small muted judge-status', role: 'status' });
  const element = h('div', { class: 'judges no-print', role: 'group', 'aria-label': 'Verdict', 'data-part': 'judge' }, boxes, note, status);

  /** With pseudonyms the field shows another text than the note. */
  const written = () => (names.on && pair !== null ? verdicts.get(pair)?.note ?? '' : note.value);

  /** The verdict again takes it back. @param {CopyVerdict} verdict */
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
