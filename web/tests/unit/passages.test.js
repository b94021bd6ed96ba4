import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../js/passages.js';
import { chance, range } from './sequences.js';

/** The words of the heaviest chain in order, by trying all. @param {import('../../js/passages.js').Passage[]} passages */
function heaviest(passages) {
  /** @type {number[]} */
  const weight = [];
  passages.forEach((passage, at) => {
    const before = passages.slice(0, at).map((p, place) => (p.b[1] <= passage.b[0] ? weight[place] : 0));
    weight.push(passage.equal + Math.max(0, ...before));
  });
  return Math.max(0, ...weight);
}

/** What must hold whatever the texts are. @param {Int32Array} a @param {Int32Array} b @param {import('../../js/passages.js').More} [more] */
function checked(a, b, more) {
  const comparison = compare(a, b, more);
  const { passages, differences } = comparison;
  /** @type {{ a: Uint8Array, b: Uint8Array }} how often each word is told of */
  const told = { a: new Uint8Array(a.length), b: new Uint8Array(b.length) };
  const tell = (/** @type {'a' | 'b'} */ key, /** @type {number} */ from, /** @type {number} */ to) => {
    for (let at = from; at < to; at++) told[key][at] += 1;
  };
  passages.forEach((passage, number) => {
    assert.equal(passage.number, number);
    const [first, last] = [passage.runs[0], passage.runs[passage.runs.length - 1]];
    assert.deepEqual([passage.a, passage.b], [[first.a, last.a + last.length], [first.b, last.b + last.length]]);
    assert.equal(passage.equal, passage.runs.reduce((sum, run) => sum + run.length, 0));
    for (const run of passage.runs) {
      for (let at = 0; at < run.length; at++) assert.equal(a[run.a + at], b[run.b + at], 'only equal words');
      tell('a', run.a, run.a + run.length);
      tell('b', run.b, run.b + run.length);
    }
  });
  for (const difference of differences) {
    assert.ok(difference.a[0] < difference.a[1] || difference.b[0] < difference.b[1], 'a difference has words');
    tell('a', ...difference.a);
    tell('b', ...difference.b);
  }
  for (const side of [told.a, told.b]) assert.ok(side.every((times) => times === 1), 'each word is equal or differs, once');
  for (const key of /** @type {('a' | 'b')[]} */ (['a', 'b'])) {
    const order = [...passages].sort((x, y) => x[key][0] - y[key][0]);
    for (let at = 1; at < order.length; at++) {
      assert.ok(order[at - 1][key][1] <= order[at][key][0], 'passages do not overlap');
      assert.notEqual(order[at - 1].hue, order[at].hue, 'neighbours differ in hue');
    }
  }
  const inOrder = passages.filter((p) => !p.moved);
  for (let at = 1; at < inOrder.length; at++) assert.ok(inOrder[at - 1].b[1] <= inOrder[at].b[0], 'what did not move is in order');
  assert.equal(inOrder.reduce((sum, p) => sum + p.equal, 0), heaviest(passages), 'as much as can be has not moved');
  return comparison;
}

test('equal texts are one passage without differences', () => {
  for (const size of [1, 3, 100, 20_000]) {
    const { passages, differences, shareA, shareB } = checked(range(0, size), range(0, size));
    assert.deepEqual([passages.length, differences.length, shareA, shareB], [1, 0, 1, 1]);
  }
  const empty = checked(range(0, 0), range(0, 0));
  assert.deepEqual([empty.passages.length, empty.differences.length, empty.shareA], [0, 0, 0]);
});

test('a near-duplicate is one passage with its changes inside', () => {
  const a = range(0, 500);
  const b = Int32Array.from([...range(0, 100), 900, ...range(101, 200), ...range(205, 300), 901, 902, ...range(300, 500)]);
  const { passages, differences } = checked(a, b);
  assert.equal(passages.length, 1);
  assert.deepEqual(differences.map((d) => [d.a, d.b, d.inside]), [
    [[100, 101], [100, 101], 0],
    [[200, 205], [200, 200], 0],
    [[300, 300], [295, 297], 0],
  ]);
});

