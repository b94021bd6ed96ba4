// The slider that says from how many tokens on a passage draws the eye. What the reader chose is kept, for code and for prose apart.

import { h, put } from '../../dom.js';
import { commas } from '../../format.js';
import { load, save } from '../../storage.js';
import { STEPS, commonFrom, faded, usualFrom } from '../fading.js';

/** @param {import('../model.js').CopiesModel} model @param {() => void} changed */
export function passageFader(model, changed) {
  /** @type {import('../types.js').Pair | null} */
  let pair = null;
  let numbers = /** @type {Set<number>} */ (new Set());
  const slider = /** @type {HTMLInputElement} */ (h('input', { type: 'range', min: 0, max: STEPS.length - 1, step: 1, 'data-action': 'fade', oninput: slide }));
  const said = h('output', { class: 'number' });
  const element = h('label', { class: 'pair-fader' }, 'From', slider, said);
  const language = () => (pair === null ? 'text' : model.submissions[pair.a].files[pair.passages[0]?.a.file ?? 0]?.language ?? 'text');
  const key = () => (usualFrom(language()) === 0 ? 'fade:prose' : 'fade:code');

  function slide() {
    save(key(), STEPS[Number(slider.value)]);
    draw();
    changed();
  }
  function draw() {
    const asked = Number(load(key(), usualFrom(language())));
    const at = Math.max(0, STEPS.filter((step) => step <= asked).length - 1);
    const many = model.submissions.length;
    slider.value = String(at);
    numbers = faded(pair?.passages ?? [], STEPS[at], many);
    const told = STEPS[at] === 0 ? 'all' : `${commas(STEPS[at])} tokens`;
    put(said, told, numbers.size > 0 && h('span', { class: 'muted' }, ` · ${commas(numbers.size)} faded`));
    slider.setAttribute('aria-label', 'Passages from so many tokens on stand out');
    slider.setAttribute('aria-valuetext', `${told}, ${commas(numbers.size)} faded`);
    element.title = `Shorter passages fade, and so do those that more than ${commas(Math.floor(commonFrom(many)))} submissions have; steps go past them. The longest always stays.`;
  }
  return {
    element,
    /** Numbers of the passages that fade. */
    get numbers() { return numbers; },
    /** @param {import('../types.js').Pair | null} next */
    show(next) {
      pair = next;
      draw();
    },
  };
}
