// The reviewing loop: the list from which a reader came is the one that keys, buttons and verdicts walk, in all lenses.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { classroom } from '../classroom.js';
import { folder, lookalike } from '../program.js';
import { eventually, settled } from './eventually.js';
import { open, reload, useBrowser } from './open.js';

useBrowser();

/** @typedef {import('playwright-core').Page} Page */

const place = folder();
const SIZE = 16;
// two are identical: one of them was compared for both, and the two are a pair
const PAIRS = ((SIZE - 1) * (SIZE - 2)) / 2 + 1;
const file = (/** @type {string} */ name) => join(place, name);
let students = '';
/** As few rows as possible are left out of the list. */
const ASKED = ['--threshold', '0.05', '--min-similarity', '0.01', '--limit', '1000'];

before(() => {
  students = classroom(place, SIZE);
  lookalike('copies', students, ...ASKED, '--html', file('class.html'), '--quiet');
  lookalike('scan', 'examples/support-site', '--html', file('scan.html'), '--quiet');
  lookalike('files', 'examples/support-site', '--threshold', '0.1', '--html', file('files.html'), '--quiet');
});

/** @param {Page} page @param {string} part */
const part = async (page, part) => (await page.locator(`[data-part="${part}"]`).first().innerText()).replace(/\s+/g, ' ').trim();
const hash = (/** @type {Page} */ page) => page.evaluate(() => location.hash);
/** The addresses of all rows of a list, however long it is. @param {Page} page @param {string} attribute */
async function rows(page, attribute) {
  /** @type {string[]} */
  const all = [];
  await page.evaluate(() => scrollTo(0, 0));
  for (;;) {
    const seen = await page.locator(`.list-row[${attribute}]`).evaluateAll((list, name) => list.map((row) => row.getAttribute(name) ?? ''), attribute);
    all.push(...seen.filter((row) => !all.includes(row)));
    const more = await page.evaluate(async () => {
      const from = scrollY;
      scrollBy(0, innerHeight / 2);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return scrollY > from;
    });
    if (!more) return all;
  }
}

test('copies: the list that is walked is the one with its filter and order', async () => {
  const asked = 'sort=longest&label=0';
  const { page, close } = await open(file('class.html'), `#/pairs?${asked}`);
  const listed = await rows(page, 'data-pair');
  assert.ok(listed.length > 20 && listed.length < PAIRS, String(listed.length));
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('.list-row a.list-link').first().click();
  const at = async (/** @type {number} */ n) => {
    await page.waitForFunction((pair) => location.hash.startsWith(`#/pair/${pair}?`), listed[n].replace('-', '/'));
    await eventually(() => part(page, 'place'), `${n + 1} of ${listed.length}`);
  };
  await at(0);
  await eventually(() => part(page, 'which'), 'Group A, longest first');
  await page.keyboard.press(']');
  await at(1);
  await page.locator('.worklist-step').nth(1).click();
  await at(2);
  await page.keyboard.press('[');
  await at(1);
  // it is in the address: there after a reload, and in a dossier and back
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.equal(await part(page, 'place'), `2 of ${listed.length}`);
  const pair = listed[1].split('-');
  await page.keyboard.press('x');
  await page.waitForSelector(`.copies-pair[data-drawn="${[...pair].reverse().join('-')}"]`);
  await page.keyboard.press('x');
  await page.waitForSelector(`.copies-pair[data-drawn="${pair.join('-')}"]`);
  await eventually(() => part(page, 'place'), `2 of ${listed.length}`);
  await page.keyboard.press('Escape');
  await page.waitForFunction((to) => location.hash === `#/pairs?${to}`, asked);
  await eventually(() => rows(page, 'data-pair'), listed);
  await close();
});

