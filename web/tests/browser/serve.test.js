// The page of a server, against a real one: each part of it.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { dice, folder, lookalike, words } from '../program.js';
import { BOOK, GUIDE, HOME, HOSTILE, MOVED, PAIRS, emptyStore, filesIndex, otherIndex, pagesIndex, savedRun, serve, texts } from '../served.js';
import { eventually, textsDrawn } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
/** @type {{ url: string, kill: () => Promise<void> }} */
let server;
/** What the browser says when the server refuses something that a test asks for on purpose. */
const REFUSED = /Failed to load resource: .* status of (401|403|404|409|422)/;
/** @type {string[]} */
let served;

before(async () => {
  served = [pagesIndex(place), emptyStore(place), savedRun(place), otherIndex(place, 'passages'), otherIndex(place, 'simhash'), filesIndex(place)];
  server = await serve(...served, '--texts');
});

/** @param {import('playwright-core').Page} page @param {string} part */
const text = async (page, part) => (await page.locator(`[data-part="${part}"]`).first().innerText()).replace(/\s+/g, ' ');

/** @param {string} path @param {any} body @param {string} [method] */
async function send(path, body, method = 'POST') {
  const response = await fetch(`${server.url}${path}`, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

test('a pasted text: what it resembles, what contains it, what is inside it, and side by side', async () => {
  const { page, go, close } = await open(server.url, '#/', {}, { refused: REFUSED });
  await page.locator('[data-part="text"]').fill(texts.later);
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.waitForSelector('[data-part="results"][data-done]');
  const pages = page.locator('section[data-index="pages.index"]');
  assert.match(await pages.innerText(), /The index has this very document/);
  const relation = async (/** @type {string} */ url) => pages.locator('tr', { hasText: url }).first().locator('.chip').innerText();
  assert.equal(await relation(BOOK), 'contains yours');
  assert.match(await relation(GUIDE), /the same|resembles/);
  assert.match(await page.locator('section[data-index="seen"]').innerText(), /New: no fingerprint is near/);
  assert.match((await page.locator('section[data-index="passages.index"]').innerText()).replace(/\s+/g, ' '), /anthology.* passages?, similarity .*\d tokens/);
  assert.match((await page.locator('section[data-index="simhash.index"]').innerText()).replace(/\s+/g, ' '), /documents?\..*guide|Nothing like it/);
  assert.match((await page.locator('section[data-index="chunks.index"]').innerText()).replace(/\s+/g, ' '), /Bytes in common.*guide\.txt resembles yours \d+ bytes .*%/);
  // what is larger holds others
  await page.locator('[data-part="text"]').fill(texts.book);
  await page.locator('[data-part="text"]').press('Control+Enter');
  await page.waitForFunction(() => [...document.querySelectorAll('.chip')].some((chip) => chip.textContent === 'is inside yours'));
  await pages.locator('tr', { hasText: GUIDE }).first().getByRole('link', { name: 'Side by side' }).click();
  await page.waitForSelector('.pair[data-drawn="yes"]');
  assert.ok(await page.locator('[data-part="panes"] [data-passage]').count() > 0, 'passages are coloured');
  await page.waitForSelector('[data-part="evidence"]');
  await eventually(() => text(page, 'evidence'), /\w/);
  await page.keyboard.press('f');
  await page.waitForSelector('.pair[data-drawn="yesalike"]');
  await page.keyboard.press('n');
  await page.waitForSelector('.pair-selected');
  await page.goBack();
  await page.waitForSelector('[data-part="matches"]');
  await eventually(() => page.locator('[data-part="text"]').inputValue(), texts.book, 'the question is still there');
  await go('#/pair?index=pages.index&b=nobody');
  await page.getByText(/no such document called/).waitFor();
  await close();
});

test('a file that is chosen is read by the server; an unknown text is new', async () => {
  const { page, close } = await open(server.url);
  await page.locator('[data-part="choose"]').setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(`<html><body><h1>Head</h1><p>${texts.moved}</p></body></html>`) });
  await page.waitForSelector('[data-part="results"][data-done]');
  const row = page.locator('section[data-index="pages.index"] tr', { hasText: HOME }).first();
  await eventually(() => row.innerText(), /resembles yours|the same words/);
  assert.match(await row.innerText(), /≈ |\d%/);
  await row.getByRole('link', { name: 'Side by side' }).click();
  await page.waitForSelector('.pair[data-drawn]');
  assert.doesNotMatch(await page.locator('[data-part="panes"]').innerText(), /<body>/, 'a reader sees no markup');
  await page.goBack();
  await page.getByRole('button', { name: 'Without this file' }).click();
  await page.locator('[data-part="text"]').fill(words(dice(99), 80).join(' '));
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.locator('section[data-index="pages.index"]').getByText('Nothing like it: it is new.').waitFor();
  // dropped onto the panel
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'dropped.txt', { type: 'text/plain' }));
    return transfer;
  }, texts.moved);
  await page.locator('[data-part="ask"]').dispatchEvent('drop', { dataTransfer: data });
  await page.locator('section[data-index="pages.index"] tr', { hasText: HOME }).first().waitFor();
  await eventually(() => text(page, 'file'), /dropped\.txt/);
  await close();
});

