// Hands the reader a file that the page has made.

import { h } from '../dom.js';

/** @param {string} text @param {string} type @param {string} name */
export function download(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
