// Where a browser or a page comes to an end: old browsers, addresses that cannot be written, parts that are left out, very long lists.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dataOf, folder, lookalike } from '../program.js';
import { eventually, settled, textsDrawn } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const file = join(place, 'report.html');

before(() => {
  lookalike('scan', 'examples/support-site', '--html', file, '--quiet');
});

/** The same page with other data. @param {string} name @param {(data: import('../../js/types.js').Page) => void} change */
function changed(name, change) {
  const data = dataOf(file);
  change(data);
  const other = join(place, `${name}.html`);
  writeFileSync(other, readFileSync(file, 'utf8').replace(/id="data">[^<]*</, () => `id="data">${gzipSync(JSON.stringify(data)).toString('base64')}<`));
  return other;
}

test('ends of lines in a template are no strange characters', async () => {
  const other = changed('crlf', (data) => { data.templates = [{ documents: 9, shingles: 3, text: 'one\r\ntwo\rthree', example: 'a.txt' }]; });
  const { page, close } = await open(other);
  assert.equal(await page.locator('[data-part="templates"] blockquote').textContent(), 'one\ntwo\nthree');
  await close();
});

test('what was skipped is counted in singular and plural', async () => {
  const other = changed('kinds', (data) => {
    data.skipped = ['symbolic link', 'symbolic link', 'bad record', 'binary'].map((kind, at) => ({ id: `x${at}`, kind, reason: kind }));
    data.skipped_all = 4;
  });
  const { page, close } = await open(other);
  assert.match(await text(page, '[data-card="skipped"]'), /2 symbolic links, 1 bad record, 1 binary/);
  await close();
});

/** @param {import('playwright-core').Page} page @param {string} selector */
const text = async (page, selector) => (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();

for (const [name, lacking] of /** @type {[string, () => void][]} */ ([
  ['light-dark()', () => { CSS.supports = () => false; }],
  ['DecompressionStream', () => { delete (/** @type {any} */ (window).DecompressionStream); }],
])) {
  test(`a browser without ${name} is told to be too old`, async () => {
    const { page, close } = await open(file, '#/', {}, { lacking, ready: 'main.broken' });
    assert.match(await text(page, 'main'), /too old.*Firefox 120.*Safari 17\.5/);
    assert.ok((await text(page, 'main')).includes(name));
    await close();
  });
}

test('a browser that refuses to change the address does not stop the page', async () => {
  const { page, close } = await open(file, '#/clusters', {}, { lacking: () => { history.replaceState = () => { throw new DOMException('more than 100 times per 30 seconds', 'SecurityError'); }; } });
  await page.getByRole('searchbox').fill('winterfest');
  await page.waitForFunction(() => document.querySelectorAll('[data-part="clusters-list"] [data-cluster]').length === 1);
  assert.ok(page.url().endsWith('#/clusters'));
  await page.getByRole('button', { name: 'Raise the threshold by 1%' }).click();
  await page.getByRole('button', { name: 'Raise the threshold by 1%' }).click();
  await eventually(() => text(page, '.stepper output'), '52%');
  // a link has what is shown, and leads on
  await page.locator('[data-part="clusters-list"] [data-cluster] a').first().click();
  await page.waitForSelector('[data-part="cluster"]');
  await eventually(() => page.url(), /#\/cluster\/\d+\?t=0\.52&q=winterfest$/);
  await page.goBack();
  await page.waitForSelector('[data-part="clusters"]');
  await eventually(() => page.getByRole('searchbox').inputValue(), '', 'the address wins');
  await close();
});

test('where clusters are left out the threshold stays, and the sums are those of the scan', async () => {
  const partly = changed('partly', (data) => {
    data.report.summary.clusters += 2001;
    data.report.summary.clustered += 4002;
    data.left_out = { clusters: 2001, documents: 4002 };
  });
  const { page, go, close } = await open(partly, '#/?t=0.7');
  const clusters = `${(2001 + dataOf(file).report.summary.clusters).toLocaleString('en-US')}`;
  assert.match(await text(page, '[data-card="clusters"]'), new RegExp(clusters));
  assert.match(await text(page, '[data-part="figures"]'), new RegExp(clusters));
  assert.match(await text(page, '[data-part="fixed"]'), /2,001 clusters are not on this page/);
  const slider = page.getByRole('slider');
  assert.equal(await slider.getAttribute('aria-disabled'), 'true');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  const box = await slider.boundingBox();
  assert.ok(box !== null);
  await page.mouse.click(box.x + 150, box.y + box.height / 2);
  await settled(page);
  assert.equal(await slider.getAttribute('aria-valuenow'), '50');
  assert.match(await text(page, '[data-part="figures"]'), new RegExp(clusters));
  await go('#/clusters');
  await eventually(() => text(page, '.stepper'), /50%.*2,001 clusters are not on this page/);
  await eventually(() => page.getByRole('button', { name: /the threshold by/ }).count(), 0);
  await close();
});

test('where there are too many pairs nothing is regrouped', async () => {
  const { page, close } = await open(changed('pairs', (data) => { data.pairs.from = 2; data.pairs.all = 5_000_000; }), '#/?t=0.9');
  assert.match(await text(page, '[data-part="fixed"]'), /too many pairs/);
  assert.equal(await page.getByRole('slider').getAttribute('aria-valuenow'), '50');
  assert.doesNotMatch(await text(page, '[data-part="explorer"]'), /Hatched|200%/);
  await close();
});

test('what was skipped is counted in full and listed in part', async () => {
  const kinds = ['binary', 'empty'];
  const long = changed('skipped', (data) => {
    data.skipped = Array.from({ length: 300_000 }, (_, at) => ({ id: `folder/file${at}.bin`, reason: 'looks binary', kind: kinds[at % 2] }));
    data.skipped_all = 1_234_567;
  });
  const { page, close } = await open(long, '#/?show=skipped');
  assert.match(await text(page, '[data-card="skipped"]'), /1,234,567.*the first 300,000 are listed/);
  assert.match(await text(page, '[data-part="skipped-cut"]'), /first 300,000 of 1,234,567/);
  // no browser would draw the last of them; the list says so and ends before
  const deep = await page.locator('[data-part="skipped-list"] .list-rows').evaluate((e) => e.getBoundingClientRect().height);
  assert.ok(deep > 5_000_000 && deep <= 10_000_000, `${deep}`);
  assert.match(await text(page, '[data-part="rest"]'), /of 300,000 rows/);
  await page.locator('[data-part="skipped-list"] [data-index="0"]').focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('file1724'));
  await page.getByRole('searchbox', { name: 'Search what was skipped' }).fill('file299999');
  await page.locator('[data-part="skipped-list"]').getByText('file299999.bin').waitFor();
  await eventually(() => page.locator('[data-part="rest"]').first().isVisible(), false);
  await close();
});

test('a text that vanished during the scan is not blamed on the limit', async () => {
  const gone = changed('gone', (data) => {
    const content = data.documents.content[data.clusters[0].representative];
    data.texts.block[content] = null;
    data.texts.embedded -= 1;
  });
  const [first] = dataOf(file).clusters;
  const { page, go, close } = await open(gone, `#/pair/${first.representative}/${first.members.at(-1)?.[0]}`);
  await page.getByText(/could not be read again/).waitFor();
  await textsDrawn(page);
  assert.doesNotMatch(await text(page, 'main'), /--embed-limit/);
  await go('#/');
  assert.doesNotMatch(await text(page, '[data-part="notes"]'), /--embed-limit/);
  await close();
});
