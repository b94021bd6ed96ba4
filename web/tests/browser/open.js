// Opens pages in Chromium, and fails on anything that a browser complains about or that tries to leave the file.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { LIMIT, settled } from './eventually.js';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** @type {import('playwright-core').Browser} */
let browser;

/** Starts the browser before the tests of a file and stops it after. */
export function useBrowser() {
  before(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGUMENTS });
  });
  after(() => browser?.close());
}

/**
 * Opens a page again until it shows what the browser was to keep: a browser may write that after the page has left. A page that never shows it
 * fails with what it showed last.
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<void>} shown  fails if it does not
 */
export async function reload(page, shown) {
  for (const end = Date.now() + LIMIT; ;) {
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    try {
      return await shown();
    } catch (e) {
      if (!(e instanceof assert.AssertionError) || Date.now() > end) throw e;
    }
  }
}

/**
 * A page, and what went wrong in it.
 * @typedef {object} Opened
 * @property {import('playwright-core').Page} page
 * @property {(hash: string) => Promise<void>} go    shows another view; its texts may still be read
 * @property {() => Promise<void>} close             fails if anything went wrong
 */

/**
 * @param {string} file  or the address of a server
 * @param {string} [hash]
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @param {{ lacking?: () => void, ready?: string, refused?: RegExp }} [special]  takes something away from the browser first; what is waited for; what a server may refuse
 * @returns {Promise<Opened>}
 */
export async function open(file, hash = '#/', options = {}, { lacking, ready = 'html[data-ready]', refused } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const served = file.startsWith('http:');
  const address = served ? `${file}/` : pathToFileURL(file).href;
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    // what a server refuses is told by the page; the browser tells it too
    if (refused?.test(message.text())) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on('request', (request) => {
    const url = request.url().split('#')[0];
    if (!(served ? url.startsWith(address) : url === address) && !url.startsWith('blob:') && url !== 'data:,') complaints.push(`request: ${request.url()}`);
  });
  if (lacking !== undefined) await page.addInitScript(lacking);
  await page.goto(address + hash);
  await page.waitForSelector(ready);
  return {
    page,
    async go(next) {
      await page.evaluate((to) => { location.hash = to; }, next);
      await settled(page);
    },
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}
