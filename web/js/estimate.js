// What a sample tells of two documents, and how surely. The twin of crates/core/src/sketch/estimate.rs; tests/twin holds the two against each other.

/** A normal variable is within so many deviations in 95 of 100 cases. */
const Z = 1.959964;

/**
 * The ends of the 95% interval of a share: `hits` of `of` samples. Wilson's, which stays honest near 0 and 1 and for few samples.
 * A sample that is the whole set estimates nothing: then both ends are the share.
 * @param {number} hits @param {number} of @param {boolean} exhaustive
 * @returns {[number, number]}
 */
export function interval(hits, of, exhaustive) {
  if (of === 0) return [0, 1];
  const p = hits / of;
  if (exhaustive) return [p, p];
  const middle = (p + (Z * Z) / (2 * of)) / (1 + (Z * Z) / of);
  const reach = (Z / (1 + (Z * Z) / of)) * Math.sqrt((p * (1 - p)) / of + (Z * Z) / (4 * of * of));
  return [Math.min(p, Math.max(0, middle - reach)), Math.max(p, Math.min(1, middle + reach))];
}

/** Whether samples tell how much of one document is in another: the smallest features of two cannot. @param {string} recipe */
export function tellsContainment(recipe) {
  return !/\|sample=min:/.test(recipe);
}

/** Whether the numbers of a report are estimates with intervals. @param {Pick<import('./types.js').Head, 'shingles'>} report */
export function isEstimate({ shingles }) {
  return shingles?.estimate ?? false;
}
