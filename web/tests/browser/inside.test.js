// Inside a pair: what differs in spelling, colours of code, passages that fade, common bytes, and how many lines there are to read.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { percent } from '../../js/format.js';
import { dataOf, dice, folder, lookalike } from '../program.js';
import { eventually, settled } from './eventually.js';
import { open, reload, useBrowser } from './open.js';

useBrowser();

const place = folder();
const copies = join(place, 'copies.html');
const files = join(place, 'files.html');
const scan = join(place, 'scan.html');
const prose = join(place, 'prose.html');

/** A long program; every copy of it is the same but for what is put in the place of its names. @param {string} total @param {string} rows */
const program = (total, rows) => `import java.util.*;

/** Sums up what is there. */
class Ledger {
${Array.from({ length: 9 }, (_, n) => `    static int part${n}(int[] ${rows}, String name) {
        int ${total} = ${n * 7}; // begin
        for (int at = 0; at < ${rows}.length; at++) {
            if (${rows}[at] % ${n + 2} == 0 || name.equals("größe ${n}")) {
                ${total} += ${rows}[at] * ${n} - at;
            } else if (at > ${n * 3}) ${total}--;
        }
        return ${'part'.length + n} + ${total};
    }
`).join('\n')}}
`;

/** Something of one's own, and a short habit that others have too. @param {number} seed */
const own = (seed) => {
  const roll = dice(seed);
  const calls = Array.from({ length: 40 }, () => ['x.run(2);', 'if (y > 3) { z = w; }', 'while (p) { q(); }', 'a[b] = c + d;', 'switch (e) { default: f(); }', 'g.h.i(j, k, l);'][roll(6)]).join('\n    ');
  return `class Own${seed} {\n  void own() {\n    ${calls}\n  }\n  public static void main(String[] args) throws Exception {\n    Scanner in = new Scanner(System.in);\n  }\n}\n`;
};

before(() => {
  const code = join(place, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'anna.java'), own(1) + program('total', 'rows'));
  writeFileSync(join(code, 'ben.java'), program('sum', 'values').replace('sum += values[at] * 3 - at;', 'sum += values[at] * 3 - at + 99;') + own(2));
  for (let n = 3; n < 9; n++) writeFileSync(join(code, `other${n}.java`), own(n));
  lookalike('copies', code, '--html', copies, '--quiet');
  const site = join(place, 'site');
  mkdirSync(site);
  const roll = dice(5);
  const style = Array.from({ length: 260 }, (_, n) => `.c${n} { margin: ${roll(40)}px; color: #${roll(0xffffff).toString(16).padStart(6, '0')}; padding: ${roll(9)}em }\n`).join('');
  for (let n = 0; n < 3; n++) {
    const words = Array.from({ length: 60 + 120 * n }, () => `w${roll(100_000)}`).join(' ');
    writeFileSync(join(site, `page${n}.html`), `<!doctype html>\n<title>Größe ${n}</title>\n<style>\n${style}</style>\n<p>${words}</p>\n`);
  }
  lookalike('files', site, '--html', files, '--quiet');
  lookalike('scan', 'examples/support-site', '--html', scan, '--quiet');
  const texts = join(place, 'texts');
  mkdirSync(texts);
  const text = Array.from({ length: 120 }, (_, n) => `The ${n}th pump of the northern station was checked in winter, and nothing was found but ${roll(900)} drops of water.`).join('\n');
  writeFileSync(join(texts, 'one.txt'), text);
  writeFileSync(join(texts, 'two.txt'), text.replace(/northern/g, 'southern').replace('drops', 'litres'));
  lookalike('copies', texts, '--html', prose, '--quiet');
});

/** The first pair of a page of copies. @param {string} file */
const pairOf = (file) => {
  const { a, b, passages } = /** @type {any} */ (dataOf(file)).report.passages.pairs[0];
  return { a, b, passages, hash: `#/pair/${a}/${b}` };
};
const drawn = (/** @type {import('playwright-core').Page} */ page) => page.waitForSelector('.pair[data-drawn]');
const texts = (/** @type {import('playwright-core').Page} */ page, /** @type {string} */ selector) => page.locator(selector).allInnerTexts();

/** Lines of the left pane that can be read: in the window, and not under what stands above them. @param {import('playwright-core').Page} page */
const linesSeen = (page) => page.evaluate(() => {
  const pane = /** @type {HTMLElement} */ (document.querySelector('[data-part="left"]'));
  const box = pane.getBoundingClientRect();
  const head = pane.querySelector('.file-head')?.getBoundingClientRect().height ?? 0;
  const seen = new Set();
  const walker = document.createTreeWalker(pane.querySelector('.pair-sheet') ?? pane, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest('.file-head')) continue;
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) if (line.width > 0 && line.top >= box.top + head - 1 && line.bottom <= Math.min(box.bottom, innerHeight) + 1) seen.add(Math.round(line.top / 5));
  }
  return seen.size;
});

