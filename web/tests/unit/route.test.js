import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { address, amend, current, visit } from '../../js/route.js';

/** A browser as far as addresses go. */
const browser = {
  hash: '',
  /** whether it takes changes, ignores them, or throws as Safari and Firefox do */
  mood: 'takes',
  told: 0,
  tried: 0,
  /** the address that the way back leads to */
  left: '',
};

Object.assign(globalThis, {
  location: {
    get hash() { return browser.hash; },
    set hash(next) {
      browser.left = browser.hash;
      browser.hash = next;
    },
  },
  history: {
    replaceState(/** @type {any} */ _state, /** @type {any} */ _title, /** @type {string} */ hash) {
      browser.tried += 1;
      if (browser.mood === 'throws') throw new DOMException('Attempt to use history.replaceState() more than 100 times per 30 seconds', 'SecurityError');
      if (browser.mood === 'takes') browser.hash = hash;
    },
  },
  HashChangeEvent: Event,
  dispatchEvent() { browser.told += 1; },
});

mock.timers.enable({ apis: ['setTimeout', 'Date'] });

beforeEach(() => {
  mock.timers.tick(60_000);
  Object.assign(browser, { hash: '#/clusters?t=0.6', mood: 'takes', told: 0, tried: 0 });
});

test('a change is in the address at once, and views are told', () => {
  amend({ q: 'tea', t: null });
  assert.equal(browser.hash, '#/clusters?q=tea');
  assert.equal(browser.told, 1);
  amend({ q: 'tea' });
  assert.equal(browser.told, 1, 'nothing has changed');
});

for (const mood of ['throws', 'ignores']) {
  test(`a browser that ${mood} does not stop the page`, () => {
    browser.mood = mood;
    for (const q of ['t', 'te', 'tea']) amend({ q });
    assert.equal(browser.told, 3, 'views are told each time');
    assert.equal(current().query.get('q'), 'tea');
    assert.equal(browser.hash, '#/clusters?t=0.6');
    amend({ t: 0.7 });
    assert.equal(address(['review']), '#/review?t=0.7', 'links have what is shown, not what is written');
    browser.mood = 'takes';
    mock.timers.tick(1000);
    assert.equal(browser.hash, '#/clusters?t=0.7&q=tea', 'the address follows when it can');
    assert.equal(browser.told, 4, 'and nobody needs to be told again');
  });
}

test('a reader who goes elsewhere wins', () => {
  browser.mood = 'throws';
  amend({ q: 'tea' });
  browser.hash = '#/review';
  assert.deepEqual(current().path, ['review']);
  browser.mood = 'takes';
  mock.timers.tick(5000);
  assert.equal(browser.hash, '#/review', 'what was to be written is forgotten');
  assert.equal(current().query.get('q'), null);
});

test('what is taken back before it was written is nowhere', () => {
  browser.mood = 'throws';
  amend({ q: 'tea' });
  amend({ q: null });
  assert.deepEqual([browser.told, current().query.get('q')], [2, null]);
});

test('the address is not written more often than browsers allow', () => {
  for (let n = 0; n < 30 * 40; n++) {
    amend({ q: n });
    mock.timers.tick(25);
  }
  assert.ok(browser.tried <= 100, `${browser.tried} times in 30 seconds`);
  assert.equal(browser.told, 1200);
  mock.timers.tick(10_000);
  assert.equal(browser.hash, '#/clusters?t=0.6&q=1199');
});

test('whoever goes on after fast changes finds the last of them on his way back', () => {
  for (let n = 0; n < 40; n++) {
    amend({ t: `0.${n + 50}` });
    mock.timers.tick(16);
  }
  visit(address(['review']));
  assert.equal(browser.left, '#/clusters?t=0.89');
  assert.equal(browser.hash, '#/review?t=0.89');
});
