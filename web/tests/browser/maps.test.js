// Pictures of many: the map of a class, graphs that can be enlarged, a cluster of 300, who came first.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { cohort, copiesPage } from '../cohort.js';
import { crowd, necklace } from '../crowd.js';
import { dice, folder, lookalike, words } from '../program.js';
import { eventually, settled } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const place = folder();
const [CLASS, LARGE, SCAN] = ['class', 'large', 'scan'].map((name) => join(place, `${name}.html`));
const { page: data, texts } = cohort();

/** A class of 400: a necklace of 60 in 10 cores, rings of three, pairs; 200 are alone. Some pairs are below the threshold. @type {import('../crowd.js').Linked[]} */
const LINKS = [...necklace(0, 10, 6), ...Array.from({ length: 30 }, (_, at) => /** @type {import('../crowd.js').Linked[]} */ ([[60 + 3 * at, 61 + 3 * at, 0.9 - at / 60], [61 + 3 * at, 62 + 3 * at, 0.36 + at / 100]])).flat(),
  ...Array.from({ length: 25 }, (_, at) => /** @type {import('../crowd.js').Linked} */ ([150 + 2 * at, 151 + 2 * at, 0.31 + at / 50])), [200, 201, 0.25], [300, 301, 0.2]];

before(() => {
  writeFileSync(CLASS, copiesPage(crowd(data, 400, LINKS), texts.slice(0, 2)));
  // 300 in one cluster: 50 cores of six on a thread
  writeFileSync(LARGE, copiesPage(crowd(data, 320, necklace(0, 50, 6)), texts.slice(0, 2)));
  const roll = dice(11);
  const base = words(roll, 300);
  const docs = join(place, 'docs');
  mkdirSync(docs);
  for (let at = 0; at < 300; at++) {
    const own = [...base];
    for (let n = 0; n < 4; n++) own[roll(own.length)] = `own${at}x${n}`;
    writeFileSync(join(docs, `page-${String(at).padStart(3, '0')}.txt`), own.join(' '));
  }
  lookalike('scan', docs, '--html', SCAN, '--quiet', '--threshold', '0.3');
});

/** Circles as they are seen. @param {import('playwright-core').Page} page @param {string} within */
const circles = (page, within) => page.locator(`${within} .graph-node .graph-dot`).evaluateAll((all) => all.map((c) => {
  const box = c.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, r: box.width / 2 };
}));

/** How many dots cover another. @param {{ x: number, y: number, r: number }[]} all */
function covering(all) {
  return all.filter((p, i) => all.some((q, j) => i !== j && Math.hypot(p.x - q.x, p.y - q.y) < p.r + q.r - 3.1)).length;
}

/** @param {import('playwright-core').Page} page */
const links = (page) => page.locator('[data-part="map"] .graph-svg .graph-line:not(.gone)').count();
const above = (/** @type {number} */ t) => LINKS.filter(([, , s]) => s >= t).length;

test('the map: everybody is on it, once, and the threshold makes links appear and vanish', async () => {
  const { page, close } = await open(CLASS);
  await page.locator('[data-action="map"]').click();
  await page.waitForSelector('[data-part="map"] .graph-node');
  await eventually(() => page.locator('nav [data-place="map"][aria-current="page"]').count(), 1);
  await eventually(() => page.locator('.graph-node').count(), 400);
  await eventually(async () => covering(await circles(page, '[data-part="map"]')), 0);
  await eventually(() => links(page), above(0.3));
  await eventually(() => page.locator('[data-part="facts"]').innerText(), new RegExp(`${above(0.3)} pairs from 30% on connect 200 submissions in 56 clusters; 200 submissions are connected with nobody`));
  await settled(page);
  const before_ = await circles(page, '[data-part="map"]');
  await page.locator('[aria-label="Raise the threshold by 1%"]').click();
  await page.waitForFunction(() => location.hash.includes('t=0.31'));
  await eventually(() => links(page), above(0.31));
  const slider = page.locator('[data-part="slider"]');
  await slider.focus();
  for (let n = 0; n < 9; n++) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.hash.includes('t=0.40'));
  await eventually(() => links(page), above(0.4));
  await settled(page);
  assert.deepEqual(await circles(page, '[data-part="map"]'), before_, 'nobody moved');
  await eventually(() => page.locator('.graph-node.alone').count(), (n) => n > 200, 'submissions that are connected with nobody');
  await slider.evaluate((e) => { /** @type {HTMLInputElement} */ (e).value = '0.2'; e.dispatchEvent(new Event('input')); });
  await eventually(() => links(page), LINKS.length, 'while it is dragged');
  await slider.evaluate((e) => e.dispatchEvent(new Event('change')));
  await page.waitForFunction(() => location.hash.includes('t=0.20'));
  await page.locator('[data-action="arrange"]').click();
  await settled(page);
  assert.equal(covering(await circles(page, '[data-part="map"]')), 0);
  await eventually(() => page.locator('.graph-node.alone').count(), 196);
  await eventually(() => page.locator('[data-action="arrange"]').isVisible(), false);
  await close();
});

