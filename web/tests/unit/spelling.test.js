// What differs inside passages, what code is coloured by, and which passages fade.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrange, unlike } from '../../js/copies/arrange.js';
import { STEPS, faded, usualFrom } from '../../js/copies/fading.js';
import { COMMENT, KEYWORD, NAME, NUMBER, PLAIN, STRING, lexemesOf, marksOf } from '../../js/copies/lexemes.js';
import { Sheet, foldLines } from '../../js/copies/sheet.js';
import { renamesOf } from '../../js/copies/spelling.js';
import { segmentsOf } from '../../js/sides.js';
import { dice } from '../dice.js';

const KEYWORDS = new Set(['for', 'int', 'if', 'return']);
const same = (/** @type {number} */ place) => place;

/** @param {string} text @param {number[]} [marks] */
const sheetOf = (text, marks = []) => new Sheet([{ text, at: same, lexemes: lexemesOf(text, marksOf(marks, same), KEYWORDS) }], [[]]);
/** @param {Sheet} a @param {Sheet} b @param {[number, number, number, number][]} places */
const arranged = (a, b, places) => arrange(places.map(([x, y, z, w]) => ({ a: { file: 0, start: x, end: y, line: 1, last_line: 1 }, b: { file: 0, start: z, end: w, line: 1, last_line: 1 }, equal: 10 })), a, b);
/** @param {Sheet} a @param {Sheet} b */
const whole = (a, b) => arranged(a, b, [[0, a.shown.length, 0, b.shown.length]]);
/** @param {ReturnType<typeof arrange>} found @param {Sheet} sheet @param {'a' | 'b'} key */
const spelt = ({ comparison, words }, sheet, key) => comparison.differences.map(({ [key]: [first, end] }) => (first < end ? sheet.shown.slice(words[key].from[first], words[key].to[end - 1]) : ''));

test('code falls into words, numbers, strings and comments; nothing but white space is left over', () => {
  const text = 'for (int größe = 0x1F; größe < 1.5e-3; größe++) // to "here"\n  s = "a b" + \'c\';';
  const marks = [text.indexOf('//'), -'// to "here"'.length, text.indexOf('"a b"') - text.indexOf('\n'), '"a b"'.length, 3, 3];
  const { from, to, kind } = lexemesOf(text, marksOf(marks, same), KEYWORDS);
  const of = (/** @type {number} */ wanted) => [...kind].flatMap((k, at) => (k === wanted ? [text.slice(from[at], to[at])] : []));
  assert.deepEqual(of(KEYWORD), ['for', 'int']);
  assert.deepEqual(of(NAME), ['größe', 'größe', 'größe', 's']);
  assert.deepEqual(of(NUMBER), ['0x1F', '1.5e-3']);
  assert.deepEqual(of(STRING), ['"a b"', "'c'"]);
  assert.deepEqual(of(COMMENT), ['// to "here"']);
  assert.deepEqual(of(PLAIN).join(''), '(=;<;++)=+;');
  let at = 0;
  from.forEach((start, n) => {
    assert.equal(text.slice(at, start).trim(), '');
    at = to[n];
  });
});

test('marks that do not fit the text are left out', () => {
  for (const marks of [[0, 99], [5, -1, 90, 3], [0, 0], [-4, 3]]) {
    const { from, to } = lexemesOf('a = b', marksOf(marks, same), KEYWORDS);
    for (let at = 0; at < from.length; at++) assert.ok(from[at] < to[at] && to[at] <= 5 && (at === 0 || from[at] >= to[at - 1]), String(marks));
  }
});

