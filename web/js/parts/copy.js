// Names to the clipboard.

import { h, put, s, cleanName } from '../dom.js';

/** Names, one a line, as they are shown: what is invisible stays spelled out. @param {string[]} names */
async function copy(names) {
  const text = names.map(cleanName).join('\n');
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // some browsers refuse a page from disk; the old way still works there
    const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'visually-hidden', readonly: true, 'aria-hidden': 'true' }));
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** A button that copies names and says so for a moment. @param {string} label @param {() => string[]} names */
export function copyButton(label, names) {
  const button = h('button', { type: 'button', class: 'small', onclick: run }, label);
  async function run() {
    button.textContent = await copy(names()) ? 'Copied' : 'The browser refused';
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}

/** The same as a small picture, where there is no room for words. @param {string} label @param {() => string[]} names */
export function copyIcon(label, names) {
  const sheets = s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('rect', { x: 5.5, y: 5.5, width: 8, height: 8, rx: 1.5 }), s('path', { d: 'M10.5 3V2.5A1.5 1.5 0 0 0 9 1H4A2.5 2.5 0 0 0 1.5 3.5V9A1.5 1.5 0 0 0 3 10.5' }));
  const tick = s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: 'M2.5 8.5 6.5 12 13.5 4' }));
  const button = h('button', { type: 'button', class: 'quiet pair-copy', title: label, 'aria-label': label, onclick: run }, sheets);
  async function run() {
    const done = await copy(names());
    button.toggleAttribute('data-done', done);
    button.title = done ? 'Copied' : 'The browser refused';
    if (done) put(button, tick);
    setTimeout(() => {
      put(button, sheets);
      button.removeAttribute('data-done');
      button.title = label;
    }, 1500);
  }
  return button;
}