test('the map by keyboard: one stop of Tab, arrows, names, Enter; and by pointer a line opens the pair', async () => {
  const { page, go, close } = await open(CLASS, '#/map');
  await page.waitForSelector('.graph-node');
  assert.equal(await page.locator('.graph-node[tabindex="0"]').count(), 1);
  await page.locator('[data-zoom="all"]').focus();
  await page.keyboard.press('Tab');
  const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-document'));
  await eventually(() => at(), '0');
  await page.waitForFunction(() => /Person A\. Number0/.test(document.querySelector('.hovernote:not([hidden])')?.textContent ?? ''));
  const seen = new Set();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowRight']) {
    await page.keyboard.press(key);
    seen.add(await at());
  }
  assert.ok(seen.size >= 3, [...seen].join());
  await page.keyboard.press('Home');
  const order = [await at()];
  for (let n = 0; n < 4; n++) {
    await page.keyboard.press('PageDown');
    order.push(await at());
  }
  assert.deepEqual(order, ['0', '1', '2', '3', '4']);
  await page.keyboard.press('End');
  await page.keyboard.press('PageUp');
  const there = await at();
  await page.keyboard.press('Enter');
  await page.waitForFunction((s) => location.hash === `#/submission/${s}`, there);
  await go('#/map');
  const [x, y] = await page.evaluate(() => {
    const svg = document.querySelector('.graph-svg')?.getBoundingClientRect();
    const middle = (/** @type {string} */ s) => { const box = document.querySelector(`[data-document="${s}"] .graph-dot`)?.getBoundingClientRect(); return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]; };
    const [p, q] = [middle('150'), middle('151')];
    return svg === undefined ? [0, 0] : [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  });
  await page.mouse.move(x, y);
  await page.waitForSelector('.hovernote:not([hidden])');
  await eventually(() => page.locator('.hovernote:not([hidden])').innerText(), /Number150[\s\S]*Number151[\s\S]*31\.0% similar/);
  await page.mouse.click(x, y);
  await page.waitForFunction(() => location.hash === '#/pair/150/151');
  await go('#/map?q=number77');
  await eventually(() => page.locator('.graph-node.found').count(), 1);
  await close();
});

test('a picture is enlarged by wheel, buttons, keys and two fingers, moved, and shown whole again', async () => {
  const { page, go, close } = await open(CLASS, '#/map');
  await page.waitForSelector('.graph-node');
  const svg = page.locator('[data-part="map"] .graph-svg');
  const box = await svg.boundingBox();
  assert.ok(box !== null);
  const spread = async () => { await settled(page); const [p, q] = await page.locator('[data-document="0"] .graph-dot, [data-document="1"] .graph-dot').evaluateAll((all) => all.map((c) => { const b = c.getBoundingClientRect(); return { x: b.x, y: b.y }; })); return Math.hypot(p.x - q.x, p.y - q.y); };
  const whole = await spread();
  const names = await page.locator('.graph-label').count();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.wheel(0, -240);
  await eventually(spread, (wide) => wide > 1.3 * whole, 'enlarged by the wheel');
  await page.locator('[data-zoom="in"]').click();
  await eventually(spread, (wide) => wide > 2 * whole, 'enlarged by the button');
  assert.equal(covering(await circles(page, '[data-part="map"]')), 0);
  const first = async () => page.locator('[data-document="0"] .graph-dot').evaluate((c) => c.getBoundingClientRect().x);
  const start = await first();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 220, box.y + 180, { steps: 5 });
  await page.mouse.up();
  await settled(page);
  await eventually(first, (x) => Math.abs(start - x - 80) < 2 || x < start, 'it was moved');
  assert.equal(await page.evaluate(() => location.hash), '#/map', 'a drag opens nothing');
  await page.locator('[data-zoom="all"]').click();
  await eventually(spread, (wide) => Math.abs(wide - whole) < 0.5, 'the whole picture');
  await eventually(() => page.locator('.graph-label').count(), names);
  await page.locator('.graph-node[tabindex="0"]').focus();
  await page.keyboard.press('+');
  await eventually(spread, (wide) => wide > 1.4 * whole, 'enlarged by a key');
  await page.keyboard.press('0');
  await eventually(spread, (wide) => Math.abs(wide - whole) < 0.5, 'the whole picture');
  await svg.evaluate((e) => {
    const { left, top } = e.getBoundingClientRect();
    const send = (/** @type {string} */ type, /** @type {number} */ pointerId, /** @type {number} */ x) => e.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: 'touch', clientX: left + x, clientY: top + 150, bubbles: true }));
    send('pointerdown', 7, 200);
    send('pointerdown', 8, 260);
    for (let by = 10; by <= 100; by += 10) send('pointermove', 8, 260 + by);
    send('pointerup', 7, 200);
    send('pointerup', 8, 360);
  });
  await eventually(spread, (wide) => wide > 2 * whole, 'two fingers');
  // where the page scrolls, the wheel is the page's, unless a key is held
  await go('#/cluster/60');
  const small = page.locator('[data-part="cluster"] .graph-svg');
  const at = await small.boundingBox();
  assert.ok(at !== null);
  await page.mouse.move(at.x + 100, at.y + 60);
  await page.evaluate(() => addEventListener('wheel', () => { document.body.dataset.wheel = 'turned'; }, { passive: true, once: true }));
  await page.mouse.wheel(0, -100);
  await page.waitForSelector('body[data-wheel="turned"]');
  await settled(page);
  assert.equal(await small.evaluate((e) => e.classList.contains('zoomed')), false);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await settled(page);
  await eventually(() => small.evaluate((e) => e.classList.contains('zoomed')), true);
  await close();
});

