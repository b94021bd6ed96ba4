// A note that follows the pointer inside a picture. It says nothing that is not also said to those who cannot see it.

import { h, put, style } from '../dom.js';

/** @param {HTMLElement} around  an element with `position: relative` */
export function hoverNote(around) {
  const element = h('div', { class: 'hovernote no-print', 'aria-hidden': 'true', hidden: true });
  around.append(element);
  return {
    /** @param {number} x @param {number} y @param {...import('../dom.js').Child} children */
    show(x, y, ...children) {
      put(element, ...children);
      element.hidden = false;
      const [width, height] = [element.offsetWidth, element.offsetHeight];
      const left = Math.max(0, Math.min(x - width / 2, around.clientWidth - width));
      // above if there is room, else below
      const top = y - height - 14 > -40 ? y - height - 14 : y + 18;
      style(element, { left: `${left}px`, top: `${top}px` });
    },
    hide() {
      element.hidden = true;
    },
  };
}