test('a URL: its history, where it lives now, who holds it, two versions side by side', async () => {
  const { page, go, close } = await open(server.url, '#/url');
  await page.locator('[data-part="url"]').fill(MOVED);
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.waitForSelector('[data-part="results"][data-done]');
  assert.equal(await page.locator('[data-status]').getAttribute('data-status'), 'moved');
  assert.match(await text(page, 'now'), new RegExp(HOME.replaceAll('.', '\\.')));
  assert.equal(await page.locator('.timeline-cell').count(), 3);
  assert.equal(await page.locator('.timeline-cell.is-seen').count(), 1);
  await page.locator('[data-part="found"] a', { hasText: HOME }).first().click();
  await page.waitForFunction((url) => document.querySelector('[data-part="history"] h2')?.textContent === url, HOME);
  await eventually(() => page.locator('[data-status]').getAttribute('data-status'), 'unchanged');
  await go(`#/url?url=${encodeURIComponent(GUIDE)}`);
  await page.waitForFunction((url) => document.querySelector('[data-part="history"] h2')?.textContent === url, GUIDE);
  await eventually(() => text(page, 'history'), /3 sweeps saw it, 1 change/);
  await eventually(() => text(page, 'holders'), new RegExp(BOOK.replaceAll('.', '\\.')));
  await page.locator('[data-part="versions"]').getByRole('link', { name: 'Side by side' }).click();
  // the line of the old version is where it was read from
  await page.waitForSelector('.pair[data-drawn="yes"]');
  assert.ok(await page.locator('[data-part="panes"] [data-difference]').count() > 0);
  await close();
});

test('a URL that was never seen', async () => {
  const { page, close } = await open(server.url, '#/url?url=https%3A%2F%2Fnobody.example%2F', {}, { refused: REFUSED });
  await page.waitForSelector('[data-part="problem"]');
  assert.match(await text(page, 'problem'), /no document called/);
  await close();
});

test('clusters are reviewed by several: verdicts are shared, kept, and exported', async () => {
  const first = await open(server.url, '#/clusters?index=pages.index');
  const second = await open(server.url, '#/clusters?index=pages.index');
  const ready = '.serve-wide-view[data-drawn]';
  await Promise.all([first.page.waitForSelector(ready), second.page.waitForSelector(ready)]);
  assert.equal(await first.page.locator('[data-part="clusters"] li').count(), 50);
  assert.match(await text(first.page, 'counts'), /0 decided/);
  const cluster = first.page.locator('[data-part="clusters"] a[aria-current]');
  const key = await cluster.getAttribute('data-cluster');
  await first.page.locator('#who').fill('Ann');
  await first.page.keyboard.press('Tab');
  await first.page.locator('h1').click();
  await first.page.keyboard.press('2');
  await first.page.getByRole('textbox', { name: 'Note' }).fill('<b>two</b> editions');
  await first.page.getByRole('button', { name: /^Save and next/ }).click();
  await first.page.waitForFunction((old) => document.querySelector('[data-part="clusters"] a[aria-current]')?.getAttribute('data-cluster') !== old, key);
  // the other reviewer sees it without a reload
  await second.page.locator(`[data-cluster="${key}"] .chip`).waitFor();
  await eventually(() => second.page.locator(`[data-cluster="${key}"] .chip`).innerText(), /Ann/);
  await eventually(() => text(second.page, 'said'), /Ann, \d{4}-\d\d-\d\d .* <b>two<\/b> editions/);
  // what the first is choosing meanwhile stays chosen
  await first.page.locator('[data-verdict="template"] input').check();
  // and changes it: the newest holds
  await second.page.locator('#who').fill('Ben');
  await second.page.locator('[data-verdict="keep"] input').check();
  await second.page.getByRole('button', { name: 'Save', exact: true }).click();
  await second.page.getByText('Saved for all reviewers.').waitFor();
  await first.page.waitForFunction((cluster) => /Ben/.test(document.querySelector(`[data-cluster="${cluster}"] .chip`)?.textContent ?? ''), key);
  assert.ok(await first.page.locator('[data-verdict="template"] input').isChecked());
  const [saved] = await Promise.all([second.page.waitForEvent('download'), second.page.locator('[data-action="export"]').click()]);
  const path = join(place, 'decisions.json');
  await saved.saveAs(path);
  const decisions = JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual(decisions.clusters.map((/** @type {any} */ { verdict, keep }) => [verdict, keep.length]), [['keep', 1]]);
  lookalike('scan', join(place, '2026-03-01.jsonl'), '--decisions', path, '--json');
  // the next page of clusters
  await first.page.getByRole('link', { name: 'Smaller →' }).click();
  await first.page.waitForFunction((left) => document.querySelectorAll('[data-part="clusters"] li').length === left, PAIRS + 2 - 50);
  // side by side from a cluster
  await first.page.locator('[data-part="members"]').getByRole('link', { name: 'Side by side' }).first().click();
  await first.page.waitForSelector('.pair[data-drawn="yes"]');
  await first.close();
  await second.page.getByRole('button', { name: 'Take back' }).click();
  await second.page.getByText('Taken back.').waitFor();
  await second.close();
});

