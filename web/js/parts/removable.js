// What can go by the verdicts so far, as a list for whoever deletes.

import { h, put, cleanName } from '../dom.js';
import { bytes, commas, count } from '../format.js';
import { copyButton } from './copy.js';

/**
 * @typedef {object} CanGo
 * @property {string[]} ids       what can go
 * @property {number} bytes       of those
 * @property {number} clusters    that they are in
 * @property {number} shared      documents that are left out: another one of the same id stays
 * @property {number} orphaned    clusters that are left out: none of their documents is kept
 */

/**
 * Documents of clusters that were found to be duplicates, without those that are kept. Nothing is named of which all would go.
 * @param {Pick<import('../model.js').Model, 'page' | 'clusters'>} model
 * @param {Pick<import('../verdicts.js').Verdicts, 'get'>} verdicts
 * @returns {CanGo}
 */
export function removable({ page, clusters }, verdicts) {
  const { id, bytes: sizes } = page.documents;
  /** @type {Set<number>} */
  const going = new Set();
  let [decided, orphaned] = [0, 0];
  for (const cluster of clusters) {
    const verdict = verdicts.get(cluster);
    if (verdict?.verdict !== 'keep') continue;
    const kept = new Set(verdict.keep);
    // what was to be kept has changed, is gone, or is in another cluster
    if (!cluster.documents.some((d) => kept.has(d))) orphaned += 1;
    else {
      decided += 1;
      for (const document of cluster.documents) if (!kept.has(document)) going.add(document);
    }
  }
  // a scan may find an id more than once
  const staying = going.size === 0 ? new Set() : new Set(id.filter((_, d) => !going.has(d)));
  const named = [...going].sort((x, y) => x - y).filter((d) => !staying.has(id[d]));
  return {
    ids: [...new Set(named.map((d) => id[d]))],
    bytes: named.reduce((sum, d) => sum + sizes[d], 0),
    clusters: decided,
    shared: going.size - named.length,
    orphaned,
  };
}

/** One name a line. A name with a line break in it would be two; spelled out, it names no file at all. @param {string[]} ids */
export function lines(ids) {
  return ids.map((id) => `${/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(id) ? cleanName(id) : id}\n`).join('');
}

/**
 * @param {import('../main.js').App} app
 * @param {(text: string, type: string, name: string) => void} download
 */
export function removablePanel({ model, verdicts }, download) {
  const words = h('p', { class: 'cango-words' });
  const aside = h('p', { class: 'small muted cango-aside' });
  const found = () => removable(model, verdicts);
  const file = `can-go-${model.page.name.replace(/[^\w.-]+/g, '_').slice(0, 60)}.txt`;
  const buttons = h('div', { class: 'row' }, copyButton('Copy the list of what can go', () => found().ids),
    h('button', { type: 'button', class: 'small', onclick: () => download(lines(found().ids), 'text/plain', file) }, 'Save as text'));
  const element = h('section', { class: 'panel', 'data-part': 'can-go', 'aria-label': 'What can go' }, h('h2', {}, 'What can go'), words, buttons, aside);
  return {
    element,
    /** @returns {CanGo} */
    draw() {
      const now = found();
      const { ids, clusters, shared, orphaned } = now;
      element.hidden = ids.length + shared + orphaned === 0;
      buttons.hidden = ids.length === 0;
      put(words, ids.length === 0 ? 'Nothing yet.' : [h('strong', { class: 'number' }, count(ids.length, 'document')), ` of ${count(clusters, 'cluster')}, `, h('strong', { class: 'number' }, bytes(now.bytes)), ': duplicates of something that you keep. One name a line, for whoever deletes them; lookalike deletes nothing.']);
      put(aside,
        shared > 0 && `${count(shared, 'document')} ${shared === 1 ? 'is' : 'are'} left out: another one of the same id stays. `,
        orphaned > 0 && `${commas(orphaned)} decided ${orphaned === 1 ? 'cluster is' : 'clusters are'} left out: what you wanted to keep is not in ${orphaned === 1 ? 'it' : 'them'} any more. Decide again. `);
      return now;
    },
  };
}
