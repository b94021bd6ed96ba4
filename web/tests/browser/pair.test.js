// Side by side: numbers against `compare --json`, passages, differences, folding, the source, keys, deep links.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { percent } from '../../js/format.js';
import { ROOT, dataOf, dice, folder, lookalike, words } from '../program.js';
import { eventually } from './eventually.js';
import { open, useBrowser } from './open.js';

useBrowser();

const SITE = 'examples/support-site';
const place = folder();
const file = join(place, 'report.html');
/** @type {import('../../js/types.js').Page} */
let data;

before(() => {
  lookalike('scan', SITE, '--html', file, '--quiet');
  data = dataOf(file);
});

/** @param {string} id */
const number = (id) => data.documents.id.indexOf(`${SITE}/${id}`);
const drawn = (/** @type {import('playwright-core').Page} */ page) => page.waitForSelector('.pair[data-drawn]');
/** The strip at the side, open: what it says is said to nobody else. @param {import('playwright-core').Page} page */
const openStrip = (page) => page.evaluate(() => { for (const strip of document.querySelectorAll('details[data-part="why"]')) strip.setAttribute('open', ''); });
/** @param {import('playwright-core').Page} page @param {string} part */
const part = async (page, part) => {
  await openStrip(page);
  return (await page.locator(`[data-part="${part}"]`).first().innerText()).replace(/\s+/g, ' ');
};

test('two members: the numbers of compare, passages on both sides, differing words marked', async () => {
  const [a, b] = ['hedgerow/de/winterfest-2024.md', 'hedgerow/de/winterfest-2022.md'];
  const exact = JSON.parse(lookalike('compare', `${SITE}/${a}`, `${SITE}/${b}`, '--json'));
  const { page, close } = await open(file, `#/pair/${number(a)}/${number(b)}`);
  await drawn(page);
  const facts = await part(page, 'facts');
  for (const share of [exact.resemblance, exact.a_in_b, exact.b_in_a]) assert.ok(facts.includes(percent(share)), facts);
  const side = (/** @type {string} */ name, /** @type {string} */ what) => page.locator(`[data-part="${name}"] [data-${what}]`);
  const numbers = (/** @type {string} */ name) => side(name, 'passage').evaluateAll((all) => [...new Set(all.map((e) => e.getAttribute('data-passage')))].sort());
  assert.deepEqual(await numbers('left'), await numbers('right'));
  assert.ok((await numbers('left')).length > 0);
  // "drei" became "zwei", as the terminal says
  assert.ok((await side('right', 'difference').allInnerTexts()).join(' ').includes('drei'));
  assert.ok((await side('left', 'difference').allInnerTexts()).join(' ').includes('zwei'));
  // a click on one side selects the passage, and the address tells
  await side('left', 'passage').first().click();
  await page.waitForFunction(() => location.hash.includes('at='));
  await page.keyboard.press('j');
  await page.waitForFunction(() => /at=d\d/.test(location.hash));
  const deep = await page.evaluate(() => location.hash.slice(1));
  await page.keyboard.press('f');
  await page.waitForFunction(() => /fold=/.test(location.hash));
  await eventually(() => page.locator('[data-part="left"] button').count(), (n) => n > 0, 'folds that can be opened');
  await page.keyboard.press('x');
  await page.waitForFunction((hash) => location.hash.startsWith(hash), `#/pair/${number(b)}/${number(a)}`);
  await page.keyboard.press('?');
  await page.locator('[data-part="keys"]').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  await close();
  const again = await open(file, `#${deep}`);
  await drawn(again.page);
  await close();
  await again.close();
});

test('keys lead through the cluster and back to it', async () => {
  const [{ representative, members }] = data.clusters;
  const [first, second] = members.map(([document]) => document);
  const { page, close } = await open(file, `#/pair/${representative}/${first}?fold=alike`);
  await drawn(page);
  assert.match(await part(page, 'neighbours'), /1 of 3/);
  await page.keyboard.press('[');
  await page.keyboard.press(']');
  await page.waitForFunction((hash) => location.hash === hash, `#/pair/${representative}/${second}?fold=alike`);
  await eventually(() => part(page, 'neighbours'), /2 of 3/);
  await page.locator('[data-part="neighbours"] button').first().click();
  await page.waitForFunction((hash) => location.hash === hash, `#/pair/${representative}/${first}?fold=alike`);
  await page.keyboard.press('?');
  await page.locator('[data-part="keys"]').waitFor({ state: 'visible' });
  await eventually(() => part(page, 'keys'), /Esc back to the cluster/);
  await page.keyboard.press('Escape');
  await page.locator('[data-part="keys"]').waitFor({ state: 'hidden' });
  assert.ok(page.url().includes('#/pair/'), 'Escape closes the dialog first');
  await page.keyboard.press('Escape');
  await page.waitForFunction((hash) => location.hash === hash, `#/cluster/${representative}`);
  await close();
});

