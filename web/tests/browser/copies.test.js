// The report page of `copies`. The data is made by hand (tests/cohort.js); what is shown is held against it.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { CopiesModel } from '../../js/copies/model.js';
import { commas, percent } from '../../js/format.js';
import { TAG, cohort, copiesPage } from '../cohort.js';
import { folder } from '../program.js';
import { cpuTimeOf, eventually, settled, textsDrawn } from './eventually.js';
import { open, reload, useBrowser } from './open.js';

useBrowser();

const place = folder();
const file = join(place, 'copies.html');
const { page: data, texts } = cohort();
const model = new CopiesModel(data);
const report = data.report.passages;
/** A pair of many passages, one of them with several files. */
const PAIR = /** @type {import('../../js/copies/types.js').Pair} */ (report.pairs.find((p) => p.passages.length >= 6 && report.submissions[p.b].files.length + report.submissions[p.a].files.length > 2));
const HASH = `#/pair/${PAIR.a}/${PAIR.b}`;

before(() => {
  writeFileSync(file, copiesPage(data, texts));
});

/** The strip at the side, open: what it says is said to nobody else. @param {import('playwright-core').Page} page */
const openStrip = (page) => page.evaluate(() => { for (const strip of document.querySelectorAll('details[data-part="why"]')) strip.setAttribute('open', ''); });
/** @param {import('playwright-core').Page} page @param {string} selector */
const text = async (page, selector) => {
  await openStrip(page);
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
};
const drawn = (/** @type {import('playwright-core').Page} */ page, name = `${PAIR.a}-${PAIR.b}`) => page.waitForSelector(`.copies-pair[data-drawn="${name}"]`);
const ALL = ['#/', '#/map', '#/pairs', '#/pairs?below=1', HASH, `${HASH}?fold=differs&at=2`, `#/dossier/${PAIR.a}/${PAIR.b}`, '#/clusters', `#/cluster/${report.clusters[0].submissions[0]}`, '#/submissions', `#/submission/${PAIR.a}`, '#/review'];

test('the overview: cards, the line and what it moves, groups, why', async () => {
  const { page, close } = await open(file);
  const card = (/** @type {string} */ key) => text(page, `[data-card="${key}"]`);
  assert.match(await card('submissions'), new RegExp(`${model.cohort} `));
  assert.ok((await card('highest')).includes(percent(model.pairs[0].similarity)));
  assert.match(await card('pairs'), new RegExp(`Pairs ${model.above(model.scanned)} `));
  assert.match(await card('clusters'), /Clusters 2 /);
  assert.match(await text(page, '[data-part="calibration"]'), /Why 24%\? .*less than one pair is expected by chance/);
  const handle = page.locator('.histogram-handle');
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction(() => location.hash.includes('t=0.29'));
  await eventually(() => card('pairs'), new RegExp(`Pairs ${model.above(0.29)} `));
  await eventually(() => text(page, 'h1'), new RegExp(`^${model.above(0.29)} pairs`));
  const box = await page.locator('.histogram-stage').boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width * 0.9, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 4 });
  await page.mouse.up();
  const line = Number(await handle.getAttribute('aria-valuenow')) / 100;
  const threshold = async () => Number(new URLSearchParams((await page.evaluate(() => location.hash)).split('?')[1]).get('t'));
  // the address follows a fast change later
  const t = await eventually(threshold, (found) => Math.abs(found - line) < 0.006, 'the threshold in the address');
  assert.ok(t > 0.4 && t < 0.7, String(t));
  await eventually(() => card('clusters'), new RegExp(`Clusters ${model.at(t).length} `));
  await page.locator('.group-choice').nth(2).click();
  await page.waitForFunction(() => location.hash.includes('label=1'));
  await eventually(() => page.locator('.group-choice[aria-pressed="true"]').count(), 1);
  await close();
});

