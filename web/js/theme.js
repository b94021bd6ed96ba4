// Light, dark, or what the system says; the reader's choice stays.

import { h } from './dom.js';
import { load, save } from './storage.js';

const THEMES = ['auto', 'light', 'dark'];

/** What the reader chose. */
export function worn() {
  const theme = String(load('theme', 'auto'));
  return THEMES.includes(theme) ? theme : 'auto';
}

/** @param {string} theme */
export function wear(theme) {
  document.documentElement.dataset.theme = theme;
}

export function themeButton() {
  let theme = worn();
  wear(theme);
  const button = h('button', { class: 'quiet', id: 'theme', type: 'button', onclick: next }, '');
  function label() {
    button.textContent = { auto: '◐', light: '☀', dark: '☾' }[theme] ?? '◐';
    button.setAttribute('aria-label', `Colours: ${theme}. Change`);
    button.title = `Colours: ${theme}`;
  }
  function next() {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    save('theme', theme);
    wear(theme);
    label();
  }
  label();
  return button;
}
