// What the numbers mean, in words: for a reader who has to decide, and for those who read the decision.

import { commas, count } from '../format.js';
import { short } from '../recipe.js';

/**
 * @typedef {import('./types.js').Pair} Pair
 * @typedef {import('./types.js').Shared} Shared
 */

/** What pairs are ranked by. */
export const SIMILARITY = 'How much of what counts in the two is in passages. What others have too weighs less, and so does what is spelt differently';

/** A passage of prose has so many words that are longer than three letters, or is a run of so many of any length (`Rules` of the loose matcher). */
const PROSE = { words: 14, run: 20 };

/** A small number as people read it: `< 0.01`, `0.03`, `12`; a dash for one that is not known. @param {number | null} n */
export function few(n) {
  if (n === null) return '–';
  if (n >= 100) return commas(Math.round(n));
  if (n >= 10) return n.toFixed(0);
  if (n >= 1) return n.toFixed(1);
  return n > 0.01 ? n.toPrecision(1) : '< 0.01';
}

/** What the number expected by chance takes for granted. */
const ASSUMES = 'That is the number of a model: it assumes one exercise, no public code, and submissions that were written independently. It is no probability that somebody copied.';

/** How surprising a similarity is. @param {number | null} expected  pairs of a cohort that are so similar by chance, 0.01 for less; null where the cohort does not tell */
export function byChance(expected) {
  if (expected === null) return 'This cohort does not tell what is expected by chance.';
  return `${expected > 0.01 ? `About ${few(expected)}` : 'Fewer than 0.01'} pairs of this cohort are expected by chance to be so similar. ${ASSUMES}`;
}

/** How much of what two share is nothing of theirs alone; nothing if that is little. @param {Pair} pair */
function byOthers(pair) {
  if (pair.shared_by_others < 0.5) return [];
  return [`${short(pair.shared_by_others)} of what they share is in passages that other submissions have too: public or given code, or what a larger group copied.`];
}

/**
 * How many have what two share, piece by piece: what n have weighs the square root of 2/n. A whole passage may be in fewer than its pieces are.
 * @param {import('./model.js').CopiesModel} model @param {number} rarity
 */
export function rare(model, rarity) {
  const all = model.submissions.length;
  const have = Math.min(all, Math.max(2, Math.round(2 / (rarity * rarity))));
  return have <= 2 ? 'hardly anybody else has any of it' : `piece by piece, about ${commas(have)} of ${commas(all)} submissions have it, in the mean`;
}

/** @param {import('./model.js').CopiesModel} model @param {Pick<Shared, 'submissions'>} passage */
export function inSubmissions(model, passage) {
  return `in ${commas(passage.submissions)} of ${commas(model.submissions.length)} submissions`;
}

/** Why a pair counts. @param {import('./model.js').CopiesModel} model @param {Pair} pair @param {[string, string]} names @returns {string[]} */
export function whyPair(model, pair, [a, b]) {
  const { calibration } = model.section;
  if (pair.same) return [`${a} and ${b} have exactly the same tokens from the first to the last${differing(model, pair)}.`, ...byOthers(pair)];
  const [more, less] = pair.share_a >= pair.share_b ? [a, b] : [b, a];
  const [high, low] = [Math.max(pair.share_a, pair.share_b), Math.min(pair.share_a, pair.share_b)];
  const own = pair.passages.filter((p) => p.submissions <= 2).length;
  const alone = own === 0 || pair.passages.length === 1 ? '' : `, and ${own === pair.passages.length ? 'all' : commas(own)} of them ${own === 1 ? 'is' : 'are'} as a whole in these two alone`;
  const many = pair.passages_all === 1 ? 'It is the only one' : `There are ${commas(pair.passages_all)} passages`;
  // of prose the words that agree may be few
  const whole = Math.max(0, ...pair.passages.map((p) => p.tokens));
  const longest = whole > pair.longest ? `The longest passage runs over ${count(whole, 'token')}; at most ${commas(pair.longest)} of one passage are equal` : `The longest passage runs over ${count(pair.longest, 'token')}`;
  const half = calibration.median < 0.0005 ? 'share next to nothing' : `are below ${short(calibration.median)}`;
  return [
    `The two are ${short(pair.similarity)} similar. Half of the ${commas(calibration.pairs)} pairs of this cohort ${half}, nineteen in twenty are below ${short(calibration.p95)}.`,
    high - low > 0.2
      ? `${short(high)} of ${more} is in passages that both have, but only ${short(low)} of ${less}, which has much of its own.`
      : `The shares are much the same both ways: ${short(pair.share_a)} of ${a} and ${short(pair.share_b)} of ${b}.`,
    ...(pair.similarity < low - 0.1 ? ['That the similarity is below both shares has a reason: what is shared is spelt differently here and there, or others have it too.'] : []),
    `${longest}. ${many}${alone}.`,
    `What they share has the rarity ${pair.rarity.toFixed(2)}: ${rare(model, pair.rarity)}.`,
    ...byOthers(pair),
  ];
}

