// Clusters that look as if a template had made them, and what to do about them.

import { h } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { address } from '../route.js';
import { copyButton } from './copy.js';
import { excerptList } from './templates.js';

/** @typedef {import('../types.js').Suggestion} Suggestion */

/** The command that marks one. @param {Suggestion} suggestion */
export function markCommand({ cluster }) {
  return `lookalike templates mark RUN --cluster ${cluster}`;
}

/** `185 files share 17 chunks, 12.3 KB` @param {Suggestion} suggestion */
export function shared({ documents, chunks, bytes: size }) {
  return `${count(documents, 'file')} share ${count(chunks, 'chunk')}, ${bytes(size)}`;
}

/** The command, to be copied. @param {Suggestion} suggestion */
function command(suggestion) {
  return h('div', { class: 'row template-command' }, h('code', {}, markCommand(suggestion)), copyButton('Copy', () => [markCommand(suggestion)]));
}

/** What to do with the command. */
function advice() {
  return [
    'RUN is the folder that the scan kept with ', h('code', {}, '--save'), '. Then ', h('code', {}, 'lookalike recluster RUN'), ' groups again without the template; nothing is read again. ',
    'Or give the cluster the verdict “Template”: exported with your decisions, it does the same at the next scan.',
  ];
}

/** @param {import('../model.js').Model} model */
export function suggestionsPart(model) {
  const { suggestions, suggestions_all, refined } = /** @type {import('../types.js').Chunks} */ (model.page.chunks);
  if (suggestions.length === 0) return null;
  const entry = (/** @type {Suggestion} */ one) => ({
    documents: one.documents,
    text: one.text,
    title: [h('strong', {}, shared(one)), ': this looks like a template'],
    // its number is that of the scan
    facts: [one.representative === null ? h('span', {}, `Cluster ${commas(one.cluster)}, which is not on this page`) : h('a', { href: address(['cluster', one.representative], { t: null }), 'data-cluster': one.representative }, `Open cluster ${commas(one.cluster)}`)],
    // a run keeps no finer pass, and numbers clusters in its own way
    more: refined === undefined ? command(one) : h('p', { class: 'small muted' }, 'To mark it, scan with --save and without --refine: clusters have other numbers there.'),
  });
  return h('section', { class: 'panel', 'data-part': 'suggestions' }, h('h2', {}, 'Is this a template?'),
    h('p', { class: 'muted' }, 'The documents of these clusters seem to share nothing but a template. If that is so, mark it, and it will be ignored. ', advice()),
    excerptList(suggestions, entry, { shown: 3 }),
    suggestions_all > suggestions.length && h('p', { class: 'small muted' }, `The first ${commas(suggestions.length)} of ${commas(suggestions_all)}. --json lists all.`));
}

/** The same on the page of such a cluster; nothing on others. @param {import('../model.js').Model} model @param {import('../model.js').Cluster} cluster */
export function suggestedNote(model, cluster) {
  const found = model.threshold === model.scanned && model.page.chunks?.suggestions.find((one) => one.representative === cluster.representative);
  if (!found) return null;
  return h('div', { class: 'note cluster-template', 'data-part': 'suggested' },
    h('p', {}, h('strong', {}, shared(found)), ': this looks like a template. If it is one, choose the verdict “Template”, or mark it in the saved run:'), command(found), h('details', { class: 'small' }, h('summary', {}, 'How to'), h('p', {}, advice())));
}
