// How documents were compared, in words.

import { commas, percent } from './format.js';

/** `50 %`, `87.5 %` @param {number} share */
export function short(share) {
  return percent(share).replace('.0 ', ' ');
}

/** What the fingerprints were made of, from `auto|words|shingles:w=10|sample=nested:100|v=2`. @param {string} recipe */
export function made(recipe) {
  const parts = recipe.split('|');
  const sample = parts.find((part) => part.startsWith('sample='))?.slice(7) ?? '';
  const w = /shingles:w=(\d+)/.exec(recipe)?.[1];
  const unit = w === undefined ? 'sets of features' : w === '1' ? 'single words' : `${w}-word shingles`;
  return `${unit}, sample ${sample}${parts.some((part) => part.startsWith('key=')) ? ', with a secret key' : ''}`;
}

/** Sentences for the head of the overview. @param {import('./types.js').Head} report @returns {string[]} */
export function told(report) {
  const { threshold, contained, linkage } = report.policy;
  return [
    `${capital(made(report.recipe))}.`,
    `Linked from ${short(threshold)} resemblance${contained === null ? '; containment was not looked for' : `, contained from ${short(contained)}`}.`,
    linkage === 'star' ? 'Every member was compared with its representative.' : 'Links chain: a member need not resemble its representative.',
    report.estimate ? 'Numbers are estimates from samples.' : 'Numbers are exact: counted on whole documents.',
    report.whole ? 'Common text counts like any other.' : `Text in more than ${commas(report.common)} documents counts as template and is ignored.`,
  ];
}

/** @param {string} text */
function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
