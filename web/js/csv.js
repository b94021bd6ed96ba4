// Tables in CSV, written so that spreadsheets leave them alone, and read as spreadsheets and people write them.

// A spreadsheet takes a cell that begins so for a formula; one of digits, for a number whose zeros and last digits it drops.
const MISREAD = /^'*(?:[=+\-@\t\r]|\d+(?:e\d+)?$)/i;

/** A file of rows. @param {string[][]} rows */
export function csvOf(rows) {
  // without the mark at the beginning Excel does not read it as Unicode
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** @param {string} text */
export function guarded(text) {
  return MISREAD.test(text) ? `'${text}` : text;
}

/** @param {string} text */
export function bare(text) {
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
 * The rows of a table by its columns. What divides them is found by the name of one that is always there.
 * @param {string} file
 * @param {string} name          of the file, for what is said when it cannot be read
 * @param {string[]} columns
 * @param {string[]} optional    columns that may be missing
 * @returns {{ get: (column: string) => string, where: string, text: string }[]}  rows with nothing in them are left out
 */
export function readTable(file, name, columns, optional) {
  // Excel's own first line; what it says is found out below
  const told = /^sep=[^\r\n]*(?:\r\n|\r|\n)/i.exec(file)?.[0] ?? '';
  const text = file.slice(told.length);
  const head = text.split(/\r?\n|\r/, 1)[0];
  // spreadsheets of many countries write semicolons
  const separator = [',', ';', '\t'].find((s) => head.toLowerCase().replaceAll('"', '').split(s).some((c) => c.trim() === 'verdict'));
  const expected = `Expected decisions as JSON, or as CSV with the columns ${columns.join(',')}`;
  if (separator === undefined) throw new Error(`${name} is not a file of decisions. ${expected}; its first line is “${head.slice(0, 60)}”.`);
  const [first, ...rows] = csvRows(text, separator, told === '' ? 1 : 2);
  const names = first.cells.map((c) => c.trim().toLowerCase());
  const missing = columns.filter((c) => !optional.includes(c) && !names.includes(c));
  if (missing.length > 0) throw new Error(`${name} lacks the column “${missing.join('”, “')}”. ${expected}; found ${names.join(',').slice(0, 80)}.`);
  return rows.filter(({ cells }) => cells.some((c) => c.trim() !== '')).map(({ cells, line }) => (
    { get: (column) => cells[names.indexOf(column)] ?? '', where: `${name}, line ${line}`, text: cells.join(separator).slice(0, 60) }));
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