test('what is spelt differently is marked, listed and stepped through', async () => {
  const { hash } = pairOf(copies);
  const { page, go, close } = await open(copies, hash);
  await drawn(page);
  const [left, right] = [await texts(page, '[data-part="left"] del.pair-inner'), await texts(page, '[data-part="right"] ins.pair-inner')];
  assert.ok(left.includes('total') && left.includes('rows') && right.includes('sum') && right.includes('values'), `${left} / ${right}`);
  assert.ok(!left.includes('at') && !left.includes('part3'), 'what is the same is not marked');
  await page.keyboard.press('w');
  const table = async () => (await texts(page, '[data-part="renames"] tr')).map((row) => row.replace(/\s+/g, ' '));
  // four times in each of nine functions
  await eventually(table, ['total → sum 36 times', 'rows → values 36 times']);
  await page.locator('[data-part="renames"] button', { hasText: 'total → sum' }).click();
  await page.waitForFunction(() => /at=d\d+/.test(location.hash));
  await eventually(async () => (await texts(page, '[data-part="spelt"]'))[0], 'total → sum');
  const at = () => page.evaluate(() => location.hash);
  const before = await at();
  await page.keyboard.press('j');
  await eventually(at, (next) => /at=d\d+/.test(next) && next !== before, 'the next difference');
  await go(`${hash}?fold=alike`);
  await page.waitForSelector('.pair[data-drawn$="alike"]');
  assert.ok((await texts(page, '[data-part="left"] .pair-fold')).every((text) => /lines alike/.test(text)));
  await eventually(() => page.locator('[data-fold="alike"]').getAttribute('aria-pressed'), 'true');
  assert.ok(await page.locator('[data-part="left"] del.pair-inner').count() === left.length, 'no difference is folded away');
  await close();
  // prose has no names, but words
  const words = await open(prose, pairOf(prose).hash);
  await drawn(words.page);
  assert.ok((await texts(words.page, '[data-part="left"] del.pair-inner')).includes('northern'));
  assert.equal(await words.page.locator('[class^="ink-"]').count(), 0);
  await words.close();
});

test('code has few colours, and all of them can be read on every passage', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const { page, close } = await open(copies, `${pairOf(copies).hash}?at=1`, { colorScheme });
    await drawn(page);
    const of = async (/** @type {string} */ ink) => [...new Set(await texts(page, `[data-part="right"] .${ink}`))];
    const [keywords, values, comments] = [await of('ink-keyword'), await of('ink-value'), await of('ink-comment')];
    for (const word of ['class', 'static', 'int', 'for', 'return', 'if']) assert.ok(keywords.includes(word), `${word}: ${keywords}`);
    assert.ok(!keywords.includes('sum') && !keywords.includes('String'));
    assert.ok(values.includes('"größe 3"') && values.includes('99'), String(values));
    assert.ok(comments.includes('// begin') && comments.includes('/** Sums up what is there. */'), String(comments));
    const worst = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const rgb = (/** @type {string[]} */ ...layers) => {
        for (const layer of layers) { /** @type {any} */ (canvas).fillStyle = layer; canvas?.fillRect(0, 0, 1, 1); }
        return [.../** @type {any} */ (canvas).getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const light = (/** @type {number[]} */ c) => c.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
      let least = 21;
      const all = [...document.querySelectorAll('[data-part="left"] [class^="ink-"], [data-part="left"] .pair-passage')].filter((e) => e.closest('.pair-given') === null);
      for (const look of ['', 'pair-lit', 'pair-selected']) {
        for (const element of all) {
          const passage = element.closest('.pair-passage');
          if (look !== '' && passage === null) continue;
          passage?.classList.remove('pair-lit', 'pair-selected');
          if (look !== '') passage?.classList.add(look);
          const layers = [];
          for (let e = /** @type {Element | null} */ (element); e !== null; e = e.parentElement) layers.unshift(getComputedStyle(e).backgroundColor);
          const [x, y] = [light(rgb(...layers)), light(rgb(...layers, getComputedStyle(element).color))];
          least = Math.min(least, (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05));
        }
      }
      return least;
    });
    assert.ok(worst >= 4.5, `${colorScheme}: ${worst}`);
    await close();
  }
});

