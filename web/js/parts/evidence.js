// What all lenses say of two documents: the sentence, and a line of numbers for each lens. Only the page of a comparison has it.

import { clean, h } from '../dom.js';

/** @param {import('../types.js').Page} page @returns {HTMLElement | null} */
export function evidenceStrip(page) {
  const { comparison } = page;
  if (comparison === undefined || comparison.sentence === null || comparison.sentence === undefined) return null;
  const rows = (comparison.evidence ?? []).flatMap(([lens, line]) => [h('dt', {}, lens), h('dd', {}, clean(line))]);
  return h('details', { class: 'pair-evidence', 'data-part': 'evidence' },
    h('summary', { title: 'What each lens says' }, clean(comparison.sentence)),
    h('p', { class: 'small muted' }, `a is ${clean(page.documents.id[0])}, b is ${clean(page.documents.id[1])}`),
    h('dl', {}, ...rows));
}
