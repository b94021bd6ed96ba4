// How the arcs of a timeline are kept apart, and which of them are drawn. No elements here: everything can be tested.

/** @typedef {{ from: number, to: number }} Interval  rows, the first above the last */

/** A lane for each interval: no two in one lane meet. Short ones are near. @param {Interval[]} intervals @returns {number[]} */
export function lanes(intervals) {
  const order = intervals.map((_, at) => at).sort((x, y) => (
    (intervals[x].to - intervals[x].from) - (intervals[y].to - intervals[y].from) || intervals[x].from - intervals[y].from || x - y));
  /** @type {Interval[][]} */
  const taken = [];
  const lane = new Array(intervals.length).fill(0);
  for (const at of order) {
    const { from, to } = intervals[at];
    let free = taken.findIndex((all) => all.every((other) => other.to < from || other.from > to));
    if (free < 0) free = taken.push([]) - 1;
    taken[free].push(intervals[at]);
    lane[at] = free;
  }
  return lane;
}

/**
 * For each row the most similar pair with one above: where it may be from. Of equals the earliest.
 * @template {{ a: number, b: number, similarity: number }} P
 * @param {P[]} pairs @param {Map<number, number>} row  by submission
 * @returns {P[]}  by row of the later
 */
export function likeliest(pairs, row) {
  /** @type {Map<number, P>} */
  const best = new Map();
  const rows = (/** @type {P} */ p) => [row.get(p.a) ?? 0, row.get(p.b) ?? 0];
  for (const pair of pairs) {
    if (!row.has(pair.a) || !row.has(pair.b)) continue;
    const later = Math.max(...rows(pair));
    const other = best.get(later);
    if (other === undefined || pair.similarity > other.similarity || (pair.similarity === other.similarity && Math.min(...rows(pair)) < Math.min(...rows(other)))) best.set(later, pair);
  }
  return [...best].sort(([x], [y]) => x - y).map(([, pair]) => pair);
}