test('five thousand: the map says in words what it does not draw', async () => {
  const path = join(place, 'huge.html');
  writeFileSync(path, copiesPage(crowd(data, 5000, [...necklace(0, 100, 5), ...necklace(600, 60, 5)]), texts.slice(0, 2)));
  const { page, close } = await open(path, '#/map');
  await page.waitForSelector('[data-part="map"] .graph-node');
  await eventually(() => page.locator('.graph-node').count(), 300);
  await eventually(() => page.locator('[data-part="left"]').innerText(), /500 submissions of 1 cluster are too many for this map.*cluster 1 \(500\)/);
  await eventually(() => page.locator('[data-part="alone"]').innerText(), /4,200 submissions connected with nobody from 30% on are not drawn/);
  await page.locator('[data-part="left"] a').click();
  await page.waitForSelector('[data-part="cores"]');
  await close();
});

/** What is in sight when a cluster of 300 is opened. @param {import('playwright-core').Page} page */
const sight = (page) => page.evaluate(() => ({
  tall: document.documentElement.scrollHeight, wide: document.documentElement.scrollWidth - innerWidth,
  graph: document.querySelector('[data-part="graph"] svg.graph-svg')?.getBoundingClientRect().top ?? Infinity, heat: document.querySelector('.heat-table')?.getBoundingClientRect().top ?? Infinity,
}));

test('copies: a cluster of 300 keeps its pictures in sight, and has its cores', async () => {
  for (const [width, height] of [[1440, 900], [1280, 800]]) {
    const { page, go, close } = await open(LARGE, '#/cluster/0', { viewport: { width, height } });
    await page.waitForSelector('.graph-node');
    await page.waitForSelector('.heat-table');
    await settled(page);
    const { tall, wide, graph, heat } = await sight(page);
    assert.ok(graph < height * 0.6 && heat < height * 0.6, JSON.stringify({ graph, heat }));
    assert.ok(tall < 3000 && wide <= 0, JSON.stringify({ tall, wide }));
    await eventually(() => page.locator('.graph-node').count(), 300);
    assert.equal(covering(await circles(page, '[data-part="graph"]')), 0);
    await eventually(() => page.locator('.graph-svg .graph-line.bridge').count(), 49);
    await eventually(() => page.locator('.graph-svg .graph-core').count(), 50);
    await page.locator('[data-core="2"]').click();
    await page.waitForFunction(() => location.hash.includes('core=2'));
    await eventually(() => page.locator('.heat-row').count(), 6);
    await eventually(() => page.locator('[data-part="members"] tr').count(), 6);
    await eventually(() => page.locator('.time-name').count(), 6);
    await eventually(() => page.locator('.graph-node:not(.away)').count(), 6);
    await go('#/clusters');
    await eventually(() => page.locator('[data-cluster="0"] .core-disc').count(), 40);
    assert.doesNotMatch(await page.locator('[data-cluster="0"]').innerText(), /too large/);
    await eventually(() => page.locator('.ring-card.core').count(), 5);
    await page.locator('.ring-card.core').nth(2).click();
    await page.waitForFunction(() => location.hash === '#/cluster/0?core=3');
    await close();
  }
});

