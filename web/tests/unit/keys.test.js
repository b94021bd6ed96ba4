import assert from 'node:assert/strict';
import test from 'node:test';
import { isCommand } from '../../js/views/cluster.js';

/** A key, pressed on something that is in an element of this kind. @param {string} key @param {any} [more] @param {string} [inside] */
function press(key, more = {}, inside = 'main') {
  // the field for the note is what the page looks for with this selector; checkboxes and radio buttons are not
  const target = { closest: (/** @type {string} */ selector) => ((inside === 'note' && selector.includes('input:not(')) || (inside === 'dialog' && selector.includes('dialog[open]')) || (inside === 'button' && selector.includes('button')) ? target : null) };
  return isCommand(/** @type {any} */ ({ key, repeat: false, defaultPrevented: false, isComposing: false, metaKey: false, altKey: false, ctrlKey: false, target, ...more }));
}

test('keys decide once, and Enter never where it presses something', () => {
  for (const key of ['1', '4', 's', 'u', 'n', '?', '[', ']']) {
    assert.ok(press(key), key);
    assert.ok(!press(key, { repeat: true }), `${key} held down`);
    assert.ok(!press(key, { defaultPrevented: true }), `${key} taken by somebody else`);
    assert.ok(!press(key, {}, 'note'), `${key} typed`);
    assert.ok(!press(key, {}, 'dialog'), `${key} while the keys are explained`);
    assert.ok(!press(key, { metaKey: true }), `${key} of the browser`);
    assert.ok(!press(key, { isComposing: true }), `${key} of an input method`);
  }
  assert.ok(press('Enter') && !press('Enter', { repeat: true }) && !press('Enter', {}, 'button'));
  assert.ok(!press('s', { ctrlKey: true }) && !press('1', { altKey: true }));
  assert.ok(press('[', { altKey: true }) && press(']', { altKey: true, ctrlKey: true }), 'brackets of other keyboards');
  assert.ok(press('s', { target: null }));
});
