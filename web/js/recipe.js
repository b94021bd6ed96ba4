// How documents were compared, in words.

import { commas, percent } from './format.js';

/** `50 %`, `87.5 %` @param {number} share */
export function short(share) {
  return percent(share).replace('.0 ', ' ');
}

/** Whether the documents are sets of features that the caller brought, and no texts. @param {string} recipe */
export function isFeatures(recipe) {
  return recipe.startsWith('features|');
}

/** What documents are made of: `word`, or `item` of a set of features. @param {string} recipe */
export function noun(recipe) {
  return isFeatures(recipe) ? 'item' : 'word';
}

/** Words in a shingle; none in sets of features. @param {string} recipe */
function width(recipe) {
  return /shingles:w=(\d+)/.exec(recipe)?.[1];
}

/** What the fingerprints were made of, from `auto|words|shingles:w=10|sample=nested:100|v=2`. @param {string} recipe */
export function made(recipe) {
  const parts = recipe.split('|');
  const sample = parts.find((part) => part.startsWith('sample='))?.slice(7) ?? '';
  const w = width(recipe);
  const unit = w === undefined ? 'sets of features' : w === '1' ? 'single words' : `${w}-word shingles`;
  return `${unit}, sample ${sample}${parts.some((part) => part.startsWith('key=')) ? ', with a secret key' : ''}`;
}

/** What everybody should know before the numbers. @param {import('./types.js').Head} report @returns {string[]} */
export function plain({ recipe, policy: { threshold, contained }, estimate }) {
  const w = width(recipe);
  const units = w === undefined ? 'items' : w === '1' ? 'words' : `${w}-word sequences`;
  const share = threshold === 0.5 ? 'half' : threshold === 1 ? 'all' : short(threshold);
  return [
    `Documents are linked from ${short(threshold)} resemblance: ${share} of their ${units} in common.`,
    ...(contained === null ? [] : [`They are also linked where ${short(contained)} of one is in the other.`]),
    ...(estimate ? ['Numbers are estimates from samples.'] : []),
  ];
}

/**
 * The same for those who want to do it again.
 * @param {import('./types.js').Head} report
 * @param {number} [named]  templates that decisions name
 * @returns {string[]}
 */
export function told(report, named = 0) {
  const { threshold, contained, linkage } = report.policy;
  const compared = report.estimate ? 'The sketch of every member was compared with that of its representative.' : 'Every member was compared with its representative.';
  const common = report.whole ? 'Common text counts like any other' : `Text in more than ${commas(report.common)} documents counts as template and is ignored`;
  const also = report.whole ? ', except what a decision names as a template' : ', and so is what a decision names as a template';
  return [
    `${capital(made(report.recipe))}.`,
    `Linked from ${short(threshold)} resemblance${contained === null ? '; containment was not looked for' : `, contained from ${short(contained)}`}.`,
    linkage === 'star' ? compared : 'Links chain: a member need not resemble its representative.',
    report.estimate ? 'Numbers are estimates: sketches were compared, not whole documents.' : 'Numbers are exact: counted on whole documents.',
    `${common}${named > 0 ? also : ''}.`,
  ];
}

/** @param {string} text */
function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