test('sets of features are items, in words and in marks', async () => {
  const corpus = join(place, 'features.jsonl');
  const base = Array.from({ length: 20 }, (_, at) => `tag ${at}`);
  const lines = [{ id: 'x', f: base }, { id: 'y', f: [...base.slice(1, 10).reverse(), ...base.slice(10), 'other'] }, { id: 'z', f: ['tag 3', 'tag 4'] }];
  writeFileSync(corpus, lines.map((line) => JSON.stringify(line)).join('\n'));
  const html = join(place, 'features.html');
  lookalike('scan', corpus, '--features-field', 'f', '--html', html, '--quiet');
  const { page, close } = await open(html, '#/pair/0/1');
  await drawn(page);
  assert.match(await part(page, 'shares'), /Items in common: 95\.0% of the left, 95\.0% of the right/);
  assert.doesNotMatch(await part(page, 'passages'), /word/);
  const marked = await page.locator('[data-part="left"] [data-passage], [data-part="left"] [data-difference]').allInnerTexts();
  assert.ok(marked.length > 0 && marked.every((text) => /^"[^"]*"$/.test(text.trim())), marked.join());
  await page.keyboard.press('?');
  await page.locator('[data-part="keys"]').waitFor({ state: 'visible' });
  await eventually(() => part(page, 'keys'), /Underlined: items inside a passage/);
  await close();
});

test('hovering lights both sides', async () => {
  const [a, b] = [number('hedgerow/archive/drip-valve-3.md'), number('hedgerow/guide/drip-valve.md')];
  const { page, close } = await open(file, `#/pair/${a}/${b}`);
  await drawn(page);
  const passage = page.locator('[data-part="right"] [data-passage]').first();
  const which = await passage.getAttribute('data-passage');
  const other = page.locator(`[data-part="left"] [data-passage="${which}"]`).first();
  const look = () => other.evaluate((e) => { const s = getComputedStyle(e); return s.backgroundColor + s.boxShadow + s.outline + s.textDecoration + e.className; });
  const before = await look();
  await passage.hover();
  await page.waitForFunction(([selector, was]) => {
    const e = /** @type {HTMLElement} */ (document.querySelector(selector));
    const s = getComputedStyle(e);
    return s.backgroundColor + s.boxShadow + s.outline + s.textDecoration + e.className !== was;
  }, [`[data-part="left"] [data-passage="${which}"]`, before]);
  await close();
});

test('the source of an HTML page is shown with the same passages marked', async () => {
  const [a, b] = [number('brightwell/legal/privacy.html'), number('brightwell/archive/privacy-2023.html')];
  assert.ok(a >= 0 && b >= 0, data.documents.id.filter((id) => id.includes('privacy')).join());
  const { page, close } = await open(file, `#/pair/${a}/${b}`);
  await drawn(page);
  const left = page.locator('[data-part="left"]');
  assert.ok(!(await left.innerText()).includes('<p>'));
  const before = await page.locator('[data-part="left"] [data-passage]').evaluateAll((all) => new Set(all.map((e) => e.getAttribute('data-passage'))).size);
  await page.keyboard.press('r');
  await page.waitForFunction(() => document.querySelector('.pair')?.getAttribute('data-drawn')?.includes('raw'));
  assert.ok((await left.innerText()).includes('<p>'), 'the markup is text');
  const after = await page.locator('[data-part="left"] [data-passage]').evaluateAll((all) => new Set(all.map((e) => e.getAttribute('data-passage'))).size);
  assert.equal(after, before);
  const marked = await page.locator('[data-part="left"] [data-passage]').allInnerTexts();
  assert.ok(marked.join(' ').length > 500);
  await close();
});

test('compare --html: the sentence, and a line for each lens; a lens alone has none', async () => {
  const [a, b] = [`${SITE}/hedgerow/de/winterfest-2022.md`, `${SITE}/hedgerow/de/winterfest-2024.md`];
  const pageFile = join(place, 'evidence.html');
  lookalike('compare', a, b, '--html', pageFile);
  const { sentence } = JSON.parse(lookalike('compare', a, b, '--json'));
  const { page, close } = await open(pageFile, '#/pair/0/1');
  await drawn(page);
  assert.equal(await page.locator('[data-part="evidence"] > summary').innerText(), sentence);
  await page.locator('[data-part="evidence"] > summary').click();
  await eventually(() => page.locator('[data-part="evidence"] dt').allInnerTexts(), ['chunks', 'shingles', 'simhash', 'passages', 'letters']);
  await close();
  lookalike('compare', a, b, '--lens', 'shingles', '--html', pageFile);
  const alone = await open(pageFile, '#/pair/0/1');
  await drawn(alone.page);
  assert.equal(await alone.page.locator('[data-part="evidence"]').count(), 0);
  await alone.close();
});

test('compare --html: one pair, nothing else', async () => {
  const page = join(place, 'pair.html');
  const [a, b] = [`${SITE}/hedgerow/de/winterfest-2022.md`, `${SITE}/hedgerow/de/winterfest-2024.md`];
  lookalike('compare', a, b, '--html', page);
  const exact = JSON.parse(lookalike('compare', a, b, '--json'));
  const opened = await open(page, '');
  await drawn(opened.page);
  const facts = await part(opened.page, 'facts');
  for (const share of [exact.resemblance, exact.a_in_b, exact.b_in_a]) assert.ok(facts.includes(percent(share)), facts);
  assert.equal(await opened.page.locator('nav a').count(), 0);
  await opened.close();
});

test('a text that is not in the file is said to be missing', async () => {
  const small = join(place, 'small.html');
  lookalike('scan', SITE, '--html', small, '--embed-limit', '0', '--quiet');
  const { page, close } = await open(small, `#/pair/${number('hedgerow/archive/drip-valve-3.md')}/${number('hedgerow/guide/drip-valve.md')}`);
  await page.getByText(/--embed-limit/).first().waitFor();
  await close();
});

test('long documents with moved parts: all is linked, and stepping works', async () => {
  const roll = dice(5);
  const paragraphs = Array.from({ length: 400 }, () => `${words(roll, 80).join(' ')}.\n\n`);
  const changed = paragraphs.map((p, at) => (at % 4 === 0 ? p.replace(/ w/, ' changed w') : p));
  changed.push(...changed.splice(100, 20));
  const [a, b] = [join(place, 'long.txt'), join(place, 'moved.txt')];
  writeFileSync(a, paragraphs.join(''));
  writeFileSync(b, changed.join(''));
  const page = join(place, 'long.html');
  lookalike('compare', a, b, '--html', page);
  const opened = await open(page, '');
  await drawn(opened.page);
  assert.match(await part(opened.page, 'shares'), /9\d\.\d% of the left, 9\d\.\d% of the right/);
  const passages = await opened.page.locator('[data-part="left"] [data-passage]').evaluateAll((all) => new Set(all.map((e) => e.getAttribute('data-passage'))).size);
  assert.ok(passages >= 3 && passages < 40, `${passages}`);
  for (let step = 0; step < 5; step++) await opened.page.keyboard.press('j');
  await opened.page.waitForFunction(() => /at=d4/.test(location.hash) || /at=d5/.test(location.hash));
  await opened.close();
});

test('what stands side by side is what the files hold', async () => {
  // words of the page that both files have, by the map from text to source
  const id = `${SITE}/brightwell/legal/privacy.html`;
  const { page, close } = await open(file, `#/pair/${number('brightwell/legal/privacy.html')}/${number('brightwell/archive/privacy-2023.html')}?view=raw`);
  await page.waitForFunction(() => document.querySelector('.pair')?.getAttribute('data-drawn')?.includes('raw'));
  const { readFileSync } = await import('node:fs');
  const source = readFileSync(join(ROOT, id), 'utf8');
  const marked = await page.locator('[data-part="left"] [data-passage]').evaluateAll((all) => all.map((e) => e.textContent ?? ''));
  for (const text of marked) assert.ok(source.includes(text), text.slice(0, 80));
  const starts = marked.filter((text) => /^[\p{L}\p{N}]/u.test(text.trim()));
  assert.ok(starts.length >= marked.length * 0.8, 'passages begin with words, not inside tags');
  await close();
});
