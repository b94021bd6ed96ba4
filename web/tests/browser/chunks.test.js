// The report page of the chunks lens. The data is made by hand (tests/archive.js); what the page computes is held against the plain way to find it out.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { bytes, commas, percent } from '../../js/format.js';
import { TAG, archive } from '../archive.js';
import { Naive, chunkedPage, filledPage } from '../chunked.js';
import { folder, lookalike } from '../program.js';
import { eventually, settled, textsDrawn } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const file = join(place, 'chunks.html');
const corpus = archive();
const naive = new Naive(corpus);
const data = chunkedPage(corpus);
const found = /** @type {import('../../js/types.js').Chunks} */ (data.chunks);
const suggestion = found.suggestions[0];
suggestion.representative = data.clusters[suggestion.cluster - 1].representative;

before(() => {
  lookalike('scan', 'examples/support-site', '--html', file, '--quiet');
  writeFileSync(file, filledPage(readFileSync(file, 'utf8'), data, corpus.documents));
});

/** The same page with other data. @param {string} name @param {(data: import('../../js/types.js').Page) => void} change */
function changed(name, change) {
  const other = structuredClone(data);
  change(other);
  writeFileSync(join(place, name), filledPage(readFileSync(file, 'utf8'), other, corpus.documents));
  return join(place, name);
}

/** The document with a name that ends so. @param {string} end */
const number = (end) => data.documents.id.findIndex((id) => id.endsWith(end));
const PICTURES = [number('acme/img/plant.png'), number('plant-2.png')];
const MANUALS = [number('acme/docs/manual8.txt'), number('globex/docs/manual8.txt')];

/** The strip at the side, open: what it says is said to nobody else. @param {import('playwright-core').Page} page */
const openStrip = (page) => page.evaluate(() => { for (const strip of document.querySelectorAll('details[data-part="why"]')) strip.setAttribute('open', ''); });
/** @param {import('playwright-core').Page} page @param {string} selector */
const text = async (page, selector) => {
  await openStrip(page);
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
};

const VIEWS = ['#/', '#/clusters', '#/identical', '#/review', `#/cluster/${suggestion.representative}`, `#/cluster/${MANUALS[1]}`, `#/pair/${MANUALS.join('/')}`, `#/pair/${PICTURES.join('/')}`, `#/pair/${MANUALS[0]}/${PICTURES[0]}`];

test('the overview tells what was found, in bytes', async () => {
  const { page, close } = await open(file);
  assert.match(await text(page, '.overview-head'), /linked where at least 50% of the smaller one, and at least 1\.5 KB, is in the other too, byte for byte/);
  const { summary } = data.report;
  for (const [name, shown] of /** @type {[string, string][]} */ ([['clusters', commas(summary.clusters)], ['bytes', bytes(summary.redundant_bytes)], ['identical', commas(summary.identical)], ['near', commas(summary.near)], ['contained', commas(summary.contained)]])) {
    assert.ok((await text(page, `[data-card="${name}"]`)).includes(shown), name);
  }
  const shared = data.clusters.flatMap((c) => c.shared ?? []).reduce((/** @type {number} */ sum, n) => sum + (n ?? 0), 0);
  assert.ok((await text(page, '[data-card="bytes"]')).includes(`they have ${bytes(shared)} of it`));
  assert.equal(await page.locator('[data-card="lexical"], [data-card="shingle"]').count(), 0);
  await page.getByText('How it was done').click();
  await eventually(() => text(page, '[data-part="recipe"]'), /Chunks of 1,000 bytes in the mean/);
  await eventually(() => text(page, '[data-part="tttd"]'), /TTTD\): Tmin 453, Tmax 2,759, D 532, D′ 266/);
  await eventually(() => text(page, '[data-part="chunks"]'), (chunks) => chunks.includes(`${commas(found.chunks)} ${commas(found.distinct)} different`));
  await eventually(() => text(page, '[data-part="ignored"]'), /footer <evil-tag> 47 2 1\.8 KB/);
  await eventually(() => text(page, '[data-part="frequent"]'), /31 documents.*1 chunk, 812 bytes, for example in archive\/globex\/site/);
  await close();
});

