// How a calibration is told.

import { percent } from '../format.js';

/** A threshold as it is typed. @param {number} share */
export function thresholdName(share) {
  return share.toFixed(2);
}

/** `97.3%`, or a dash. @param {import('./types.js').Estimate | null} estimate */
export function value(estimate) {
  return percent(estimate?.value);
}

/** `95.1 to 98.8`; nothing, if nothing is known; and no range, if every pair was judged. @param {import('./types.js').Estimate | null} estimate */
export function range(estimate) {
  if (estimate === null) return '';
  if (estimate.low === estimate.high) return 'exact';
  const bare = (/** @type {number} */ share) => percent(share).slice(0, -1);
  return `${bare(estimate.low)} to ${bare(estimate.high)}`;
}

/** @param {import('./types.js').MeasureEstimates} measure */
export function measureName({ kind, w }) {
  return `${kind === 'containment' ? 'Containment' : 'Resemblance'}, ${w} ${w === 1 ? 'word' : 'words'}`;
}

/** Who judged. @param {import('./types.js').Calibration} calibration */
export function judgeName({ judged_by: judge }) {
  return judge === 'people' ? 'judged by people' : 'judged by alignment, not by people';
}

/** Which threshold to take, in a sentence or two. @param {import('./types.js').Calibration} calibration @returns {[string, string]} the answer and the reasons */
export function suggestionText(calibration) {
  const { suggestion, measures, precision, explored } = calibration;
  const asked = percent(precision).replace('.0%', '%');
  const row = (/** @type {number} */ threshold) => measures[0].thresholds.find((r) => Math.abs(r.threshold - threshold) < 1e-9);
  switch (suggestion.outcome) {
    case 'threshold': {
      const found = row(suggestion.threshold);
      const recall = found?.recall ?? null;
      return [`Take threshold ${thresholdName(suggestion.threshold)}`,
        `It is the lowest at which at least ${asked} of the linked pairs are the same, for all that the sample can tell (${judgeName(calibration)}).`
        + (recall === null ? '' : ` It finds ${percent(recall.value)} of the pairs from ${thresholdName(explored)} on that are the same.`)];
    }
    case 'too_few_pairs': {
      const low = row(suggestion.nearest)?.precision?.low;
      return ['No threshold can be suggested yet',
        `Too few pairs were judged to tell which has a precision of ${asked}.` + (low === undefined ? '' : ` Nearest is ${thresholdName(suggestion.nearest)}, of which ${percent(low)} is certain.`)];
    }
    case 'not_reached':
      return [`No threshold has a precision of ${asked}`, `The best is ${value(row(suggestion.best)?.precision ?? null)}, at ${thresholdName(suggestion.best)} (${judgeName(calibration)}).`];
    default:
      return ['There is nothing to judge', 'No pair of a threshold was judged.'];
  }
}
