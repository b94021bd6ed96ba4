// Numbers as people read them; the same forms as on the terminal (crates/report/src/units.rs).

const COMMAS = new Intl.NumberFormat('en-US');

/** `12,345` @param {number} n */
export function commas(n) {
  return COMMAS.format(n);
}

/** `1 document`, `12,345 documents` @param {number} n @param {string} noun */
export function count(n, noun) {
  return `${commas(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** `14 symbolic links`, `2 binary`: what is a thing has a plural, what is a quality has none. As in crates/report/src/words.rs. @param {number} n @param {string} kind */
export function countKind(n, kind) {
  return /^(?:special file|symbolic link|link loop|bad record|bad id)$/.test(kind) ? count(n, kind) : `${commas(n)} ${kind}`;
}

/** A share as a percentage that never rounds up to 100: `99.9%` is not identical. @param {number | null | undefined} share */
export function percent(share) {
  if (share === null || share === undefined) return '–';
  const tenths = Math.round(share * 1000);
  return `${((share < 1 ? Math.min(tenths, 999) : tenths) / 10).toFixed(1)}%`;
}

/** `258.1 KB` @param {number} n */
export function bytes(n) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  let value = n;
  while (value >= 999.95 && unit + 1 < units.length) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? `${n} ${n === 1 ? 'byte' : 'bytes'}` : `${value.toFixed(1)} ${units[unit]}`;
}

/** `2026-11-15` @param {number | null | undefined} seconds */
export function day(seconds) {
  return seconds === null || seconds === undefined ? '–' : new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** `2026-11-15 10:51 UTC` @param {number} seconds */
export function moment(seconds) {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
