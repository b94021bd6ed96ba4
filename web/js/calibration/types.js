// What the page of `calibrate` carries; made by crates/report/src/html/calibration.rs.

/**
 * A share with its 95% interval.
 * @typedef {{ value: number, low: number, high: number }} Estimate
 *
 * @typedef {'same' | 'different' | 'unsure'} Judgement
 *
 * @typedef {object} ThresholdEstimate
 * @property {number} threshold
 * @property {number} pairs          at or above it
 * @property {Estimate | null} precision
 * @property {Estimate | null} recall
 * @property {number | null} removed documents that would go; only of the recipe that was scanned with
 *
 * @typedef {object} MeasureEstimates
 * @property {'resemblance' | 'containment'} kind
 * @property {number} w              words of a shingle
 * @property {boolean} is_complete   every pair at or above its thresholds was looked at
 * @property {ThresholdEstimate[]} thresholds
 * @property {number | null} suggested
 *
 * @typedef {object} Stratum
 * @property {number} from
 * @property {number} to
 * @property {number} pairs
 * @property {number} sampled
 * @property {number} same
 * @property {number} different
 * @property {Estimate | null} share  of the same
 *
 * @typedef {{ id: string, content: string, bytes: number }} PairDocument
 *
 * @typedef {object} SampledPair
 * @property {PairDocument} a
 * @property {PairDocument} b
 * @property {number} stratum
 * @property {(number | null)[]} scores  by measure
 * @property {number | null} aligned     share of the longer's words that stand in the other in the same order
 * @property {Judgement | null} judgement  by whoever judged
 *
 * @typedef {{ outcome: 'threshold', threshold: number } | { outcome: 'too_few_pairs', nearest: number } | { outcome: 'not_reached', best: number } | { outcome: 'no_pairs' }} Suggestion
 *
 * @typedef {object} Calibration
 * @property {string} recipe
 * @property {number} documents
 * @property {number} identical
 * @property {number} explored
 * @property {number} pairs
 * @property {'people' | 'alignment'} judged_by
 * @property {{ same: number, different: number, unsure: number, unjudged: number, of_other_pairs: number, agree_with_alignment: number }} judgements
 * @property {Stratum[]} strata
 * @property {MeasureEstimates[]} measures  that of the recipe first
 * @property {number} precision      that was asked for
 * @property {Suggestion} suggestion
 * @property {SampledPair[]} sample
 *
 * @typedef {object} CalibrationPage
 * @property {'calibration'} kind
 * @property {string} name           of the recipe and the inputs: judgements are stored under it
 * @property {string} lookalike
 * @property {number} made           seconds since 1970
 * @property {string[]} inputs
 * @property {string} command        that makes this page again
 * @property {string | null} dedup   the command that takes the suggested threshold
 * @property {Calibration} calibration
 * @property {Record<string, number>} contents  content ids, and where their texts are
 * @property {import('../types.js').TextPlaces} texts
 */

export {};
