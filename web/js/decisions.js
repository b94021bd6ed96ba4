// Files of decisions: JSON for `lookalike scan --decisions`, CSV for spreadsheets. Both can be read again.

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

// A spreadsheet takes a cell that begins so for a formula; one of digits, for a number whose zeros and last digits it drops.
const MISREAD = /^'*(?:[=+\-@\t\r]|\d+(?:e\d+)?$)/i;

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
  // without the mark at the beginning Excel does not read it as Unicode
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** @param {string} text */
function guarded(text) {
  return MISREAD.test(text) ? `'${text}` : text;
}

/** @param {string} text */
function bare(text) {
  return text.startsWith("'") && MISREAD.test(text) ? text.slice(1) : text;
}

/** @param {string} text */
function cell(text) {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The text of a file. Spreadsheets write UTF-16, and windows-1252 where they call it just CSV.
 * @param {Uint8Array} bytes
 */
export function decode(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // no mark at the beginning, but every other byte is empty
    return text.includes('\0') ? new TextDecoder(first === 0 ? 'utf-16be' : 'utf-16le').decode(bytes) : text;
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
  // Excel's own first line; what it says is found out below
  const told = /^sep=[^\r\n]*(?:\r\n|\r|\n)/i.exec(file)?.[0] ?? '';
  const text = file.slice(told.length);
  const head = text.split(/\r?\n|\r/, 1)[0];
  // spreadsheets of many countries write semicolons
  const separator = [',', ';', '\t'].find((s) => head.toLowerCase().replaceAll('"', '').split(s).some((c) => c.trim() === 'verdict'));
  const expected = `Expected decisions as JSON, or as CSV with the columns ${COLUMNS.join(',')}`;
  if (separator === undefined) throw new Error(`${name} is not a file of decisions. ${expected}; its first line is “${head.slice(0, 60)}”.`);
  const [columns, ...rows] = csvRows(text, separator, told === '' ? 1 : 2);
  const names = columns.cells.map((c) => c.trim().toLowerCase());
  const missing = COLUMNS.filter((c) => c !== 'note' && !names.includes(c));
  if (missing.length > 0) throw new Error(`${name} lacks the column “${missing.join('”, “')}”. ${expected}; found ${names.join(',').slice(0, 80)}.`);
  /** @type {Map<string, Decision>} */
  const clusters = new Map();
  /** @type {Set<string>} */
  const open = new Set();
  for (const { cells, line } of rows) {
    if (cells.every((c) => c.trim() === '')) continue;
    const get = (/** @type {string} */ column) => cells[names.indexOf(column)] ?? '';
    const [key, id] = [get('cluster').trim(), bare(get('id'))];
    const where = `${name}, line ${line}`;
    if (key === '' || id === '') throw new Error(`${where}: expected a cluster and an id, found “${cells.join(separator).slice(0, 60)}”.`);
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

/**
 * RFC 4180, with any separator and any end of line.
 * @param {string} text
 * @param {string} separator
 * @param {number} first  the number of its first line
 */
function csvRows(text, separator, first) {
  /** @type {{ cells: string[], line: number }[]} */
  const rows = [];
  let row = { cells: /** @type {string[]} */ ([]), line: first };
  let [value, at, line] = ['', 0, first];
  const end = () => {
    row.cells.push(value);
    rows.push(row);
    value = '';
  };
  while (at < text.length) {
    const c = text[at];
    if (c === '"' && value === '') {
      let close = at + 1;
      while (close < text.length && (text[close] !== '"' || text[close + 1] === '"')) close += text[close] === '"' ? 2 : 1;
      if (close >= text.length) throw new Error(`Line ${line}: a quotation mark is opened and never closed.`);
      value = text.slice(at + 1, close).replaceAll('""', '"');
      line += value.split('\n').length - 1;
      at = close + 1;
    } else if (c === separator) {
      row.cells.push(value);
      value = '';
      at += 1;
    } else if (c === '\n' || c === '\r') {
      end();
      at += c === '\r' && text[at + 1] === '\n' ? 2 : 1;
      line += 1;
      row = { cells: [], line };
    } else {
      value += c;
      at += 1;
    }
  }
  if (value !== '' || row.cells.length > 0) end();
  return rows;
}