test('short and common passages fade, steps go past them, and the slider is remembered', async () => {
  const { hash, passages } = pairOf(copies);
  const short = passages.findIndex((/** @type {any} */ p, /** @type {number} */ at) => at > 0 && p.tokens < 75);
  assert.ok(short > 0, 'there is a short one');
  const { page, close } = await open(copies, hash);
  await drawn(page);
  const slider = page.locator('[data-action="fade"]');
  await slider.focus();
  await page.keyboard.press('Home');
  await eventually(() => page.locator('.pair-scroll .pair-faint').count(), 0);
  for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowRight');
  await eventually(() => slider.getAttribute('aria-valuetext') ?? '', /^75 tokens/);
  const faint = new Set(await page.locator('[data-part="left"] .pair-faint').evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-passage')))));
  assert.deepEqual([...faint].sort((x, y) => x - y), passages.flatMap((/** @type {any} */ p, /** @type {number} */ at) => (at > 0 && p.tokens < 75 ? [at] : [])));
  await page.locator('[data-part="left"]').focus();
  for (let n = 0; n < passages.length + 1; n++) {
    await page.keyboard.press('n');
    const at = Number(await page.locator('.pair-pill[aria-pressed="true"]').getAttribute('data-passage'));
    assert.ok(!faint.has(at), `a step to ${at}`);
    // the address follows fast changes later
    await eventually(async () => Number(/at=(\d+)/.exec(await page.evaluate(() => location.hash))?.[1]) - 1, at, 'the passage in the address');
  }
  await reload(page, async () => {
    await drawn(page);
    assert.match(await slider.getAttribute('aria-valuetext') ?? '', /^75 tokens/);
    assert.ok(await page.locator(`[data-part="left"] .pair-faint[data-passage="${short}"]`).count() > 0);
  });
  await close();
});

test('where bytes were compared the source is shown, and what is coloured is what was counted', async () => {
  const { clusters: [{ representative, members, shared }], documents } = /** @type {any} */ (dataOf(files));
  const [member] = members[0];
  const { page, go, close } = await open(files, `#/pair/${representative}/${member}`);
  await drawn(page);
  assert.equal(await page.locator('[data-view="raw"]').getAttribute('aria-pressed'), 'true');
  const coloured = await page.locator('[data-part="right"] .pair-passage').evaluateAll((all) => all.reduce((sum, e) => sum + new TextEncoder().encode(e.textContent ?? '').length, 0));
  // ends of lines are not coloured
  assert.ok(coloured <= shared[0] && coloured > shared[0] * 0.97, `${coloured} of ${shared[0]}`);
  await page.keyboard.press('w');
  await eventually(() => page.locator('[data-part="shares"]').innerText(), (shares) => shares.includes(`${percent(shared[0] / documents.bytes[member])} of the right`));
  await page.keyboard.press('r');
  await page.waitForFunction(() => location.hash.includes('view=text'));
  await page.waitForSelector('.pair[data-drawn$="-text"]');
  await eventually(() => page.locator('[data-part="shares"]').innerText(), /No passage in common|Words in common/);
  await go(`#/pair/${member}/${representative}`);
  await page.waitForSelector(`.pair[data-drawn="${member}-${representative}"]`);
  await eventually(() => page.locator('[data-part="shares"]').innerText(), /Common chunks are coloured/);
  await close();
});

test('there are lines to read in every window, and nothing moves at the first step', async () => {
  const { clusters: [{ representative, members }] } = /** @type {any} */ (dataOf(files));
  const long = `#/pair/${representative}/${members[0][0]}`;
  for (const [width, height, least] of [[1440, 900, 30], [1280, 800, 24], [720, 450, 5], [390, 844, 8]]) {
    for (const [file, hash] of [[copies, pairOf(copies).hash], [prose, pairOf(prose).hash], [files, long]]) {
      const { page, close } = await open(file, hash, { viewport: { width, height } });
      await drawn(page);
      await settled(page);
      const which = `${width}×${height} ${file.slice(place.length)}`;
      await eventually(() => linesSeen(page), (seen) => seen >= least, `lines at ${which}, at least ${least}`);
      const boxes = () => page.evaluate(() => ['[data-part="left"]', '[data-part="tools"]', '[data-part="tools"] > :last-child', '[data-part="headline"]'].map((part) => JSON.stringify(document.querySelector(part)?.getBoundingClientRect())));
      const still = await boxes();
      await page.keyboard.press('n');
      await page.keyboard.press('j');
      await page.waitForFunction(() => location.hash.includes('at='));
      // a place is corrected in three frames
      await settled(page);
      await settled(page);
      if (width > 820) assert.deepEqual(await boxes(), still, which);
      await close();
    }
  }
});

test('the strip at the side opens by key, is remembered, and leaves room for both texts', async () => {
  const { page, close } = await open(copies, pairOf(copies).hash, { viewport: { width: 1280, height: 800 } });
  await drawn(page);
  assert.equal(await page.locator('[data-part="facts"]').isVisible(), false);
  await page.keyboard.press('w');
  await eventually(() => page.locator('[data-part="facts"]').isVisible(), true);
  await reload(page, async () => {
    await drawn(page);
    assert.equal(await page.locator('[data-part="facts"]').isVisible(), true);
  });
  await eventually(() => linesSeen(page), (seen) => seen >= 24, 'lines');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 1280);
  await close();
});