test('renamed variables are found, and how often; what is on one side only is a gap', () => {
  const a = sheetOf('for (int i = 0; i < n; i++) total = total + x[i];\nreturn total;');
  const b = sheetOf('for (int k = 0; k < n; k++) sum = sum + y[k];\nreturn sum;');
  const found = whole(a, b);
  assert.deepEqual(spelt(found, a, 'a'), ['i', 'i', 'i', 'total', 'total', 'x', 'i', 'total']);
  assert.deepEqual(spelt(found, b, 'b'), ['k', 'k', 'k', 'sum', 'sum', 'y', 'k', 'sum']);
  const renames = renamesOf(found.words.a, found.words.b, found.names.flat()).map(({ words, of }) => [a.shown.slice(found.words.a.from[words[0][0]], found.words.a.to[words[0][0]]), words.length, of]);
  assert.deepEqual(renames, [['i', 4, 4], ['total', 3, 3], ['x', 1, 1]]);
  const added = sheetOf('for (int i = 0; i < n; i++) { log(i); total = total + x[i]; }\nreturn total;');
  const gaps = whole(a, added);
  assert.deepEqual(spelt(gaps, added, 'b').join('|'), '{ log(i);|}');
});

test('comments and layout are no differences; literals are', () => {
  const a = sheetOf('int x = 1; // one\nreturn x;', [11, -6]);
  const b = sheetOf('int x = 2;\n\n\n   return x;');
  assert.deepEqual(spelt(whole(a, b), a, 'a'), ['1']);
});

test('segments cover both texts though passages overlap or are not there', () => {
  const roll = dice(11);
  const letters = 'ab cd = for ( ) x1 2 ; \n'.split(' ');
  const any = () => Array.from({ length: 5 + roll(80) }, () => letters[roll(letters.length)]).join(' ');
  for (let round = 0; round < 150; round++) {
    const [a, b] = [sheetOf(any()), sheetOf(any())];
    const place = (/** @type {number} */ length) => { const from = roll(length); return [from, Math.min(length, from + roll(30))]; };
    const places = Array.from({ length: roll(6) }, () => /** @type {[number, number, number, number]} */ ([...place(a.shown.length), ...place(b.shown.length)]));
    const { comparison, words } = arranged(a, b, places);
    for (const [key, sheet] of /** @type {const} */ ([['a', a], ['b', b]])) {
      let at = 0;
      for (const segment of segmentsOf({ key, shown: sheet.shown, from: words[key].from, to: words[key].to }, comparison)) {
        assert.equal(segment.from, at);
        assert.ok(segment.to >= at);
        at = segment.to;
      }
      assert.equal(at, sheet.shown.length);
    }
  }
});

test('a passage whose text is missing does no harm', () => {
  const there = sheetOf('for (int i = 0; i < n; i++) x = i;');
  const gone = new Sheet([null], [[]]);
  const { comparison, words } = arranged(gone, there, [[0, 30, 0, 30]]);
  assert.equal(comparison.passages.length, 1);
  assert.deepEqual(segmentsOf({ key: 'a', shown: '', from: words.a.from, to: words.a.to }, comparison), []);
});

test('where differences are asked for, lines that are alike are folded', () => {
  const lines = (/** @type {string} */ name) => Array.from({ length: 30 }, (_, at) => `int ${at === 15 ? name : 'v'} = ${at};`).join('\n');
  const [a, b] = [sheetOf(lines('total')), sheetOf(lines('sum'))];
  const found = whole(a, b);
  const folds = foldLines(a, unlike(a, 'a', found), 0, true);
  assert.deepEqual(folds.map((fold) => fold.told), ['⋯ 13 lines alike', '⋯ 12 lines alike']);
  assert.ok(folds.every(({ from, to }) => !a.shown.slice(from, to).includes('total')));
});

test('short and common passages fade; the longest never does', () => {
  const passages = [{ tokens: 90, submissions: 50 }, { tokens: 40, submissions: 2 }, { tokens: 40, submissions: 60 }, { tokens: 12, submissions: 2 }];
  assert.deepEqual([...faded(passages, 0, 100)], []);
  assert.deepEqual([...faded(passages, 20, 100)], [2, 3]);
  assert.deepEqual([...faded(passages, 500, 100)], [1, 2, 3]);
  assert.deepEqual([...faded([], 20, 100)], []);
  assert.ok(STEPS.includes(usualFrom('java')) && usualFrom('text') === 0);
});
