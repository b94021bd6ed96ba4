// Dots that do not cover each other. Nothing is random: the same dots always end in the same places.

/** @typedef {import('./layout.js').Point} Point */

/** Rounds in which neighbours push each other: they keep the shape. What they leave is moved to free places one by one. */
const ROUNDS = 25;

/** A grid of squares, so that only neighbours are asked. */
class Grid {
  /** @param {number} side */
  constructor(side) {
    this.side = side;
    /** @type {Map<number, number[]>} */
    this.cells = new Map();
  }

  /** @param {number} x @param {number} y */
  #key(x, y) {
    return x * 0x100000 + y;
  }

  /** @param {number} at @param {Point} p */
  add(at, p) {
    const key = this.#key(Math.floor(p.x / this.side), Math.floor(p.y / this.side));
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, [at]);
    else cell.push(at);
  }

  /** Whether all in the square of a point and around it pass. @param {Point} p @param {(at: number) => boolean} test */
  every(p, test) {
    const [x, y] = [Math.floor(p.x / this.side), Math.floor(p.y / this.side)];
    for (let i = x - 1; i <= x + 1; i++) {
      for (let j = y - 1; j <= y + 1; j++) {
        const cell = this.cells.get(this.#key(i, j));
        if (cell !== undefined) for (const at of cell) if (!test(at)) return false;
      }
    }
    return true;
  }
}

/**
 * Points of which no two dots overlap. Within the box as long as there is room in it; then below.
 * @param {Point[]} wanted
 * @param {number[]} radii
 * @param {number} gap   between two dots
 * @param {{ left: number, right: number, top: number, bottom: number }} box  for the middles of dots
 * @returns {Point[]}
 */
export function disjoint(wanted, radii, gap, box) {
  const points = wanted.map((p) => inside(p, box));
  const side = 2 * Math.max(0, ...radii) + gap;
  for (let round = 0; round < ROUNDS && push(points, radii, gap, side, box); round++);
  return settled(points, radii, gap, side, box);
}

/** @param {Point} p @param {{ left: number, right: number, top: number, bottom: number }} box */
function inside(p, box) {
  return { x: Math.max(box.left, Math.min(box.right, p.x)), y: Math.max(box.top, Math.min(box.bottom, p.y)) };
}

/** One round. Whether anything was pushed. @param {Point[]} points @param {number[]} radii @param {number} gap @param {number} side @param {{ left: number, right: number, top: number, bottom: number }} box */
function push(points, radii, gap, side, box) {
  const grid = new Grid(side);
  points.forEach((p, at) => grid.add(at, p));
  let pushed = false;
  for (let i = 0; i < points.length; i++) {
    grid.every(points[i], (j) => {
      if (j <= i) return true;
      const need = radii[i] + radii[j] + gap;
      let [dx, dy] = [points[j].x - points[i].x, points[j].y - points[i].y];
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance >= need - 0.01) return true;
      // two in one place go apart in a direction of their own
      if (distance < 1e-3) [dx, dy] = [Math.cos(i + 2 * j), Math.sin(i + 2 * j)];
      const by = (need - distance) / 2 / Math.max(1e-3, distance < 1e-3 ? 1 : distance);
      points[i] = inside({ x: points[i].x - dx * by, y: points[i].y - dy * by }, box);
      points[j] = inside({ x: points[j].x + dx * by, y: points[j].y + dy * by }, box);
      pushed = true;
      return true;
    });
  }
  return pushed;
}

/** Each takes the free place that is nearest to its own; the first have the choice. @param {Point[]} points @param {number[]} radii @param {number} gap @param {number} side @param {{ left: number, right: number, top: number, bottom: number }} box */
function settled(points, radii, gap, side, box) {
  const grid = new Grid(side);
  /** @type {Point[]} */
  const placed = [];
  const free = (/** @type {number} */ at, /** @type {Point} */ p) => grid.every(p, (other) => {
    const [dx, dy, need] = [placed[other].x - p.x, placed[other].y - p.y, radii[at] + radii[other] + gap - 0.02];
    return dx * dx + dy * dy >= need * need;
  });
  points.forEach((p, at) => {
    const place = free(at, p) ? p : nearest(p, side, box, (q) => free(at, q));
    placed[at] = place;
    grid.add(at, place);
  });
  return placed;
}

/** The nearest place on rings around a point that is free; a box without any grows downwards. @param {Point} p @param {number} side @param {{ left: number, right: number, top: number, bottom: number }} box @param {(q: Point) => boolean} free */
function nearest(p, side, box, free) {
  const step = side / 3;
  const reach = Math.ceil(Math.hypot(box.right - box.left, box.bottom - box.top) / step);
  for (let ring = 1; ring <= reach; ring++) {
    const count = 6 * ring;
    for (let at = 0; at < count; at++) {
      const angle = (at / count) * 2 * Math.PI + ring;
      const q = { x: p.x + ring * step * Math.cos(angle), y: p.y + ring * step * Math.sin(angle) };
      if (q.x >= box.left && q.x <= box.right && q.y >= box.top && q.y <= box.bottom && free(q)) return q;
    }
  }
  for (let y = box.bottom + side; ; y += side) {
    for (let x = box.left; x <= Math.max(box.left, box.right); x += side) if (free({ x, y })) return { x, y };
  }
}
