// Overview, clusters, identical files and the page of a cluster, on the report of the sample site. What is shown is held against `--json`.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { bytes, commas, percent } from '../../js/format.js';
import { dataOf, folder, lookalike } from '../program.js';
import { eventually, settled } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const file = join(place, 'report.html');
const run = join(place, 'run');
/** @type {any} */
let report;
/** @type {import('../../js/types.js').Page} */
let data;

before(() => {
  report = JSON.parse(lookalike('scan', 'examples/support-site', '--contained', '0.9', '--html', file, '--explore', '0.3', '--save', run, '--json', '--quiet'));
  data = dataOf(file);
});

/** The number of a document on the page. @param {string} id */
const number = (id) => data.documents.id.indexOf(id);

/** @param {import('playwright-core').Page} page @param {string} selector */
const text = async (page, selector) => (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();

/** @param {import('playwright-core').Page} page @param {string} selector */
const texts = async (page, selector) => (await page.locator(selector).allInnerTexts()).map((t) => t.replace(/\s+/g, ' ').trim());

test('the overview shows the sums of the report', async () => {
  const { page, close } = await open(file);
  const card = (/** @type {string} */ name) => text(page, `[data-card="${name}"]`);
  const { summary } = report;
  for (const [name, shown] of /** @type {[string, string][]} */ ([
    ['documents', commas(report.documents)],
    ['clusters', commas(summary.clusters)],
    ['bytes', bytes(summary.redundant_bytes)],
    ['skipped', commas(report.skipped.length)],
    ['identical', commas(summary.identical)],
    ['lexical', commas(summary.lexical)],
    ['near', commas(summary.near)],
    ['contained', commas(summary.contained)],
    ['undecided', commas(summary.clusters)],
  ])) assert.ok((await card(name)).includes(shown), `${name}: ${await card(name)}`);
  assert.match(await text(page, '[data-part="overview"]'), /examples\/support-site/);
  // the cards of the classes add up to what could go, and the one of copies leads to all names
  const kinds = await page.locator('[data-part="cards"] .kinds .card-value').allInnerTexts();
  assert.equal(kinds.reduce((sum, n) => sum + Number(n.replace(',', '')), 0), summary.clustered - summary.clusters);
  assert.ok((await text(page, '[data-part="could-go"]')).startsWith(`${commas(summary.clustered - summary.clusters)} documents could go`));
  assert.match(await card('identical'), /7 names in 3 sets/);
  assert.equal(await page.locator('[data-card="identical"]').getAttribute('href'), '#/identical');
  // plain words first, the recipe for those who ask
  assert.match(await text(page, '.overview-head'), /linked from 50% resemblance: half of their 10-word sequences in common/);
  assert.equal(await page.getByText('nested:100').first().isVisible(), false);
  await page.getByText('How it was done').click();
  await eventually(() => text(page, '[data-part="recipe"]'), /10-word shingles, sample nested:100/);
  await page.locator('[data-card="skipped"]').click();
  for (const { id, reason } of report.skipped) {
    await page.getByText(id.split('/').pop(), { exact: false }).first().waitFor();
    await eventually(() => text(page, '[data-part="skipped"]'), new RegExp(reason.split(' ')[0]));
  }
  await close();
});

test('the threshold is moved by hand and by keys, and clusters are regrouped as recluster would', async () => {
  const { page, close } = await open(file);
  const slider = page.getByRole('slider');
  const figures = () => text(page, '[data-part="figures"]');
  const expected = (/** @type {number} */ threshold) => JSON.parse(lookalike('recluster', run, '--threshold', String(threshold), '--json', '--quiet')).summary;
  assert.equal(await slider.getAttribute('aria-valuenow'), '50');
  await slider.focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+ArrowRight');
  await eventually(() => slider.getAttribute('aria-valuenow'), '70');
  const seventy = expected(0.7);
  await page.waitForFunction((n) => document.querySelector('[data-part="figures"]')?.textContent?.includes(n), String(seventy.clusters));
  await eventually(figures, (told) => told.includes(bytes(seventy.redundant_bytes)));
  await eventually(figures, (told) => told.includes(commas(seventy.clustered)));
  // fast changes come to the address a little later
  await page.waitForFunction(() => /t=0\.70?$/.test(location.hash));
  const box = await slider.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 10; step++) await page.mouse.move(box.x + box.width / 2 + step * 15, box.y + box.height / 2);
  await page.mouse.up();
  await settled(page);
  const dragged = Number(await slider.getAttribute('aria-valuenow')) / 100;
  assert.ok(dragged > 0.75 && dragged < 1, String(dragged));
  const after = expected(dragged);
  await page.waitForFunction((n) => document.querySelector('[data-part="figures"]')?.textContent?.includes(n), bytes(after.redundant_bytes));
  assert.notEqual(after.clusters, seventy.clusters);
  // the whole page follows
  await page.getByRole('link', { name: 'Clusters', exact: true }).click();
  await eventually(() => text(page, '[data-part="count"]'), (count) => count.startsWith(`${after.clusters} clusters`));
  await close();
});