test('the list of pairs: order, search, filters, keys, and back to where one was', async () => {
  const { page, go, close } = await open(file, '#/pairs');
  const rows = () => page.locator('.pairs-list .list-row').evaluateAll((all) => all.map((row) => row.getAttribute('data-pair')));
  assert.deepEqual(await rows(), model.pairs.slice(0, model.above(model.scanned)).map((p) => `${p.a}-${p.b}`));
  // the same tokens have rarity and expectation as any pair has, as on the terminal and in CSV
  const same = model.pairs.find((p) => p.same);
  assert.ok(same !== undefined);
  assert.match(await text(page, `.pairs-list [data-pair="${same.a}-${same.b}"]`), new RegExp(`${same.rarity.toFixed(2)}.*< 0\\.01`));
  await page.locator('.list-sort', { hasText: 'Longest' }).click();
  await page.waitForFunction(() => location.hash.includes('sort=longest'));
  const longest = [...model.pairs].slice(0, model.above(model.scanned)).sort((x, y) => y.longest - x.longest)[0];
  await eventually(async () => (await rows())[0], `${longest.a}-${longest.b}`);
  await page.keyboard.press('/');
  await page.keyboard.type('okafor');
  await page.waitForFunction(() => location.hash.includes('q=okafor'));
  await eventually(async () => (await rows()).length, (n) => n > 0 && n < model.above(model.scanned), 'rows');
  await go('#/pairs?label=0&below=1&verdict=undecided');
  await eventually(() => text(page, '[data-part="count"]'), /of 9\d pairs/);
  await go('#/pairs');
  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction((hash) => location.hash === hash, `#/pair/${model.pairs[1].a}/${model.pairs[1].b}`);
  await page.goBack();
  await page.waitForSelector('.pairs-list .list-row[aria-selected="true"]');
  await close();
});

test('a pair: both shares, pills, passages at equal height, folding, swap, deep links', async () => {
  const { page, go, close } = await open(file, HASH);
  await drawn(page);
  const facts = await text(page, '[data-part="facts"]');
  for (const share of [PAIR.similarity, PAIR.share_a, PAIR.share_b]) assert.ok(facts.includes(percent(share)), facts);
  const pills = await page.locator('.pair-pill').allInnerTexts();
  assert.deepEqual(pills.map((pill) => Number.parseInt(pill.replace(',', ''), 10)), PAIR.passages.map((p) => p.tokens), 'longest first');
  // the first mark of a passage stands at the line that the report names
  const line = (/** @type {string} */ side, /** @type {number} */ n) => page.locator(`[data-part="${side}"] .pair-row:has([data-passage="${n}"])`).first().getAttribute('data-line');
  for (const n of [0, 1, 2]) assert.deepEqual([await line('left', n), await line('right', n)], [String(PAIR.passages[n].a.line), String(PAIR.passages[n].b.line)]);
  const level = async (/** @type {number} */ n) => {
    await page.waitForFunction((at) => location.hash.includes(`at=${at + 1}`), n);
    await eventually(() => page.locator('.pair-pill[aria-pressed="true"]').getAttribute('data-passage'), String(n));
    // a place is corrected in three frames
    await settled(page);
    await settled(page);
    const tops = () => Promise.all(['left', 'right'].map((side) => page.locator(`[data-part="${side}"] [data-passage="${n}"]`).first().evaluate((e) => e.getBoundingClientRect().top)));
    await eventually(tops, ([left, right]) => Math.abs(left - right) < 3, `passage ${n}`);
  };
  // the longest that no end of a text keeps from its place
  await page.locator('.pair-pill').first().click();
  await level(0);
  await page.keyboard.press('n');
  await page.waitForFunction(() => location.hash.includes('at=2'));
  await page.keyboard.press('p');
  await level(0);
  await page.keyboard.press('n');
  await page.waitForFunction(() => location.hash.includes('at=2'));
  await eventually(() => text(page, '[data-part="passage"]'), new RegExp(`^Passage 2 ${commas(PAIR.passages[1].tokens)} tokens .*in ${PAIR.passages[1].submissions} of \\d+ submissions`));
  // what is under the pointer lights up on both sides
  await page.locator('[data-part="left"] [data-passage="1"]').first().hover();
  await page.waitForSelector('[data-part="right"] .pair-lit[data-passage="1"]', { state: 'attached' });
  assert.ok(await page.locator('[data-part="left"] .pair-given').count() > 5, 'given code is grey');
  assert.equal(await page.locator('.pair-ribbon').count(), PAIR.passages.length);
  await page.keyboard.press('f');
  await drawn(page, `${PAIR.a}-${PAIR.b}differs`);
  const fold = page.locator('[data-part="left"] .pair-fold').first();
  const rows = await page.locator('[data-part="left"] .pair-row').count();
  await fold.click();
  await eventually(() => page.locator('[data-part="left"] .pair-row').count(), (n) => n > rows, 'rows when a fold is open');
  await page.keyboard.press('x');
  await drawn(page, `${PAIR.b}-${PAIR.a}differs`);
  await eventually(() => line('left', 0), String(PAIR.passages[0].b.line));
  await go(`${HASH}?at=3`);
  await page.waitForSelector('.pair-pill[aria-pressed="true"][data-passage="2"]');
  assert.match(await text(page, '[data-part="why"]'), /expected by chance to be so similar.*assumes one exercise/);
  await close();
});

