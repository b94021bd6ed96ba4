// Files of decisions: JSON for `lookalike scan --decisions`, CSV for spreadsheets. Both can be read again.

import { bare, csvOf, guarded, readTable } from './csv.js';

/**
 * @typedef {import('./types.js').Decision} Decision
 * @typedef {import('./types.js').Verdict} Verdict
 */

/** @type {Verdict[]} */
export const VERDICTS = ['keep', 'not-duplicates', 'template', 'later'];

/** @type {Record<Verdict, string>} */
const NAMES = { keep: 'Duplicates', 'not-duplicates': 'Not duplicates', template: 'Template', later: 'Later' };

/** What the page calls a verdict. @param {Verdict} verdict */
export function verdictName(verdict) {
  return NAMES[verdict];
}

const COLUMNS = ['cluster', 'verdict', 'keep', 'id', 'content', 'note'];

/**
 * @param {Decision[]} decisions
 * @param {{ version: string, name: string, made: string }} of  of the program, of the page, and when
 */
export function toJson(decisions, of) {
  const clusters = decisions.map(({ representative, verdict, keep, note, documents }) => (
    { representative, verdict, keep, note, documents: documents.map(({ id, content }) => ({ id, content })) }));
  return `${JSON.stringify({ lookalike: of.version, decisions: 1, report: of.name, made: of.made, clusters }, null, 1)}\n`;
}

/** One row for each document, that of the representative first. @param {Decision[]} decisions */
export function toCsv(decisions) {
  const rows = [COLUMNS];
  decisions.forEach((decision, at) => {
    const keep = new Set(decision.keep);
    const first = decision.documents.filter((d) => d.id === decision.representative);
    const others = decision.documents.filter((d) => d.id !== decision.representative);
    [...first, ...others].forEach(({ id, content }, row) => {
      // “no” beside another verdict would read as “this one can go”
      const kept = decision.verdict !== 'keep' ? '' : keep.has(id) ? 'yes' : 'no';
      rows.push([String(at + 1), decision.verdict, kept, guarded(id), guarded(content), row === 0 ? guarded(decision.note) : '']);
    });
  });
  return csvOf(rows);
}

/**
 * Reads a file of decisions of either kind.
 * @param {string} text
 * @param {string} name  of the file, for what is said when it cannot be read
 * @returns {Decision[]}
 */