test('no view speaks of the other lens, runs anything, or is wider than a telephone', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const { page, go, close } = await open(file, '#/', { viewport: { width: 390, height: 844 }, colorScheme });
    for (const view of VIEWS) {
      await go(view);
      await textsDrawn(page);
      await settled(page);
      const said = await page.evaluate(() => document.querySelector('main')?.innerText ?? '');
      assert.doesNotMatch(said, /resembl|shingle/i, view);
      assert.doesNotMatch(said, /[\u202a-\u202e]/, view);
      assert.equal(await page.locator('evil-tag').count(), 0, view);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${view}: ${wide}`);
      const labels = await page.evaluate(() => [...document.querySelectorAll('[aria-label], [title]')].map((e) => `${e.getAttribute('aria-label') ?? ''} ${e.getAttribute('title') ?? ''}`).join('\n'));
      assert.doesNotMatch(labels, /resembl|shingle/i, view);
    }
    await close();
  }
});

test('the threshold moves the share of the smaller, and clusters follow', async () => {
  const { page, close } = await open(file);
  const slider = page.getByRole('slider', { name: 'least share of the smaller file' });
  assert.equal(await slider.getAttribute('aria-valuenow'), '50');
  await slider.focus();
  const seen = new Set();
  for (const [keys, at] of /** @type {[string[], number][]} */ ([[['Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight'], 70], [['ArrowRight', 'ArrowRight'], 72], [['Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight'], 87], [['End'], 100], [['Home'], 30]])) {
    for (const key of keys) await page.keyboard.press(key);
    await eventually(() => slider.getAttribute('aria-valuenow'), String(at));
    const clusters = naive.clusters(at / 100);
    const members = clusters.flatMap((c) => c.members.map((m) => m[0]));
    const figures = await eventually(() => text(page, '[data-part="figures"]'), new RegExp(`^Clusters ${clusters.length} .*Documents in clusters ${clusters.length + members.length} `), `at ${at}`);
    assert.ok(figures.includes(bytes(members.reduce((sum, d) => sum + naive.bytes[d], 0))), `at ${at}: ${figures}`);
    seen.add(members.length);
  }
  assert.ok(seen.size > 3, 'it makes a difference');
  await page.getByRole('link', { name: 'Clusters', exact: true }).click();
  await eventually(() => text(page, '.stepper'), /Linked from − 30% \+ of the smaller file/);
  await close();
});

test('where there are too many pairs the threshold stays', async () => {
  const { page, close } = await open(changed('many.html', (other) => { other.pairs.from = 1.001; other.pairs.all = 50_000_000; }), '#/?t=0.9');
  assert.match(await text(page, '[data-part="fixed"]'), /too many pairs/);
  assert.equal(await page.getByRole('slider').getAttribute('aria-valuenow'), '50');
  await close();
});

test('similar folders are listed, filtered, sorted, and lead to their clusters', async () => {
  const { page, close } = await open(file);
  const part = page.locator('[data-part="similar-folders"]');
  const rows = part.locator('[data-index]');
  const first = async () => (await rows.first().innerText()).replace(/\s+/g, ' ').replace(/\/ /g, '/');
  const [most] = found.folders;
  assert.equal(await first(), `${most.folder.slice(8)} ${most.files} files, ${bytes(most.bytes)} ${percent(most.share)} ${most.other.slice(8)} ${most.other_files} files, ${bytes(most.other_bytes)} ${bytes(most.inside)} ${percent(most.other_share)} of that one`);
  assert.equal(await text(page, '[data-part="similar-count"]'), `${found.folders.length} pairs`);
  await part.getByRole('searchbox').fill('ACME/docs GLOBEX/docs');
  const wanted = found.folders.filter((pair) => [pair.folder, pair.other].some((f) => f.includes('acme/docs')) && [pair.folder, pair.other].some((f) => f.includes('globex/docs')));
  await page.waitForFunction((n) => document.querySelector('[data-part="similar-count"]')?.textContent?.startsWith(`${n} of`), wanted.length);
  await part.getByRole('combobox', { name: 'Least share inside' }).selectOption('1');
  await page.waitForFunction(() => document.querySelectorAll('[data-part="similar-list"] [data-index]').length === 1);
  await eventually(() => first(), /^globex\/docs\/old 3 files.* 100\.0% acme\/docs/);
  await part.getByRole('searchbox').fill('nowhere');
  await part.getByText('No pair of folders fits.').waitFor();
  await part.getByRole('searchbox').fill('');
  await part.getByRole('combobox', { name: 'Least share inside' }).selectOption('0');
  await eventually(() => text(page, '[data-part="similar-count"]'), `${found.folders.length} pairs`);
  const inside = part.getByRole('columnheader', { name: 'is inside' });
  await inside.getByRole('button').click();
  await eventually(() => inside.getAttribute('aria-sort'), 'descending');
  await eventually(first, /100\.0%/);
  await inside.getByRole('button').click();
  await eventually(() => inside.getAttribute('aria-sort'), 'ascending');
  const least = Math.min(...found.folders.map((pair) => pair.share));
  await eventually(first, (row) => row.includes(percent(least)));
  await part.getByRole('searchbox').fill('acme/docs globex/docs/old');
  await page.waitForFunction(() => document.querySelectorAll('[data-part="similar-list"] [data-index]').length === 1);
  // by keyboard
  await rows.first().getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-part="clusters"]');
  const both = data.clusters.filter((c) => ['archive/globex/docs/old/', 'archive/acme/docs/'].every((f) => [c.representative, ...c.members.map((m) => m[0])].some((d) => data.documents.id[d].startsWith(f))));
  assert.ok(both.length > 0);
  await eventually(() => text(page, '[data-part="count"]'), new RegExp(`^${both.length} of ${data.clusters.length} clusters`));
  await page.getByRole('button', { name: /also in acme\/docs/ }).click();
  await page.waitForFunction(() => !/also=/.test(location.hash));
  await eventually(() => page.getByRole('button', { name: /also in/ }).count(), 0);
  await close();
});

test('what looks like a template says so, leads to its cluster, and names the command', async () => {
  const { page, close } = await open(file, '#/?t=0.8');
  const part = page.locator('[data-part="suggestions"]');
  const said = `${suggestion.documents} files share ${suggestion.chunks} chunks, ${bytes(suggestion.bytes)}: this looks like a template`;
  assert.ok((await text(page, '[data-part="suggestions"]')).includes(said));
  assert.match(await text(page, '[data-part="suggestions"]'), /RUN is the folder that the scan kept with --save.*lookalike templates mark RUN --cluster 1/);
  assert.match(await text(page, '[data-part="suggestions"]'), /verdict “Template”.*does the same/);
  await part.getByRole('link', { name: 'Open cluster 1' }).click();
  await page.waitForSelector('[data-part="suggested"]');
  await eventually(() => page.evaluate(() => location.hash), (hash) => !hash.includes('t='), 'its number is that of the scan');
  await eventually(() => text(page, '[data-part="suggested"]'), (note) => note.includes(said));
  await eventually(() => page.locator('[data-part="suggested"] code').first().innerText(), 'lookalike templates mark RUN --cluster 1');
  await page.locator('.cluster-nav').getByRole('link', { name: 'Next cluster' }).click();
  await page.waitForFunction((r) => document.querySelector('[data-cluster]')?.getAttribute('data-cluster') !== String(r), suggestion.representative);
  await eventually(() => page.locator('[data-part="suggested"]').count(), 0, 'others have no such note');
  await close();
});

test('a cluster and a pair say how many bytes are in common', async () => {
  const exact = changed('exact.html', (other) => {
    for (const cluster of other.clusters) cluster.exact = cluster.members.map((_, at) => (at === 0 ? 7_654_321 : null));
  });
  const cluster = data.clusters.find((c) => c.representative === MANUALS[1]);
  assert.ok(cluster !== undefined);
  const { page, go, close } = await open(exact, `#/cluster/${MANUALS[1]}`);
  for (const [at, [document, kind, , containment, contained_by]] of cluster.members.entries()) {
    const row = (await page.locator(`[data-part="members"] tr[data-document="${document}"]`).innerText()).replace(/\s+/g, ' ');
    const share = Math.max(containment ?? 0, contained_by ?? 0);
    for (const part of [percent(share), kind, bytes(cluster.shared?.[at] ?? 0), `${percent(containment)} of it`, `${percent(contained_by)} of the repr.`]) assert.ok(row.includes(part), `${part}: ${row}`);
    assert.equal(row.includes('7.7 MB exactly'), at === 0);
  }
  await go(`#/pair/${MANUALS.join('/')}`);
  const shared = naive.shared(MANUALS[0], MANUALS[1]);
  await eventually(() => text(page, '[data-part="facts"]'), (facts) => facts.includes(`In common ${bytes(shared)} ${percent(naive.share(MANUALS[0], MANUALS[1]))} of the smaller`));
  // side by side it is read word by word, as ever
  await page.waitForSelector(`.pair[data-drawn="${MANUALS.join('-')}"]`);
  await eventually(() => text(page, '[data-part="shares"]'), /Words in common passages: \d+\.\d% of the left/);
  await close();
});

