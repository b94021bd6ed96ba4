import assert from 'node:assert/strict';
import test from 'node:test';
import { toJson } from '../../js/decisions.js';
import { Verdicts } from '../../js/verdicts.js';
import { undecidedCopies } from '../../js/views/review.js';
import { cpuTime } from '../clock.js';

let pages = 0;

/** A page with documents a, b, c, … whose contents are as given. @param {string[]} contents @param {any[]} [decisions] @param {string} [name] @param {string[]} [id] @returns {any} */
function page(contents, decisions = [], name = `page ${pages += 1}`, id = contents.map((_, at) => String.fromCharCode(97 + at))) {
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
});

test('the next scan of the same place: what is unchanged stays decided', () => {
  const long = (/** @type {string} */ digit) => digit.repeat(32);
  const first = new Verdicts(page(['1', '2', '3', '4'].map(long), [], 'scanned again', ['docs/b', 'docs/c', 'docs/d', 'docs/d']));
  first.set(cluster(0, 1), { verdict: 'keep', keep: [1], note: 'mine' });
  first.set(cluster(2, 3), { verdict: 'keep', keep: [2] });
  // a document came in front, so that all numbers are others; the last one has changed
  const next = page(['0', '1', '2', '3', '9'].map(long), [], 'scanned again', ['docs/a', 'docs/b', 'docs/c', 'docs/d', 'docs/d']);
  const second = new Verdicts(next);
  assert.deepEqual(second.get(cluster(1, 2)), { verdict: 'keep', keep: [2], note: 'mine' });
  assert.equal(second.get(cluster(0, 1)), undefined);
  assert.equal(second.get(cluster(3, 4)), undefined, 'changed');
  assert.deepEqual(second.all(), first.all(), 'and nothing is forgotten');
  second.set(cluster(0, 3), { verdict: 'later' });
  assert.deepEqual(new Verdicts(next).all(), second.all());
  assert.equal(second.all().length, 3);
});

test('the next scan, given what was decided here: a template that it has ignored decides nothing', () => {
  const first = new Verdicts(page(['1', '2', '3', '4'], [], 'given back'));
  first.set(cluster(0, 1), { verdict: 'template' });
  first.set(cluster(2, 3), { verdict: 'not-duplicates' });
  const second = new Verdicts(page(['1', '2', '3', '4'], first.all(), 'given back'));
  assert.equal(second.get(cluster(0, 1)), undefined);
  assert.deepEqual(second.all(), first.all());
  second.clear(cluster(2, 3));
  assert.equal(new Verdicts(page(['1', '2', '3', '4'], first.all(), 'given back')).get(cluster(2, 3)), undefined);
});

test('what is stored is small: fifty thousand decided documents fit in what a browser keeps', () => {
  const every = Array.from({ length: 50_000 }, (_, at) => String(at).padStart(32, '0'));
  const ids = every.map((_, at) => `support/articles/section-${at % 97}/how-to-change-your-password-${at}.html`);
  let size = 0;
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: { getItem: () => null, setItem: (/** @type {string} */ _, /** @type {string} */ text) => { size = text.length; } } });
  try {
    new Verdicts(page(every, [], 'size', ids)).setAll(Array.from({ length: 5000 }, (_, at) => [cluster(...Array.from({ length: 10 }, (_, k) => at + 5000 * k)), { verdict: 'keep', keep: [at] }]));
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage');
  }
  assert.ok(size > 0 && size < 4_000_000, String(size));
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
  const every = Array.from({ length: 50_000 }, (_, at) => String(at));
  const verdicts = new Verdicts(page(every, [], 'large', every.map((at) => `folder/${at}`)));
  const all = Array.from({ length: 5000 }, (_, at) => cluster(...Array.from({ length: 10 }, (_, k) => at * 10 + k)));
  const start = cpuTime();
  const change = verdicts.setAll(all.map((c) => [c, { verdict: 'keep', keep: [c.representative] }]));
  assert.equal(verdicts.counts(all).decided, 5000);
  verdicts.undo(change);
  assert.equal(verdicts.counts(all).decided, 0);
  assert.ok(cpuTime() - start < 2000);
});