test('templates of a saved run are marked and counted again', async () => {
  const { page, close } = await open(server.url, '#/clusters?index=run');
  await page.waitForSelector('.serve-wide-view[data-drawn]');
  assert.equal(await page.locator('[data-part="clusters"] li').count(), 1);
  await page.locator('[data-action="template"]').click();
  await page.getByRole('button', { name: 'Count it again' }).waitFor();
  await page.getByText('No two documents are alike.').waitFor();
  await eventually(() => text(page, 'templates'), /3 files/);
  await page.getByRole('button', { name: 'Count it again' }).click();
  await page.getByText('None is marked.').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[data-part="clusters"] li').length === 1);
  await close();
});

test('changes over time are plotted', async () => {
  const { page, close } = await open(server.url, '#/changes');
  await page.waitForSelector('[data-part="intervals"]');
  assert.equal(await page.locator('[data-part="intervals"] g').count(), 2);
  assert.match(await page.locator('[data-part="intervals"] g').nth(1).locator('title').textContent() ?? '', /1 changed/);
  assert.match(await text(page, 'cards'), /Moved 1/);
  assert.equal(await page.locator('[data-part="survival"], [data-part="spread"]').count(), 2);
  await close();
});

test('counters move while documents are inserted', async () => {
  const { page, close } = await open(server.url, '#/server');
  await page.waitForSelector('.serve-server[data-drawn]');
  assert.match(await text(page, 'served'), /pages\.index .* index of shingles/);
  assert.match(await text(page, 'served'), /store of fingerprints/);
  const roll = dice(5);
  for (let at = 0; at < 5; at += 1) await send('/v1/collections/seen/check-and-insert', { id: `n${at}`, text: words(roll, 60).join(' ') });
  await page.waitForFunction(() => document.querySelector('[data-counter="inserted"] .card-value')?.textContent === '5');
  await eventually(() => page.locator('[data-part="served"] tr[data-index="seen"]').innerText(), /5/);
  await close();
});

test('submissions are uploaded, compared, and lead to their report', async () => {
  const essay = words(dice(3), 400).join(' ');
  const { page, close } = await open(server.url, '#/submissions');
  await page.getByText('Nothing was compared yet.').waitFor();
  const file = (/** @type {string} */ name, /** @type {string} */ content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await page.locator('[data-part="files"]').setInputFiles([file('anna.txt', essay), file('bert.txt', essay), file('carla.txt', words(dice(4), 300).join(' '))]);
  await eventually(() => text(page, 'chosen'), /3 files/);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForSelector('tr[data-status="done"]');
  await eventually(async () => (await page.locator('tr[data-status="done"]').innerText()).replace(/\s+/g, ' '), /done 3 1/);
  const [report] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Report' }).click()]);
  await report.waitForSelector('html[data-ready]');
  await eventually(() => report.locator('main').innerText(), /anna/);
  await report.close();
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.getByText('Nothing was compared yet.').waitFor();
  // a folder of folders
  const folderOf = join(place, 'class');
  for (const name of ['ann', 'ben']) {
    mkdirSync(join(folderOf, name), { recursive: true });
    for (const part of ['one', 'two']) writeFileSync(join(folderOf, name, `${part}.txt`), `${part} ${essay}`);
  }
  await page.locator('[data-part="folder"]').setInputFiles(folderOf);
  await eventually(() => page.getByLabel('each folder is one submission').isChecked(), true);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForSelector('tr[data-status="done"]');
  await eventually(async () => (await page.locator('tr[data-status="done"]').innerText()).replace(/\s+/g, ' '), /done 2 1/);
  await close();
});

test('hostile names and texts stay text', async () => {
  const { page, go, close } = await open(server.url);
  await page.locator('[data-part="text"]').fill(texts.hostile);
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.waitForSelector('[data-part="matches"]');
  const link = page.locator('[data-part="matches"]').getByRole('link', { name: 'Side by side' }).first();
  assert.match(await page.locator('[data-part="matches"]').innerText(), /<evil-tag>/);
  await link.click();
  await page.waitForSelector('.pair[data-drawn="yes"]');
  assert.match(await page.locator('[data-part="panes"]').innerText(), /evil-tag/);
  await go(`#/url?url=${encodeURIComponent(HOSTILE)}`);
  await page.waitForSelector('[data-part="history"]');
  assert.equal(await page.locator('evil-tag, img').count(), 0);
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /[\u202a-\u202e]/);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined);
  for (const wrong of ['#/nowhere', '#/clusters?from=-5', '#/clusters?from=99999', '#/clusters?index=nobody&open=x', '#/pair', '#/constructor']) {
    await go(wrong);
    await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
    await textsDrawn(page);
    assert.ok((await page.locator('main').innerText()).trim().length > 0, wrong);
  }
  await close();
});

