// What the numbers mean, in words: for a reader who has to decide, and for those who read the decision.

import { commas, count } from '../format.js';
import { short } from '../recipe.js';

/**
 * @typedef {import('./types.js').Pair} Pair
 * @typedef {import('./types.js').Shared} Shared
 */

/** A small number as people read it: `0.003`, `12`. @param {number} n */
export function few(n) {
  if (n >= 100) return commas(Math.round(n));
  if (n >= 10) return n.toFixed(0);
  if (n >= 1) return n.toFixed(1);
  if (n >= 0.001) return n.toPrecision(1);
  return n === 0 ? '0' : '< 0.001';
}

/** How surprising a similarity is. @param {number} expected  pairs of unrelated submissions that are so similar */
export function byChance(expected) {
  if (expected < 0.001) return 'In a thousand cohorts like this one, not one pair of unrelated submissions would be expected to be so similar.';
  if (expected < 0.5) return `One pair of unrelated submissions would be expected to be so similar in about ${commas(Math.round(1 / expected))} cohorts like this one.`;
  return `About ${few(expected)} ${expected < 1.5 ? 'pair' : 'pairs'} of unrelated submissions would be expected to be so similar in a cohort like this one.`;
}

/** @param {number} rarity @param {string} [what]  that two share */
export function rare(rarity, what = 'it') {
  if (rarity >= 0.9) return `almost nobody else has ${what}`;
  if (rarity >= 0.7) return `few others have ${what}`;
  return rarity >= 0.4 ? `some others have ${what}` : `many others have ${what} too`;
}

/** @param {import('./model.js').CopiesModel} model @param {Pick<Shared, 'submissions'>} passage */
export function inSubmissions(model, passage) {
  return `in ${commas(passage.submissions)} of ${commas(model.submissions.length)} submissions`;
}

/** Why a pair counts. @param {import('./model.js').CopiesModel} model @param {Pair} pair @param {[string, string]} names @returns {string[]} */
export function whyPair(model, pair, [a, b]) {
  const { calibration } = model.report;
  if (pair.same) return [`${a} and ${b} have exactly the same tokens from the first to the last: what differs, if anything, is layout${model.report.rules.comments ? '' : ', comments'}${model.report.rules.identifiers ? '' : ' or names'}.`];
  const [more, less] = pair.share_a >= pair.share_b ? [a, b] : [b, a];
  const [high, low] = [Math.max(pair.share_a, pair.share_b), Math.min(pair.share_a, pair.share_b)];
  const own = pair.passages.filter((p) => p.submissions <= 2).length;
  const alone = own === 0 || pair.passages.length === 1 ? '' : `, and ${own === pair.passages.length ? 'all' : commas(own)} of them ${own === 1 ? 'is' : 'are'} in these two alone`;
  const many = pair.passages_all === 1 ? 'It is the only one' : `There are ${commas(pair.passages_all)} passages`;
  const half = calibration.median < 0.0005 ? 'share next to nothing' : `are below ${short(calibration.median)}`;
  return [
    `${short(pair.similarity)} of what counts in the two is shared. Half of the ${commas(calibration.pairs)} pairs of this cohort ${half}, nineteen in twenty are below ${short(calibration.p95)}.`,
    byChance(pair.expected),
    high - low > 0.2
      ? `${short(high)} of ${more} is in ${less}, but only ${short(low)} the other way: ${less} has much of its own.`
      : `The shares are much the same both ways: ${short(pair.share_a)} of ${a} and ${short(pair.share_b)} of ${b}.`,
    `The longest passage runs over ${count(pair.longest, 'token')}. ${many}; ${rare(pair.rarity, pair.passages_all === 1 ? 'it' : 'what is in them')}${alone}.`,
  ];
}

/** Why a passage counts, in one or two sentences. @param {import('./model.js').CopiesModel} model @param {Shared} passage @param {string} language */
export function whyPassage(model, passage, language) {
  const recipe = recipeOf(model, language);
  const times = recipe === undefined ? 0 : passage.tokens / recipe.k;
  const others = passage.submissions - 2;
  const weight = others <= 0 ? 'Nobody else has it: it weighs in full.'
    : passage.submissions <= Math.max(4, model.submissions.length * 0.1) ? `${count(others, 'other')} ${others === 1 ? 'has' : 'have'} it too: it still weighs much.`
      : `${count(others, 'other')} have it too: it weighs little.`;
  const length = recipe === undefined ? '' : times >= 8 ? `Far longer than chance makes: ${few(times)} times the shortest run that counts (${recipe.k} tokens).`
    : times >= 2.5 ? `Long: ${few(times)} times the shortest run that counts (${recipe.k} tokens).`
      : `Short: little more than the shortest run that counts (${recipe.k} tokens); by itself it shows little.`;
  const gaps = passage.tokens - passage.equal;
  const equal = gaps <= 0 ? 'Equal throughout.' : `${commas(passage.equal)} of its ${commas(passage.tokens)} tokens are equal; ${commas(gaps)} stand in gaps.`;
  return [equal, weight, length].filter((part) => part !== '').join(' ');
}

/** How a language was read. @param {import('./model.js').CopiesModel} model @param {string} language */
export function recipeOf({ report }, language) {
  const family = language === 'text' ? 'prose' : language === 'bytes' ? 'bytes' : 'code';
  return report.recipes.find((r) => r.family === family) ?? report.recipes[0];
}

/** What decided which tokens are equal. @param {import('./types.js').Rules} rules */
export function ruleWords(rules) {
  const counts = [['Names of identifiers', rules.identifiers], ['values of literals', rules.literals], ['comments', rules.comments]];
  const list = (/** @type {boolean} */ on) => counts.filter(([, yes]) => yes === on).map(([name]) => name).join(', ');
  return [
    list(true) !== '' && `Count: ${list(true).toLowerCase()}.`,
    list(false) !== '' && `Do not count: ${list(false).toLowerCase()}.`,
    rules.max_share === null ? 'However many share a passage, it counts.' : `What more than ${commas(rules.max_share)} submissions share is ignored.`,
    `Pairs from ${short(rules.min)} similarity are listed, at most ${commas(rules.limit)}.`,
  ].filter((text) => text !== false);
}
