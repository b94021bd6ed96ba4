// Files of verdicts on pairs: JSON for `lookalike copies --decisions`, CSV for spreadsheets. Both can be read again, here and there.

import { bare, csvOf, guarded, readTable } from '../csv.js';

/**
 * @typedef {'copied' | 'not-copied' | 'again'} PairVerdict
 * @typedef {{ submission: string, content: string[] }} Party  a submission and the hashes of its files
 * @typedef {{ a: Party, b: Party, verdict: PairVerdict | '', note: string, similarity: number, when: string }} PairDecision
 */

/** @type {Record<PairVerdict, { name: string, means: string }>} */
export const PAIR_VERDICTS = {
  copied: { name: 'Copied', means: 'What they share cannot be explained otherwise' },
  'not-copied': { name: 'Not copied', means: 'Given, allowed or by chance' },
  again: { name: 'Look again', means: 'Not sure yet: ask, or compare further' },
};

const COLUMNS = ['verdict', 'a', 'b', 'similarity', 'note', 'when', 'content_a', 'content_b'];

/** @param {PairDecision[]} pairs @param {{ version: string, report: string, anonymous: boolean }} of */
export function verdictsToJson(pairs, { version, report, anonymous }) {
  return `${JSON.stringify({ lookalike: version, copies_verdicts: 1, report, anonymous, made: new Date().toISOString(), pairs }, null, 1)}\n`;
}

/** A row for each pair. @param {PairDecision[]} pairs */
export function verdictsToCsv(pairs) {
  const hashes = (/** @type {Party} */ { content }) => content.map(guarded).join(' ');
  return csvOf([COLUMNS, ...pairs.map(({ a, b, verdict, note, similarity, when }) => (
    [verdict, guarded(a.submission), guarded(b.submission), String(similarity), guarded(note), when, hashes(a), hashes(b)]))]);
}

/** Reads a file of either kind. @param {string} text @param {string} name @returns {PairDecision[]} */
export function parseVerdicts(text, name) {
  const content = text.replace(/^\ufeff/, '');
  if (content.trim() === '') throw new Error(`${name} is empty. Expected verdicts that were exported as JSON or CSV.`);
  return /^\s*[{[]/.test(content) ? fromJson(content, name) : fromCsv(content, name);
}

/** @param {string} text @param {string} name */
function fromJson(text, name) {
  let file;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} begins like JSON but is not: ${error instanceof Error ? error.message : error}.`);
  }
  if (file?.decisions !== undefined && file.copies_verdicts === undefined) throw new Error(`${name} has decisions about clusters of documents. Expected verdicts on pairs, as this page exports them.`);
  if (file?.copies_verdicts !== 1 || !Array.isArray(file.pairs)) throw new Error(`${name} is JSON, but no file of verdicts on pairs. Expected an object with "copies_verdicts": 1 and "pairs".`);
  return file.pairs.filter(isPairDecision);
}

/** @param {string} text @param {string} name @returns {PairDecision[]} */
function fromCsv(text, name) {
  return readTable(text, name, COLUMNS, ['similarity', 'note', 'when']).flatMap(({ get, where }) => {
    const word = get('verdict').trim().toLowerCase().replace(/[\s_-]+/g, '-');
    const known = /** @type {PairVerdict[]} */ (Object.keys(PAIR_VERDICTS)).find((v) => v === word || PAIR_VERDICTS[v].name.toLowerCase().replace(' ', '-') === word);
    if (word !== '' && known === undefined) throw new Error(`${where}: expected a verdict (${Object.keys(PAIR_VERDICTS).join(', ')}), found “${get('verdict').trim().slice(0, 60)}”.`);
    const note = bare(get('note'));
    if (word === '' && note.trim() === '') return [];
    const party = (/** @type {string} */ column) => ({ submission: bare(get(column)), content: get(`content_${column}`).split(/\s+/).filter((hash) => hash !== '').map(bare) });
    return [{ a: party('a'), b: party('b'), verdict: known ?? '', note, similarity: Number(get('similarity')) || 0, when: get('when').trim() }];
  });
}

/** What comes from a file or a browser may be anything. @param {any} j @returns {j is PairDecision} */
export function isPairDecision(j) {
  const party = (/** @type {any} */ p) => typeof p?.submission === 'string' && Array.isArray(p.content) && p.content.every((/** @type {any} */ c) => typeof c === 'string');
  return party(j?.a) && party(j?.b) && (j.verdict === '' || Object.hasOwn(PAIR_VERDICTS, j.verdict)) && typeof j.note === 'string' && typeof j.similarity === 'number' && typeof j.when === 'string';
}
