// Where the line between a near-duplicate and a mere relative should be: drag it and see what it would do.

import { h } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { lensOf, terms } from '../lens.js';
import { short } from '../recipe.js';
import { amend } from '../route.js';
import { Histogram, whole } from './histogram.js';
import { thresholdStepper } from './thresholdstepper.js';

/** `+4`, `−1,204`, or nothing. @param {number} n @param {(n: number) => string} form */
function change(n, form = commas) {
  return n === 0 ? '' : `${n > 0 ? '+' : '−'}${form(Math.abs(n))}`;
}

/** Why the threshold cannot be moved; nothing if it can. @param {import('../model.js').Model} model */
export function fixedBecause({ page, movable }) {
  if (movable) return '';
  const n = page.left_out.clusters;
  const why = n > 0 ? `${count(n, 'cluster')} ${n === 1 ? 'is' : 'are'} not on this page` : 'There are too many pairs for this page';
  return `${why}, so the threshold cannot be moved here. Scan a part, or use lookalike recluster.`;
}

/**
 * What to say of the pairs that are not drawn.
 * @param {import('../model.js').Model} model
 * @param {number} [below]  pairs that are listed although they are lower than the threshold can go
 * @returns {string | false}
 */
export function unlisted({ page, range: [least], scanned, movable }, below = 0) {
  const { from } = page.pairs;
  if (!movable || from <= 0.005) return below > 0 && `${count(below, 'more pair')} below ${whole(least)} ${below === 1 ? 'is' : 'are'} not drawn.`;
  if (from > scanned + 1e-9) return `Hatched: not all pairs below ${short(from)} are listed, so the line goes from ${short(scanned)} to there at once.`;
  const told = `Hatched: below ${short(from)} pairs were not looked for${below > 0 ? `; the ${commas(below)} that turned up ${below === 1 ? 'is' : 'are'} not drawn` : ''}.`;
  if (!lensOf(page).explores(page.report)) return told;
  return `${told} Scan with --explore ${(Math.floor(from * 10 - 1e-9) / 10 || 0.05).toFixed(2).replace(/0$/, '')} to see further down.`;
}

/** Pairs that no threshold links. @param {import('../model.js').Model} model @param {number} drawn @returns {string | false} */
export function tooLittle({ page }, drawn) {
  const least = page.report.policy.min_shared ?? 0;
  const few = page.pairs.a.length - drawn;
  return lensOf(page).bytes && least > 0 && few > 0 && `${count(few, 'pair')} with less than ${bytes(least)} in common ${few === 1 ? 'is' : 'are'} never linked and not drawn.`;
}

/** @param {import('../main.js').App} app */
export function explorerPart({ model }) {
  const { pairs } = model.page;
  const because = fixedBecause(model);
  const own = model.sums(model.scanned);
  /** @type {[string, keyof import('../model.js').Sums, (n: number) => string][]} */
  const figures = [['Clusters', 'clusters', commas], ['Documents in clusters', 'documents', commas], ['Documents that could go', 'redundant', commas], ['Bytes freed', 'bytes', bytes]];
  const cells = figures.map(([label]) => {
    const [value, delta] = [h('span', { class: 'figure-value number' }), h('span', { class: 'figure-change number' })];
    return { value, delta, element: h('div', { class: 'figure' }, h('dt', {}, label), h('dd', {}, value, delta)) };
  });
  const back = h('button', { type: 'button', class: 'small', onclick: () => amend({ t: null }) }, `Back to ${short(model.scanned)}`);
  const said = terms(model.page);
  const values = model.likenesses();
  const histogram = new Histogram({
    values, label: said.threshold, range: model.range, from: pairs.from, scanned: model.scanned, fixed: because !== '',
    onmove: live,
    onpick: (t) => {
      live(t);
      amend({ t: t === model.scanned ? null : t.toFixed(2) });
    },
  });

  /** @param {number} t */
  function live(t) {
    const sums = model.sums(t);
    figures.forEach(([, key, form], at) => {
      cells[at].value.textContent = form(sums[key]);
      cells[at].delta.textContent = change(sums[key] - own[key], form);
    });
    histogram.say(`${count(sums.clusters, 'cluster')}, ${count(sums.redundant, 'document')} could go, ${bytes(sums.bytes)}`);
    back.hidden = t === model.scanned;
  }

  const least = model.range[0];
  const below = values.reduce((n, value) => n + (value < least - 1e-9 ? 1 : 0), 0);
  const facts = [
    `${count(values.length, 'pair')} of documents with different content. Copies of a document are not paired again.`,
    unlisted(model, below),
    tooLittle(model, values.length),
    pairs.all > pairs.a.length && `${commas(pairs.a.length)} of ${count(pairs.all, 'pair')} are on this page.`,
  ].filter((fact) => fact !== false);
  const explanation = h('p', { class: 'small muted histogram-facts' }, facts.join(' '));
  const scale = h('span', {}, histogram.scale);
  const element = h('section', { class: 'panel explorer', 'data-part': 'explorer', 'aria-labelledby': 'explorer-title' },
    h('div', { class: 'row spread' }, h('h2', { id: 'explorer-title' }, said.pairs), h('div', { class: 'row no-print' }, scale, back)),
    h('p', { class: 'muted explorer-lead' }, values.length > 0 && said.pairsBy, values.length === 0 && pairs.all === 0 ? `No two documents with different content ${said.noPairs}.` : because !== '' ? 'Pairs to the right of the line are linked.' : 'Pairs to the right of the line are linked. Drag the line, or use the arrow keys, to group again.'),
    because !== '' && h('p', { class: 'note small', 'data-part': 'fixed' }, because),
    values.length > 0 && histogram.element,
    h('dl', { class: 'figures', 'data-part': 'figures' }, cells.map((cell) => cell.element)),
    values.length > 0 && explanation);
  return {
    element,
    show() {
      scale.hidden = !histogram.wantsLog && !histogram.log;
      histogram.set(model.threshold);
      live(model.threshold);
    },
  };
}

/** @param {import('../model.js').Model} model */
export function stepper(model) {
  return thresholdStepper(model, { before: 'Linked from', after: terms(model.page).from, fixed: fixedBecause(model) });
}
