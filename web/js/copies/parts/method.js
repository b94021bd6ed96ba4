// How it was done: enough to do it again.

import { h, clean, cleanName } from '../../dom.js';
import { commas } from '../../format.js';
import { reach, ruleWords } from '../explain.js';
import { table } from './table.js';

/** What to write on a command line; paths may be names. @param {import('../start.js').CopiesApp} app */
export function command({ model: { page }, names }) {
  return names.on || page.command.length === 0 ? 'lookalike copies …' : cleanName(`lookalike ${page.command.join(' ')}`);
}

/** @param {import('../start.js').CopiesApp} app */
export function parameters(app) {
  const { section, page } = app.model;
  const rows = section.recipes.map((r) => [clean(r.family), commas(r.files), ...reach(r)]);
  return h('section', { class: 'panel', 'data-part': 'parameters' }, h('h2', {}, 'How it was done'),
    table(['Family', 'Files', 'Shortest passage', 'Found for certain'], rows),
    h('p', { class: 'small' }, ruleWords(section).join(' ')),
    h('p', { class: 'small muted' }, 'Recipe: ', h('span', { class: 'mono' }, clean(page.report.recipe))),
    h('p', { class: 'small muted' }, 'To do it again: ', h('code', {}, command(app))),
    h('p', { class: 'small muted' }, `lookalike ${clean(page.report.lookalike)}. The page of a pair leads to its dossier, which lists the hashes of all files.`));
}

/** What winnowing selected, if that was asked for. @param {import('../start.js').CopiesApp} app */
export function winnowing({ model }) {
  const all = model.section.winnowing ?? [];
  const rows = all.map((w) => [
    clean(w.family), commas(w.w), commas(w.hashes), commas(w.fingerprints), w.density.toFixed(4), w.expected.toFixed(4), commas(w.longest_gap), `${commas(w.zero_mod.longest_gap)} (p = ${commas(w.zero_mod.p)})`, w.slope.toFixed(2),
  ]);
  return rows.length > 0 && h('section', { class: 'panel', 'data-part': 'winnowing' }, h('h2', {}, 'What winnowing selected'),
    table(['Family', '#Window', '#Hashes', '#Fingerprints', '#Density', '#Expected', '#Longest gap', '#The same of 0 mod p', '#Slope'], rows),
    h('p', { class: 'small muted' }, 'Density is the share of hashes that became fingerprints, beside the 2/(w+1) that the paper expects. Winnowing never leaves a gap longer than its window; selecting hashes that are 0 mod p does.'));
}
