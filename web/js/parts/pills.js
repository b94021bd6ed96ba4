// The longest passages of a pair, to jump to.

import { h, put } from '../dom.js';
import { commas } from '../format.js';

/** More would be a page of their own. */
const MOST = 40;

/**
 * @param {HTMLElement} strip
 * @param {import('../passages.js').Passage[]} passages  longest first
 * @param {{ text: (passage: import('../passages.js').Passage) => string, title: (passage: import('../passages.js').Passage) => string, cross: string, all?: number }} say  `cross`: behind one that has moved; `all`: how many there are, listed or not
 * @param {{ select: (passage: number) => void, hover: (passage: number) => void }} on
 */
export function putPills(strip, passages, say, on) {
  const shown = passages.slice(0, MOST);
  const rest = (say.all ?? passages.length) - shown.length;
  put(strip, shown.map((p) => h('button', {
    type: 'button', class: `pair-pill pair-hue${p.hue}`, 'data-passage': p.number, 'aria-pressed': 'false', title: say.title(p),
    onclick: () => on.select(p.number), onmouseenter: () => on.hover(p.number), onmouseleave: () => on.hover(-1),
  }, say.text(p), p.moved && h('span', { class: 'pair-cross', 'aria-label': 'moved' }, say.cross))),
  rest > 0 && h('span', { class: 'muted small number' }, `and ${commas(rest)} shorter`));
}
