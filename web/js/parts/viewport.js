// What of a picture is in sight: how much it is enlarged, and by how much it is moved. No elements here: everything can be tested.

/** @typedef {{ scale: number, x: number, y: number }} Sight  a point p of the picture is seen at p × scale + (x, y) */
/** @typedef {{ width: number, height: number }} Size */

export const WHOLE = Object.freeze({ scale: 1, x: 0, y: 0 });
export const MOST = 12;

/** The picture never leaves its frame. @param {Sight} sight @param {Size} size @returns {Sight} */
export function held({ scale, x, y }, { width, height }) {
  const k = Math.max(1, Math.min(MOST, scale));
  const within = (/** @type {number} */ at, /** @type {number} */ room) => Math.min(0, Math.max(room * (1 - k), at)) || 0;
  return { scale: k, x: within(x, width), y: within(y, height) };
}

/** Enlarged by a factor; what is at a place stays there. @param {Sight} sight @param {number} factor @param {{ x: number, y: number }} at @param {Size} size */
export function zoomed(sight, factor, at, size) {
  const scale = Math.max(1, Math.min(MOST, sight.scale * factor));
  const by = scale / sight.scale;
  return held({ scale, x: at.x - (at.x - sight.x) * by, y: at.y - (at.y - sight.y) * by }, size);
}

/** @param {Sight} sight @param {number} dx @param {number} dy @param {Size} size */
export function moved(sight, dx, dy, size) {
  return held({ scale: sight.scale, x: sight.x + dx, y: sight.y + dy }, size);
}

/** Moved so that a point of the picture is in sight, with a margin. @param {Sight} sight @param {{ x: number, y: number }} p @param {Size} size @param {number} [margin] */
export function revealed(sight, p, size, margin = 40) {
  const by = (/** @type {number} */ at, /** @type {number} */ room) => Math.max(0, Math.min(margin, room / 2) - at) - Math.max(0, at - (room - Math.min(margin, room / 2)));
  return moved(sight, by(p.x * sight.scale + sight.x, size.width), by(p.y * sight.scale + sight.y, size.height), size);
}

/** As large as some points of the picture, with a margin, allow, and not more than three times. @param {{ x: number, y: number }[]} points @param {Size} size @param {number} [margin] */
export function aimed(points, { width, height }, margin = 70) {
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.max(1, Math.min(3, (width - 2 * margin) / Math.max(1, right - left), (height - 2 * margin) / Math.max(1, bottom - top)));
  return held({ scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale }, { width, height });
}
