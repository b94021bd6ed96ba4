// What a URL had, sweep by sweep, as a strip: a colour for each content, nothing where it was not seen.

import { h, style } from '../../dom.js';

/** Sweeps that have room. */
const MOST = 400;
const HUES = 7;

/**
 * @param {{ date: string | null }[]} sweeps  of the index, by date
 * @param {import('../types.js').Version[]} history
 */
export function timeline(sweeps, history) {
  const by = new Map(history.map((version) => [version.date, version]));
  /** @type {Map<string, number>} */
  const numbers = new Map();
  for (const { content } of history) if (!numbers.has(content)) numbers.set(content, numbers.size);
  // a sweep may have come since the page was opened
  const known = new Set(sweeps.map(({ date }) => date));
  const all = [...sweeps, ...history.filter(({ date }) => !known.has(date))].slice(-MOST);
  const cells = all.map(({ date }) => {
    const version = by.get(date);
    const name = date ?? 'without a date';
    if (version === undefined) return h('span', { class: 'timeline-cell', title: `${name}: not seen` });
    const number = numbers.get(version.content) ?? 0;
    return h('span', { class: `timeline-cell pair-hue${number % HUES} is-seen`, title: `${name}: content ${number + 1}${version.changed ? ', changed' : ''}` });
  });
  const [first, last] = [all[0]?.date, all[all.length - 1]?.date];
  return style(h('div', { class: 'timeline', 'data-part': 'timeline' },
    h('div', { class: 'timeline-cells', role: 'img', 'aria-label': 'What it had in each sweep: a colour for each content; the table below has the dates' }, cells),
    h('div', { class: 'row spread small muted' }, h('span', {}, first ?? ''), h('span', {}, last !== first ? last ?? '' : ''))), { 'max-width': `${Math.max(3, cells.length) * 5}rem` });
}
