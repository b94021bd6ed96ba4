// What all lenses say of two documents: the sentence, and a line of numbers for each lens.

import { clean, h } from '../dom.js';

/** Only the page of a comparison has it. @param {import('../types.js').Page} page @returns {HTMLElement | null} */
export function evidenceStrip(page) {
  const { comparison } = page;
  if (comparison === undefined || comparison.sentence === null || comparison.sentence === undefined) return null;
  return evidenceLines(comparison.sentence, comparison.evidence ?? [], `a is ${clean(page.documents.id[0])}, b is ${clean(page.documents.id[1])}`);
}

/** @param {string} sentence @param {[string, string][]} lines  a lens and what it says @param {string} which  which of the two is a */
export function evidenceLines(sentence, lines, which) {
  return h('details', { class: 'pair-evidence', 'data-part': 'evidence' },
    h('summary', { title: 'What each lens says' }, clean(sentence)),
    h('p', { class: 'small muted' }, which),
    h('dl', {}, ...lines.flatMap(([lens, line]) => [h('dt', {}, lens), h('dd', {}, clean(line))])));
}