test('clusters are listed, sorted, searched and filtered, and the address tells', async () => {
  const { page, go, close } = await open(file, '#/clusters');
  const rows = page.locator('[data-part="clusters-list"] [data-cluster]');
  const shown = async () => rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-cluster'))));
  const count = () => text(page, '[data-part="count"]');
  assert.ok((await count()).startsWith(`${report.clusters.length} clusters`));
  assert.deepEqual((await shown()).slice(0, 5), report.clusters.slice(0, 5).map((/** @type {any} */ c) => number(c.representative)));
  const first = report.clusters[0];
  const average = first.members.reduce((/** @type {number} */ sum, /** @type {any} */ m) => sum + m.resemblance, 0) / first.members.length;
  assert.ok((await rows.first().innerText()).includes(percent(average)));
  await page.getByRole('columnheader', { name: 'Frees' }).getByRole('button').click();
  const freed = (/** @type {any} */ c) => c.members.reduce((/** @type {number} */ sum, /** @type {any} */ m) => sum + m.bytes, 0);
  const most = Math.max(...report.clusters.map(freed));
  await eventually(() => rows.first().innerText(), (row) => row.includes(bytes(most)));
  await page.waitForFunction(() => /sort=bytes/.test(location.hash));
  await page.getByRole('searchbox').fill('WINTERFEST');
  await page.waitForFunction(() => document.querySelectorAll('[data-part="clusters-list"] [data-cluster]').length === 1);
  await eventually(() => rows.first().innerText(), /winterfest/);
  await go('#/clusters?class=contained');
  await eventually(async () => (await shown()).length, report.clusters.filter((/** @type {any} */ c) => c.members.some((/** @type {any} */ m) => m.class === 'contained')).length);
  await go('#/clusters?spans=1');
  const folderOf = (/** @type {string} */ id) => id.slice(0, id.lastIndexOf('/'));
  const spanning = report.clusters.filter((/** @type {any} */ c) => c.members.some((/** @type {any} */ m) => folderOf(m.id) !== folderOf(c.representative)));
  await eventually(count, (told) => told.startsWith(`${spanning.length} of ${report.clusters.length}`));
  await go('#/clusters?folder=hedgerow');
  await eventually(() => rows.allInnerTexts(), (all) => all.length > 0 && all.every((row) => /hedgerow/.test(row)), 'rows of hedgerow');
  // keyboard: into the list from anywhere, down, open, back
  await go('#/');
  await go('#/clusters');
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') ?? null);
  assert.equal(await focused(), null);
  await page.keyboard.press('j');
  await eventually(() => focused(), '0');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('k');
  await eventually(() => focused(), '1');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-part="cluster"]');
  await eventually(() => page.url(), new RegExp(`cluster/${number(report.clusters[1].representative)}$`));
  await page.goBack();
  await page.waitForSelector('[data-part="clusters"]');
  await page.keyboard.press('ArrowDown');
  await eventually(() => focused(), '1', 'the row that was left');
  await page.keyboard.press('/');
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
  await page.keyboard.type('jk/');
  await eventually(() => page.getByRole('searchbox').inputValue(), 'jk/');
  await close();
});

test('identical files are sets of names', async () => {
  const { page, close } = await open(file, '#/identical');
  /** @type {Map<number, string[]>} */
  const sets = new Map();
  data.documents.content.forEach((content, d) => sets.set(content, [...(sets.get(content) ?? []), data.documents.id[d]]));
  const expected = [...sets.values()].filter((set) => set.length > 1);
  assert.ok(expected.length > 0);
  assert.equal(await page.locator('[data-part="copies-list"] [data-set]').count(), expected.length);
  const largest = expected.sort((x, y) => y.length - x.length)[0];
  for (const id of largest) assert.ok((await text(page, '[data-part="copies"]')).includes(id.replace('examples/support-site/', '')), id);
  // how much of a folder that is nobody knows here: a share would invite to delete it
  const shared = await text(page, '[data-part="folders"] tbody tr');
  assert.match(shared, /^brightwell\/legal hedgerow\/legal 1 file 1\.4 KB$/);
  await page.locator('[data-part="folders"] tbody tr td').first().click();
  await page.waitForFunction(() => document.querySelectorAll('[data-part="copies-list"] [data-set]').length === 1);
  await eventually(() => decodeURIComponent(page.url()), /a=brightwell\/legal&b=hedgerow\/legal/);
  await close();
});

