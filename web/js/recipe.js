// How documents were compared, in words.

import { isEstimate } from './estimate.js';
import { bytes, commas, percent } from './format.js';

/** `50%`, `87.5%` @param {number} share */
export function short(share) {
  return percent(share).replace('.0%', '%');
}

/** Whether the documents are sets of features that the caller brought, and no texts. @param {string} recipe */
export function isFeatures(recipe) {
  return recipe.startsWith('features|');
}

/**
 * How files were cut, from `bytes|chunks:mean=1000|hash=xxh3-128|v=1`; null where they were not.
 * @param {string} recipe
 * @returns {{ mean: number, hash: string, keyed: boolean } | null}
 */
export function chunking(recipe) {
  const found = /^bytes\|chunks:mean=(\d+)\|hash=([\w-]+)((?:\|key=\w+)?)\|/.exec(recipe);
  return found === null ? null : { mean: Number(found[1]), hash: found[2], keyed: found[3] !== '' };
}

/** What documents are made of: `word`, or `item` of a set of features. @param {string} recipe */
export function noun(recipe) {
  return isFeatures(recipe) ? 'item' : 'word';
}

/** Words in a shingle; none in sets of features. @param {string} recipe */
function width(recipe) {
  return /shingles:w=(\d+)/.exec(recipe)?.[1];
}

/** What the fingerprints were made of, from `auto|words|shingles:w=10|sample=nested:100|v=3`. @param {string} recipe */
export function made(recipe) {
  const cut = chunking(recipe);
  if (cut !== null) return `chunks of ${commas(cut.mean)} bytes in the mean, cut by their content, hash ${cut.hash}${cut.keyed ? ', with a secret key' : ''}`;
  const parts = recipe.split('|');
  const sample = parts.find((part) => part.startsWith('sample='))?.slice(7) ?? '';
  const w = width(recipe);
  const unit = w === undefined ? 'sets of features' : w === '1' ? 'single words' : `${w}-word shingles`;
  return `${unit}, sample ${sample}${parts.some((part) => part.startsWith('key=')) ? ', with a secret key' : ''}`;
}

/** What everybody should know before the numbers. @param {import('./types.js').Head} report @returns {string[]} */
export function plain(report) {
  const { compared_by: recipe, simhash, policy: { threshold, contained, min_shared = 0 } } = report;
  if (chunking(recipe) !== null) return [`Files are linked where ${threshold === 1 ? 'all' : `at least ${short(threshold)}`} of the smaller one${atLeast(min_shared)} is in the other too, byte for byte.`];
  const w = width(recipe);
  const units = w === undefined ? 'items' : w === '1' ? 'words' : `${w}-word sequences`;
  const share = threshold === 0.5 ? 'half' : threshold === 1 ? 'all' : short(threshold);
  return [
    ...(simhash === undefined ? [] : [`Documents whose fingerprints differ in at most ${simhash.distance} of ${simhash.bits} bits were compared.`]),
    `Documents are linked from ${short(threshold)} resemblance: ${share} of their ${units} in common.`,
    ...(contained === null ? [] : [`They are also linked where ${short(contained)} of one is in the other.`]),
    ...(isEstimate(report) ? ['Numbers are estimates from samples.'] : []),
  ];
}

/**
 * The same for those who want to do it again.
 * @param {import('./types.js').Head} report
 * @param {number} [named]  templates that decisions name
 * @returns {string[]}
 */
export function describeRecipe(report, named = 0) {
  if (chunking(report.compared_by) !== null) return describeChunks(report);
  const { threshold, contained, linkage } = report.policy;
  const [estimate, frequentCounts] = [isEstimate(report), countsFrequent(report)];
  const compared = estimate ? 'The sketch of every member was compared with that of its representative.' : 'Every member was compared with its representative.';
  const frequent = frequentCounts ? 'Text that many documents have counts like any other' : `Text in more than ${commas(report.shingles?.max_df ?? 0)} documents counts as template and is ignored`;
  const also = frequentCounts ? ', except what a decision names as a template' : ', and so is what a decision names as a template';
  return [
    ...(report.simhash === undefined ? [] : [confirmed(report.simhash)]),
    `${capital(made(report.compared_by))}.`,
    `Linked from ${short(threshold)} resemblance${contained === null ? '; containment was not looked for' : `, contained from ${short(contained)}`}.`,
    linkage === 'star' ? compared : 'Links chain: a member need not resemble its representative.',
    estimate ? 'Numbers are estimates: sketches were compared, not whole documents.' : 'Numbers are exact: counted on whole documents.',
    `${frequent}${named > 0 ? also : ''}.`,
  ];
}

/** Whether text that many documents have counts like any other. @param {Pick<import('./types.js').Head, 'shingles'>} report */
export function countsFrequent({ shingles }) {
  return shingles?.include_boilerplate ?? true;
}

/** @param {number} least */
function atLeast(least) {
  return least > 0 ? `, and at least ${bytes(least)},` : '';
}

/** @param {import('./types.js').Head} report @returns {string[]} */
function describeChunks({ recipe, policy: { threshold, min_shared = 0, linkage } }) {
  return [
    `${capital(made(recipe))}.`,
    `Linked from ${short(threshold)} of the smaller file${min_shared > 0 ? ` and from ${bytes(min_shared)}` : ''} in common.`,
    linkage === 'star' ? 'Every member was compared with its representative.' : 'Links chain: a member need have nothing in common with its representative.',
    'Bytes in common are those of chunks that both have: two files have at least so many. Templates that were marked do not count.',
  ];
}

/** The precision at this distance. @param {import('./types.js').Simhash} simhash */
function confirmed({ distance, verified: { compared, confirmed, precision } }) {
  return `Of ${commas(compared)} pairs within ${distance} bits ${commas(confirmed)} hold${precision === null ? '' : `, ${percent(precision)}`}.`;
}

/**
 * The effective parameters of TTTD.
 * @param {import('./types.js').Parameters} parameters
 */
export function thresholds({ tmin, tmax, divisor, backup }) {
  const whole = (/** @type {number} */ n) => n.toFixed(1).replace(/\.0$/, '');
  return `Tmin ${commas(tmin)}, Tmax ${commas(tmax)}, D ${whole(divisor)}, D′ ${whole(backup)}`;
}

/** @param {string} text */
function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
