// 5,000 clusters and 50,000 documents: only what is visible is in the page, and everything can be reached. Also the looks: narrow, dark, print.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { commas } from '../../js/format.js';
import { dice, folder, lookalike, words } from '../program.js';
import { eventually, settled, textsDrawn } from './eventually.js';
import { open, reload, useBrowser } from './open.js';

useBrowser();

const place = folder();
const file = join(place, 'large.html');
/** @type {any} */
let report;

before(() => {
  const roll = dice(3);
  const lines = [];
  for (let cluster = 0; cluster < 5000; cluster++) {
    const base = words(roll, 60);
    const copies = cluster === 0 ? 2000 : 5 + roll(10);
    for (let copy = 0; copy < copies; copy++) {
      const text = [...base];
      if (copy % 3 > 0) text[roll(60)] = `c${copy}x${roll(50)}`;
      lines.push(JSON.stringify({ id: `site${cluster % 40}/section${cluster % 7}/page${cluster}-${copy}.html`, text: text.join(' ') }));
    }
  }
  const corpus = join(place, 'corpus.jsonl');
  writeFileSync(corpus, lines.join('\n'));
  report = JSON.parse(lookalike('scan', corpus, '-w', '3', '--html', file, '--embed-limit', '1M', '--json', '--quiet'));
});

test('the lists hold everything and show a little', async () => {
  assert.ok(report.clusters.length >= 4900 && report.documents > 48_000, `${report.clusters.length} ${report.documents}`);
  const { page, go, close } = await open(file, '#/clusters');
  const rows = page.locator('[data-part="clusters-list"] [data-cluster]');
  assert.ok(await rows.count() < 80, `${await rows.count()} rows`);
  assert.ok((await page.locator('[data-part="count"]').innerText()).startsWith(commas(report.clusters.length)));
  await rows.first().locator('a').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction((last) => document.querySelector(`[data-part="clusters-list"] [data-index="${last}"]`) !== null, report.clusters.length - 1);
  await eventually(() => rows.count(), (n) => n < 80, 'rows');
  await go('#/identical');
  await eventually(() => page.locator('[data-part="copies-list"] [data-set]').count(), (n) => n > 0 && n < 80, 'sets');
  await go('#/');
  await page.waitForSelector('[data-part="notes"]');
  assert.match(await page.locator('[data-part="notes"]').innerText(), /--embed-limit/);
  await close();
});

test('a cluster of two thousand is shown in part', async () => {
  const { page, close } = await open(file, '#/clusters');
  await page.locator('[data-part="clusters-list"] [data-cluster] a').first().click();
  await page.waitForSelector('[data-part="members"]');
  // a large picture comes after the rest
  await page.waitForSelector('[data-part="graph"] [data-document]', { state: 'attached' });
  assert.ok(await page.locator('[data-part="members"] tr').count() < 450);
  assert.ok(await page.locator('[data-part="graph"] [data-document]').count() <= 300);
  assert.ok(await page.evaluate(() => document.querySelectorAll('*').length) < 12_000);
  await close();
});

for (const scheme of /** @type {('light' | 'dark')[]} */ (['light', 'dark'])) {
  test(`narrow and ${scheme}: nothing sticks out, text can be read`, async () => {
    const { page, go, close } = await open(file, '#/', { viewport: { width: 390, height: 844 }, colorScheme: scheme });
    const representative = await page.evaluate(() => document.querySelector('[data-cluster]')?.getAttribute('data-cluster') ?? '0');
    for (const view of ['#/', '#/clusters', '#/identical', '#/review', `#/cluster/${representative}`, '#/pair/0/1']) {
      await go(view);
      if (view.startsWith('#/cluster/')) await page.waitForSelector('[data-part="graph"] [data-document]', { state: 'attached' });
      await textsDrawn(page);
      await settled(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${view} is ${wide} pixels wide`);
    }
    const [ink, paper] = await page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]);
    const light = (/** @type {string} */ colour) => (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, n) => sum + Number(n), 0);
    assert.equal(light(paper) > light(ink), scheme === 'light');
    await close();
  });
}

test('the reader chooses the colours, and they stay', async () => {
  const { page, close } = await open(file, '#/', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper();
  await page.locator('#theme').click();
  await page.locator('#theme').click();
  const dark = await eventually(paper, (colour) => colour !== before, 'another colour');
  await reload(page, async () => assert.equal(await paper(), dark));
  await close();
});

test('everything in the head can be reached by keyboard, and has a name', async () => {
  const { page, close } = await open(file);
  await page.keyboard.press('Tab');
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'To the content');
  const nameless = await page.evaluate(() => [...document.querySelectorAll('a, button, input, select, textarea')]
    .filter((e) => !(e.textContent?.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.getAttribute('placeholder') || /** @type {any} */ (e).labels?.length))
    .map((e) => e.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  await close();
});

test('printing leaves out what cannot be pressed', async () => {
  const { page, close } = await open(file);
  await page.emulateMedia({ media: 'print' });
  await eventually(() => page.locator('nav').first().isVisible(), false);
  const pdf = await page.pdf({ format: 'A4' });
  assert.ok(pdf.length > 10_000);
  await close();
});