test('a cluster has its members with their numbers, links, a heat map and a suggestion', async () => {
  const { page, close } = await open(file, '#/clusters');
  const first = report.clusters[0];
  await page.locator(`[data-cluster="${number(first.representative)}"] a`).first().click();
  await page.waitForSelector('[data-part="members"]');
  for (const member of first.members) {
    const row = await text(page, `[data-part="members"] tr[data-document="${number(member.id)}"]`);
    for (const share of [member.resemblance, member.containment, member.contained_by]) assert.ok(row.includes(percent(share)), row);
    assert.ok(row.includes(member.class) && row.includes(bytes(member.bytes)), row);
  }
  const nodes = page.locator('[data-part="graph"] [data-document]');
  await eventually(() => nodes.count(), 1 + first.members.length);
  await eventually(() => page.locator('[data-part="heatmap"] [data-row]').count(), (1 + first.members.length) ** 2);
  const near = first.members[0];
  const cell = page.locator('[data-part="heatmap"] [role="gridcell"]').filter({ hasText: percent(near.resemblance).replace(' %', '') });
  assert.ok((await page.locator('[data-part="heatmap"]').innerHTML()).includes(percent(near.resemblance)) || await cell.count() > 0);
  await eventually(() => text(page, '[data-part="keep"]'), /Suggested: .*drip-valve/);
  await page.locator('[data-rule="longest"]').click();
  const sizes = [first, ...first.members].map((/** @type {any} */ d) => [d.bytes, d.representative ?? d.id]).sort((x, y) => y[0] - x[0]);
  await eventually(() => text(page, '[data-part="keep"]'), (keep) => keep.includes(sizes[0][1].split('/').pop()));
  // a node leads to the pair
  await nodes.nth(1).click();
  await page.waitForSelector('[data-part="pair"]');
  await close();
});

test('a document that is alone at a threshold is said to be', async () => {
  const far = (/** @type {any} */ m) => m.class === 'near' && Math.max(m.containment, m.contained_by) < 0.9;
  const cluster = report.clusters.find((/** @type {any} */ c) => c.members.some(far));
  const alone = number(cluster.members.find(far).id);
  const { page, close } = await open(file, `#/cluster/${alone}?t=0.99`);
  assert.match(await text(page, '[data-part="cluster"]'), /99(\.0)?%/);
  await page.getByRole('link', { name: /50(\.0)?%/ }).first().click();
  await page.waitForSelector(`[data-part="members"] tr[data-document="${alone}"]`);
  await close();
});

test('ids of any kind: absolute, relative, empty', async () => {
  const sentence = 'one two three four five six seven eight nine ten eleven twelve thirteen';
  const mixed = join(place, 'mixed.jsonl');
  writeFileSync(mixed, ['/srv/b/x', 'a/x', '//host/x', '', 'a/'].map((id, at) => JSON.stringify({ id, text: `${sentence} ${at > 2 ? 'end' : ''}` })).join('\n'));
  const html = join(place, 'mixed.html');
  lookalike('scan', mixed, '-w', '3', '--html', html, '--quiet');
  const { page, go, close } = await open(html);
  await go('#/identical');
  for (const name of ['/srv/b/x', '//host/x', 'a/x']) await eventually(() => text(page, '[data-part="copies"]'), (copies) => copies.includes(name), name);
  await go('#/clusters?folder=%2Fsrv');
  await eventually(() => page.locator('[data-part="clusters-list"] [data-cluster]').count(), 1);
  await close();
});

test('a template that a decision named is said to be', async () => {
  const cluster = report.clusters[0];
  const decisions = join(place, 'template.json');
  const of = (/** @type {string} */ id) => ({ id, content: data.contents[data.documents.content[number(id)]] });
  const ids = [cluster.representative, ...cluster.members.map((/** @type {any} */ m) => m.id)];
  writeFileSync(decisions, JSON.stringify({ lookalike: data.report.lookalike, decisions: 1, report: data.name, made: '', clusters: [{ representative: ids[0], verdict: 'template', keep: [], note: '', documents: ids.map(of) }] }));
  const html = join(place, 'named.html');
  lookalike('scan', 'examples/support-site', '--decisions', decisions, '--html', html, '--quiet');
  assert.equal(dataOf(html).templates[0]?.named, true);
  const { page, close } = await open(html);
  assert.match(await text(page, '[data-part="templates"]'), /named as a template in a decision/);
  assert.doesNotMatch(await text(page, '[data-part="templates"]'), /so many documents/);
  await page.getByText('How it was done').click();
  await eventually(() => text(page, '[data-part="recipe"]'), /what a decision names as a template/);
  await close();
});

test('templates are shown with their text', async () => {
  const templates = join(place, 'templates.html');
  const found = JSON.parse(lookalike('scan', 'examples/support-site', '--max-df', '3', '--html', templates, '--json', '--quiet'));
  assert.ok(found.shingles.templates.length > 0);
  const { page, close } = await open(templates);
  const shown = await texts(page, '[data-part="templates"] li');
  assert.equal(shown.length, found.shingles.templates.length);
  assert.ok(shown[0].includes(commas(found.shingles.templates[0].documents)) && shown[0].includes(found.shingles.templates[0].text.slice(0, 60)));
  await close();
});
