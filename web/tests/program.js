// The program under test, and the data of the pages that it writes. LOOKALIKE names the binary.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export { dice } from './dice.js';

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAM = process.env.LOOKALIKE;
if (PROGRAM === undefined) throw new Error('LOOKALIKE must name the lookalike binary');
export const BINARY = PROGRAM;

/** Runs the program; its standard output. @param {...string} args */
export function lookalike(...args) {
  return execFileSync(BINARY, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A folder that is gone after the tests. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'lookalike-web-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The data inside a page. @param {string} file @returns {import('../js/types.js').Page} */
export function dataOf(file) {
  const packed = /id="data">([^<]*)</.exec(readFileSync(file, 'utf8'));
  if (packed === null) throw new Error(`${file} has no data`);
  return JSON.parse(gunzipSync(Buffer.from(packed[1], 'base64')).toString('utf8'));
}

/** Words that mean nothing. @param {(sides: number) => number} roll @param {number} n */
export function words(roll, n) {
  return Array.from({ length: n }, () => `w${roll(4000).toString(36)}`);
}