test('copies: under "undecided" a verdict does not take the list from under the reader', async () => {
  const { page, close } = await open(file('class.html'), '#/pairs?verdict=undecided&sort=overlap');
  const listed = await rows(page, 'data-pair');
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('.list-row a.list-link').first().click();
  const at = async (/** @type {number} */ n) => {
    await page.waitForFunction((pair) => location.hash.startsWith(`#/pair/${pair}?`), listed[n].replace('-', '/'));
    await eventually(() => part(page, 'place'), `${n + 1} of ${listed.length}`);
  };
  await at(0);
  await page.keyboard.press('2');
  await eventually(() => part(page, 'done'), /^1 decided$/);
  await eventually(() => part(page, 'place'), `1 of ${listed.length}`);
  await page.keyboard.press('Enter');
  await at(1);
  await page.keyboard.press('[');
  await at(0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-part="pairs"]');
  await eventually(() => rows(page, 'data-pair'), listed.slice(1));
  await eventually(() => part(page, 'hidden'), /1 decided pair is not shown/);
  await close();
});

for (const [width, height] of [[1920, 1000], [1440, 900], [1280, 800]]) {
  test(`copies: a second click at the same place changes nothing, and nothing moves (${width})`, async () => {
    const { page, go, close } = await open(file('class.html'), '#/pairs', { viewport: { width, height } });
    await page.locator('.list-row a.list-link').first().click();
    await page.waitForSelector('.copies-pair[data-drawn]');
    await settled(page);
    const boxes = () => page.locator('[data-part="verdict"] button, [data-part="worklist"] > *, .worklist-step, .pair-grid, [data-part="tools"] button').evaluateAll((all) => all.map((e) => { const { x, y } = e.getBoundingClientRect(); return [Math.round(x), Math.round(y)].join(); }));
    for (const verdict of ['copied', 'again', 'not-copied']) {
      const still = await boxes();
      const box = await page.locator(`[data-verdict="${verdict}"]`).boundingBox();
      assert.ok(box !== null);
      const spot = /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
      await page.mouse.click(...spot);
      await page.mouse.click(...spot);
      await page.mouse.dblclick(...spot);
      await settled(page);
      await eventually(() => page.locator('.pair-verdict[aria-pressed="true"]').getAttribute('data-verdict'), verdict);
      assert.deepEqual(await boxes(), still);
    }
    // a passage that is selected moves nothing either
    const still = await boxes();
    await page.keyboard.press('n');
    await page.waitForSelector('.pair-pill[aria-pressed="true"]', { state: 'attached' });
    await page.keyboard.press('n');
    await settled(page);
    assert.deepEqual(await boxes(), still);
    await page.keyboard.press('0');
    await eventually(() => page.locator('.pair-verdict[aria-pressed="true"]').count(), 0);
    await go('#/review');
    await eventually(() => part(page, 'decided'), /Nothing yet/);
    await close();
  });
}

