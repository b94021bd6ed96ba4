import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../js/passages.js';
import { Bridge, blocksOf, foldsOf, inSource, segmentsOf } from '../../js/sides.js';
import { Lexicon, wordsOf } from '../../js/words.js';

/** @param {string} left @param {string} right */
function both(left, right) {
  const lexicon = new Lexicon();
  const [x, y] = [wordsOf(left, lexicon), wordsOf(right, lexicon)];
  /** @type {import('../../js/sides.js').Side} */
  const a = { key: 'a', shown: left, from: x.from, to: x.to };
  /** @type {import('../../js/sides.js').Side} */
  const b = { key: 'b', shown: right, from: y.from, to: y.to };
  return { a, b, comparison: compare(x.ids, y.ids) };
}

const TEXT = 'The pump starts when the tank is full.\n\nIt stops, always, when the tank is empty.';

test('segments cover the text without holes', () => {
  const { a, b, comparison } = both(TEXT, TEXT.replace('full', 'half full').replace(', always,', ''));
  for (const side of [a, b]) {
    let at = 0;
    for (const segment of segmentsOf(side, comparison)) {
      assert.equal(segment.from, at);
      at = segment.to;
    }
    assert.equal(at, side.shown.length);
  }
  const words = (/** @type {import('../../js/sides.js').Side} */ side) => segmentsOf(side, comparison).filter((s) => s.difference >= 0).map((s) => side.shown.slice(s.from, s.to));
  assert.deepEqual(words(a), ['', 'always']);
  assert.deepEqual(words(b), ['half', '']);
});

test('texts without words', () => {
  const { a, b, comparison } = both('', '… !');
  assert.deepEqual(segmentsOf(a, comparison), []);
  assert.deepEqual(segmentsOf(b, comparison), [{ from: 0, to: 3, passage: -1, difference: -1 }]);
});

test('words in the source', () => {
  const raw = '<p>Fish &amp; <b>chips</b> caf&eacute; x</p>';
  const text = 'Fish & chips café x';
  const map = [0, 3, 5, 6, 13, 1, 7, 17, 5, 12, 26, 4, 17, 38, 2];
  const words = wordsOf(text, new Lexicon());
  const { from, to } = inSource(words, map, raw.length);
  assert.deepEqual([...from].map((start, at) => raw.slice(start, to[at])), ['Fish', 'chips', 'caf&eacute;', 'x']);
  const none = inSource(words, [], 0);
  assert.ok(none.to.every((end) => end === 0));
});

test('what no reader sees is not marked', () => {
  const [x, y] = ['One two three four five', 'six seven eight nine ten'];
  const raw = `<p>${x}</p><script>var hidden = 1;</script><p>${y}</p>`;
  const text = `${x}\n${y}`;
  const map = [0, 3, x.length, x.length + 1, raw.indexOf(y), y.length];
  const words = wordsOf(text, new Lexicon());
  const places = inSource(words, map, raw.length);
  assert.deepEqual(places.unseen.map(([start, end]) => raw.slice(start, end)), ['</p><script>var hidden = 1;</script><p>']);
  const segments = segmentsOf({ key: 'a', shown: raw, ...places }, compare(words.ids, words.ids));
  assert.deepEqual(segments.filter((s) => s.passage === 0).map((s) => raw.slice(s.from, s.to)), [x, y]);
  assert.equal(segments.map((s) => raw.slice(s.from, s.to)).join(''), raw);
});

test('blocks join to the whole and break no character', () => {
  for (const text of ['a line\n'.repeat(2000), 'word '.repeat(3000), 'x'.repeat(10_000), `x${'𠀀'.repeat(5000)}`, '']) {
    const blocks = blocksOf(text, 0, text.length);
    assert.equal(blocks.map(([from, to]) => text.slice(from, to)).join(''), text);
    assert.ok(blocks.every(([from, to]) => to > from && to - from <= 1500));
    assert.ok(blocks.every(([from]) => !(text.charCodeAt(from) >= 0xdc00 && text.charCodeAt(from) < 0xe000)));
  }
});

test('folds hide what is alike, never a difference', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `Line ${at} has these words and number ${at * 7}.`);
  const other = lines.map((line, at) => (at === 30 ? line.replace('words', 'changes') : line));
  const { a, b, comparison } = both(lines.join('\n'), other.join('\n'));
  const folds = foldsOf(a, b, comparison, 'alike');
  assert.equal(folds.a.length, 2);
  assert.deepEqual(folds.a.map((f) => f.words), folds.b.map((f) => f.words));
  const seen = (/** @type {import('../../js/sides.js').Side} */ side) => folds[side.key].reduceRight((text, fold) => text.slice(0, fold.from) + text.slice(fold.to), side.shown).split('\n').filter(Boolean);
  assert.deepEqual(seen(a), lines.slice(28, 33));
  assert.deepEqual(seen(b), other.slice(28, 33));
  assert.deepEqual(foldsOf(a, b, comparison, ''), { a: [], b: [] });
});

test('folds of what differs leave the passages', () => {
  const only = 'Nobody else has this sentence which goes on and on for quite a while, so that folding it away is worth it.';
  const { a, b, comparison } = both(`${TEXT}\n\n${only}`, TEXT);
  const folds = foldsOf(a, b, comparison, 'differs');
  assert.deepEqual(folds.b, []);
  assert.equal(a.shown.slice(folds.a[0].from, folds.a[0].to).trim(), only);
});

test('the bridge leads from a passage to its other end, and never back', () => {
  const { a, b, comparison } = both(TEXT, `An introduction that only the right text has. ${TEXT}`);
  const bridge = new Bridge(a, b, comparison);
  const shift = b.shown.length - a.shown.length;
  assert.equal(Math.round(bridge.across('a', 20)), 20 + shift);
  assert.equal(Math.round(bridge.across('b', 20 + shift)), 20);
  assert.equal(bridge.across('b', shift / 2), 0);
  let last = 0;
  for (let at = 0; at <= b.shown.length; at++) {
    const across = bridge.across('b', at);
    assert.ok(across >= last);
    last = across;
  }
});

test('what moved does not turn the bridge back', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name, at) => Array.from({ length: 30 + at * 10 }, (_, n) => `${name}${n}`).join(' '));
  const { a, b, comparison } = both(`${one} ${two} ${three}`, `${two} ${three} ${one}`);
  assert.equal(comparison.passages.filter((p) => p.moved).length, 1);
  const bridge = new Bridge(a, b, comparison);
  for (const side of [a, b]) {
    let last = 0;
    for (let at = 0; at <= side.shown.length; at++) {
      const across = bridge.across(side.key, at);
      assert.ok(across >= last, `${side.key} ${at}`);
      last = across;
    }
  }
});
