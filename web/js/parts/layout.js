// Where the nodes of a graph stand. Nothing is random: the same cluster always looks the same.

import { disjoint } from './collide.js';

/** @typedef {{ from: number, to: number, length: number }} Edge  length: how far apart the two would like to be */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/**
 * Positions whose distances are close to those in the graph (stress majorization): a chain becomes a line, a clique a wheel.
 * Node 0 starts in the middle, the others around it in layers.
 * @param {number} count
 * @param {Edge[]} edges
 * @returns {Point[]}
 */
export function layout(count, edges) {
  if (count === 1) return [{ x: 0, y: 0 }];
  const far = distances(count, edges);
  const points = layers(count, edges);
  const rounds = Math.max(50, Math.min(150, Math.round(6000 / count)));
  for (let round = 0; round < rounds; round++) if (relax(points, far) < 1e-4) break;
  return turned(points);
}

/** Shortest ways between all nodes; what is not linked is a little farther than the farthest. @param {number} n @param {Edge[]} edges */
function distances(n, edges) {
  const far = new Float64Array(n * n).fill(Infinity);
  for (let i = 0; i < n; i++) far[i * n + i] = 0;
  for (const { from, to, length } of edges) {
    far[from * n + to] = Math.min(far[from * n + to], length);
    far[to * n + from] = far[from * n + to];
  }
  for (let via = 0; via < n; via++) {
    for (let i = 0; i < n; i++) {
      const first = far[i * n + via];
      if (first === Infinity) continue;
      for (let j = 0; j < n; j++) {
        const way = first + far[via * n + j];
        if (way < far[i * n + j]) far[i * n + j] = way;
      }
    }
  }
  const most = far.reduce((max, d) => (d !== Infinity && d > max ? d : max), 1);
  return far.map((d) => (d === Infinity ? most + 1 : d));
}

/** A first guess: a tree around node 0, every branch with room for its leaves. @param {number} count @param {Edge[]} edges */
function layers(count, edges) {
  /** @type {number[][]} */
  const next = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    next[from].push(to);
    next[to].push(from);
  }
  const depth = new Array(count).fill(-1);
  /** @type {number[][]} */
  const children = Array.from({ length: count }, () => []);
  const order = [0];
  depth[0] = 0;
  for (let at = 0; at < count; at++) {
    // whoever is linked to nobody hangs on the middle
    const node = order[at] ?? hang(depth, children, order);
    for (const child of next[node].sort((x, y) => x - y)) {
      if (depth[child] >= 0) continue;
      depth[child] = depth[node] + 1;
      children[node].push(child);
      order.push(child);
    }
  }
  const leaves = new Array(count).fill(0);
  for (const node of [...order].reverse()) leaves[node] = Math.max(1, children[node].reduce((sum, c) => sum + leaves[c], 0));
  const start = new Array(count).fill(0);
  const points = Array.from({ length: count }, () => ({ x: 0, y: 0 }));
  for (const node of order) {
    // not quite on a line or a circle: what is perfectly even could not unfold
    const angle = ((start[node] + leaves[node] / 2) / leaves[0]) * 2 * Math.PI + 0.04 * (node % 5);
    const radius = depth[node] * (1 + 0.01 * (node % 7));
    points[node] = { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
    let from = start[node];
    for (const child of children[node]) {
      start[child] = from;
      from += leaves[child];
    }
  }
  return points;
}

/** @param {number[]} depth @param {number[][]} children @param {number[]} order */
function hang(depth, children, order) {
  const node = depth.indexOf(-1);
  depth[node] = 1;
  children[0].push(node);
  order.push(node);
  return node;
}

/** One step: every node goes where the others want it. Returns the longest step. @param {Point[]} points @param {Float64Array} far */
function relax(points, far) {
  const n = points.length;
  let longest = 0;
  for (let i = 0; i < n; i++) {
    let [x, y, weights] = [0, 0, 0];
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const want = far[i * n + j];
      const weight = 1 / (want * want);
      const [dx, dy] = [points[i].x - points[j].x, points[i].y - points[j].y];
      // hypot is careful, and ten times slower
      const stretch = want / Math.max(1e-6, Math.sqrt(dx * dx + dy * dy));
      x += weight * (points[j].x + dx * stretch);
      y += weight * (points[j].y + dy * stretch);
      weights += weight;
    }
    longest = Math.max(longest, Math.hypot(x / weights - points[i].x, y / weights - points[i].y));
    points[i] = { x: x / weights, y: y / weights };
  }
  return longest;
}

/** Turned so that it is as wide as it can be, node 0 to the left, the middle at zero. @param {Point[]} points */
function turned(points) {
  const n = points.length;
  const middle = { x: points.reduce((sum, p) => sum + p.x, 0) / n, y: points.reduce((sum, p) => sum + p.y, 0) / n };
  let [xx, xy, yy] = [0, 0, 0];
  for (const p of points) {
    xx += (p.x - middle.x) ** 2;
    yy += (p.y - middle.y) ** 2;
    xy += (p.x - middle.x) * (p.y - middle.y);
  }
  const angle = -Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const around = points.map((p) => ({ x: (p.x - middle.x) * cos - (p.y - middle.y) * sin, y: (p.x - middle.x) * sin + (p.y - middle.y) * cos }));
  const flip = around[0].x > 1e-9 ? -1 : 1;
  return around.map((p) => ({ x: p.x * flip, y: p.y }));
}

