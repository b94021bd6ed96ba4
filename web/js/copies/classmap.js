// Where every submission of a class stands on one map: clusters beside each other, those that are in none below. No elements here:
// everything can be tested. Nothing is random.

import { UnionFind } from '../cluster.js';
import { disjoint } from '../parts/collide.js';
import { layout } from '../parts/layout.js';
import { coresOf } from './clustercores.js';

/**
 * @typedef {import('../parts/layout.js').Point} Point
 * @typedef {import('./model.js').Cluster} Cluster
 * @typedef {{ members: number[], wish: Point[] }} Island  a cluster, and where its members would like to be
 */

/** More dots than these are a pattern, and no map. */
export const DOTS = 1500;
/** A larger cluster has a page of its own, with its cores. */
export const ISLAND = 400;

/**
 * What of a class is drawn: clusters while there is room for them, the largest first, then those that are in none.
 * @param {Cluster[]} clusters @param {number} size
 */
export function drawnOf(clusters, size) {
  let room = DOTS;
  const [islands, left] = [/** @type {Cluster[]} */ ([]), /** @type {Cluster[]} */ ([])];
  for (const cluster of clusters) {
    const fits = cluster.submissions.length <= Math.min(ISLAND, room);
    (fits ? islands : left).push(cluster);
    if (fits) room -= cluster.submissions.length;
  }
  const connected = new Set(clusters.flatMap((c) => c.submissions));
  const alone = Array.from({ length: size }, (_, at) => at).filter((at) => !connected.has(at));
  return { islands, left, alone, singles: alone.length <= room ? alone : [] };
}

/** A cluster in the parts that lines connect: one, unless the report lists not all of its pairs. @param {Cluster} cluster @returns {Island[]} */
export function islandsOf(cluster) {
  const { submissions, pairs } = cluster;
  const place = new Map(submissions.map((s, at) => [s, at]));
  const ends = pairs.map((p) => [place.get(p.a) ?? 0, place.get(p.b) ?? 0]);
  const parts = new UnionFind(submissions.length);
  for (const [from, to] of ends) parts.join(from, to);
  const bridges = coresOf(cluster)?.bridges;
  return submissions.map((_, at) => at).filter((at) => parts.find(at) === at).map((first) => {
    const inside = submissions.map((_, at) => at).filter((at) => parts.find(at) === first);
    const within = new Map(inside.map((at, i) => [at, i]));
    const links = pairs.flatMap((p, at) => (within.has(ends[at][0]) ? [{ from: within.get(ends[at][0]) ?? 0, to: within.get(ends[at][1]) ?? 0, length: bridges?.has(p) ? 1.7 : 1.2 - 0.5 * p.similarity }] : []));
    return { members: inside.map((at) => submissions[at]), wish: layout(inside.length, links) };
  });
}

/** Pixels for a link, from tight to roomy. */
const [TIGHT, ROOMY] = [10, 130];
const PAD = 12;
/** Columns of the map are so wide, in pixels. */
const COLUMN = 6;

/**
 * The largest map that fits. If none does, the tightest, which is taller.
 * @param {Island[]} islands @param {number[]} singles @param {number} width @param {number} most  height
 * @returns {{ at: Map<number, Point>, height: number, radius: number }}
 */
export function arranged(islands, singles, width, most) {
  let best = packed(islands, singles, width, ROOMY);
  if (best.height <= most) return best;
  best = packed(islands, singles, width, TIGHT);
  let [low, high] = [TIGHT, ROOMY];
  for (let round = 0; round < 6 && best.height <= most; round++) {
    const middle = (low + high) / 2;
    const next = packed(islands, singles, width, middle);
    if (next.height <= most) [low, best] = [middle, next];
    else high = middle;
  }
  return best;
}

/** @param {Island[]} islands @param {number[]} singles @param {number} width @param {number} unit */
function packed(islands, singles, width, unit) {
  const radius = Math.max(3, Math.min(8, unit * 0.24));
  const boxes = islands.map((one) => boxed(one, unit, radius, width));
  // tall ones first: low ones fill what they leave
  const order = boxes.map((_, at) => at).sort((x, y) => boxes[y].height - boxes[x].height || x - y);
  const sky = new Array(Math.max(1, Math.floor(width / COLUMN))).fill(0);
  /** @type {Map<number, Point>} */
  const at = new Map();
  for (const which of order) {
    const { points, width: wide, height } = boxes[which];
    const columns = Math.min(sky.length, Math.ceil(wide / COLUMN));
    let [best, first] = [Infinity, 0];
    for (let from = 0; from + columns <= sky.length; from++) {
      let top = 0;
      for (let c = from; c < from + columns && top < best; c++) top = Math.max(top, sky[c]);
      if (top < best) [best, first] = [top, from];
    }
    for (let c = first; c < first + columns; c++) sky[c] = best + height;
    islands[which].members.forEach((s, i) => at.set(s, { x: first * COLUMN + points[i].x, y: best + points[i].y }));
  }
  // a few clusters stand in the middle, and not at the left
  let used = sky.length;
  while (used > 0 && sky[used - 1] === 0) used--;
  const shift = ((sky.length - used) / 2) * COLUMN;
  for (const point of at.values()) point.x += shift;
  const floor = Math.max(0, ...sky);
  const step = 2 * radius + 4;
  const across = Math.max(1, Math.floor((width - 2 * PAD) / step));
  singles.forEach((s, i) => at.set(s, { x: PAD + step * (0.5 + (i % across)), y: floor + PAD + step * (0.5 + Math.floor(i / across)) }));
  return { at, height: Math.ceil(floor + (singles.length > 0 ? 2 * PAD + step * Math.ceil(singles.length / across) : 0)), radius };
}

/** A cluster in a box of its own. @param {Island} island @param {number} unit @param {number} radius @param {number} width */
function boxed({ members, wish }, unit, radius, width) {
  const extent = (/** @type {Point[]} */ all) => {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const p of all) [left, right, top, bottom] = [Math.min(left, p.x), Math.max(right, p.x), Math.min(top, p.y), Math.max(bottom, p.y)];
    return { left, right, top, bottom };
  };
  const raw = extent(wish);
  const scale = Math.min(unit, (width - 4 * PAD) / Math.max(1e-6, raw.right - raw.left));
  // so much room that all can stand side by side
  const side = Math.sqrt(members.length) * (2 * radius + 3) * 0.75;
  const [x, y] = [((raw.left + raw.right) / 2) * scale, ((raw.top + raw.bottom) / 2) * scale];
  const half = { x: Math.min((width - 4 * PAD) / 2, Math.max(side, ((raw.right - raw.left) / 2) * scale)), y: Math.max(side, ((raw.bottom - raw.top) / 2) * scale) };
  const points = disjoint(wish.map((p) => ({ x: p.x * scale, y: p.y * scale })), members.map(() => radius), 3, { left: x - half.x, right: x + half.x, top: y - half.y, bottom: y + half.y });
  const end = extent(points);
  return { points: points.map((p) => ({ x: p.x - end.left + PAD, y: p.y - end.top + PAD })), width: end.right - end.left + 2 * PAD, height: end.bottom - end.top + 2 * PAD };
}
