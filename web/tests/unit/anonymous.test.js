// Pseudonyms: nobody's name is left, nothing else changes, and places are found again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CopiesModel } from '../../js/copies/model.js';
import { Names, secrets } from '../../js/copies/names.js';
import { Replacer } from '../../js/copies/replacer.js';
import { PairVerdicts } from '../../js/copies/verdicts.js';
import { cohort } from '../cohort.js';
import { dice } from '../dice.js';

const { page, texts } = cohort();
const model = new CopiesModel(page);

/** Everything that would tell who somebody is. */
const TELLING = model.submissions.flatMap(({ full_name = '', owner = '', name }) => [full_name, owner, name, ...full_name.split(/[^\p{L}]+/u)]).filter((word) => word.length >= 3 && !/evil|tag/.test(word));

/** Whether a word stands in a text by itself or inside a name. @param {string} text @param {string} word */
function tells(text, word) {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return at >= 0 && (word.length >= 5 || new RegExp(`(?<![\\p{L}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}])`, 'iu').test(text));
}

test('code shows no name of anybody', () => {
  const names = new Names(model);
  names.on = true;
  assert.ok(texts.some((text) => TELLING.some((word) => tells(text, word))), 'there is something to hide');
  for (const text of texts) {
    const shown = names.text(text);
    for (const word of TELLING) assert.ok(!tells(shown, word), `${word} in ${shown.slice(0, 200)}`);
  }
});

test('nor does anything else that is shown', () => {
  const names = new Names(model);
  names.on = true;
  const shown = model.submissions.flatMap((s, at) => [names.submission(at), names.person(at), names.owner(at), names.short(at), s.label === undefined ? '' : names.label(s.label), ...s.files.map((_, f) => names.file(at, f))]).concat(names.path('ex3/kowalski20/empty.py', 1)).join('\n');
  for (const word of [...TELLING, ...model.labels.map(([label]) => label), 'tools']) assert.ok(!tells(shown, word), word);
  assert.match(names.file(0, 0), /^file 1\.\w+$/, 'the ending stays');
  assert.equal(new Set(model.submissions.map((_, at) => names.submission(at))).size, model.size, 'everybody has one of their own');
  const own = model.submissions.map((s, at) => ({ owner: s.owner, at })).filter(({ owner }) => owner === 'kowalski20').map(({ at }) => names.person(at));
  assert.deepEqual(own.length, 2);
  assert.equal(own[0], own[1], 'one person, one pseudonym');
  const numbers = model.submissions.map((_, at) => Number(names.numbers[at]));
  assert.notDeepEqual(numbers, [...numbers].sort((x, y) => x - y), 'the order of names is not told');
});

test('off, everything is as it is', () => {
  const names = new Names(model);
  assert.equal(names.text(texts[0]), texts[0]);
  assert.equal(names.submission(3), model.submissions[3].name);
});

test('a short name is a word of its own, a long one is found anywhere, accents or not', () => {
  const all = secrets([
    { name: 'x/lee.py', full_name: 'Max Lee', owner: 'lee7', files: [], tokens: 0, excluded: 0, highest: 0 },
    { name: 'y/main.py', full_name: 'Jörg Größmann', owner: 'u1234567', files: [], tokens: 0, excluded: 0, highest: 0 },
    { name: 'z/main.py', full_name: 'Max Ödegård', files: [], tokens: 0, excluded: 0, highest: 0 },
  ], ['1', '2', '3']);
  const replace = (/** @type {string} */ text) => new Replacer(all).replace(text).text;
  assert.equal(replace('sleep(leeway); Lee.lee_solve, solveLee(), LEE'), 'sleep(leeway); anon1.anon1_solve, solveanon1(), anon1');
  assert.equal(replace('grossmannSolver mygroessmann GRÖSSMANN jörg'), 'anon2Solver myanon2 anon2 anon2');
  assert.equal(replace('max(1, 2)'), 'anon(1, 2)', 'two are called so: nobody’s number');
  assert.equal(replace('u12345678 u1234567'), 'anon28 anon2', 'a number of eight letters is found anywhere');
  assert.equal(replace('main.py'), 'main.py', 'what several have names nobody');
  assert.equal(replace('odegard'), 'anon3');
});

test('places move with the text', () => {
  const roll = dice(5);
  const replacer = new Replacer(new Map([['anna', 'anon07'], ['kowalski', 'x'], ['anna kowalski', 'anon07']]));
  for (let round = 0; round < 200; round++) {
    const words = Array.from({ length: roll(30) }, () => ['Anna', 'Kowalski', 'Anna Kowalski', '= 1', 'ß😀', 'hannah', '\n'][roll(7)]);
    const old = words.join(' ');
    const { text, at } = replacer.replace(old);
    let before = 0;
    for (let place = 0; place <= old.length; place++) {
      assert.ok(at(place) >= before && at(place) <= text.length);
      before = at(place);
      // what is no name stands where its place says
      if (old[place] === '=' || old[place] === 'ß' || old[place] === '\n') assert.equal(text[at(place)], old[place]);
    }
    assert.equal(at(old.length), text.length);
    assert.ok(!/kowalski/i.test(text));
  }
});

test('verdicts: kept under the content, exported with or without names, read again', () => {
  const names = new Names(model);
  const verdicts = new PairVerdicts(model, names);
  const [first, second] = model.pairs;
  verdicts.set(first, 'copied', 'Anna Kowalski admitted it');
  verdicts.set(second, '', 'ask Ben');
  assert.equal(verdicts.get({ a: first.b, b: first.a })?.verdict, 'copied', 'whichever comes first');
  const open = verdicts.toJson();
  assert.ok(open.includes('Kowalski'));
  names.on = true;
  const hidden = verdicts.toJson();
  for (const word of TELLING) assert.ok(!tells(hidden, word), word);
  verdicts.set(first, '', '');
  verdicts.set(second, '', '');
  assert.equal(verdicts.decided().length, 0);
  assert.deepEqual(verdicts.import(hidden), { taken: 2, strange: 0 });
  assert.equal(verdicts.get(first)?.verdict, 'copied');
  assert.deepEqual(verdicts.import(open), { taken: 2, strange: 0 });
  assert.equal(verdicts.get(first)?.note, 'Anna Kowalski admitted it');
  const other = JSON.parse(open);
  other.pairs[0].a.content = ['changed'];
  other.pairs.push({ a: 1 }, null, { ...other.pairs[1], verdict: '__proto__' });
  assert.deepEqual(verdicts.import(JSON.stringify(other)), { taken: 1, strange: 1 });
  for (const wrong of ['', '{}', '[]', '{"copies_verdicts":2,"pairs":[]}']) assert.throws(() => verdicts.import(wrong));
});
