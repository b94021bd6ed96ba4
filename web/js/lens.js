// What differs between the lenses: by which number documents are linked, and what that number is called. Shingles link by resemblance, chunks by
// the bytes that two documents have in common, as a share of the smaller.

import { bytes, percent } from './format.js';

/** @typedef {Pick<import('./types.js').Page, 'chunks' | 'report'>} Lens */

/** Whether documents were compared by the chunks of their bytes. @param {Pick<Lens, 'chunks'>} page */
export function byBytes({ chunks }) {
  return chunks !== undefined;
}

/**
 * How alike two documents are, by the number that links them.
 * @template {number | null} R
 * @param {Pick<Lens, 'chunks'>} page @param {R} resemblance @param {number | null} inside @param {number | null} has  shares of either that the other has
 * @returns {R | number}
 */
export function likeness(page, resemblance, inside, has) {
  if (!byBytes(page) || inside === null || has === null) return resemblance;
  return Math.max(inside, has);
}

/** From which share of one inside the other two documents are linked; null if that was not looked for. @param {Lens} page @param {number} threshold */
export function containedFrom(page, threshold) {
  return byBytes(page) ? threshold : page.report.policy.contained;
}

/** Whether so many bytes in common are enough for a link; they always are where they do not count. @param {Lens} page @param {number | null | undefined} common */
export function enough({ report }, common) {
  return (common ?? Infinity) >= (report.policy.min_common ?? 0);
}

/** `12.3 KB in common, 58.0 % of the smaller` @param {number} common @param {number | null} share */
export function inCommon(common, share) {
  return `${bytes(common)} in common${share === null ? '' : `, ${percent(share)} of the smaller`}`;
}

/**
 * The words of a lens.
 * @typedef {object} Terms
 * @property {string} measure    the head of a column
 * @property {string} average    what the mean of a cluster is
 * @property {string} averaged   the same at length
 * @property {string} alike      behind the number of two documents
 * @property {string} like       behind the number of a member
 * @property {string} threshold  what the threshold is
 * @property {string} from       behind the threshold
 * @property {string} text       what documents have
 * @property {string} nothing    where there are no clusters
 */

/** @type {Terms} */
const SHINGLES = {
  measure: 'Resemblance',
  average: 'alike on average',
  averaged: 'Average resemblance of the members to the representative',
  alike: 'alike',
  like: 'like the representative',
  threshold: 'Threshold: least resemblance of a link',
  from: '',
  text: 'text',
  nothing: 'No documents resemble each other at this threshold.',
};

/** @type {Terms} */
const CHUNKS = {
  measure: 'In common',
  average: 'in common on average',
  averaged: 'Average share of the smaller file that a member and the representative have in common',
  alike: 'of the smaller in common',
  like: 'of the smaller in common with the representative',
  threshold: 'Threshold: least share of the smaller file that a link has in common',
  from: 'of the smaller file',
  text: 'content',
  nothing: 'No documents have so much in common.',
};

/** @param {Pick<Lens, 'chunks'>} page */
export function terms(page) {
  return byBytes(page) ? CHUNKS : SHINGLES;
}
