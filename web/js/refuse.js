// When nothing can be shown.

import { clean, h, put } from './dom.js';

export const NEEDS = 'the report needs Chrome 123, Firefox 120, Safari 17.5 or later';

/** What this browser lacks and the page cannot do without: colours, or a way to the data. */
export function lacks() {
  if (typeof DecompressionStream === 'undefined') return 'DecompressionStream';
  // without it every colour would be missing, and half of what the page says with them
  return CSS.supports('color', 'light-dark(#000, #fff)') ? '' : 'light-dark()';
}

/** Says that nothing can be shown, in the browser's own colours. @param {string} why @param {string} detail */
export function refuse(why, detail) {
  put(document.body, h('main', { class: 'broken' }, h('h1', {}, 'This report cannot be shown'), h('p', {}, why), h('pre', {}, clean(detail))));
}

/** @param {unknown} error */
export function refuseBroken(error) {
  refuse(`The file is incomplete, or this browser is too old: ${NEEDS}.`, String(error));
}
