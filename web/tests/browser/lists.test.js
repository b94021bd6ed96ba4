// Lists and names: deep paths stay in their row, names have the width of the list, nothing is cut without saying it, empty columns give up their room.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { cohort, copiesPage } from '../cohort.js';
import { dice, folder, lookalike, words } from '../program.js';
import { eventually } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const [deep, copies] = [join(place, 'deep.html'), join(place, 'copies.html')];
const { page: data, texts } = cohort();

before(() => {
  const roll = dice(5);
  for (let at = 0; at < 12; at++) {
    const text = words(roll, 80).join(' ');
    for (const site of ['python3-documentation', 'another-documentation-package']) {
      const path = join(place, 'docs', `usr/share/doc/${site}/html/library/reference/of/the/standard/library/chapter-${at}/with/many/more/folders/page-with-a-rather-long-name-${at}.txt`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  lookalike('scan', join(place, 'docs'), '--html', deep, '--quiet');
  writeFileSync(copies, copiesPage(data, texts));
});

/** Rows whose content is taller than they are. @param {import('playwright-core').Page} page */
const spilling = (page) => page.evaluate(() => [...document.querySelectorAll('.list-row')].filter((row) => [...row.querySelectorAll('*')].some((inner) => inner.getBoundingClientRect().height > 0 && inner.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom + 1)).length);

for (const width of [1440, 1024, 390]) {
  test(`deep paths stay in their row at ${width} pixels`, async () => {
    const { page, go, close } = await open(deep, '#/clusters', { viewport: { width, height: 900 } });
    for (const view of ['#/clusters', '#/identical']) {
      await go(view);
      await page.waitForSelector('.list-row');
      assert.equal(await spilling(page), 0, view);
    }
    // the end of a path tells one from the other: it is what stays
    await go('#/clusters');
    const tails = await page.locator('.clusters-list .path-tail').evaluateAll((all) => all.map((one) => one.scrollWidth <= one.clientWidth + 1));
    assert.ok(tails.length > 0 && tails.every((whole) => whole), String(tails));
    await close();
  });
}

test('both names of a pair have the whole width, and what is cut can be read by pointing at it', async () => {
  const { page, close } = await open(copies, '#/pairs?below=1', { viewport: { width: 1440, height: 900 } });
  const names = await page.locator('.pairs-list .who').evaluateAll((all) => all.map((who) => {
    const file = /** @type {HTMLElement} */ (who.querySelector('.lk-file'));
    return { text: file.innerText, whole: file.scrollWidth <= file.clientWidth + 1, title: who.getAttribute('title') ?? '', room: who.getBoundingClientRect().width, cell: who.closest('.list-cell')?.getBoundingClientRect().width ?? 0 };
  }));
  assert.ok(names.length > 0);
  for (const name of names) {
    assert.ok(name.room > name.cell * 0.9, `${name.text} has ${name.room} of ${name.cell} pixels`);
    assert.ok(name.title.includes(name.text), name.title);
  }
  await close();
});

test('a passage that two alone have is not marked as a verdict', async () => {
  const pair = data.report.passages.pairs.find((p) => p.passages.some((one) => one.submissions <= 2));
  const { page, close } = await open(copies, `#/pair/${pair?.a}/${pair?.b}`);
  await page.waitForSelector('.copies-pair[data-drawn]');
  for (let at = 0; at < (pair?.passages.length ?? 0); at++) {
    await page.keyboard.press('n');
    await eventually(() => page.locator('.passage-fact').innerText(), /^Passage \d/);
    assert.equal(await page.locator('.passage-fact .chip.is-copied').count(), 0);
  }
  await close();
});

test('a column that says nothing gives up its room, until it says something', async () => {
  const { page, go, close } = await open(copies, '#/pairs', { viewport: { width: 1280, height: 900 } });
  const room = () => page.locator('.pairs-list [role=gridcell].name').first().evaluate((cell) => cell.getBoundingClientRect().width);
  const verdict = page.locator('.pairs-list .list-cell.verdict').first();
  assert.equal(await verdict.isVisible(), false);
  const before = await room();
  const pair = await page.locator('.pairs-list [data-pair]').first().getAttribute('data-pair');
  await go(`#/pair/${pair?.replace('-', '/')}`);
  await page.locator('.pair-verdict.is-copied').first().click();
  await page.waitForSelector('.pair-verdict[data-verdict="copied"][aria-pressed="true"]');
  await go('#/pairs');
  await eventually(() => verdict.isVisible(), true);
  await eventually(room, (width) => width < before, `pixels, less than ${before}`);
  await close();
});

test('on a phone every place is in sight, and submissions can be sorted', async () => {
  const { page, go, close } = await open(copies, '#/', { viewport: { width: 390, height: 844 } });
  const cut = await page.locator('.top nav a').evaluateAll((all) => all.filter((a) => a.getBoundingClientRect().right > innerWidth || a.getBoundingClientRect().right > (a.parentElement?.getBoundingClientRect().right ?? 0) + 1).map((a) => a.textContent));
  assert.deepEqual(cut, []);
  const lines = await page.locator('.top nav a').evaluateAll((all) => new Set(all.map((a) => Math.round(a.getBoundingClientRect().top))).size);
  assert.equal(lines, 1, 'in one line');
  await go('#/submissions');
  const first = () => page.locator('.submissions-list [data-index="0"]').innerText();
  const before = await first();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('name');
  await page.waitForFunction(() => location.hash.includes('sort=name'));
  await eventually(first, (row) => row !== before, 'the first row');
  assert.doesNotMatch(await page.locator('.submissions-list').innerText(), /\b1 (?:pairs|files|tokens)\b/);
  await close();
});
