import assert from 'node:assert/strict';
import test from 'node:test';
import { toJson } from '../../js/decisions.js';
import { Verdicts } from '../../js/verdicts.js';

let pages = 0;

/** A page with documents a, b, c, … whose contents are as given. @param {string[]} contents @param {any[]} [decisions] @param {string} [name] @returns {any} */
function page(contents, decisions = [], name = `page ${pages += 1}`) {
  const id = contents.map((_, at) => String.fromCharCode(97 + at));
  return { name, contents, documents: { id, content: contents.map((_, at) => at) }, decisions };
}
const cluster = (/** @type {number[]} */ ...documents) => ({ representative: documents[0], documents });
/** @param {string} verdict @param {string} ids @param {string[]} contents @param {string} keep @returns {any} */
const decision = (verdict, ids, contents, keep = '') => (
  { representative: ids[0], verdict, keep: [...keep], note: '', documents: [...ids].map((id, at) => ({ id, content: contents[at] })) });

test('a verdict is given, changed, taken back; listeners are told', () => {
  const verdicts = new Verdicts(page(['1', '2', '3']));
  let told = 0;
  verdicts.listen(() => { told += 1; });
  const c = cluster(0, 1, 2);
  assert.equal(verdicts.get(c), undefined);
  verdicts.set(c, { verdict: 'keep', keep: [1], note: 'fine' });
  assert.deepEqual(verdicts.get(c), { verdict: 'keep', keep: [1], note: 'fine' });
  verdicts.set(c, { verdict: 'template', keep: [], note: '' });
  assert.equal(verdicts.get(c)?.verdict, 'template');
  assert.equal(verdicts.all().length, 1);
  verdicts.clear(c);
  assert.equal(verdicts.get(c), undefined);
  assert.deepEqual(verdicts.all(), []);
  assert.equal(told, 3);
});

test('a smaller cluster stays decided; one with a new document is open', () => {
  const verdicts = new Verdicts(page(['1', '2', '3', '4']));
  verdicts.set(cluster(0, 1, 2), { verdict: 'keep', keep: [0], note: '' });
  assert.deepEqual(verdicts.get(cluster(1, 2))?.keep, [0]);
  assert.equal(verdicts.get(cluster(0, 1, 2, 3)), undefined);
  assert.equal(verdicts.get(cluster(3, 0)), undefined);
});

test('a document that has changed opens its cluster again', () => {
  const verdicts = new Verdicts(page(['1', 'changed', '3', '4'], [decision('template', 'ab', ['1', '2']), decision('later', 'cd', ['3', '4'])]));
  assert.equal(verdicts.get(cluster(0, 1)), undefined);
  assert.equal(verdicts.get(cluster(2, 3))?.verdict, 'later');
});

test('the latest that applies wins, whatever its size', () => {
  const verdicts = new Verdicts(page(['1', '2', '3']));
  verdicts.set(cluster(0, 1), { verdict: 'template' });
  verdicts.set(cluster(0, 1, 2), { verdict: 'not-duplicates' });
  assert.equal(verdicts.get(cluster(0, 1))?.verdict, 'not-duplicates');
  verdicts.set(cluster(1, 0), { verdict: 'later' });
  assert.equal(verdicts.get(cluster(0, 1))?.verdict, 'later');
  assert.equal(verdicts.get(cluster(0, 1, 2))?.verdict, 'not-duplicates');
});

test('taking back a part leaves the rest decided', () => {
  const verdicts = new Verdicts(page(['1', '2', '3', '4']));
  verdicts.set(cluster(0, 1, 2, 3), { verdict: 'template' });
  verdicts.clear(cluster(0, 1));
  assert.equal(verdicts.get(cluster(0, 1)), undefined);
  assert.equal(verdicts.get(cluster(2, 3))?.verdict, 'template');
  assert.equal(verdicts.get(cluster(1, 2)), undefined);
  assert.deepEqual(verdicts.all()[0].documents.map((d) => d.id), ['c', 'd']);
});

