// A server over a small archive of pages, for tests of the page that it serves.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { BINARY, ROOT, dice, lookalike, words } from './program.js';

/** No page of ours has such an element: where it is one, text became markup. */
export const TAG = '<evil-tag><img src=x onerror="window.hacked = 1"> \u202eevil';
export const GUIDE = 'https://a.example/guide';
export const MOVED = 'https://a.example/moved';
export const HOME = 'https://b.example/new-home';
export const BOOK = 'https://c.example/anthology';
export const HOSTILE = `https://x.example/${TAG}`;
/** Pairs of pages that resemble each other, beside those with a name. */
export const PAIRS = 60;

/** Texts that the tests know. */
export const texts = (() => {
  const roll = dice(7);
  const guide = words(roll, 200);
  const later = [...guide];
  later.splice(50, 3, 'three', 'other', 'words');
  const moved = words(roll, 150);
  return { guide: guide.join(' '), later: later.join(' '), moved: moved.join(' '), book: [...words(roll, 120), ...guide, ...words(roll, 120)].join(' '), hostile: `${TAG} ${words(roll, 100).join(' ')}`, roll };
})();

/** @param {Record<string, string>} pages */
function lines(pages) {
  return Object.entries(pages).map(([id, text]) => JSON.stringify({ id, text })).join('\n');
}

/** An index of three sweeps. @param {string} place @returns {string} */
export function pagesIndex(place) {
  const { guide, later, moved, book, hostile, roll } = texts;
  /** @type {Record<string, string>} */
  const pairs = {};
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const text = words(roll, 80);
    pairs[`https://p.example/${pair}/a`] = text.join(' ');
    pairs[`https://p.example/${pair}/b`] = `${text.join(' ')} and an end that is its own ${pair}`;
  }
  const always = { ...pairs, [BOOK]: book, [HOSTILE]: hostile, [`${HOSTILE}2`]: `${hostile} again` };
  const sweeps = [
    ['2026-01-01', { ...always, [GUIDE]: guide, [MOVED]: moved, 'https://a.example/short-lived': words(roll, 90).join(' ') }],
    ['2026-02-01', { ...always, [GUIDE]: guide, [HOME]: moved }],
    ['2026-03-01', { ...always, [GUIDE]: later, [HOME]: moved }],
  ];
  const index = join(place, 'pages.index');
  for (const [date, pages] of /** @type {[string, Record<string, string>][]} */ (sweeps)) {
    const file = join(place, `${date}.jsonl`);
    writeFileSync(file, lines(pages));
    lookalike('index', date === '2026-01-01' ? 'build' : 'add', index, file, '--sweep', date, '--quiet');
  }
  return index;
}

/** An index of another lens, with the pages of one sweep. @param {string} place @param {'passages' | 'simhash'} lens */
export function otherIndex(place, lens) {
  const [index, file] = [join(place, `${lens}.index`), join(place, `${lens}.jsonl`)];
  writeFileSync(file, lines({ [GUIDE]: texts.guide, [BOOK]: texts.book }));
  lookalike('index', 'build', index, file, '--lens', lens, '--quiet');
  return index;
}

/** An index of chunks, with the same pages as files. @param {string} place */
export function filesIndex(place) {
  const [index, files] = [join(place, 'chunks.index'), join(place, 'kept')];
  mkdirSync(files);
  writeFileSync(join(files, 'guide.txt'), texts.guide);
  writeFileSync(join(files, 'book.txt'), texts.book);
  lookalike('index', 'build', index, files, '--lens', 'chunks', '--avg-chunk', '100', '--quiet');
  return index;
}

/** A store of fingerprints without entries. @param {string} place */
export function emptyStore(place) {
  const store = join(place, 'seen');
  lookalike('simhash', 'online', store);
  return store;
}

/** A saved run of chunks: files that share a long head, and nothing else. @param {string} place */
export function savedRun(place) {
  const roll = dice(11);
  const files = join(place, 'files');
  mkdirSync(files);
  const head = words(roll, 6000).join(' ');
  for (const name of ['one', 'two', 'three']) writeFileSync(join(files, `${name}.txt`), `${head}\n${words(roll, 500).join(' ')}`);
  const run = join(place, 'run');
  lookalike('files', files, '--save', run, '--quiet');
  return run;
}

/** @type {(() => Promise<void>)[]} what ends the servers */
const running = [];
after(() => Promise.all(running.map((kill) => kill())));

/**
 * Serves until the tests are over.
 * @param {...string} args
 * @returns {Promise<{ url: string, kill: () => Promise<void> }>}
 */
export function serve(...args) {
  const child = spawn(BINARY, ['serve', ...args, '--listen', '127.0.0.1:0', '--log-level', 'warn'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => child.once('exit', done));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  running.push(kill);
  return new Promise((done, failed) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const found = /listening on (http:\/\/\S+)/.exec(said);
      if (found !== null) done({ url: found[1], kill });
    });
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
  });
}