test('scan: a cluster of 300 keeps graph and heat map in sight, and its documents scroll by themselves', async () => {
  const { page, close } = await open(SCAN, '#/clusters', { viewport: { width: 1280, height: 800 } });
  await page.locator('.list-row .list-link').first().click();
  await page.waitForSelector('[data-part="cluster"] .graph-node');
  await page.waitForSelector('.heat-row');
  await settled(page);
  const { tall, graph, heat } = await sight(page);
  assert.ok(graph < 500 && heat < 500 && tall < 3000, JSON.stringify({ graph, heat, tall }));
  await eventually(() => page.locator('.graph-node').count(), 300);
  assert.equal(covering(await circles(page, '[data-part="graph"]')), 0);
  assert.ok(await page.locator('[data-part="members"]').evaluate((e) => e.scrollHeight > 3 * e.clientHeight));
  // the representative is a link that leads somewhere
  const first = page.locator('.graph-node.representative');
  assert.match(await first.getAttribute('href') ?? '', /^#\/pair\/\d+\/\d+/);
  await first.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-part="pair"], .pair');
  await close();
});

test('who came first, among 300 and on a phone: rows and dates have room, arcs are few, one shows its own', async () => {
  const { page, close } = await open(LARGE, '#/cluster/0', { viewport: { width: 390, height: 844 } });
  await page.waitForSelector('.time-name');
  await settled(page);
  assert.ok((await sight(page)).wide <= 0, 'nothing is wider than the phone');
  const all = await page.evaluate(() => {
    const box = (/** @type {Element} */ e) => { const { left, right, top, bottom } = e.getBoundingClientRect(); return { left, right, top, bottom }; };
    return {
      arcs: box(/** @type {Element} */ (document.querySelector('.time-arcs'))),
      rows: [...document.querySelectorAll('.time-name')].map((row) => ({ row: box(row), name: box(/** @type {Element} */ (row.querySelector('a'))), when: box(/** @type {Element} */ (row.querySelector('.time-when'))) })),
      drawn: [...document.querySelectorAll('.time-arc')].map((arc) => box(/** @type {Element} */ (arc.querySelector('.time-tip')))),
    };
  });
  assert.equal(all.rows.length, 300);
  for (const [at, { row, name, when }] of all.rows.entries()) {
    assert.ok(name.bottom <= when.top + 1 && name.top >= row.top - 1 && when.bottom <= row.bottom + 1, JSON.stringify({ row, name, when }));
    assert.ok(when.right <= all.arcs.left, 'no date runs into an arc');
    if (at > 0) assert.ok(row.top >= all.rows[at - 1].row.bottom - 0.5);
  }
  assert.equal(all.drawn.length, 299, 'for each the most similar before it');
  assert.ok(all.drawn.every((tip) => tip.right <= all.arcs.right + 0.5 && tip.left >= all.arcs.left), 'tips are seen');
  const pick = page.locator('.time-pick[aria-pressed]').nth(1);
  await pick.click();
  await eventually(() => pick.getAttribute('aria-pressed'), 'true');
  await eventually(() => page.locator('.time-arc.on').count(), 5);
  await eventually(() => page.locator('.time-name.with .time-like').first().innerText(), /\d%/);
  await eventually(() => page.locator('.time-arc:not(.on):not(.faint)').count(), 0);
  await page.locator('h1').click();
  await settled(page);
  assert.equal(await page.locator('.time-arc.on').count(), 5, 'it stays chosen');
  await pick.click();
  await page.locator('h1').click();
  await settled(page);
  assert.equal(await page.locator('.time-arc.faint').count(), 0);
  await close();
});

test('the threshold is a line in the list of pairs, and bars are told apart by it', async () => {
  const { page, go, close } = await open(CLASS, '#/pairs?below=1');
  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await page.waitForSelector('.list-row[data-rule]');
  await eventually(() => page.locator('.list-row[data-rule]').getAttribute('data-rule'), 'threshold 30%');
  await eventually(() => page.locator('.list-row[data-rule]').getAttribute('data-pair'), '200-201');
  const colour = (/** @type {string} */ which) => page.locator(`.pairs-list .meter.${which} > span`).first().evaluate((e) => getComputedStyle(e).backgroundColor);
  assert.notEqual(await colour('above'), await colour('below'));
  await go('#/pairs?below=1&sort=longest');
  assert.equal(await page.locator('.list-row[data-rule]').count(), 0);
  await close();
});
