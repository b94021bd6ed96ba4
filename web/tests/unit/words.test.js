import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lexicon, itemsOf, lineStarts, wordsOf } from '../../js/words.js';
import { cpuTime } from '../clock.js';

/** @param {string} text */
function spans(text) {
  const { from, to } = wordsOf(text, new Lexicon());
  return [...from].map((start, at) => text.slice(start, to[at]));
}

/** Whether two texts have the same words. @param {string} x @param {string} y */
function same(x, y) {
  const lexicon = new Lexicon();
  const [a, b] = [wordsOf(x, lexicon).ids, wordsOf(y, lexicon).ids];
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

test('words are runs of letters and digits', () => {
  assert.deepEqual(spans('Die Größe, naïve: 12 Fußgänger!'), ['Die', 'Größe', 'naïve', '12', 'Fußgänger']);
  assert.deepEqual(spans("Can't stop: it costs 3,500.75 (e.g. snake_case) -- __"), ["Can't", 'stop', 'it', 'costs', '3,500.75', 'e.g', 'snake_case']);
  assert.deepEqual(spans('one,two. Three, 4, 5.'), ['one', 'two', 'Three', '4', '5']);
  assert.deepEqual(spans('a.. b.\'c x.1 1.x'), ['a', 'b', 'c', 'x', '1', '1', 'x']);
});

test('case, form and what nobody sees do not matter', () => {
  assert.ok(same('STRASSE ﬁle １２ Ⅳ', 'straße FILE 12 iv'));
  assert.ok(same('exam\u00adple pass\u200bword \u202ex', 'example password x'));
  assert.ok(same('cafe\u0301 c\u200dafe\u0301', 'CAFÉ café'));
  assert.ok(same('ΟΔΟΣ', 'οδος'));
  assert.ok(!same('cafe', 'café'));
  for (const mark of "’‘ʼ´′＇ʻ") assert.ok(same(`it${mark}s l${mark}été`, "IT's l'été"), mark);
});

test('what nobody sees is no part of the span at its ends', () => {
  assert.deepEqual(spans('\u200bhidden\u200b \u200b'), ['hidden']);
  assert.deepEqual(spans('a\u200bb'), ['a\u200bb']);
});

test('scripts without spaces give one word for each character', () => {
  assert.deepEqual(spans('网络连接失败。'), ['网', '络', '连', '接', '失', '败']);
  assert.deepEqual(spans('版本 2.4 已发布abc'), ['版', '本', '2.4', '已', '发', '布', 'abc']);
  assert.ok(spans('การเชื่อมต่อ').length > 6);
});

test('characters of two units and broken ones', () => {
  assert.deepEqual(spans('𝒳yz 𠀀𠀁 👩 \ud800 x'), ['𝒳yz', '𠀀', '𠀁', 'x']);
  assert.deepEqual(spans('a\u0000b'), ['a', 'b']);
  assert.deepEqual(spans(''), []);
});

test('a megabyte takes a moment', () => {
  const hard = [
    'The quick brown fox, 123. '.repeat(40_000),
    'x'.repeat(1_000_000),
    '\u0301'.repeat(1_000_000),
    '.'.repeat(1_000_000),
    '网'.repeat(1_000_000),
    'a\u200b'.repeat(500_000),
  ];
  for (const text of hard) {
    const began = cpuTime();
    wordsOf(text, new Lexicon());
    assert.ok(cpuTime() - began < 2000, text.slice(0, 5));
  }
});

test('items are lines, and strings may have lines of their own', () => {
  const items = (/** @type {string} */ text) => {
    const { from, to } = itemsOf(text, new Lexicon());
    return [...from].map((start, at) => text.slice(start, to[at]));
  };
  assert.deepEqual(items('"tag "0" of 7"\n3\n"a\nb"\n""\n-1.5'), ['"tag "0" of 7"', '3', '"a\nb"', '""', '-1.5']);
  assert.deepEqual(items(''), []);
  assert.deepEqual(items('\n\n3\n'), ['3']);
  assert.deepEqual(items('"whole"\n"cut off\n"here'), ['"whole"', '"cut off\n"here']);
  const lexicon = new Lexicon();
  const [a, b] = [itemsOf('"x"\n"X"', lexicon).ids, itemsOf('"X"\n"x"', lexicon).ids];
  assert.deepEqual([...a], [...b].reverse(), 'case counts, place does not');
});

test('a hostile set of items takes a moment', () => {
  const began = cpuTime();
  assert.equal(itemsOf('"x\n'.repeat(500_000), new Lexicon()).ids.length, 1);
  assert.equal(itemsOf('"\n'.repeat(500_000), new Lexicon()).ids.length, 250_000);
  assert.ok(cpuTime() - began < 2000);
});

test('which words begin a line', () => {
  const starts = (/** @type {string} */ text) => [...lineStarts(text, wordsOf(text, new Lexicon()))].join('');
  assert.equal(starts('Winter care\n\n  one two\nthree'), '101011');
  assert.equal(starts('one two three'), '1001');
  assert.equal(starts('\n\none\n'), '11');
  assert.equal(starts(''), '1');
  assert.equal(starts('a\nb\nc d\n\n'), '11101');
});
