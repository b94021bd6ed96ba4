// Firefox opens every view of every page, and has nothing to complain about. FIREFOX names another than Debian's.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder } from '../program.js';
import { LIMIT, SETTLED, TEXTS_DRAWN } from './eventually.js';
import { everyPage } from './everyview.js';
import { startFirefox } from './firefox.js';

const place = folder();
/** @type {import('./everyview.js').EveryPage[]} */
let pages;
/** @type {import('./firefox.js').Firefox} */
let firefox;

before(async () => {
  pages = await everyPage(place);
  firefox = await startFirefox();
});
after(() => firefox?.close());

/** Reads in the page until something is true; fails at the limit. @param {string} what */
const until = (what) => firefox.ask(`new Promise((done, fail) => {
  const end = Date.now() + ${LIMIT};
  const look = () => (${what}) ? done(true) : Date.now() > end ? fail(new Error(${JSON.stringify(what)})) : setTimeout(look, 20);
  look();
})`);

for (const name of ['scan', 'compare', 'files', 'copies', 'calibrate', 'dedup', 'changes', 'serve']) {
  test(`Firefox shows ${name}`, async () => {
    const { file, views, ready } = /** @type {import('./everyview.js').EveryPage} */ (pages.find((page) => page.name === name));
    const from = firefox.complaints.length;
    await firefox.visit((file.startsWith('http:') ? `${file}/` : pathToFileURL(file).href) + views[0]);
    for (const view of views) {
      // a page that is not ready yet begins with its address and is not told of it
      await until(`document.querySelector(${JSON.stringify(ready)}) !== null`);
      if (view !== '') await firefox.ask(`void (location.hash = ${JSON.stringify(view)})`);
      await firefox.ask(SETTLED);
      await until(`document.querySelector('main h1, main h2') !== null && document.querySelector('[aria-busy]') === null`);
      await until(TEXTS_DRAWN);
      assert.ok(await firefox.ask(`document.querySelector('main').innerText.length`) > 20, `${view} is empty`);
    }
    assert.deepEqual(firefox.complaints.slice(from), []);
  });
}
