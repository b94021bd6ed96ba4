// The page of `calibrate`: the curve, the pairs to judge, what is exported and read back, hostile documents.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { dice, folder, lookalike, words } from '../program.js';
import { eventually } from './eventually.js';
import { open, reload, useBrowser } from './open.js';

useBrowser();

const place = folder();
const corpus = join(place, 'corpus.jsonl');
const file = join(place, 'page.html');
/** No page of ours has such an element: where it is one, text became markup. */
const TAG = '<evil-tag><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"> \u202eevil';

before(() => {
  const roll = dice(20);
  const lines = [];
  for (let pair = 0; pair < 80; pair++) {
    const text = words(roll, 100);
    const other = [...text];
    if (pair % 2 === 0) for (let n = 0; n <= roll(15); n++) other[roll(100)] = `changed${n}`;
    else other.splice(100 - 5 - roll(40), 100, ...words(roll, 30));
    const hostile = pair < 2 ? TAG : '';
    lines.push(JSON.stringify({ id: `${hostile}a${pair}`, text: `${hostile} ${text.join(' ')}` }), JSON.stringify({ id: `b${pair}`, text: `${hostile} ${other.join(' ')}` }));
  }
  writeFileSync(corpus, lines.join('\n'));
  lookalike('calibrate', corpus, '--precision', '0.6', '--html', file, '--quiet', '-o', join(place, 'told.txt'));
});

/** @param {import('playwright-core').Page} page @param {string} part */
const text = async (page, part) => (await page.locator(`[data-part="${part}"]`).first().innerText()).replace(/\s+/g, ' ');

test('thresholds: what the terminal says, who judged, and a curve for every recipe', async () => {
  const told = JSON.parse(lookalike('calibrate', corpus, '--precision', '0.6', '--json'));
  const { page, close } = await open(file);
  const said = await text(page, 'suggestion');
  assert.match(said, /judged by alignment, not by people/);
  assert.match(said, new RegExp(`threshold ${told.suggestion.threshold.toFixed(2)}`));
  assert.match(said, /lookalike dedup .* --threshold 0\.\d+ -o clean/);
  assert.equal(await page.locator('[data-part="thresholds"] tbody tr').count(), 10);
  assert.equal(await page.locator('[data-part="curve"] circle.is-precision').count(), told.measures[0].thresholds.filter((/** @type {any} */ row) => row.precision !== null).length);
  assert.equal(await page.locator('[data-part="incomplete"]').isVisible(), false);
  await page.locator('[data-part="measure"]').selectOption({ index: 1 });
  await eventually(() => text(page, 'incomplete'), /may be lower/);
  await page.screenshot({ path: process.env.SHOTS === undefined ? join(place, 'thresholds.png') : join(process.env.SHOTS, 'thresholds.png'), fullPage: true });
  await close();
});

test('pairs are judged with keys, kept, exported, and decide when they are read back', async () => {
  const { page, close } = await open(file, '#/judge/1');
  await page.waitForSelector('.judge[data-drawn="1"]');
  assert.ok(await page.locator('[data-part="panes"] [data-difference]').count() > 0, 'differences are marked');
  await page.screenshot({ path: process.env.SHOTS === undefined ? join(place, 'judge.png') : join(process.env.SHOTS, 'judge.png') });
  assert.match(await text(page, 'facts'), /Resemblance, 5 words/);
  await page.keyboard.press('h');
  await eventually(() => text(page, 'facts'), '', 'numbers are hidden');
  for (const [key, next] of /** @type {[string, string][]} */ ([['s', '2'], ['d', '3'], ['u', '4']])) {
    await page.keyboard.press(key);
    await page.waitForSelector(`.judge[data-drawn="${next}"]`);
  }
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('.judge[data-drawn="3"]');
  await eventually(() => page.locator('button[data-judgement="unsure"]').getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('Backspace');
  await eventually(() => text(page, 'progress'), /^2 of \d+ judged: 1 the same, 1 different, 0 unsure/);
  await reload(page, async () => {
    await page.waitForSelector('.judge[data-drawn]');
    assert.match(await text(page, 'progress'), /^2 of /, 'the browser keeps them');
  });
  for (const [action, name] of [['export', 'judgements.json'], ['export-csv', 'judgements.csv']]) {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-action="${action}"]`).click()]);
    assert.equal(saved.suggestedFilename(), name);
    const path = join(place, name);
    await saved.saveAs(path);
    const told = JSON.parse(lookalike('calibrate', corpus, '--judged', path, '--json'));
    assert.deepEqual([told.judged_by, told.judgements.same, told.judgements.different, told.judgements.of_other_pairs], ['people', 1, 1, 0]);
  }
  await close();
  // a page that is made with them begins with them
  const again = join(place, 'again.html');
  lookalike('calibrate', corpus, '--judged', join(place, 'judgements.json'), '--html', again, '--quiet', '-o', join(place, 'told.txt'));
  const second = await open(again, '#/judge/1');
  await second.page.waitForSelector('.judge[data-drawn]');
  assert.match(await text(second.page, 'progress'), /^2 of /);
  await second.go('#/');
  await eventually(() => text(second.page, 'suggestion'), /judged by people/);
  await second.close();
});

test('nothing of a document runs, and wrong addresses lead to a pair', async () => {
  assert.ok(!readFileSync(file, 'utf8').includes('hacked'), 'texts are packed');
  const { page, go, close } = await open(file);
  const pairs = await page.evaluate(() => Number(/(\d+) were drawn/.exec(document.body.innerText)?.[1]));
  for (let at = 1; at <= pairs; at += 1) {
    await go(`#/judge/${at}`);
    await page.waitForSelector(`.judge[data-drawn="${at}"]`);
    const body = await page.evaluate(() => document.body.innerText);
    assert.doesNotMatch(body, /[\u202a-\u202e]/);
    assert.equal(await page.locator('evil-tag, img').count(), 0);
    assert.match(await page.locator('[data-part="left"]').innerText(), /w[0-9a-z]+/, 'the text is there');
    if (body.includes('evil-tag')) break;
    assert.notEqual(at, pairs, 'a hostile pair was shown');
  }
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined);
  for (const wrong of ['#/judge/0', '#/judge/999999', '#/judge/x', '#/judge/__proto__', '#/pair/1/2', '#/constructor']) {
    await go(wrong);
    assert.ok((await page.locator('main').innerText()).trim().length > 0, wrong);
  }
  await close();
});

test('texts that have no room are told', async () => {
  const small = join(place, 'small.html');
  lookalike('calibrate', corpus, '--html', small, '--embed-limit', '0', '--quiet', '-o', join(place, 'told.txt'));
  const { page, close } = await open(small, '#/judge/1');
  await page.getByText(/--embed-limit/).first().waitFor();
  await close();
});