/**
 * The same positions in a box of pixels: not larger than asked for, no node over another.
 * @param {Point[]} points
 * @param {{ width: number, most: number, unit: number, apart: number, padX: number, padY: number, radii?: number[] }} room
 *   most: height; unit: pixels for a length of 1; apart: from one middle to the next, at least, if not the radii say it
 */
export function fit(points, { width, most, unit, apart, padX, padY, radii = points.map(() => apart / 2) }) {
  const extent = (/** @type {Point[]} */ all) => {
    const [xs, ys] = [all.map((p) => p.x), all.map((p) => p.y)];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  };
  const raw = extent(points);
  // what is long and would be squeezed stands upright
  const upright = raw.right - raw.left > 1.6 * (raw.bottom - raw.top) && (raw.right - raw.left) * unit * 0.6 > width - 2 * padX && width < 600;
  const placed = upright ? points.map((p) => ({ x: p.y, y: p.x })) : points;
  const box = extent(placed);
  const [wide, high] = [Math.max(1e-6, box.right - box.left), Math.max(1e-6, box.bottom - box.top)];
  const scale = Math.min(unit, (width - 2 * padX) / wide, (most - 2 * padY) / high);
  const wanted = placed.map((p) => ({ x: (p.x - (box.left + box.right) / 2) * scale, y: (p.y - (box.top + box.bottom) / 2) * scale }));
  const half = { x: Math.max(1, width / 2 - padX), y: Math.max(1, most / 2 - padY) };
  const at = disjoint(wanted, radii, 0, { left: -half.x, right: half.x, top: -half.y, bottom: half.y });
  const end = extent(at);
  const height = Math.round(end.bottom - end.top + 2 * padY);
  const shift = { x: width / 2 - (end.left + end.right) / 2, y: height / 2 - (end.top + end.bottom) / 2 };
  return { points: at.map((p) => ({ x: p.x + shift.x, y: p.y + shift.y })), height };
}

/**
 * Places for labels beside their nodes, none over another label or a node, over as few links as can be; null where there is no room.
 * The first have the choice.
 * @param {Point[]} points
 * @param {number[]} radii
 * @param {number[]} widths
 * @param {{ width: number, height: number, line: number }} box
 * @param {[Point, Point][]} [links]
 * @param {(Box | null)[]} [badges]  what stands at the upper right of a node; not even its own label may cover it
 * @returns {({ x: number, y: number, anchor: 'start' | 'middle' | 'end' } | null)[]}
 */
export function placeLabels(points, radii, widths, { width, height, line }, links = [], badges = []) {
  /** @type {Box[]} */
  const taken = points.map((p, at) => ({ left: p.x - radii[at] - 1, right: p.x + radii[at] + 1, top: p.y - radii[at] - 1, bottom: p.y + radii[at] + 1 }));
  const apart = (/** @type {Box} */ x, /** @type {Box} */ y) => x.left >= y.right || x.right <= y.left || x.top >= y.bottom || x.bottom <= y.top;
  return points.map((p, at) => {
    const [r, w, half] = [radii[at] + 5, widths[at], line / 2];
    // away from the middle first: that is where the links are not
    const [out, back] = p.x < width / 2 - 8 ? [-1, 1] : [1, -1];
    const badge = badges[at] ?? null;
    const start = (/** @type {number} */ side, /** @type {number} */ down) => {
      const x = p.x + side * (down === 0 ? r : r * 0.6);
      return badge === null || side < 0 || down > 0 ? x : Math.max(x, badge.right + 3);
    };
    const beside = (/** @type {number} */ side, /** @type {number} */ down) => (
      { x: start(side, down), y: p.y + down * (r * 0.6 + half), anchor: /** @type {'start' | 'end'} */ (side > 0 ? 'start' : 'end') });
    const over = (/** @type {number} */ down) => ({ x: p.x, y: p.y + down * (r + half), anchor: /** @type {'middle'} */ ('middle') });
    const ways = [beside(out, 0), beside(back, 0), over(1), over(-1), beside(out, 1), beside(out, -1), beside(back, 1), beside(back, -1)];
    let best = null;
    let least = Infinity;
    for (const { x, y, anchor } of ways) {
      const left = anchor === 'start' ? x : anchor === 'end' ? x - w : x - w / 2;
      const rect = { left, right: left + w, top: y - half, bottom: y + half };
      const inside = rect.left >= 2 && rect.right <= width - 2 && rect.top >= 0 && rect.bottom <= height;
      const free = taken.every((t, owner) => owner === at || apart(t, rect)) && badges.every((b) => b === null || apart(b, rect));
      if (!inside || !free) continue;
      const crossed = links.reduce((sum, [q, z]) => sum + (crosses(q, z, rect) ? 1 : 0), 0);
      if (crossed >= least) continue;
      least = crossed;
      best = { x, y, anchor, rect };
      if (crossed === 0) break;
    }
    if (best === null) return null;
    taken.push(best.rect);
    return { x: best.x, y: best.y, anchor: best.anchor };
  });
}

/** Whether a line goes through a rectangle. @param {Point} p @param {Point} q @param {Box} rect */
function crosses(p, q, rect) {
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [[p.x, q.x - p.x, rect.left, rect.right], [p.y, q.y - p.y, rect.top, rect.bottom]]) {
    if (Math.abs(delta) < 1e-9) {
      if (start < low || start > high) return false;
      continue;
    }
    const [one, two] = [(low - start) / delta, (high - start) / delta];
    from = Math.max(from, Math.min(one, two));
    to = Math.min(to, Math.max(one, two));
  }
  return from < to;
}
