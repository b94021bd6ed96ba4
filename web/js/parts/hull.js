// The line around some points.

/** @typedef {import('./layout.js').Point} Point */

/** The convex hull, around the points from the leftmost on. @param {Point[]} points @returns {Point[]} */
export function hull(points) {
  const sorted = [...points].sort((p, q) => p.x - q.x || p.y - q.y);
  if (sorted.length < 3) return sorted;
  const half = (/** @type {Point[]} */ all) => {
    /** @type {Point[]} */
    const line = [];
    for (const p of all) {
      while (line.length > 1 && turn(line[line.length - 2], line[line.length - 1], p) <= 0) line.pop();
      line.push(p);
    }
    return line.slice(0, -1);
  };
  const around = [...half(sorted), ...half([...sorted].reverse())];
  return around.length === 0 ? [sorted[0]] : around;
}

/** Above zero where the way from p over q to r turns to one side, below where to the other. @param {Point} p @param {Point} q @param {Point} r */
function turn(p, q, r) {
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}