test('a server with tokens asks who it is, once for a window; a reader cannot decide', async () => {
  const tokens = join(place, 'tokens');
  writeFileSync(tokens, 'read reader-reader-reader\nwrite writer-writer-writer\n');
  const own = folder();
  const guarded = await serve(pagesIndex(own), '--token-file', tokens);
  const { page, close } = await open(guarded.url, '#/clusters', {}, { ready: '[data-part="token"]', refused: REFUSED });
  await page.getByLabel('Token').fill('wrong-wrong-wrong-wrong');
  await page.keyboard.press('Enter');
  await page.getByText('not one of this server').waitFor();
  await page.getByLabel('Token').fill('reader-reader-reader');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.serve-wide-view[data-drawn]');
  await page.locator('[data-verdict="keep"] input').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/for reading only/).waitFor();
  await page.reload();
  await page.waitForSelector('.serve-wide-view[data-drawn]');
  // texts were not allowed: they can be pasted
  await page.locator('[data-part="members"]').getByRole('link', { name: 'Side by side' }).first().click();
  await page.waitForSelector('.pair[data-drawn="without"]');
  assert.match(await text(page, 'why-none'), /shows no texts/);
  for (const [at, content] of ['one two three four five six', 'zero one two three four five'].entries()) {
    await page.locator('.serve-paste textarea').first().fill(content);
    await page.getByRole('button', { name: 'Compare with this text' }).first().click();
    await page.waitForSelector(at === 0 ? '.pair[data-drawn="without"]' : '.pair[data-drawn="yes"]');
  }
  await close();
});

test('with a token the report of submissions is saved, for a link cannot carry one', async () => {
  const tokens = join(place, 'writers');
  writeFileSync(tokens, 'write writer-writer-writer\n');
  const guarded = await serve(emptyStore(folder()), '--token-file', tokens);
  const { page, close } = await open(guarded.url, '#/submissions', {}, { ready: '[data-part="token"]', refused: REFUSED });
  await page.getByLabel('Token').fill('writer-writer-writer');
  await page.keyboard.press('Enter');
  const essay = Buffer.from(words(dice(3), 300).join(' '));
  await page.locator('[data-part="files"]').setInputFiles(['anna.txt', 'bert.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: essay })));
  await page.getByRole('button', { name: 'Compare' }).click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the report' }).click()]);
  const path = join(place, 'copies.html');
  await saved.saveAs(path);
  await close();
  const report = await open(path);
  assert.match(await report.page.locator('main').innerText(), /anna/);
  await report.close();
});

test('verdicts survive a kill', async () => {
  const own = folder();
  const index = pagesIndex(own);
  const one = await serve(index);
  const first = await open(one.url, '#/clusters');
  await first.page.waitForSelector('.serve-wide-view[data-drawn]');
  await first.page.locator('#who').fill('Ann');
  await first.page.locator('[data-verdict="later"] input').check();
  await first.page.getByRole('button', { name: 'Save', exact: true }).click();
  await first.page.getByText('Saved for all reviewers.').waitFor();
  await one.kill();
  await first.close().catch((error) => { if (!/ERR_CONNECTION/.test(String(error))) throw error; });
  const two = await serve(index);
  const { page, close } = await open(two.url, '#/clusters');
  await page.waitForSelector('.serve-wide-view[data-drawn]');
  assert.match(await text(page, 'said'), /Ann/);
  await close();
});
