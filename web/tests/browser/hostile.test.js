// Hostile documents: nothing of theirs runs, nothing breaks, nothing leaves the file.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { dataOf, folder, lookalike } from '../program.js';
import { textsDrawn } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const docs = join(place, 'docs');
const file = join(place, 'hostile.html');
const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');

/** No page of ours has such an element: where it is one, text became markup. */
const TAG = '<evil-tag>';

const TEXTS = [
  `<script>window.hacked = 1</script> ${words} <img src=x onerror="window.hacked = 2">`,
  `</script><script>window.hacked = 3</script> ${words} --> <svg onload="window.hacked = 4">`,
  `<a href="javascript:window.hacked=5">click</a> ${words} <iframe srcdoc="<script>parent.hacked = 6</script>"></iframe>`,
  `\u202egnp.exe\u202c ${words} \u2066\u200b\u0007\u001b[31m \u2028 \u00ad`,
  `{{constructor.constructor('window.hacked = 7')()}} \${window.hacked = 8} ${words} <!-- ]]> -->`,
  `${'x'.repeat(1_000_000)} ${words}`,
].map((text) => `${TAG} ${text}`);

before(() => {
  mkdirSync(docs);
  const names = ['"quoted" & \'apostrophe\'.txt', '<img src=x onerror=hacked=9>.txt', '</script><b>.txt', 'javascript:hacked=10.txt', '\u202eoverride.txt', 'line\nbreak\ttab.txt'];
  writeFileSync(join(docs, `${TAG} empty.txt`), '');
  // a second cluster: one alone is never sorted
  for (const name of ['one', 'two']) writeFileSync(join(docs, `${TAG} other ${name}.txt`), `${TAG} ${words.replaceAll('word', 'term')} ${name}`);
  names.forEach((name, at) => {
    // every text twice, so that it is in a cluster, and once more with another end
    writeFileSync(join(docs, `${TAG} ${name.replaceAll('/', '∕')}`), TEXTS[at]);
    writeFileSync(join(docs, `copy ${at}.txt`), TEXTS[at]);
    writeFileSync(join(docs, `near ${at}.html`), `<html><body><p>${TEXTS[at]} and one more`);
  });
  lookalike('scan', docs, '-w', '3', '--threshold', '0.3', '--html', file, '--quiet', '--max-df', '100');
});

test('the file forbids what the page does not need', () => {
  const html = readFileSync(file, 'utf8');
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/);
  assert.ok(!html.includes('hacked'), 'texts are packed');
});

test('no view runs or breaks', async () => {
  const data = dataOf(file);
  assert.ok(data.clusters.length > 1 && data.documents.id.length >= 18, 'all are in clusters');
  const { page, go, close } = await open(file);
  const clean = async (/** @type {string} */ where) => {
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined, where);
    const markup = await page.evaluate(() => ['img', 'iframe', 'object', 'embed', 'evil-tag', 'a[href^="javascript"]'].filter((tag) => document.querySelector(tag) !== null));
    assert.deepEqual(markup, [], where);
    // the names are there, as text; a pane may be folded, and nothing is decided yet
    if (!/^pair|review/.test(where)) assert.ok((await page.evaluate(() => document.body.innerText)).includes(TAG), where);
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /[\u202a-\u202e\u2066-\u2069\u0000-\u0008]/, where);
  };
  for (const view of ['#/', '#/clusters', '#/identical', '#/review', '#/?show=skipped']) {
    await go(view);
    await clean(view);
  }
  for (const cluster of data.clusters) {
    await go(`#/cluster/${cluster.representative}`);
    await page.waitForSelector('[data-part="members"]');
    await clean(`cluster ${cluster.representative}`);
    for (const member of cluster.members.slice(0, 4)) {
      for (const view of ['', '?view=raw', '?fold=alike']) {
        await go(`#/pair/${cluster.representative}/${member[0]}${view}`);
        await page.waitForFunction((name) => document.querySelector('.pair')?.getAttribute('data-drawn')?.startsWith(name), `${cluster.representative}-${member[0]}`);
        await textsDrawn(page);
        await clean(`pair ${cluster.representative} ${member[0]} ${view}`);
        if (view === '') assert.ok((await page.locator('[data-part="left"]').innerText()).includes(TAG), 'the text is text');
      }
    }
  }
  await close();
});

test('wrong addresses lead to a view, not to an error', async () => {
  const { page, go, close } = await open(file, '#/nowhere/at/all?t=abc');
  for (const wrong of ['#/cluster/99999', '#/cluster/x', '#/pair/1', '#/pair/99999/-1', '#/pair/a/b', '#/clusters?sort=constructor&class=__proto__', '#/clusters?sort=__proto__', '#/identical?set=x', '#/%', '#/constructor', '#/__proto__']) {
    await go(wrong);
    assert.ok((await page.locator('main').innerText()).trim().length > 0, wrong);
  }
  await close();
});
