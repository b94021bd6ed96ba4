// Waits for states of a page. A test waits for what a page shows, never for an amount of time: a machine may be slow for its own reasons.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** The longest wait, in milliseconds. Only a page that never reaches the state takes so long. */
export const LIMIT = 30_000;
/** The time between two readings, in milliseconds. */
const APART = 20;

/**
 * Reads a value until it is the expected one. A wait that reaches the limit fails with the expected and the last value.
 * @template T
 * @param {() => T | Promise<T>} read
 * @param {T | RegExp | ((found: T) => boolean)} expected  an equal value, a pattern of the text, or what is true of the value
 * @param {string} [message]  what the value is
 * @returns {Promise<T>} the value that was read last
 */
export async function eventually(read, expected, message) {
  for (const end = Date.now() + LIMIT; ;) {
    const found = await read();
    try {
      check(found, expected, message);
      return found;
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
    }
    await pause(APART);
  }
}

/** @param {any} found @param {any} expected @param {string} [message] */
function check(found, expected, message) {
  if (expected instanceof RegExp) {
    // `match` with a message would not tell the value
    if (!expected.test(found)) assert.fail(`${message === undefined ? '' : `${message}: `}expected ${expected}, found ${JSON.stringify(found)}`);
  } else if (typeof expected === 'function') {
    if (!expected(found)) assert.fail(`${message === undefined ? '' : `${message}: `}expected ${expected}, found ${JSON.stringify(found)}`);
  } else if (message === undefined) assert.deepEqual(found, expected);
  else assert.deepEqual({ [message]: found }, { [message]: expected });
}

/**
 * Waits until the page has handled all earlier input, changes of its address included, and has drawn three frames since. This tells that nothing
 * happened after an action: what the page does later than that, a test waits for with `eventually`.
 *
 * A page is told of a new address by a task of the same queue as the `toggle` event of `details`, and tasks of one queue keep their order.
 * @param {import('playwright-core').Page} page
 */
export async function settled(page) {
  await page.evaluate(SETTLED);
}

/** An expression for a page of any browser. The work of one frame can change the size of an element, which is drawn in the frame after the next. */
export const SETTLED = `new Promise((done) => {
  const details = document.createElement('details');
  details.addEventListener('toggle', () => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
  details.open = true;
})`;

/**
 * Waits until the texts of the view are on the page: those that the address names, folded as it asks. A view without texts is complete at once.
 * @param {import('playwright-core').Page} page
 */
export async function textsDrawn(page) {
  await page.waitForFunction(TEXTS_DRAWN);
}

/** An expression for a page of any browser: whether the texts of its view are drawn. */
export const TEXTS_DRAWN = `(() => {
  if ([...document.querySelectorAll('main .pair-nothing, main .dossier > p')].some((note) => note.textContent === 'Reading …')) return false;
  const view = document.querySelector('main > .pair, main > .judge');
  if (view === null) return true;
  const drawn = view.getAttribute('data-drawn');
  // a pane says why it has no text
  if (drawn === null) return view.querySelector('.pair-nothing') !== null;
  const [path, query = ''] = location.hash.replace('#/', '').split('?');
  const [name, a, b] = path.split('/');
  if (name !== 'pair' || b === undefined || drawn === 'none' || view.querySelector('.pair-nothing') !== null) return true;
  const [asked, fold] = ['view', 'fold'].map((key) => new URLSearchParams(query).get(key) ?? '');
  const folded = a + '-' + b + (['alike', 'differs'].includes(fold) ? fold : '');
  return asked === 'raw' || asked === 'text' ? [folded, folded + '-' + asked].includes(drawn) : drawn === folded;
})()`;

/**
 * Processor time of a page so far, in milliseconds: a machine that does other things as well does not fail a test that guards against slow code.
 * @param {import('playwright-core').Page} page
 */
export async function cpuTimeOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return 1000 * (metrics.find(({ name }) => name === 'ProcessTime')?.value ?? NaN);
}
