import assert from 'node:assert/strict';
import { test } from 'node:test';
import { align } from '../../js/align.js';
import { movedRuns } from '../../js/moves.js';
import { chance, range } from './sequences.js';
import { cpuTime } from '../clock.js';

/** Runs are equal, rise on both sides and do not overlap. @param {Int32Array} a @param {Int32Array} b */
function checked(a, b) {
  const runs = align(a, b);
  let [i, j] = [0, 0];
  for (const run of runs) {
    assert.ok(run.length > 0 && run.a >= i && run.b >= j);
    for (let at = 0; at < run.length; at++) assert.equal(a[run.a + at], b[run.b + at]);
    [i, j] = [run.a + run.length, run.b + run.length];
  }
  assert.ok(i <= a.length && j <= b.length);
  return runs;
}

test('one changed word parts two runs', () => {
  const a = range(0, 1000);
  const b = a.slice();
  b[500] = 7777;
  assert.deepEqual(checked(a, b), [{ a: 0, b: 0, length: 500 }, { a: 501, b: 501, length: 499 }]);
});

test('a text is equal to itself', () => {
  for (const text of [range(0, 0), range(0, 1), range(0, 5000), new Int32Array(5000).fill(3)]) {
    const runs = checked(text, text.slice());
    assert.equal(runs.reduce((sum, run) => sum + run.length, 0), text.length);
  }
});

test('random sequences of few words', () => {
  const random = chance(5);
  for (let round = 0; round < 400; round++) {
    const make = () => Int32Array.from({ length: Math.floor(random() * 150) }, () => Math.floor(random() * 9));
    checked(make(), make());
  }
});

test('every window is there twice: word by word, as far as it goes', () => {
  const page = range(0, 300);
  const a = Int32Array.from([...Array(30)].flatMap(() => [...page]));
  const b = a.map((word, at) => (at % 101 === 50 ? 5000 + at : word));
  const equal = checked(a, b).reduce((sum, run) => sum + run.length, 0);
  assert.equal(equal, [...b].filter((word) => word < 5000).length);
});

test('no window is unique and the changes are many: chunk by chunk', () => {
  const a = Int32Array.from([...Array(30)].flatMap(() => [...range(0, 300)]));
  const b = a.map((word, at) => (at % 20 === 7 ? 5000 : word));
  const equal = checked(a, b).reduce((sum, run) => sum + run.length, 0);
  assert.equal(equal, 9000 * 0.95);
});

test('what stands twice is no anchor: its place is told by what follows', () => {
  const [twice, only, last] = [range(0, 40), range(1000, 1400), range(2000, 2400)];
  const a = Int32Array.from([...twice, ...only, ...twice, ...last, 7777]);
  const b = Int32Array.from([...range(5000, 5200), ...twice, ...last, 8888]);
  assert.deepEqual(checked(a, b), [{ a: 440, b: 200, length: 440 }]);
});

test('a lone equal word between rewritten stretches is chance', () => {
  const a = Int32Array.from([...range(0, 20), ...range(100, 110), 1000, ...range(110, 120), ...range(30, 50)]);
  const b = Int32Array.from([...range(0, 20), ...range(200, 210), 1000, ...range(210, 220), ...range(30, 50)]);
  assert.deepEqual(checked(a, b).map((run) => run.length), [20, 20]);
});

test('time stays linear', () => {
  const words = chance(3);
  const few = () => Int32Array.from({ length: 50_000 }, () => Math.floor(words() * 40));
  /** @type {[string, Int32Array, Int32Array][]} */
  const hard = [
    ['one word', new Int32Array(100_000).fill(1), new Int32Array(90_000).fill(1)],
    ['unrelated', range(0, 50_000), range(50_000, 100_000)],
    ['every second', new Int32Array(100_000).fill(1), range(0, 100_000).map((x) => x % 2)],
    ['few words', few(), few()],
    ['edited', range(0, 300_000), range(0, 300_000).map((x) => (x % 97 === 0 ? x + 1_000_000 : x))],
    ['periods', range(0, 100_000).map((x) => x % 3), range(0, 100_000).map((x) => (x % 17 === 0 ? 9 : x % 3))],
  ];
  for (const [name, a, b] of hard) {
    const began = cpuTime();
    const runs = checked(a, b);
    movedRuns(a, b, runs);
    assert.ok(cpuTime() - began < 2500, `${name}: ${Math.round(cpuTime() - began)} ms`);
  }
});

test('moved runs: longest first, no word twice, only what was left over', () => {
  const a = Int32Array.from([...range(0, 100), ...range(200, 240), ...range(300, 400)]);
  const b = Int32Array.from([...range(200, 240), ...range(0, 100), ...range(300, 400), ...range(200, 220)]);
  const runs = checked(a, b);
  assert.deepEqual(runs, [{ a: 0, b: 40, length: 100 }, { a: 140, b: 140, length: 100 }]);
  assert.deepEqual(movedRuns(a, b, runs), [{ a: 100, b: 0, length: 40 }]);
  assert.deepEqual(movedRuns(range(0, 7), range(0, 7), []), [], 'seven words are too few');
});

test('a word that is repeated moves as often as it is there', () => {
  const same = new Int32Array(1000).fill(1);
  const b = Int32Array.from([...Array(3)].flatMap((_, at) => [9 + at, ...new Int32Array(300).fill(1)]));
  const moved = movedRuns(same, b, []);
  assert.equal(moved.reduce((sum, run) => sum + run.length, 0), 900);
  const taken = new Set(moved.flatMap((run) => [...range(run.a, run.a + run.length)]));
  assert.equal(taken.size, 900);
});