test('a template that the scan has ignored does not decide what is still linked, and is exported again', () => {
  const verdicts = new Verdicts(page(['1', '2'], [decision('template', 'ab', ['1', '2'])]));
  assert.equal(verdicts.get(cluster(0, 1)), undefined);
  assert.equal(verdicts.all()[0].verdict, 'template');
  verdicts.set(cluster(0, 1), { verdict: 'template' });
  assert.equal(verdicts.get(cluster(0, 1))?.verdict, 'template', 'said again, it holds until the next scan');
});

test('a verdict on what is left does not end a template that the scan has ignored', () => {
  const verdicts = new Verdicts(page(['1', '2', '3'], [decision('template', 'ab', ['1', '2'])]));
  for (const c of [cluster(0, 1), cluster(0, 1, 2)]) {
    const change = verdicts.set(c, { verdict: 'keep', keep: [0] });
    assert.deepEqual(verdicts.all().map((d) => d.verdict), ['template', 'keep'], 'without it the text would be reported again, in all documents');
    verdicts.undo(change);
  }
  verdicts.set(cluster(0, 1), { verdict: 'keep', keep: [0] });
  verdicts.clear(cluster(0, 1));
  assert.deepEqual(verdicts.all().map((d) => d.verdict), ['template']);
});

test('undo and taking back leave decisions alone that share only a document', () => {
  const given = [decision('not-duplicates', 'ab', ['1', '2'])];
  const make = () => new Verdicts(page(['1', '2', '3', '4'], given, 'shared'));
  const verdicts = make();
  const change = verdicts.set(cluster(0, 3), { verdict: 'keep', keep: [0] });
  verdicts.undo(change);
  assert.deepEqual(verdicts.all(), given);
  verdicts.set(cluster(0, 3), { verdict: 'keep', keep: [0] });
  verdicts.clear(cluster(0, 3));
  assert.deepEqual(verdicts.all(), given);
  assert.deepEqual(make().all(), given, 'also when the page is opened again');
});

test('a decision on a larger cluster outdates those inside it; they hold again when it is undone or taken back', () => {
  const given = [decision('not-duplicates', 'ab', ['1', '2'])];
  const make = () => new Verdicts(page(['1', '2', '3'], given, 'larger'));
  const verdicts = make();
  const change = verdicts.set(cluster(0, 1, 2), { verdict: 'keep', keep: [2] });
  assert.deepEqual(verdicts.all().map((d) => d.verdict), ['keep'], 'not said twice');
  verdicts.undo(change);
  assert.deepEqual(verdicts.all(), given);
  verdicts.set(cluster(0, 1, 2), { verdict: 'keep', keep: [2] });
  const taken = make().clear(cluster(0, 1, 2));
  assert.deepEqual(make().all(), given);
  assert.equal(taken.removed.size, 1);
});

test('undo brings back exactly what was there, in its order', () => {
  const given = [decision('later', 'ab', ['1', '2']), decision('keep', 'cd', ['3', '4'], 'c')];
  const make = () => new Verdicts(page(['1', '2', '3', '4'], given, 'exactly'));
  const verdicts = make();
  const before = verdicts.all();
  const changes = [
    verdicts.set(cluster(0, 1), { verdict: 'keep', keep: [1], note: 'one' }),
    verdicts.set(cluster(0, 1), { verdict: 'template', note: 'two' }),
    verdicts.clear(cluster(2, 3)),
    verdicts.setAll([[cluster(0, 1), { verdict: 'later' }], [cluster(1, 0), { verdict: 'keep', keep: [0] }], [cluster(2, 3), { verdict: 'template' }]]),
    verdicts.set(cluster(0, 1, 2, 3), { verdict: 'not-duplicates' }),
    verdicts.clear(cluster(1, 2)),
  ];
  assert.equal(verdicts.get(cluster(1, 2)), undefined);
  for (const change of changes.reverse()) verdicts.undo(change);
  assert.deepEqual(verdicts.all(), before);
  assert.deepEqual(make().all(), before);
});

