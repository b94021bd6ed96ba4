// What a reader sees while a page is unpacked, and what a page carries.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dice, folder, lookalike, words } from '../program.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const file = join(place, 'page.html');

before(() => {
  const roll = dice(11);
  const lines = [];
  for (let cluster = 0; cluster < 3000; cluster++) {
    const text = words(roll, 300);
    for (let copy = 0; copy < 2; copy++) lines.push(JSON.stringify({ id: `docs/${cluster}-${copy}.html`, text: `${text.join(' ')} ${copy}` }));
  }
  const corpus = join(place, 'corpus.jsonl');
  writeFileSync(corpus, lines.join('\n'));
  lookalike('scan', corpus, '--html', file, '--quiet');
});

test('the title and the counts are drawn before the page is unpacked', async () => {
  const { page, close } = await open(file, '#/', {}, {
    lacking: () => {
      const seen = /** @type {any} */ (window).seen = { first: '', ready: 0, paint: 0 };
      // without timers only a frame starts the script: a busy machine may draw none for longer than a page waits
      const { setTimeout: timer } = window;
      Object.assign(window, { setTimeout: (/** @type {() => void} */ action, after = 0) => (after > 0 ? 0 : timer(action, 0)) });
      // what stands there when the browser has drawn for the first time
      new PerformanceObserver((list) => {
        const [entry] = /** @type {any[]} */ (list.getEntriesByName('first-contentful-paint'));
        // when the page had drawn; the screen shows it later
        if (entry !== undefined) seen.paint = entry.paintTime || entry.startTime;
      }).observe({ type: 'paint', buffered: true });
      document.addEventListener('DOMContentLoaded', () => {
        seen.first = document.body.innerText;
        new MutationObserver(() => { if (document.documentElement.dataset.ready === 'yes') seen.ready ||= performance.now(); }).observe(document.documentElement, { attributes: true });
      });
    },
  });
  await page.waitForFunction(() => /** @type {any} */ (window).seen.ready > 0 && /** @type {any} */ (window).seen.paint > 0);
  const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
  assert.match(seen.first.replace(/\s+/g, ' '), /lookalike .*corpus\.jsonl 6,000 documents · 3,000 clusters Opening the report …/);
  assert.ok(seen.paint < seen.ready, `drawn at ${seen.paint}, ready at ${seen.ready}`);
  assert.equal(await page.locator('.opening').count(), 0, 'it gives way');
  await close();
});

test('a page carries only its own script, without comments', () => {
  const html = readFileSync(file, 'utf8');
  const [opener, packed] = [/<script>([^]*?)<\/script>/.exec(html)?.[1] ?? '', /id="script">([^<]*)</.exec(html)?.[1] ?? ''];
  assert.ok(opener.length > 0 && packed.length > 0 && opener.length + packed.length <= 200_000, `${opener.length} and ${packed.length} bytes`);
  const script = gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
  assert.doesNotMatch(script, /\/\*\*|^\s*\/\/|@param/m);
  assert.doesNotMatch(script, /\$copies_|\$calibration_/);
});

test('a file whose script was changed says so', async () => {
  const other = join(place, 'changed.html');
  writeFileSync(other, readFileSync(file, 'utf8').replace(/id="script">[^<]*</, 'id="script">AAAA<'));
  const { page, close } = await open(other, '#/', {}, { ready: 'main.broken' });
  assert.match(await page.locator('main').innerText(), /cannot be shown/);
  // the browser says so as well
  await assert.rejects(close());
});
