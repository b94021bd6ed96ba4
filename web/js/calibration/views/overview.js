// What each threshold would do, and which to take.

import { clean, h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { address } from '../../route.js';
import { curve } from '../parts/curve.js';
import { judgeName, measureName, range, suggestionText, thresholdName, value } from '../words.js';

/** @param {import('../start.js').CalibrationApp} app @returns {import('../../shell.js').View} */
export function overviewOf({ page, judgements }) {
  const { calibration, dedup } = page;
  const { measures, strata } = calibration;
  const [answer, reasons] = suggestionText(calibration);
  const figure = h('div');
  const table = h('div', { class: 'calibration-scroll' });
  const select = /** @type {HTMLSelectElement} */ (h('select', { 'data-part': 'measure', onchange: () => draw() }, measures.map((measure, at) => h('option', { value: at }, `${measureName(measure)}${at === 0 ? ' (as scanned)' : ''}`))));
  const flatters = h('p', { class: 'note', 'data-part': 'incomplete' });
  function draw() {
    const measure = measures[Number(select.value)] ?? measures[0];
    put(figure, curve(measure, calibration.precision));
    put(table, thresholdTable(measure));
    flatters.hidden = measure.is_complete;
    put(flatters, `This also links pairs below ${thresholdName(calibration.explored)} by ${measures[0].w} words, which were not looked at: its precision may be lower than shown.`);
  }
  draw();
  const progress = h('span', { class: 'muted' });
  return {
    title: 'Calibration',
    element: h('div', { class: 'calibration', 'data-part': 'calibration' },
      h('section', { class: 'panel', 'data-part': 'suggestion' },
        h('h1', {}, answer), h('p', {}, reasons),
        dedup !== null && h('pre', { class: 'review-command' }, clean(dedup)),
        h('p', {}, judgedText(calibration)),
        h('p', { class: 'row' }, h('a', { class: 'button review-go', href: address(['judge']) }, 'Judge the pairs'), progress)),
      h('section', { class: 'panel' }, h('div', { class: 'row spread' }, h('h2', {}, 'Thresholds'), h('label', {}, 'Recipe ', select)), flatters, figure, table),
      h('section', { class: 'panel' }, h('h2', {}, 'The sample'),
        h('p', {}, `${count(calibration.pairs, 'pair')} of ${count(calibration.documents, 'document')} resemble each other by ${thresholdName(calibration.explored)} or more; ${commas(calibration.sample.length)} were drawn. A pair that was drawn stands for all of its row.`
          + (calibration.identical > 0 ? ` ${count(calibration.identical, 'document')} with the same words or shingles as another: in no pair.` : '')),
        h('div', { class: 'calibration-scroll' }, strataTable(strata)))),
    show() {
      const { open } = judgements.counts();
      const all = calibration.sample.length;
      put(progress, all === 0 ? '' : `${commas(all - open)} of ${commas(all)} judged on this page`);
    },
  };
}

/** @param {import('../types.js').Calibration} calibration */
function judgedText(calibration) {
  const { judgements: { same, different, unsure, unjudged, of_other_pairs: others, agree_with_alignment: agree }, judged_by: judge, sample } = calibration;
  if (judge === 'alignment') {
    return `All numbers here are ${judgeName(calibration)}: two documents count as the same if 80% of the words of the longer stand in the other in the same order. ${commas(same)} of ${commas(sample.length)} pairs are, ${commas(different)} are not${unsure > 0 ? `, ${commas(unsure)} could not be told` : ''}.`;
  }
  return `${commas(same + different)} of ${commas(sample.length)} pairs were ${judgeName(calibration)}: ${commas(same)} the same, ${commas(different)} different${unsure > 0 ? `, ${commas(unsure)} unsure` : ''}${unjudged > 0 ? `, ${commas(unjudged)} not judged` : ''}. Alignment of words judges ${commas(agree)} of them as people do.${others > 0 ? ` ${count(others, 'judgement')} of pairs that were not drawn.` : ''}`;
}

/** @param {string} text */
const number = (text) => h('td', { class: 'number' }, text);
/** @param {string} text */
const head = (text) => h('th', { class: 'number', scope: 'col' }, text);

/** @param {import('../types.js').MeasureEstimates} measure */
function thresholdTable({ thresholds, suggested }) {
  return h('table', { 'data-part': 'thresholds' },
    h('thead', {}, h('tr', {}, head('threshold'), head('pairs'), head('documents removed'), head('precision'), head('95%'), head('recall'), head('95%'))),
    h('tbody', {}, thresholds.map((row) => h('tr', { class: row.threshold === suggested ? 'calibration-suggested' : null },
      number(thresholdName(row.threshold)), number(commas(row.pairs)), number(row.removed === null ? '–' : commas(row.removed)),
      number(value(row.precision)), number(range(row.precision)), number(value(row.recall)), number(range(row.recall))))));
}

/** @param {import('../types.js').Stratum[]} strata */
function strataTable(strata) {
  return h('table', { 'data-part': 'strata' },
    h('thead', {}, h('tr', {}, head('resemblance'), head('pairs'), head('drawn'), head('the same'), head('different'), head('share of the same'), head('95%'))),
    h('tbody', {}, strata.map((row) => h('tr', {},
      number(`${thresholdName(row.from)} to ${thresholdName(row.to)}`), number(commas(row.pairs)), number(commas(row.sampled)), number(commas(row.same)), number(commas(row.different)),
      number(row.share === null ? '–' : percent(row.share.value)), number(range(row.share))))));
}