test('Tab leaves the passages at once', async () => {
  const { page, close } = await open(file, HASH);
  await drawn(page);
  await page.locator('[data-part="left"]').focus();
  await page.keyboard.press('Tab');
  await settled(page);
  assert.ok(!(await page.evaluate(() => location.hash)).includes('at='));
  assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute('data-part')), 'left');
  await close();
});

test('verdicts and notes stay, are listed, and can be exported', async () => {
  const { page, go, close } = await open(file, HASH);
  await drawn(page);
  await page.keyboard.press('1');
  await page.waitForSelector('.pair-verdict[aria-pressed="true"]');
  await page.keyboard.press('c');
  await page.keyboard.type(`Anna Kowalski said ${TAG}`);
  await page.keyboard.press('Escape');
  await reload(page, async () => {
    await drawn(page);
    assert.deepEqual(await page.locator('.pair-verdict[aria-pressed="true"]').evaluateAll((all) => all.map((e) => e.getAttribute('data-verdict'))), ['copied']);
    assert.equal(await page.locator('.pair-verdict-note').inputValue(), `Anna Kowalski said ${TAG}`);
  });
  await go('#/pairs?verdict=copied');
  await eventually(() => page.locator('.pairs-list .list-row').count(), 1);
  await go('#/review');
  await eventually(() => text(page, '[data-part="decided"]'), (decided) => decided.includes(TAG));
  const exported = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-action="export"]').click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  assert.ok((await exported()).includes('Anna Kowalski'));
  await page.locator('[data-action="anonymise"]').click();
  const hidden = JSON.parse(await exported());
  assert.equal(hidden.pairs[0].verdict, 'copied');
  assert.doesNotMatch(JSON.stringify(hidden), /kowalski|okafor/i);
  await close();
});

test('clusters: cards, graph, heat map, who came first', async () => {
  const { page, go, close } = await open(file, '#/clusters');
  assert.equal(await page.locator('.ring-card').count(), report.clusters.length);
  const [first] = report.clusters;
  await page.locator('.ring-card').first().click();
  await page.waitForSelector('[data-part="graph"] .graph-node');
  await eventually(() => page.locator('.graph-node').count(), first.submissions.length);
  await eventually(() => page.locator('.graph-line').count(), first.pairs + 1, 'and the one of the legend');
  await eventually(() => page.locator('.heat-row').count(), first.submissions.length);
  const order = [...first.submissions].sort((x, y) => (report.submissions[x].created ?? 0) - (report.submissions[y].created ?? 0)).map((s) => report.submissions[s].full_name ?? report.submissions[s].name);
  await eventually(() => page.locator('.time-name a').allInnerTexts(), order);
  await go(`#/cluster/${first.submissions[0]}?t=0.99`);
  await eventually(() => text(page, '.cluster-head'), /connected with nobody/);
  await close();
});

test('a person: pairs, passages, files, and what is of the same hand', async () => {
  const { page, go, close } = await open(file, '#/submissions');
  assert.equal(await page.locator('.submissions-list').getAttribute('data-part'), 'submissions-list');
  const anna = report.submissions.findIndex((s) => s.name === 'kowalski20.py');
  await go(`#/submission/${anna}`);
  await eventually(() => text(page, '[data-part="facts"]'), /of the same person, not compared kowalski20-first-try\.py/);
  await eventually(() => page.locator('.pairs-list .list-row').count(), model.of[anna].length);
  await eventually(() => text(page, '[data-part="files"]'), (files) => files.includes(report.submissions[anna].files[0].content));
  const late = report.submissions.findIndex((s) => s.same_as !== undefined);
  await go(`#/submission/${late}`);
  await eventually(() => text(page, '[data-part="submission"]'), /exactly the tokens of Anna Kowalski/);
  await close();
});