test('undo works after another window has written', () => {
  const named = page(['1', '2', '3', '4'], [], 'windows');
  const listeners = /** @type {((event: any) => void)[]} */ ([]);
  Object.assign(globalThis, { addEventListener: (/** @type {string} */ _, /** @type {any} */ f) => listeners.push(f) });
  try {
    const one = new Verdicts(named);
    const change = one.set(cluster(0, 1), { verdict: 'later' });
    new Verdicts(named).set(cluster(2, 3), { verdict: 'template' });
    listeners[0]({ key: 'lookalike:verdicts:windows' });
    one.undo(change);
    assert.deepEqual(one.all().map((d) => d.verdict), ['template']);
  } finally {
    Reflect.deleteProperty(globalThis, 'addEventListener');
  }
});

test('taking back the part that was kept takes back what went for it', () => {
  const verdicts = new Verdicts(page(['1', '2', '3', '4']));
  verdicts.set(cluster(0, 1, 2, 3), { verdict: 'keep', keep: [0] });
  const change = verdicts.clear(cluster(0, 1));
  assert.deepEqual(verdicts.all(), [], 'c and d were to go because a stays');
  verdicts.undo(change);
  assert.deepEqual(verdicts.get(cluster(2, 3))?.keep, [0]);
  verdicts.clear(cluster(2, 3));
  assert.deepEqual(verdicts.all().map((d) => [d.keep, d.documents.map((x) => x.id)]), [[['a'], ['a', 'b']]]);
});

test('documents of one id are told apart by what they hold', () => {
  const make = () => new Verdicts(page(['1', '2', '3', '1'], [], 'repeated', ['x', 'x', 'y', 'x']));
  const verdicts = make();
  verdicts.set(cluster(0, 1, 3), { verdict: 'keep', keep: [1], note: 'twice' });
  for (const v of [verdicts, make()]) {
    assert.deepEqual(v.get(cluster(0, 1, 3)), { verdict: 'keep', keep: [1], note: 'twice' });
    assert.deepEqual(v.get(cluster(0, 3))?.verdict, 'keep');
    assert.equal(v.get(cluster(0, 2)), undefined);
    assert.deepEqual(v.all()[0].documents, [{ id: 'x', content: '1' }, { id: 'x', content: '2' }, { id: 'x', content: '1' }]);
  }
  const read = new Verdicts(page(['1', '2'], [], undefined, ['x', 'x']));
  read.import(toJson([decision('later', 'xx', ['1', '2'])], { version: '', name: '', made: '' }), 'x.json');
  assert.equal(read.get(cluster(0, 1))?.verdict, 'later');
  const changed = new Verdicts(page(['1', '9'], [decision('later', 'xx', ['1', '2'])], undefined, ['x', 'x']));
  assert.equal(changed.get(cluster(0, 1)), undefined);
});

test('a file that is read twice adds nothing', () => {
  const verdicts = new Verdicts(page(['1', '2']));
  const file = [decision('keep', 'ab', ['1', '2'], 'b'), decision('template', 'yz', ['8', '9']), decision('later', 'az', ['1', '9'])];
  for (const _ of [1, 2]) verdicts.import(toJson(file, { version: '', name: '', made: '' }), 'x.json');
  assert.deepEqual(verdicts.all(), file);
});