test('texts with nothing in common are one difference', () => {
  const { passages, differences, shareA } = checked(range(0, 300), range(300, 900));
  assert.deepEqual([passages.length, shareA], [0, 0]);
  assert.deepEqual(differences, [{ a: [0, 300], b: [0, 600], inside: -1 }]);
  assert.deepEqual(checked(range(0, 0), range(0, 5)).differences, [{ a: [0, 0], b: [0, 5], inside: -1 }]);
});

test('the smaller block is the one that moved', () => {
  const a = Int32Array.from([...range(0, 200), ...range(500, 540), ...range(200, 400)]);
  const b = Int32Array.from([...range(500, 520), 999, ...range(521, 540), ...range(0, 400)]);
  const { passages, differences } = checked(a, b);
  const moved = passages.filter((p) => p.moved);
  assert.deepEqual(moved.map((p) => [p.a, p.b]), [[[200, 240], [0, 40]]]);
  assert.equal(moved[0].runs.length, 2, 'a change inside what moved does not break it');
  assert.deepEqual(differences.map((d) => d.inside), [moved[0].number]);
  assert.equal(passages.length, 3);
});

/** Marks where lines begin. @param {number} size @param {number[]} starts */
const lines = (size, ...starts) => Uint8Array.from({ length: size + 1 }, (_, at) => (at === size || starts.includes(at) ? 1 : 0));

test('a title is equal although what follows it has moved', () => {
  const [title, one, two] = [range(900, 902), range(0, 60), range(100, 130)];
  const a = Int32Array.from([...title, ...one, ...two]);
  const b = Int32Array.from([...title, ...two, ...one]);
  const [linesA, linesB] = [lines(a.length, 0, 2, 62), lines(b.length, 0, 2, 32)];
  assert.deepEqual(checked(a, b, { linesA, linesB }).passages.map((p) => [p.a, p.b, p.moved]), [[[0, 2], [0, 2], false], [[2, 62], [32, 92], false], [[62, 92], [2, 32], true]]);
  assert.equal(checked(a, b).passages.length, 2, 'without lines two words are chance');
  assert.equal(checked(a, b, { linesA, linesB: lines(b.length, 0, 32) }).passages.length, 2, 'a line of one side only');
});

test('of sets every item counts, wherever it stands', () => {
  const random = chance(5);
  const a = range(0, 60);
  const b = Int32Array.from([...range(0, 50), 901, 902].sort(() => random() - 0.5));
  const { equal, shareA } = checked(a, b, { items: true });
  assert.deepEqual([equal, shareA], [50, 50 / 60]);
});

test('random texts with moved blocks', () => {
  const random = chance(11);
  for (let round = 0; round < 150; round++) {
    const vocabulary = 5 + Math.floor(random() * 400);
    const a = Array.from({ length: Math.floor(random() * 400) }, () => Math.floor(random() * vocabulary));
    const b = [...a];
    for (let edits = Math.floor(random() * 12); edits > 0; edits--) {
      const at = Math.floor(random() * b.length);
      if (random() < 0.4) b.splice(Math.floor(random() * b.length), 0, ...b.splice(at, Math.floor(random() * 60)));
      else b.splice(at, Math.floor(random() * 3), Math.floor(random() * vocabulary));
    }
    checked(Int32Array.from(a), Int32Array.from(b));
  }
});

test('shuffled blocks of different lengths', () => {
  const random = chance(23);
  for (let round = 0; round < 30; round++) {
    let next = 0;
    const blocks = Array.from({ length: 25 }, () => [...range(next, (next += 10 + Math.floor(random() * 60)))]);
    const shuffled = blocks.map((block) => ({ block, key: random() })).sort((x, y) => x.key - y.key).map(({ block }) => block);
    const { shareA } = checked(Int32Array.from(blocks.flat()), Int32Array.from(shuffled.flat()));
    assert.equal(shareA, 1, 'every block is found');
  }
});

test('many passages, all crossing', () => {
  const blocks = Array.from({ length: 300 }, (_, at) => [...range(at * 20, at * 20 + 20)]);
  const { passages } = checked(Int32Array.from(blocks.flat()), Int32Array.from([...blocks].reverse().flat()));
  assert.equal(passages.length, 300);
  assert.equal(passages.filter((p) => !p.moved).length, 1);
});
