// Everybody can use every view: axe-core finds nothing to complain about, in light and in dark; at twice the size and on a phone nothing
// stands outside of the window. On paper the colours that mean something stay.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { folder } from '../program.js';
import { settled, textsDrawn } from './eventually.js';
import { everyPage } from './everyview.js';
import { open, useBrowser } from './open.js';

useBrowser();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PAGES = ['scan', 'scan --lens all', 'compare', 'files', 'copies', 'calibrate', 'dedup', 'changes', 'serve'];

const place = folder();
/** @type {import('./everyview.js').EveryPage[]} */
let pages;

before(async () => { pages = await everyPage(place); });

/** Waits until a view is complete: answered by the server, with its texts. @param {import('playwright-core').Page} page */
async function complete(page) {
  await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
  await textsDrawn(page);
  await settled(page);
}

/** What is wrong in a view, in a line each. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
async function violations(page) {
  await complete(page);
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  return page.evaluate(async (rules) => {
    const { violations: found } = await /** @type {any} */ (window).axe.run(document, { runOnly: { type: 'tag', values: rules } });
    return found.map((/** @type {any} */ one) => `${one.id}: ${one.nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ''})`).join(' | ')}`);
  }, RULES);
}

for (const name of PAGES) {
  for (const scheme of /** @type {('light' | 'dark')[]} */ (['light', 'dark'])) {
    test(`nothing stands in anybody's way: ${name}, ${scheme}`, async () => {
      const { file, views, ready, prepare } = /** @type {import('./everyview.js').EveryPage} */ (pages.find((page) => page.name === name));
      const { page, go, close } = await open(file, views[0], { colorScheme: scheme, bypassCSP: true }, { ready });
      await prepare?.(page);
      await page.evaluate(AXE);
      /** @type {Record<string, string[]>} */
      const wrong = {};
      for (const view of views) {
        if (view !== '' && view !== views[0]) await go(view);
        const found = await violations(page);
        if (found.length > 0) wrong[view] = found;
      }
      await close();
      assert.deepEqual(wrong, {});
    });
  }
}

for (const [width, height] of [[720, 450], [390, 844]]) {
  test(`no view is wider than a window of ${width}`, async () => {
    for (const { file, views, ready, prepare } of pages) {
      const { page, go, close } = await open(file, views[0], { viewport: { width, height } }, { ready });
      await prepare?.(page);
      for (const view of views) {
        if (view !== '' && view !== views[0]) await go(view);
        await complete(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${file} ${view}: ${wide} pixels too wide`);
      }
      await close();
    }
  });
}

test('printed, meters, heat maps and chips keep their colours', async () => {
  const { file, views } = /** @type {import('./everyview.js').EveryPage} */ (pages.find((page) => page.name === 'copies'));
  const { page, go, close } = await open(file, '#/pairs');
  await page.emulateMedia({ media: 'print' });
  const exact = (/** @type {string} */ selector) => page.evaluate((s) => [...document.querySelectorAll(s)].map((element) => getComputedStyle(element).getPropertyValue('print-color-adjust')), selector);
  for (const [view, selector] of /** @type {[string, string][]} */ ([
    ['#/pairs', '.pairs-list .meter > span'],
    [views.find((one) => one.startsWith('#/cluster/')) ?? '', '.heat-fill'],
  ])) {
    await go(view);
    const all = await exact(selector);
    assert.ok(all.length > 0 && all.every((value) => value === 'exact'), `${selector} in ${view}: ${all}`);
  }
  await close();
});
