// Places in texts. The report counts bytes of UTF-8, the page counts as its strings do, in UTF-16.

/** How often a place is noted; between two notes it is counted. */
const STEP = 512;

/** Bytes that a character takes, by its first UTF-16 unit; the second of two takes none. @param {number} unit */
function width(unit) {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit >= 0xd800 && unit < 0xdc00) return 4;
  return unit >= 0xdc00 && unit < 0xe000 ? 0 : 3;
}

/** Turns places in bytes into places in units; what is beyond the end is at the end. @param {string} text @returns {(byte: number) => number} */
export function unitsOf(text) {
  /** @type {number[]} bytes before every STEP-th unit */
  const notes = [];
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    if (at % STEP === 0) notes.push(bytes);
    bytes += width(text.charCodeAt(at));
  }
  if (bytes === text.length) return (byte) => Math.min(text.length, Math.max(0, byte));
  return (byte) => {
    if (byte >= bytes) return text.length;
    let [low, high] = [0, notes.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (notes[middle] <= byte) low = middle;
      else high = middle - 1;
    }
    let [at, sum] = [low * STEP, notes[low]];
    while (at < text.length && sum < byte) {
      sum += width(text.charCodeAt(at));
      at += 1;
    }
    // never between the halves of a character
    return at < text.length && width(text.charCodeAt(at)) === 0 ? at + 1 : at;
  };
}

/** Where the lines of a text begin. @param {string} text @returns {number[]} */
export function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last of rising numbers that is not above a value; -1 if all are. @param {number[]} rising @param {number} value */
export function lastUpTo(rising, value) {
  let [low, high] = [-1, rising.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rising[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