/** Why a passage counts, in one or two sentences. @param {import('./model.js').CopiesModel} model @param {Shared} passage @param {string} language */
export function whyPassage(model, passage, language) {
  const recipe = recipeOf(model, language);
  const [prose, least] = recipe?.family === 'prose' ? [true, PROSE.words] : [false, recipe?.k ?? 1];
  const unit = prose ? 'words' : 'tokens';
  const times = (prose ? passage.equal : passage.tokens) / least;
  const others = passage.submissions - 2;
  // by its rarest piece: what it weighs depends on all of them
  const whole = others <= 0 ? 'Nobody else has all of it.' : `All of it is in ${count(others, 'other submission')} at most${passage.submissions <= Math.max(4, model.submissions.length * 0.1) ? '.' : ': it may be public or given code.'}`;
  const length = recipe === undefined ? '' : times >= 2.5 ? `Long: ${few(times)} times the shortest run that counts (${least} ${unit}).`
      : `Short: little more than the shortest run that counts (${least} ${unit}); by itself it shows little.`;
  const gaps = passage.tokens - passage.equal;
  const equal = gaps <= 0 ? (prose ? 'Equal throughout.' : 'The same token by token.') : prose ? `${commas(passage.equal)} of its ${commas(passage.tokens)} words have the same neighbours on both sides.`
    : `${commas(passage.equal)} of its ${commas(passage.tokens)} tokens are equal; ${commas(gaps)} stand in gaps.`;
  if (prose && passage.equal * 3 < passage.tokens) return `${equal} That is little: perhaps it was reworded, perhaps both only write about the same. Read them.`;
  return [equal, whole, length].filter((part) => part !== '').join(' ');
}

/** Where the threshold comes from, in the words of the engine, with separators. @param {import('./model.js').CopiesModel} model @returns {string[]} */
export function reasoning({ section }) {
  const { calibration, pairs_possible } = section;
  const said = calibration.reasoning.map((sentence) => sentence.replace(/(?<![\d.,])\d{4,}(?![\d.])/g, (n) => commas(Number(n))));
  if (calibration.pairs >= pairs_possible || said.length === 0) return said;
  return [`${said[0]} Submissions with the same tokens count once in this, so these are fewer than the ${count(pairs_possible, 'pair')} that could be compared.`, ...said.slice(1)];
}

/** How a language was read. @param {import('./model.js').CopiesModel} model @param {string} language */
export function recipeOf({ section }, language) {
  const family = language === 'text' ? 'prose' : language === 'bytes' ? 'bytes' : 'code';
  return section.recipes.find((r) => r.family === family) ?? section.recipes[0];
}

/** What may differ though all tokens are the same. @param {import('./model.js').CopiesModel} model @param {Pair} pair */
function differing(model, pair) {
  const { language } = model.submissions[pair.a].files[0] ?? { language: 'text' };
  if (language === 'bytes') return '';
  const what = language === 'text' ? 'layout, punctuation or the endings of long words' : model.section.rules.comments ? 'layout' : 'layout or comments';
  return `: what differs, if anything, is ${what}`;
}

/** What is found at all, and what is found for certain. @param {import('./types.js').FamilyRecipe} recipe @returns {[string, string]} */
export function reach({ family, k, t }) {
  if (family !== 'prose') return [count(k, family === 'bytes' ? 'byte' : 'token'), `from ${count(t, family === 'bytes' ? 'byte' : 'token')} in a row`];
  return [`${PROSE.words} words of more than three letters`, `from ${PROSE.run} words in a row, if ${count(t, 'word')} of more than three letters follow each other`];
}

/** What decided which tokens are equal, and which pairs are here. @param {import('./types.js').Passages} section */
export function ruleWords({ rules, recipes, pairs }) {
  const named = [['names of identifiers', rules.identifiers], ['values of literals', rules.literals]];
  const list = (/** @type {boolean} */ on) => named.filter(([, yes]) => yes === on).map(([name]) => name).join(' and ');
  const sentence = (/** @type {string} */ text) => text[0].toUpperCase() + text.slice(1);
  const code = recipes.some((r) => r.family === 'code') ? [
    list(true) !== '' && sentence(`${list(true)} count as they are spelt.`),
    list(false) !== '' && sentence(`${list(false)} count by kind; a passage weighs less where they are spelt differently.`),
    rules.comments ? 'Comments count.' : 'Comments do not count.',
  ] : [];
  return [
    ...code,
    rules.max_df === null ? 'However many share a passage, it counts, but the less the more have it.' : `What more than ${commas(rules.max_df)} submissions share is ignored.`,
    `Pairs from ${short(rules.min_similarity)} similarity on${pairs.some((p) => p.similarity < rules.min_similarity) ? ', and below that those with a long passage,' : ''} are listed, at most ${commas(rules.limit)}.`,
  ].filter((text) => text !== false);
}