export function parseDecisions(text, name) {
  const content = text.replace(/^\ufeff/, '');
  if (content.trim() === '') throw new Error(`${name} is empty. Expected decisions that were exported as JSON or CSV.`);
  const decisions = /^\s*[{[]/.test(content) ? fromJson(content, name) : fromCsv(content, name);
  const empty = decisions.find((d) => d.verdict === 'keep' && d.keep.length === 0);
  if (empty !== undefined) throw new Error(`${name}: the documents around “${empty.representative}” are duplicates, but none of them is to be kept. Name at least one.`);
  return decisions;
}

/** @param {string} text @param {string} name @returns {Decision[]} */
function fromJson(text, name) {
  let file;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} begins like JSON but is not: ${error instanceof Error ? error.message : error}.`);
  }
  if (file === null || Array.isArray(file) || !('decisions' in file)) {
    throw new Error(`${name} is JSON, but not of decisions. Expected an object with "decisions": 1 and "clusters"; found ${found(file)}.`);
  }
  if (file.decisions !== 1) throw new Error(`${name} is of version ${JSON.stringify(file.decisions)}. This page reads version 1.`);
  if (!Array.isArray(file.clusters)) throw new Error(`${name}: expected a list "clusters", found ${found(file.clusters)}.`);
  return file.clusters.map((/** @type {any} */ cluster, /** @type {number} */ at) => checked(cluster, `${name}, cluster ${at + 1}`));
}

/** @param {any} cluster @param {string} where @returns {Decision} */
function checked(cluster, where) {
  const strings = (/** @type {any} */ list) => Array.isArray(list) && list.every((item) => typeof item === 'string');
  if (cluster === null || typeof cluster !== 'object') throw new Error(`${where}: expected an object, found ${found(cluster)}.`);
  if (!VERDICTS.includes(cluster.verdict)) throw new Error(`${where}: expected a verdict (${VERDICTS.join(', ')}), found ${found(cluster.verdict)}.`);
  const { documents, keep = [], note = '' } = cluster;
  const whole = Array.isArray(documents) && documents.length > 0
    && documents.every((d) => typeof d?.id === 'string' && typeof d?.content === 'string');
  if (!whole) throw new Error(`${where}: expected "documents", each with "id" and "content"; found ${found(documents)}.`);
  if (!strings(keep)) throw new Error(`${where}: expected "keep", a list of ids; found ${found(keep)}.`);
  if (typeof note !== 'string') throw new Error(`${where}: expected "note", a text; found ${found(note)}.`);
  const representative = typeof cluster.representative === 'string' ? cluster.representative : documents[0].id;
  return { representative, verdict: cluster.verdict, keep, note, documents: documents.map(({ id, content }) => ({ id, content })) };
}

/** A short word on something unexpected. @param {any} value */
function found(value) {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (value !== null && typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 4).map((k) => `"${k}"`).join(', ') || 'nothing in it'}`;
  return JSON.stringify(value).slice(0, 60);
}

/** What a cell says, in the words of the file or of the page; empty if nothing is decided. @param {string} cell @param {string} where @returns {Verdict | ''} */
function verdictOf(cell, where) {
  const word = cell.trim().toLowerCase().replace(/[\s-]+/g, '-');
  if (word === '') return '';
  const verdict = VERDICTS.find((v) => v === word || NAMES[v].toLowerCase().replace(' ', '-') === word);
  if (verdict === undefined) throw new Error(`${where}: expected a verdict (${VERDICTS.join(', ')}), found “${cell.trim().slice(0, 60)}”.`);
  return verdict;
}

/** @param {string} cell @param {string} where */
function isYes(cell, where) {
  const word = cell.trim().toLowerCase();
  if (['yes', 'y', 'true', '1', 'x'].includes(word)) return true;
  if (['', 'no', 'n', 'false', '0'].includes(word)) return false;
  throw new Error(`${where}: expected yes or no in the column “keep”, found “${cell.trim().slice(0, 60)}”.`);
}

/** @param {string} file @param {string} name */
function fromCsv(file, name) {
  /** @type {Map<string, Decision>} */
  const clusters = new Map();
  /** @type {Set<string>} */
  const open = new Set();
  for (const { get, where, text } of readTable(file, name, COLUMNS, ['note'])) {
    const [key, id] = [get('cluster').trim(), bare(get('id'))];
    if (key === '' || id === '') throw new Error(`${where}: expected a cluster and an id, found “${text}”.`);
    const verdict = verdictOf(get('verdict'), where);
    let decision = clusters.get(key);
    if (decision === undefined) {
      if (verdict === '') open.add(key);
      // a row without verdict is a cluster on which nobody has decided; it is left out below
      decision = { representative: id, verdict: verdict === '' ? 'later' : verdict, keep: [], note: '', documents: [] };
      clusters.set(key, decision);
    } else if (verdict !== '' && (open.has(key) || verdict !== decision.verdict)) {
      throw new Error(`${where}: cluster ${key} is “${open.has(key) ? '' : decision.verdict}” above, but “${verdict}” here. Expected one verdict for all its rows.`);
    }
    if (!open.has(key) && isYes(get('keep'), where)) decision.keep.push(id);
    if (decision.note === '') decision.note = bare(get('note'));
    decision.documents.push({ id, content: bare(get('content').trim()) });
  }
  return [...clusters].filter(([key]) => !open.has(key)).map(([, decision]) => decision);
}
