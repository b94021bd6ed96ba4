// Pairs by all lenses: a reader chooses by relation and by disagreement, and opens two documents side by side.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { dataOf, folder, lookalike } from '../program.js';
import { open, useBrowser } from './open.js';

useBrowser();

const file = join(folder(), 'all.html');

before(() => lookalike('scan', '--lens', 'all', 'examples/support-site', '--html', file, '--quiet'));

test('pairs are filtered by relation and by disagreement', async () => {
  const links = dataOf(file).relations?.links ?? [];
  const { page, close } = await open(file, '#/pairs');
  const rows = page.locator('.relations-row');
  assert.equal(await rows.count(), links.length);
  await page.selectOption('[data-filter="relation"]', 'version');
  const versions = links.filter((link) => link.relation === 'version').length;
  await page.waitForFunction((n) => document.querySelectorAll('.relations-row').length === n, versions);
  await page.selectOption('[data-filter="disagreement"]', 'reformatted');
  const both = links.filter((link) => link.relation === 'version' && link.disagreement === 'reformatted').length;
  await page.waitForFunction((n) => document.querySelectorAll('.relations-row').length === n, both);
  await page.waitForFunction(() => location.hash.includes('relation=version') && location.hash.includes('disagreement=reformatted'));
  assert.ok(0 < both && both <= versions && versions < links.length);
  await close();
});

test('a pair opens side by side', async () => {
  const { page, close } = await open(file, '#/pairs?relation=version');
  await page.locator('.relations-names').first().click();
  await page.waitForFunction(() => location.hash.startsWith('#/pair/'));
  await close();
});
