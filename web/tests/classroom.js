// A class on the disk in which everybody has copied from everybody, so that there are many pairs to be decided.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dice } from './dice.js';
import { padded, program, renamed, written } from './programs.js';

/** @param {string} place @param {number} size @returns {string} the folder */
export function classroom(place, size) {
  const folder = join(place, 'class');
  mkdirSync(folder, { recursive: true });
  const common = program(dice(5), 8);
  const name = (/** @type {number} */ at) => `student${String(at).padStart(2, '0')}.py`;
  for (let at = 0; at < size; at++) {
    const functions = [...common.slice(0, 4 + (at % 4)), ...program(dice(100 + at), 1 + (at % 3))];
    const text = written(functions, 'python', '');
    // the last two are the same
    const own = at >= size - 2 ? written(common, 'python', '') : renamed(padded(text, dice(at)), dice(at + 50));
    writeFileSync(join(folder, name(at)), own);
  }
  const rows = Array.from({ length: size }, (_, at) => `${name(at)},${at % 2 === 0 ? 'Group A' : 'Group B'}`);
  writeFileSync(join(folder, 'info.csv'), `filename,label\n${rows.join('\n')}\n`);
  return folder;
}
