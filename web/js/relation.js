// What the scan says of two documents, whichever they are.

import { enough, lensOf } from './lens.js';
import { CLASSES } from './model.js';

/**
 * @typedef {object} Relation
 * @property {import('./types.js').Class | 'different' | null} class  null if nothing is known
 * @property {import('./model.js').Pair | null} pair
 */

/**
 * @param {import('./model.js').Model} model
 * @param {number} a
 * @param {number} b
 * @returns {Relation}
 */
export function relation(model, a, b) {
  const { page } = model;
  const { content, canonical, same } = page.documents;
  if (page.kind === 'comparison' && page.comparison !== undefined && a !== b) {
    const { class: kind, resemblance, a_in_b, b_in_a } = page.comparison;
    return { class: kind, pair: { a, b, resemblance, a_in_b: a === 0 ? a_in_b : b_in_a, b_in_a: a === 0 ? b_in_a : a_in_b, interval: null } };
  }
  const pair = model.pair(a, b);
  if (content[a] === content[b]) return { class: 'identical', pair: pair ?? { a, b, resemblance: 1, a_in_b: 1, b_in_a: 1, interval: null } };
  if (canonical[a] === canonical[b]) {
    // each is at least so near to what stands for both
    const weaker = Math.max(CLASSES.indexOf(same[a]), CLASSES.indexOf(same[b]), CLASSES.indexOf('lexical'));
    return { class: CLASSES[weaker], pair };
  }
  const cluster = model.clusterOf(a);
  const other = cluster?.representative === a ? b : cluster?.representative === b ? a : -1;
  const member = cluster?.members.find((m) => m.document === other);
  if (member !== undefined) return { class: member.class, pair };
  if (pair === null) return { class: null, pair };
  const contained = lensOf(page).containedFrom(page.report.policy, model.threshold);
  if (!enough(page, pair.shared)) return { class: 'different', pair };
  const inside = contained !== null && Math.max(pair.a_in_b ?? 0, pair.b_in_a ?? 0) >= contained;
  return { class: pair.resemblance >= model.threshold ? 'near' : inside ? 'contained' : 'different', pair };
}
