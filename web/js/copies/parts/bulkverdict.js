// One verdict for many pairs at once: those of a cluster, or all that are identical. Only what is undecided gets it, and it can be taken back.

import { h, put } from '../../dom.js';
import { commas, count } from '../../format.js';
import { PAIR_VERDICTS } from '../verdictfile.js';

/** @typedef {import('../types.js').Pair} Pair */

/**
 * @param {import('../start.js').CopiesApp} app
 * @param {{ pairs: () => Pair[], lead: (open: number, all: number) => string, verdicts: import('../verdicts.js').PairVerdict[] }} options  which, what is said of them, and what they may get
 */
export function bulkVerdict({ verdicts }, { pairs, lead, verdicts: offered }) {
  /** @type {{ undo: import('../verdicts.js').Undo, text: string } | null} */
  let done = null;
  const said = h('p', { class: 'bulk-lead' });
  const buttons = offered.map((verdict) => /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: `pair-verdict is-${verdict}`, 'data-bulk': verdict, onclick: () => give(verdict) })));
  const outcome = h('p', { class: 'small bulk-outcome', role: 'status' });
  const element = h('div', { class: 'bulk no-print', 'data-part': 'bulk' }, said, h('div', { class: 'row' }, buttons), outcome);
  const open = () => pairs().filter((pair) => verdicts.open(pair));

  /** @param {import('../verdicts.js').PairVerdict} verdict */
  function give(verdict) {
    const waiting = open();
    if (waiting.length === 0) return;
    done = { undo: verdicts.setAll(waiting, verdict), text: `${PAIR_VERDICTS[verdict].name}: ${count(waiting.length, 'pair')} at once. ` };
    draw();
    outcome.querySelector('button')?.focus();
  }
  function undo() {
    if (done === null) return;
    const { undo: back } = done;
    done = null;
    verdicts.undo(back);
    draw();
  }
  function draw() {
    const [waiting, all] = [open().length, pairs().length];
    put(said, lead(waiting, all));
    buttons.forEach((button, at) => {
      button.disabled = waiting === 0;
      put(button, PAIR_VERDICTS[offered[at]].name, waiting > 1 && `: all ${commas(waiting)}`);
    });
    put(outcome, done !== null && [done.text, h('button', { type: 'button', class: 'quiet small', onclick: undo }, 'Undo')]);
  }
  verdicts.listen(() => { if (element.isConnected) draw(); });
  return {
    element,
    draw,
    /** Forgets what could be taken back: another set is shown. */
    reset() {
      done = null;
      draw();
    },
  };
}
