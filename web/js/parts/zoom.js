// A picture that can be enlarged and moved: wheel, pinch, drag, buttons and keys.

import { h } from '../dom.js';
import { MOST, WHOLE, aimed, moved, revealed, zoomed } from './viewport.js';

/** @typedef {import('./viewport.js').Sight} Sight */

const STEP = 1.5;
/** A pointer that moved less meant to click. */
const CLICK = 4;

/**
 * @param {SVGElement} svg
 * @param {object} options
 * @param {() => import('./viewport.js').Size} options.size
 * @param {() => void} options.changed
 * @param {boolean} [options.wheel]   the wheel enlarges without a key: for a picture that fills its view
 */
export function zoomable(svg, { size, changed, wheel = false }) {
  /** @type {Sight} */
  let sight = { ...WHOLE };
  /** @type {Map<number, { x: number, y: number }>} pointers that are down */
  const down = new Map();
  let [travelled, dragged] = [0, false];

  /** @param {Sight} next */
  function look(next) {
    if (next.scale === sight.scale && next.x === sight.x && next.y === sight.y) return;
    sight = next;
    tell();
    changed();
  }

  function tell() {
    svg.classList.toggle('zoomed', sight.scale > 1);
    for (const [button, off] of /** @type {[HTMLButtonElement, boolean][]} */ ([[less, sight.scale <= 1], [whole, sight.scale <= 1], [more, sight.scale >= MOST]])) {
      // a button that has the focus keeps it
      button.setAttribute('aria-disabled', String(off));
    }
  }

  /** @param {number} factor @param {{ x: number, y: number }} [at] */
  function zoom(factor, at) {
    const { width, height } = size();
    look(zoomed(sight, factor, at ?? { x: width / 2, y: height / 2 }, { width, height }));
  }

  const reset = () => look({ ...WHOLE });
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {string} */ action, /** @type {() => void} */ act) => /** @type {HTMLButtonElement} */ (
    h('button', { type: 'button', 'aria-label': label, title: label, 'data-zoom': action, onclick: act }, sign));
  const more = button('+', 'Enlarge (key +)', 'in', () => zoom(STEP));
  const less = button('−', 'Make smaller (key −)', 'out', () => zoom(1 / STEP));
  const whole = button('⤢', 'Show all (key 0)', 'all', reset);
  const element = h('div', { class: 'graph-zoom no-print', role: 'group', 'aria-label': 'Enlarge the picture' }, more, less, whole);
  tell();

  /** @param {{ clientX: number, clientY: number }} event */
  function place(event) {
    const box = svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  svg.addEventListener('wheel', (event) => {
    const { deltaY, deltaMode, ctrlKey, metaKey } = /** @type {WheelEvent} */ (event);
    // the page scrolls over a picture that is seen as a whole, unless a key or a pinch of the pad says otherwise
    if (!wheel && !ctrlKey && !metaKey && sight.scale === 1) return;
    if (!ctrlKey && !metaKey && sight.scale === 1 && deltaY > 0) return;
    event.preventDefault();
    const lines = deltaMode === 1 ? 16 : deltaMode === 2 ? 400 : 1;
    zoom(Math.exp(-Math.max(-240, Math.min(240, deltaY * lines)) * (ctrlKey ? 0.008 : 0.0025)), place(/** @type {WheelEvent} */ (event)));
  }, { passive: false });

  svg.addEventListener('pointerdown', (event) => {
    const { pointerId, button: which, pointerType } = /** @type {PointerEvent} */ (event);
    if (pointerType === 'mouse' && which !== 0) return;
    if (down.size === 0) [travelled, dragged] = [0, false];
    down.set(pointerId, place(/** @type {PointerEvent} */ (event)));
  });
  // outside of the picture too, once it began inside
  addEventListener('pointermove', (event) => {
    const before = down.get(event.pointerId);
    if (before === undefined) return;
    const now = place(event);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, now);
    if (other !== undefined) {
      const middle = (/** @type {{ x: number, y: number }} */ p) => ({ x: (p.x + other.x) / 2, y: (p.y + other.y) / 2 });
      const spread = (/** @type {{ x: number, y: number }} */ p) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
      const [from, to] = [middle(before), middle(now)];
      dragged = true;
      look(zoomed(moved(sight, to.x - from.x, to.y - from.y, size()), spread(now) / spread(before), to, size()));
      return;
    }
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (sight.scale === 1 || travelled < CLICK) return;
    dragged = true;
    svg.classList.add('dragging');
    look(moved(sight, now.x - before.x, now.y - before.y, size()));
  });
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, (event) => {
      down.delete(/** @type {PointerEvent} */ (event).pointerId);
      if (down.size === 0) svg.classList.remove('dragging');
    });
  }
  // links are not dragged out of the picture, and a drag opens none
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  svg.addEventListener('click', (event) => {
    if (!dragged) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    dragged = false;
  }, { capture: true });
  svg.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = /** @type {KeyboardEvent} */ (event);
    if (ctrlKey || metaKey || altKey) return;
    if (key === '+' || key === '=') zoom(STEP);
    else if (key === '-' || key === '−') zoom(1 / STEP);
    else if (key === '0') reset();
    else return;
    event.preventDefault();
  });

  return {
    element,
    get sight() { return sight; },
    /** Without telling anybody: a new picture begins as a whole, or with some points of it. @param {{ x: number, y: number }[]} [points] */
    forget(points = []) {
      sight = points.length === 0 ? { ...WHOLE } : aimed(points, size());
      tell();
    },
    /** Brings a point of the picture into sight. @param {{ x: number, y: number }} p */
    reveal(p) {
      look(revealed(sight, p, size()));
    },
  };
}
