// Names to the clipboard.

import { h, cleanName } from '../dom.js';

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // some browsers refuse a page from disk; the old way still works there
    const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' }));
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** A button that copies names, one a line, as they are shown: what is invisible stays spelled out. @param {string} label @param {() => string[]} names */
export function copyButton(label, names) {
  const button = h('button', { type: 'button', class: 'small', onclick: run }, label);
  async function run() {
    const done = await copy(names().map(cleanName).join('\n'));
    button.textContent = done ? 'Copied' : 'The browser refused';
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}