test('all at once: only clusters of copies of which nobody has said anything', () => {
  const verdicts = new Verdicts(page([...'12345678'], [decision('template', 'gh', ['7', '8'])]));
  const of = (/** @type {any} */ kind, /** @type {number[]} */ ...documents) => ({ ...cluster(...documents), classes: new Set([kind]) });
  const all = /** @type {any[]} */ ([of('identical', 0, 1), of('identical', 2, 3), of('near', 4, 5), of('identical', 6, 7)]);
  verdicts.set(all[0], { verdict: 'later', note: 'ask Anna' });
  assert.deepEqual(undecidedCopies(all, verdicts), [all[1], all[3]]);
  const change = verdicts.setAll(undecidedCopies(all, verdicts).map((c) => [c, { verdict: 'keep', keep: [c.representative] }]));
  assert.equal(verdicts.get(all[0])?.note, 'ask Anna');
  verdicts.undo(change);
  assert.deepEqual(all.map((c) => verdicts.get(c)?.verdict), ['later', undefined, undefined, undefined]);
  // a new copy has joined two of which somebody said that both are needed
  verdicts.set(cluster(2, 3), { verdict: 'not-duplicates' });
  assert.deepEqual(undecidedCopies(/** @type {any[]} */ ([of('identical', 5, 2, 3)]), verdicts), []);
});

test('a cluster that has become another one: what was decided before, and what is different', () => {
  const given = [{ ...decision('keep', 'abx', ['1', '2', '9'], 'ax'), note: 'Anna' }, decision('later', 'cd', ['3', '4'])];
  // b has changed, c has joined, x is gone
  const verdicts = new Verdicts(page(['1', 'new', '3', '4', '5'], given));
  assert.deepEqual(verdicts.earlier(cluster(0, 1, 2)), { verdict: 'keep', note: 'Anna', keep: [0], gone: ['x'], changed: [1], joined: [2] });
  assert.equal(verdicts.earlier(cluster(0, 2)), undefined, 'one document is no cluster');
  assert.equal(verdicts.earlier(cluster(2, 3)), undefined, 'it holds');
  assert.deepEqual(verdicts.earlier(cluster(2, 3, 4))?.joined, [4]);
  // the latest counts
  verdicts.set(cluster(0, 1), { verdict: 'not-duplicates' });
  assert.deepEqual(verdicts.earlier(cluster(0, 1, 2)), { verdict: 'not-duplicates', note: '', keep: [], gone: [], changed: [], joined: [2] });
  const change = verdicts.set(cluster(0, 1, 2), { verdict: 'keep', keep: [0] });
  assert.equal(verdicts.earlier(cluster(0, 1, 2)), undefined, 'decided now');
  verdicts.undo(change);
  assert.equal(verdicts.earlier(cluster(0, 1, 2))?.verdict, 'not-duplicates');
});

test('what was decided before knows documents of one id apart', () => {
  const verdicts = new Verdicts(page(['1', '2', '3'], [decision('keep', 'xy', ['1', '3'], 'x')], undefined, ['x', 'x', 'y']));
  assert.deepEqual(verdicts.earlier(cluster(0, 1, 2)), { verdict: 'keep', note: '', keep: [0], gone: [], changed: [], joined: [1] });
  assert.equal(verdicts.earlier(cluster(0, 1)), undefined);
});

test('a template that the scan has ignored is told where its documents are still alike', () => {
  const verdicts = new Verdicts(page(['1', '2'], [decision('template', 'ab', ['1', '2'])]));
  assert.deepEqual(verdicts.earlier(cluster(0, 1)), { verdict: 'template', note: '', keep: [], gone: [], changed: [], joined: [] });
});

test('what the scan has honoured is told and can be taken back', () => {
  const given = [decision('not-duplicates', 'ab', ['1', '2']), decision('template', 'yz', ['8', '9']), decision('keep', 'cd', ['3', '4'], 'c'), decision('not-duplicates', 'ca', ['3', 'old'])];
  const make = () => new Verdicts(page(['1', '2', '3', '4'], given, 'honoured'));
  const verdicts = make();
  verdicts.set(cluster(1, 2), { verdict: 'not-duplicates' });
  assert.deepEqual(verdicts.applied(), [given[0], given[1]], 'not what was decided here, nor what has a cluster, nor what has changed');
  const change = verdicts.withdraw(given[1]);
  assert.deepEqual(verdicts.applied(), [given[0]]);
  assert.ok(!verdicts.all().includes(given[1]));
  assert.deepEqual(make().applied(), [given[0]], 'and it stays so');
  verdicts.undo(change);
  assert.deepEqual(make().applied(), [given[0], given[1]]);
});