test('what is stored comes back, above what came with the page', () => {
  const given = [decision('not-duplicates', 'ab', ['1', '2']), decision('keep', 'cd', ['3', '4'], 'c')];
  const first = new Verdicts(page(['1', '2', '3', '4'], given, 'again'));
  first.set(cluster(0, 1), { verdict: 'keep', keep: [1], note: 'mine' });
  first.clear(cluster(2, 3));
  const second = new Verdicts(page(['1', '2', '3', '4'], given, 'again'));
  assert.deepEqual(second.get(cluster(0, 1)), { verdict: 'keep', keep: [1], note: 'mine' });
  assert.equal(second.get(cluster(2, 3)), undefined, 'taken back, and it stays so');
  assert.deepEqual(second.all(), first.all());
  const other = new Verdicts(page(['1', '2', '3', 'other'], given, 'again'));
  assert.equal(other.get(cluster(0, 1))?.verdict, 'not-duplicates', 'numbers of other documents are not believed');
});

test('counts: later is undecided', () => {
  const verdicts = new Verdicts(page(['1', '2', '3', '4', '5', '6', '7', '8']));
  const all = [cluster(0, 1), cluster(2, 3), cluster(4, 5), cluster(6, 7)];
  verdicts.setAll([[all[0], { verdict: 'keep', keep: [0] }], [all[1], { verdict: 'later' }], [all[2], { verdict: 'template' }]]);
  assert.deepEqual(verdicts.counts(all), { decided: 2, undecided: 2, byVerdict: { keep: 1, 'not-duplicates': 0, template: 1, later: 1 } });
  assert.deepEqual(all.map((c) => verdicts.open(c)), [false, true, false, true]);
});

test('import: wins over what was there, keeps what is not on this page', () => {
  const verdicts = new Verdicts(page(['1', '2'], [], 'imported'));
  verdicts.set(cluster(0, 1), { verdict: 'later' });
  const file = [decision('keep', 'ab', ['1', '2'], 'b'), decision('template', 'yz', ['8', '9'])];
  assert.equal(verdicts.import(toJson(file, { version: '', name: '', made: '' }), 'x.json'), 2);
  assert.deepEqual(verdicts.get(cluster(0, 1)), { verdict: 'keep', keep: [1], note: '' });
  assert.deepEqual(verdicts.all(), file);
  assert.deepEqual(new Verdicts(page(['1', '2'], [], 'imported')).all(), file);
  assert.throws(() => verdicts.import('nonsense', 'x.txt'), /x\.txt is not a file of decisions/);
});

test('thousands of clusters are decided and counted at once', () => {
  const verdicts = new Verdicts(page(Array.from({ length: 50_000 }, (_, at) => String(at))));
  // the ids of the small helper are single letters: give each document its own
  verdicts.page.documents.id = verdicts.page.documents.id.map((_, at) => `folder/${at}`);
  verdicts.numbers = new Map(verdicts.page.documents.id.map((id, at) => [id, at]));
  const all = Array.from({ length: 5000 }, (_, at) => cluster(...Array.from({ length: 10 }, (_, k) => at * 10 + k)));
  const start = performance.now();
  verdicts.setAll(all.map((c) => [c, { verdict: 'keep', keep: [c.representative] }]));
  assert.equal(verdicts.counts(all).decided, 5000);
  assert.ok(performance.now() - start < 2000);
});

test('a template that the scan has ignored does not decide what is still linked, and is exported again', () => {
  const verdicts = new Verdicts(page(['1', '2'], [decision('template', 'ab', ['1', '2'])]));
  assert.equal(verdicts.get(cluster(0, 1)), undefined);
  assert.equal(verdicts.all()[0].verdict, 'template');
  verdicts.set(cluster(0, 1), { verdict: 'template' });
  assert.equal(verdicts.get(cluster(0, 1))?.verdict, 'template', 'said again, it holds until the next scan');
});