test('what is no text says so instead of nothing', async () => {
  const { page, go, close } = await open(file, `#/pair/${PICTURES.join('/')}`);
  for (const side of ['left', 'right']) {
    await page.locator(`[data-part="${side}"]`).getByText('There is no text to show.').waitFor();
    await eventually(() => text(page, `[data-part="${side}"]`), /binary.*compared byte for byte all the same/);
  }
  await eventually(() => text(page, '.pair-strip'), /no text to lay side by side/);
  await eventually(() => text(page, '[data-part="facts"]'), (facts) => facts.includes(`${bytes(naive.shared(PICTURES[0], PICTURES[1]))} ${percent(naive.share(PICTURES[0], PICTURES[1]))} of the smaller`));
  await go('#/');
  await eventually(() => text(page, '[data-part="notes"]'), /44 of 46 texts.*they are binary/);
  assert.doesNotMatch(await text(page, '[data-part="notes"]'), /--embed-limit/);
  // a text beside a picture is shown alone
  await go(`#/pair/${MANUALS[0]}/${PICTURES[0]}`);
  await page.locator('[data-part="right"]').getByText('There is no text to show.').waitFor();
  await eventually(async () => (await page.locator('[data-part="left"]').innerText()).length, (n) => n > 500, 'characters');
  await eventually(() => text(page, '[data-part="facts"]'), /These two have less than 30% of the smaller in common/);
  await close();
});

test('on paper the lists are whole and nothing waits for a click', async () => {
  const { page, close } = await open(file);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await eventually(() => page.locator('[data-part="similar-list"] [data-index]').count(), found.folders.length);
  await eventually(() => page.locator('[data-part="suggestions"] button:visible').count(), 0);
  await eventually(() => text(page, '[data-part="suggestions"]'), /mark RUN --cluster 1/);
  assert.ok((await text(page, '[data-part="frequent"]')).includes(TAG));
  await close();
});
