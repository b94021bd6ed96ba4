// Review: verdicts, that they stay, that they are exported, and that `scan --decisions` understands them.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROOT, dataOf, folder, lookalike } from '../program.js';
import { eventually } from './eventually.js';
import { open, reload, useBrowser } from './open.js';

useBrowser();

const place = folder();
const site = join(place, 'site');
const file = join(place, 'report.html');
/** @type {any} */
let report;
/** @type {import('../../js/types.js').Page} */
let data;

before(() => {
  cpSync(join(ROOT, 'examples/support-site'), site, { recursive: true });
  report = JSON.parse(lookalike('scan', site, '--html', file, '--json', '--quiet'));
  data = dataOf(file);
});

/** @param {string} id */
const number = (id) => data.documents.id.indexOf(id);
/** @param {import('playwright-core').Page} page @param {string} part */
const part = async (page, part) => (await page.locator(`[data-part="${part}"]`).first().innerText()).replace(/\s+/g, ' ');

/** @param {import('playwright-core').Page} page @param {string} button @param {string} name */
async function download(page, button, name) {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const saved = join(place, name);
  await (await waiting).saveAs(saved);
  return saved;
}

test('verdicts stay, are exported, and hold in the next scan', async () => {
  const [first, second, third] = report.clusters;
  const { page, go, close } = await open(file, `#/cluster/${number(first.representative)}`);
  // by key: duplicates, then on to the next undecided
  await page.keyboard.press('1');
  await page.getByRole('textbox', { name: 'Note' }).fill('as agreed, "really"');
  await page.getByRole('button', { name: /Save and next/ }).click();
  await page.waitForSelector(`h1[data-cluster="${number(second.representative)}"]`);
  await page.keyboard.press('2');
  await page.keyboard.press('s');
  await page.waitForSelector(`h1[data-cluster="${number(third.representative)}"]`);
  await reload(page, async () => {
    await go('#/review');
    assert.match(await part(page, 'progress'), new RegExp(`2 of ${report.clusters.length} clusters decided`));
  });
  assert.match(await part(page, 'decided'), /as agreed, "really"/);
  const json = await download(page, 'Export JSON', 'decisions.json');
  const csv = await download(page, 'Export CSV', 'decisions.csv');
  await eventually(() => part(page, 'command'), /--decisions/);
  const written = JSON.parse(readFileSync(json, 'utf8'));
  assert.deepEqual(written.clusters.map((/** @type {any} */ c) => [c.verdict, c.documents.length]), [['keep', 1 + first.members.length], ['not-duplicates', 1 + second.members.length]]);
  for (const decisions of [json, csv]) {
    const again = JSON.parse(lookalike('scan', site, '--decisions', decisions, '--json', '--quiet'));
    assert.equal(again.reviewed.decided, 1);
    assert.equal(again.reviewed.undecided, report.clusters.length - 2);
    const ids = (/** @type {any} */ c) => [c.representative, ...c.members.map((/** @type {any} */ m) => m.id)];
    assert.ok(!again.clusters.some((/** @type {any} */ c) => ids(c).includes(second.representative) && ids(c).includes(second.members[0].id)), 'not linked again');
    const kept = again.clusters.find((/** @type {any} */ c) => c.representative === first.representative);
    assert.deepEqual(kept.decision, { verdict: 'keep', keep: [first.representative], note: 'as agreed, "really"' });
  }
  await close();
  // the page of the next scan begins where this one ended; another reader has no verdicts of his own
  const next = join(place, 'next.html');
  lookalike('scan', site, '--decisions', json, '--html', next, '--quiet');
  const opened = await open(next, '#/review');
  assert.match(await part(opened.page, 'progress'), new RegExp(`1 of ${report.clusters.length - 1} clusters decided`));
  assert.match(await part(opened.page, 'decided'), /as agreed/);
  const both = JSON.parse(readFileSync(await download(opened.page, 'Export JSON', 'both.json'), 'utf8'));
  assert.equal(both.clusters.length, 2, 'what was decided before is not forgotten');
  await opened.close();
});

test('a template is ignored in the next scan', async () => {
  const cluster = report.clusters.find((/** @type {any} */ c) => c.members.every((/** @type {any} */ m) => m.class === 'near') && c.members.length === 1);
  const { page, go, close } = await open(file, `#/cluster/${number(cluster.representative)}`);
  await page.keyboard.press('3');
  await page.keyboard.press('s');
  await page.waitForSelector(`h1[data-cluster]:not([data-cluster="${number(cluster.representative)}"])`);
  await go('#/review');
  const json = await download(page, 'Export JSON', 'template.json');
  const again = JSON.parse(lookalike('scan', site, '--decisions', json, '--json', '--quiet'));
  assert.equal(again.reviewed.templates, 1);
  assert.equal(again.shingles.templates.length, 1);
  assert.ok(!again.clusters.some((/** @type {any} */ c) => c.representative === cluster.representative && c.members[0].id === cluster.members[0].id));
  await close();
});

test('a file of a colleague is taken over; another file is refused with what was expected', async () => {
  const { page, close } = await open(file, '#/review');
  const first = report.clusters[0];
  const documents = [first.representative, ...first.members.map((/** @type {any} */ m) => m.id)]
    .map((id) => ({ id, content: data.contents[data.documents.content[number(id)]] }));
  const theirs = join(place, 'theirs.json');
  writeFileSync(theirs, JSON.stringify({ decisions: 1, clusters: [{ representative: first.representative, verdict: 'later', keep: [], note: 'ask Anna', documents }] }));
  await page.locator('input[type="file"]').setInputFiles(theirs);
  await page.waitForFunction(() => document.querySelector('[data-part="decided"]')?.textContent?.includes('ask Anna'));
  const wrong = join(place, 'wrong.json');
  writeFileSync(wrong, '{"clusters": 3}');
  await page.locator('input[type="file"]').setInputFiles(wrong);
  await page.getByText(/wrong\.json/).first().waitFor();
  await eventually(() => part(page, 'files'), /[Ee]xpected/);
  await close();
});

test('all identical at once', async () => {
  const { page, close } = await open(file, '#/review');
  const identical = report.clusters.filter((/** @type {any} */ c) => c.members.every((/** @type {any} */ m) => m.class === 'identical')).length;
  assert.ok((await part(page, 'bulk')).includes(`${identical} undecided clusters`));
  await page.locator('[data-part="bulk"] button').first().click();
  await page.locator('[data-part="bulk"]').getByRole('button', { name: `Yes, decide ${identical}` }).click();
  await page.waitForFunction((n) => document.querySelector('[data-part="progress"]')?.textContent?.includes(`${n} of`), identical);
  await close();
});
