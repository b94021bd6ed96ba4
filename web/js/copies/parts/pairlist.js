// Pairs in a list: who, how similar, what they share.

import { h, style } from '../../dom.js';
import { commas, percent } from '../../format.js';
import { short } from '../../recipe.js';
import { List } from '../../parts/list.js';
import { address } from '../../route.js';
import { byChance, few, rare } from '../explain.js';
import { FIRST_DIR } from '../filters.js';
import { PAIR_VERDICTS } from '../verdictfile.js';
import { submissionName } from './names.js';

/** @typedef {import('../types.js').Pair} Pair */

/** A share as a bar; with the threshold as a line across it, and another colour below. @param {number} share @param {number} [threshold] */
export function meter(share, threshold) {
  const bar = h('span', { class: 'meter', 'aria-hidden': 'true' }, style(h('span', {}), { width: `${(share * 100).toFixed(1)}%` }));
  if (threshold === undefined) return bar;
  bar.classList.add('ruled', share >= threshold ? 'above' : 'below');
  return style(bar, { '--rule': `${(threshold * 100).toFixed(1)}%` });
}

/** Where the threshold goes through a list: above the first that is below it. @param {Pair[]} pairs  most similar first, or the other way round @param {number} threshold @returns {Pair | null} */
export function firstBeyond(pairs, threshold) {
  const above = (/** @type {Pair} */ p) => p.similarity >= threshold;
  const at = pairs.findIndex((p, i) => i > 0 && above(p) !== above(pairs[i - 1]));
  return at < 0 ? null : pairs[at];
}

/** @param {string} unit */
const unit = (unit) => h('span', { class: 'list-unit' }, ` ${unit}`);

/**
 * @param {import('../start.js').CopiesApp} app
 * @param {(sort: string, dir: 'asc' | 'desc') => void} onsort
 * @param {() => Pair | null} opened  the one that was looked at last
 * @param {{ box?: boolean, rule?: () => Pair | null }} [more]  rule: the first beyond the threshold, where the list is in that order
 * @returns {List<Pair>}
 */
export function pairList(app, onsort, opened, more = {}) {
  const { verdicts, model } = app;
  return new List({
    part: 'pairs-list', label: 'Pairs', height: 56, narrow: 98,
    href: (p) => address(['pair', p.a, p.b]),
    box: more.box,
    data: (p) => ({ pair: `${p.a}-${p.b}`, ...(p === more.rule?.() ? { rule: `threshold ${short(model.threshold)}` } : {}) }),
    chosen: (p) => p === opened(),
    onsort,
    columns: [
      { key: 'name', label: 'Submissions', sorts: FIRST_DIR.name, cell: (p) => h('span', { class: 'pair-two' }, submissionName(app, p.a), submissionName(app, p.b)) },
      { key: 'similarity', label: 'Similarity', sorts: FIRST_DIR.similarity, cell: (p) => [meter(p.similarity, model.threshold), h('span', { class: 'number' }, percent(p.similarity)), p.folded > 0 && h('span', { class: 'small muted', title: `${commas(p.folded)} more like it, of submissions that are 90% similar to these two, are not listed` }, ` +${commas(p.folded)}`)] },
      { key: 'share', label: 'Either way', sorts: FIRST_DIR.share, cell: (p) => h('span', { class: 'pair-ways number', title: 'Share of the first, and of the second, that both have' }, percent(p.share_a), h('span', { class: 'muted' }, ' · '), percent(p.share_b)) },
      { key: 'longest', label: 'Longest', sorts: FIRST_DIR.longest, cell: (p) => [commas(p.longest), unit('tokens')] },
      { key: 'overlap', label: 'Overlap', sorts: FIRST_DIR.overlap, cell: (p) => [commas(p.overlap), unit('in all')] },
      { key: 'passages', label: 'Passages', sorts: FIRST_DIR.passages, cell: (p) => [commas(p.passages_all), unit(p.passages_all === 1 ? 'passage' : 'passages')] },
      { key: 'rarity', label: 'Rarity', sorts: FIRST_DIR.rarity, cell: (p) => h('span', { title: `Of what these two share: ${rare(app.model, p.rarity)}` }, p.rarity.toFixed(2)) },
      { key: 'expected', label: 'Expected', sorts: FIRST_DIR.expected, blank: (p) => p.expected === null, cell: (p) => h('span', { title: byChance(p.expected) }, few(p.expected)) },
      {
        key: 'verdict', label: 'Verdict', blank: (p) => (verdicts.get(p)?.verdict ?? '') === '',
        cell: (p) => {
          const verdict = verdicts.get(p)?.verdict ?? '';
          return verdict === '' ? h('span', { class: 'muted list-none' }, '–') : h('span', { class: `chip is-${verdict}` }, PAIR_VERDICTS[verdict].name);
        },
      },
    ],
  });
}