test('anonymised, no view tells a name: not in texts, titles or labels, not in code', async () => {
  const { page, go, close } = await open(file);
  const words = report.submissions.flatMap(({ full_name = '', owner = '' }) => [...full_name.split(/[^\p{L}]+/u), owner]).filter((word) => word.length >= 4 && !/evil/.test(word)).concat(report.submissions.map((s) => s.name), model.labels.map(([label]) => label).filter((label) => /\p{L}/u.test(label)));
  const told = async () => {
    const shown = await page.evaluate(() => {
      const attributes = [...document.querySelectorAll('*')].flatMap((e) => ['title', 'aria-label', 'placeholder', 'value'].map((name) => e.getAttribute(name) ?? ''));
      return [document.title, document.body.textContent?.replace(document.getElementById('data')?.textContent ?? '', '') ?? '', ...attributes].join('\n').toLowerCase();
    });
    return words.filter((word) => new RegExp(`(?<!\\p{L})${word.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u').test(shown));
  };
  await page.evaluate((hash) => { location.hash = hash; }, HASH);
  await drawn(page);
  await eventually(async () => (await told()).length, (n) => n > 0, 'there is something to hide');
  await page.locator('[data-action="anonymise"]').click();
  await drawn(page);
  for (const hash of ALL) {
    await go(hash);
    await textsDrawn(page);
    await settled(page);
    assert.deepEqual(await told(), [], hash);
  }
  const anna = report.submissions.findIndex((s) => s.name === 'kowalski20.py');
  await go(`#/submission/${anna}`);
  await eventually(async () => await page.locator('.submission-text').textContent() ?? '', /# Exercise 3, anon\d+# anon\d+@example\.edu/);
  await reload(page, async () => {
    await page.waitForSelector('.submission-text .pair-row');
    await textsDrawn(page);
    assert.deepEqual(await told(), [], 'it stays on');
  });
  await page.locator('[data-action="anonymise"]').click();
  await page.waitForSelector('h1 bdi:text-is("Anna Kowalski")');
  await close();
});

test('the dossier has everything, and prints', async () => {
  const { page, close } = await open(file, `#/dossier/${PAIR.a}/${PAIR.b}`);
  await page.waitForSelector(`[data-part="dossier"][data-drawn="${PAIR.a}-${PAIR.b}"]`);
  const shown = await text(page, '[data-part="dossier"]');
  for (const s of [PAIR.a, PAIR.b]) for (const f of report.submissions[s].files) assert.ok(shown.includes(f.content), f.name);
  for (const needed of [data.report.lookalike, data.report.recipe, percent(PAIR.similarity), percent(PAIR.share_a), 'lookalike copies ex3', 'Nothing is decided yet']) assert.ok(shown.includes(needed), needed);
  assert.equal(await page.locator('.dossier-passage').count(), PAIR.passages.length);
  const { a } = PAIR.passages[0];
  const own = texts[data.contents[model.firstFile[PAIR.a] + a.file]].split('\n');
  const lines = page.locator('.dossier-passage').first().locator('.dossier-code').first().locator('.dossier-line');
  await eventually(() => lines.count(), a.last_line - a.line + 1);
  await eventually(() => lines.nth(2).getAttribute('data-line'), String(a.line + 2));
  await eventually(async () => (await lines.nth(2).textContent()), own[a.line + 1]);
  await page.emulateMedia({ media: 'print' });
  await eventually(() => page.locator('header.top').isVisible(), false);
  await eventually(() => page.locator('[data-action="print"]').isVisible(), false);
  assert.ok((await page.pdf({ format: 'A4' })).length > 20_000);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => { window.print = () => { document.body.dataset.printed = 'yes'; }; });
  await page.locator('[data-action="print"]').click();
  await page.waitForSelector('body[data-printed]');
  await close();
});

test('hostile names and code are text', async () => {
  const { page, go, close } = await open(file);
  const old = report.submissions.findIndex((s) => s.name.includes('\u202e'));
  const [pair] = model.of[old];
  for (const hash of [...ALL, `#/submission/${old}`, `#/pair/${pair.a}/${pair.b}`, `#/dossier/${pair.a}/${pair.b}`]) {
    await go(hash);
    await textsDrawn(page);
    await settled(page);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined, hash);
    assert.equal(await page.locator('evil-tag, img, iframe').count(), 0, hash);
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /[\u202a-\u202e\u2066-\u2069]/, hash);
  }
  await go(`#/submission/${old}`);
  await eventually(async () => await page.locator('.submission-text').textContent() ?? '', (code) => code.includes('</script><script>window.hacked = 1</script>'));
  await close();
});

test('wrong addresses lead to a view, not to an error', async () => {
  const { page, go, close } = await open(file, '#/nowhere?t=abc');
  for (const wrong of ['#/pair/1', '#/pair/1/1', '#/pair/99999/-1', '#/pair/a/b', `${HASH}?at=999`, '#/dossier/0/9999', '#/dossier', '#/cluster/x', '#/cluster/99999', '#/submission/-1', '#/submission/1.5', '#/submission/1?file=9&line=x', '#/pairs?sort=__proto__&label=999&cluster=77777', '#/submissions?sort=constructor', '#/__proto__', '#/%']) {
    await go(wrong);
    await textsDrawn(page);
    assert.ok((await page.locator('main').innerText()).trim().length > 0, wrong);
  }
  await close();
});

test('texts that are not in the file are missed and said so', async () => {
  const without = join(place, 'without.html');
  writeFileSync(without, copiesPage(data, []));
  const { page, go, close } = await open(without, HASH);
  await drawn(page);
  assert.match(await text(page, '[data-part="left"]'), /This text is not in this page/);
  await eventually(() => text(page, '[data-part="facts"]'), (facts) => facts.includes(percent(PAIR.similarity)));
  await go(`#/dossier/${PAIR.a}/${PAIR.b}`);
  await page.waitForSelector('[data-part="dossier"][data-drawn]');
  await eventually(() => text(page, '.dossier-passage'), /this text is not in this page/);
  await close();
});

test('two thousand submissions and ten thousand pairs stay quick', async () => {
  const large = structuredClone(data);
  const [some] = report.submissions;
  large.report.passages.submissions = Array.from({ length: 2000 }, (_, at) => ({ ...some, name: `s${String(at).padStart(4, '0')}.py`, full_name: `Person Number${at}`, owner: `o${at}`, highest: (at % 97) / 100 }));
  large.report.passages.pairs = Array.from({ length: 10_000 }, (_, at) => ({ ...report.pairs[0], a: at % 1000, b: 1000 + ((at * 7) % 1000), similarity: 0.95 - at * 0.00008, passages: report.pairs[0].passages.slice(0, 3) })).filter((p, at, all) => all.findIndex((q, i) => i < at && i > at - 1000 && q.a === p.a && q.b === p.b) < 0);
  large.report.passages.pairs_all = 31_000;
  large.report.skipped = [];
  large.report.passages.ignored.frequent = [];
  large.contents = large.report.passages.submissions.flatMap((s) => s.files.map((_, f) => f));
  const path = join(place, 'large.html');
  writeFileSync(path, copiesPage(large, texts.slice(0, 2)));
  const { page, go, close } = await open(path, '#/pairs?below=1');
  await page.waitForSelector('.pairs-list .list-row');
  assert.ok(await cpuTimeOf(page) < 15_000, 'it opens');
  assert.ok(await page.locator('.list-row').count() < 60, 'only what is in sight is drawn');
  const time = async (/** @type {string} */ hash) => {
    const start = await cpuTimeOf(page);
    await go(hash);
    return await cpuTimeOf(page) - start;
  };
  for (const hash of ['#/pairs?below=1&sort=longest', '#/pairs?below=1&q=number77', '#/', '#/?t=0.5', '#/clusters?t=0.5', '#/submissions', '#/cluster/0?t=0.94', '#/submission/3']) assert.ok(await time(hash) < 5000, hash);
  await page.locator('[data-action="anonymise"]').click();
  assert.ok(await time('#/pairs') < 5000);
  await close();
});
