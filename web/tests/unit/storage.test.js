import assert from 'node:assert/strict';
import test from 'node:test';
import { lasting, load, save } from '../../js/storage.js';

test('what the browser did not take is not forgotten for what it still has', () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  let full = false;
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
      setItem(/** @type {string} */ key, /** @type {string} */ value) {
        if (full) throw new Error('QuotaExceededError');
        kept.set(key, value);
      },
    },
  });
  save('verdicts', ['one']);
  save('theme', 'dark');
  full = true;
  save('verdicts', ['one', 'two']);
  assert.deepEqual(load('verdicts', []), ['one', 'two']);
  assert.equal(lasting(), false);
  kept.set('lookalike:theme', '"light"');
  assert.equal(load('theme', 'auto'), 'light', 'what another window wrote counts where nothing failed');
  full = false;
  save('verdicts', ['three']);
  assert.equal(lasting(), true);
  kept.set('lookalike:verdicts', '["of another window"]');
  assert.deepEqual(load('verdicts', []), ['of another window']);
});
