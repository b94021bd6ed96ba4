// The lines of texts that are packed together: what stood in one before is not written again; as crates/report/src/html/lines.rs writes it.

/** @typedef {string | (string | [number, number])[]} Written  a text, or stretches of it: new ones, and the number of the first line and of lines of one that stood before */

/** What one text after the other is, in the order in which they were written. @returns {(written: Written) => string} */
export function readLines() {
  /** @type {string[]} */
  const lines = [];
  return (written) => {
    const from = lines.length;
    for (const stretch of typeof written === 'string' ? [written] : written) {
      const more = typeof stretch === 'string' ? stretch.split('\n') : lines.slice(stretch[0], stretch[0] + stretch[1]);
      for (const line of more) lines.push(line);
    }
    return typeof written === 'string' ? written : lines.slice(from).join('\n');
  };
}

/** The texts of a block. @param {Record<string, any>} block @returns {Record<string, import('./types.js').Text>} */
export function readBlock(block) {
  const read = readLines();
  // contents are numbers, and come in their order; of each the text was written before its source
  for (const text of Object.values(block)) {
    text.text = read(text.text);
    if (text.raw !== undefined) text.raw = read(text.raw);
  }
  return block;
}