test('copies: a class of a hundred pairs by keyboard alone, two keys a pair, and the decisions come back', async () => {
  const { page, go, close } = await open(file('class.html'), '#/pairs');
  assert.match(await part(page, 'count'), new RegExp(`^${PAIRS} pairs`));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.copies-pair');
  let keys = 0;
  const press = async (/** @type {string} */ key) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  for (let n = 0; n < PAIRS; n++) {
    await eventually(() => part(page, 'place'), `${n + 1} of ${PAIRS}`);
    await press(n % 3 === 0 ? '2' : '1');
    await eventually(() => part(page, 'done'), `${n + 1} decided`);
    await press('Enter');
  }
  assert.equal(keys, 2 * PAIRS);
  await page.waitForFunction(() => location.hash === '#/review');
  const bar = page.locator('[role="progressbar"]');
  await eventually(() => bar.getAttribute('aria-valuenow'), '100');
  await eventually(() => page.locator('.review-big').innerText(), new RegExp(`^${PAIRS} of ${PAIRS} pairs`));
  await eventually(() => part(page, 'command'), /^lookalike copies --decisions verdicts-/);
  const saved = async (/** @type {string} */ action, /** @type {string} */ name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-action="${action}"]`).click()]);
    await download.saveAs(file(name));
    return file(name);
  };
  const files = [await saved('export', 'verdicts.json'), await saved('export-csv', 'verdicts.csv')];
  await go('#/pairs?verdict=undecided');
  await eventually(() => part(page, 'hidden'), new RegExp(`${PAIRS} decided pairs are not shown`));
  await close();
  for (const decisions of files) {
    const { passages } = JSON.parse(lookalike('copies', students, ...ASKED, '--decisions', decisions, '--json', '--quiet'));
    const { reviewed } = passages;
    assert.deepEqual([reviewed.decisions, reviewed.decided, reviewed.undecided, reviewed.stale, reviewed.unlisted], [PAIRS, PAIRS, 0, 0, 0], decisions);
    assert.equal(reviewed.not_copied, Math.ceil(PAIRS / 3));
    assert.equal(passages.pairs.length, PAIRS, 'nothing is left out');
  }
  const shown = lookalike('copies', students, ...ASKED, '--decisions', files[1], '--html', file('again.html'), '--quiet');
  assert.doesNotMatch(shown, / ↔ /);
  assert.match(shown, new RegExp(`decided\\s+${PAIRS}  of ${PAIRS} listed pairs`));
  // another reader, without verdicts of his own
  const again = await open(file('again.html'), '#/pairs');
  assert.equal(await again.page.locator('.pairs-list .list-row').count(), 0);
  assert.match(await part(again.page, 'hidden'), new RegExp(`${PAIRS} decided pairs are not shown`));
  await again.page.locator('[data-part="hidden"] button').click();
  await again.page.waitForSelector('.list-row .chip.is-copied');
  await eventually(() => part(again.page, 'count'), new RegExp(`^${PAIRS} pairs`));
  // what is taken back stays taken back
  await again.page.locator('.list-row a.list-link').first().click();
  await again.page.waitForSelector('.pair-verdict[aria-pressed="true"]');
  await again.page.keyboard.press('0');
  await eventually(() => again.page.locator('.pair-verdict[aria-pressed="true"]').count(), 0);
  await reload(again.page, async () => assert.equal(await again.page.locator('.pair-verdict[aria-pressed="true"]').count(), 0));
  await again.close();
});

test('copies: CSV and JSON come back in another browser; a file of clusters is refused', async () => {
  const { page, close } = await open(file('class.html'), '#/review');
  await page.locator('input[type="file"]').setInputFiles(file('verdicts.csv'));
  await page.getByText(`${PAIRS} verdicts imported`).waitFor();
  await eventually(() => page.locator('.review-big').innerText(), new RegExp(`^${PAIRS} of `));
  const wrong = { name: 'clusters.json', mimeType: 'application/json', buffer: Buffer.from('{"decisions":1,"clusters":[]}') };
  await page.locator('input[type="file"]').setInputFiles(wrong);
  await page.getByText(/clusters\.json has decisions about clusters of documents/).waitFor();
  await close();
});

test('copies: a verdict for a whole cluster, for all identical ones, and both taken back', async () => {
  const { page, go, close } = await open(file('class.html'), '#/clusters');
  await page.locator('.ring-card').first().click();
  await page.waitForSelector('[data-bulk="copied"]');
  await eventually(() => part(page, 'bulk'), new RegExp(`^${PAIRS} of ${PAIRS} pairs of this cluster are undecided`));
  // one that is decided keeps its verdict
  await page.locator('.pairs-list .list-row a.list-link').nth(1).click();
  await page.waitForSelector('.copies-pair');
  await eventually(() => part(page, 'which'), 'of cluster 1, most similar first');
  await page.keyboard.press('2');
  await page.waitForSelector('.pair-verdict[data-verdict="not-copied"][aria-pressed="true"]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-bulk="copied"]');
  await page.locator('[data-bulk="copied"]').click();
  await eventually(() => part(page, 'bulk'), new RegExp(`All ${PAIRS} pairs of this cluster are decided`));
  await go('#/review');
  await eventually(() => page.locator('.review-legend').innerText(), new RegExp(`Copied ${PAIRS - 1}\\s+Not copied 1`));
  await go('#/cluster/0');
  await page.locator('.bulk-outcome button').click();
  await page.waitForSelector('[data-bulk="copied"]');
  await go('#/review');
  await eventually(() => page.locator('.review-big').innerText(), /^1 of /);
  await eventually(() => part(page, 'bulk'), /both have exactly the same tokens/);
  await page.locator('[data-bulk="copied"]').click();
  await eventually(() => page.locator('.review-big').innerText(), /^[2-9]\d* of /);
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(() => page.locator('.review-big').innerText(), /^1 of /);
  await close();
});

test('copies: a group that is chosen on the overview is kept on the way to the pairs', async () => {
  const { page, close } = await open(file('class.html'), '#/');
  await page.locator('.group-choice').nth(2).click();
  await page.waitForFunction(() => location.hash.includes('label=1'));
  await eventually(() => part(page, 'starts'), /Where to start in Group B/);
  for (const link of ['.top nav a[data-place="pairs"]', '[data-card="pairs"]', '.histogram-facts a:first-of-type']) await eventually(() => page.locator(link).getAttribute('href') ?? '', /^#\/pairs\?label=1$/);
  await page.locator('.top nav a[data-place="pairs"]').click();
  await page.waitForSelector('[data-part="pairs"]');
  await eventually(() => page.locator('select[data-filter="label"]').inputValue(), '1');
  await close();
});

for (const [lens, name] of [['scan', 'scan.html'], ['files', 'files.html']]) {
  test(`${lens}: the list of clusters is walked with its filter and order, by keys, buttons and verdicts`, async () => {
    const asked = 'sort=average&dir=asc';
    const { page, go, close } = await open(file(name), `#/clusters?${asked}`);
    const listed = await rows(page, 'data-cluster');
    assert.ok(listed.length >= 3, String(listed.length));
    const first = () => page.locator('.list-row[data-cluster]').evaluateAll((all) => all.slice(0, 3).map((row) => row.getAttribute('data-cluster') ?? ''));
    await go('#/clusters');
    await eventually(first, (plain) => plain.length === 3 && plain.join() !== listed.slice(0, 3).join(), 'another order');
    await go(`#/clusters?${asked}`);
    await eventually(first, listed.slice(0, 3));
    await page.locator('.list-row a.list-link').first().click();
    const at = (/** @type {number} */ n) => page.waitForSelector(`h1[data-cluster="${listed[n]}"]`);
    await at(0);
    await eventually(() => part(page, 'place'), `1 of ${listed.length}`);
    await eventually(() => part(page, 'which'), 'least alike first');
    await page.keyboard.press(']');
    await at(1);
    await page.locator('.worklist-step').nth(0).click();
    await at(0);
    // into a pair and back: the list is not lost
    await page.locator('[data-part="members"] a[href^="#/pair/"]').first().click();
    await page.waitForSelector('.pair[data-part="pair"]');
    await page.keyboard.press('Escape');
    await at(0);
    await eventually(() => part(page, 'place'), `1 of ${listed.length}`);
    // a verdict and Enter: on to the next undecided of this list
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await at(1);
    await page.keyboard.press('4');
    await page.keyboard.press('s');
    await at(2);
    await eventually(() => part(page, 'done'), '1 decided');
    await page.keyboard.press('Escape');
    await page.waitForFunction((to) => location.hash === `#/clusters?${to}`, asked);
    await eventually(() => rows(page, 'data-cluster'), listed);
    await close();
  });
}

test('scan: Enter does not decide what was only suggested', async () => {
  const { page, close } = await open(file('scan.html'), '#/clusters?class=identical');
  await page.locator('.list-row a.list-link').first().click();
  await page.waitForSelector('h1[data-cluster]');
  const before = await hash(page);
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await hash(page), before);
  assert.equal(await part(page, 'done'), '0 decided');
  await close();
});

test('exported decisions have the names of submissions and the hashes of their files', () => {
  const { pairs } = JSON.parse(readFileSync(file('verdicts.json'), 'utf8'));
  assert.equal(pairs.length, PAIRS);
  assert.match(pairs[0].a.content[0], /^[0-9a-f]{32}$/);
});
