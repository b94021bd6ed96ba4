// Every page that the program writes, with every view of it: what holds for all is asked of all.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archive } from '../archive.js';
import { chunkedPage, filledPage } from '../chunked.js';
import { cohort, copiesPage } from '../cohort.js';
import { dataOf, dice, lookalike, words } from '../program.js';
import { GUIDE, pagesIndex, savedRun, serve, texts } from '../served.js';

/**
 * @typedef {object} EveryPage
 * @property {string} name
 * @property {string} file       or the address of a server
 * @property {string[]} views
 * @property {string} ready      what shows that it is drawn
 * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare]  what a reader does first
 */

const READY = 'html[data-ready]';
const SITE = 'examples/support-site';

/** @param {string} place @returns {EveryPage} */
function scanned(place) {
  const file = join(place, 'scan.html');
  lookalike('scan', SITE, '--html', file, '--quiet');
  const [{ representative, members }] = dataOf(file).clusters;
  const pair = `#/pair/${representative}/${members[0][0]}`;
  return { name: 'scan', file, ready: READY, views: ['#/', '#/?show=skipped', '#/clusters', '#/clusters?q=nowhere', '#/identical', '#/review', `#/cluster/${representative}`, pair, `${pair}?view=raw`] };
}

/** @param {string} place @returns {EveryPage} */
function byAllLenses(place) {
  const file = join(place, 'all.html');
  lookalike('scan', '--lens', 'all', SITE, '--html', file, '--quiet');
  const [{ a, b, relation }] = dataOf(file).relations?.links ?? [];
  return { name: 'scan --lens all', file, ready: READY, views: ['#/', '#/pairs', `#/pairs?relation=${relation}`, '#/pairs?q=nowhere', '#/clusters', `#/pair/${a}/${b}`] };
}

/** @param {string} place @returns {EveryPage} */
function compared(place) {
  const file = join(place, 'pair.html');
  lookalike('compare', `${SITE}/hedgerow/de/winterfest-2024.md`, `${SITE}/hedgerow/de/winterfest-2022.md`, '--html', file);
  return { name: 'compare', file, ready: READY, views: ['#/'] };
}

/** @param {string} place @param {string} shell any page of a scan @returns {EveryPage} */
function chunked(place, shell) {
  const file = join(place, 'chunks.html');
  const corpus = archive();
  const data = chunkedPage(corpus);
  writeFileSync(file, filledPage(readFileSync(shell, 'utf8'), data, corpus.documents));
  const [{ representative, members }] = data.clusters;
  return { name: 'files', file, ready: READY, views: ['#/', '#/clusters', '#/identical', '#/review', `#/cluster/${representative}`, `#/pair/${representative}/${members[0][0]}`] };
}

/** @param {string} place @returns {EveryPage} */
function copied(place) {
  const file = join(place, 'copies.html');
  const { page, texts } = cohort();
  writeFileSync(file, copiesPage(page, texts));
  const [cluster] = page.report.passages.clusters;
  const { a, b } = page.report.passages.pairs[0];
  return { name: 'copies', file, ready: READY, views: ['#/', '#/pairs', '#/pairs?q=nowhere', '#/map', `#/pair/${a}/${b}`, `#/pair/${a}/${b}?fold=differences`, `#/dossier/${a}/${b}`, '#/clusters', `#/cluster/${cluster.submissions[0]}`, '#/submissions', `#/submission/${a}`, '#/review'] };
}

/** @param {string} place @returns {EveryPage[]} */
function ofCorpus(place) {
  const roll = dice(7);
  const [corpus, later] = [join(place, 'corpus.jsonl'), join(place, 'later.jsonl')];
  const texts = Array.from({ length: 40 }, () => words(roll, 100));
  const line = (/** @type {string} */ id, /** @type {string[]} */ text) => JSON.stringify({ id: `https://example.org/${id}`, text: text.join(' ') });
  const near = (/** @type {string[]} */ text) => text.map((word, at) => (at % 17 === 3 ? `other${at}` : word));
  writeFileSync(corpus, texts.flatMap((text, at) => [line(`a/${at}`, text), line(`b/${at}`, at % 3 === 0 ? text : near(text))]).join('\n'));
  writeFileSync(later, texts.flatMap((text, at) => (at % 4 === 0 ? [line(`moved/${at}`, text)] : [line(`a/${at}`, at % 3 === 0 ? near(text) : text)])).join('\n'));
  const [calibration, dedup, changes] = ['calibration.html', 'dedup.html', 'changes.html'].map((name) => join(place, name));
  lookalike('calibrate', corpus, '--precision', '0.6', '--html', calibration, '--quiet', '-o', join(place, 'told.txt'));
  lookalike('dedup', corpus, '--html', dedup, '--quiet', '-o', join(place, 'clean.jsonl'));
  const index = join(place, 'pages.index');
  lookalike('index', 'build', index, corpus, '--sweep', '2026-01-01', '--quiet');
  lookalike('index', 'add', index, later, '--sweep', '2026-02-01', '--quiet');
  lookalike('changes', index, '--html', changes);
  return [
    { name: 'calibrate', file: calibration, ready: READY, views: ['#/', '#/judge'] },
    { name: 'dedup', file: dedup, ready: '#theme', views: [''] },
    { name: 'changes', file: changes, ready: '#theme', views: [''] },
  ];
}

/** @param {string} place @returns {Promise<EveryPage>} */
async function ofServer(place) {
  const own = join(place, 'served');
  mkdirSync(own);
  const { url } = await serve(pagesIndex(own), savedRun(own), '--texts');
  const guide = encodeURIComponent(GUIDE);
  const pair = `#/pair?index=pages.index&a=${encodeURIComponent('https://p.example/1/a')}&b=${encodeURIComponent('https://p.example/1/b')}`;
  const views = ['#/', `#/url?url=${guide}`, '#/clusters?index=pages.index', '#/clusters?index=run', '#/changes', '#/submissions', '#/server', pair];
  const prepare = async (/** @type {import('playwright-core').Page} */ page) => {
    await page.locator('[data-part="text"]').fill(texts.guide);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.waitForSelector('[data-part="results"][data-done]');
  };
  return { name: 'serve', file: url, ready: READY, views, prepare };
}

/** Writes all of them, and serves one. @param {string} place */
export async function everyPage(place) {
  const scan = scanned(place);
  return [scan, byAllLenses(place), compared(place), chunked(place, scan.file), copied(place), ...ofCorpus(place), await ofServer(place)];
}
