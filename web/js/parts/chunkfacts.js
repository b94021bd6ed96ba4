// How files were cut into chunks, and what came of it.

import { h } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { thresholds } from '../recipe.js';

/** @param {import('../types.js').Chunks} chunks */
export function chunkFacts(chunks) {
  const { parameters, refined } = chunks;
  const figure = (/** @type {string} */ label, /** @type {string} */ value, /** @type {string} */ note) => (
    h('div', { class: 'figure' }, h('dt', {}, label), h('dd', {}, h('span', { class: 'figure-value number' }, value), h('span', { class: 'figure-change' }, note))));
  return h('section', { class: 'panel', 'data-part': 'chunks' }, h('h2', {}, 'Chunks'),
    h('dl', { class: 'figures chunk-figures' },
      figure('Chunks', commas(chunks.chunks), `${commas(chunks.distinct)} different`),
      figure('Mean length', bytes(Math.round(chunks.mean)), `${commas(parameters.mean)} asked for`),
      figure('Connected groups', commas(chunks.components), chunks.components === 0 ? '' : `the largest of ${count(chunks.largest_component, 'document')}`),
      figure('Share no chunk', commas(chunks.alone), chunks.alone === 1 ? 'document' : 'documents'),
      figure('Empty', commas(chunks.empty), chunks.empty === 0 ? '' : 'counted, never compared')),
    h('p', { class: 'small muted', 'data-part': 'tttd' }, `Cut by two thresholds and two divisors (TTTD): ${thresholds(parameters)}.`),
    refined !== undefined && h('p', { class: 'small muted', 'data-part': 'refined' }, `What that left in doubt, ${count(refined.documents, 'document')} of ${bytes(refined.bytes)}, was cut again at ${commas(refined.parameters.mean)} bytes in the mean (${thresholds(refined.parameters)}). `,
      `Before that ${count(refined.clustered_before, 'document')} ${refined.clustered_before === 1 ? 'was' : 'were'} in clusters.`));
}
