import assert from 'node:assert/strict';
import test from 'node:test';

Object.assign(globalThis, { location: { hash: '#/pairs?sort=down&t=0.6' } });
const { Worklist, verdictFilter } = await import('../../js/worklist.js');
const { address, carry, named } = await import('../../js/route.js');

/** Numbers as a list: even ones, odd ones, up or down; those of `done` are decided. */
function numbers() {
  const state = { done: new Set(/** @type {number[]} */ ([])), basis: 0 };
  const all = Array.from({ length: 10 }, (_, n) => n);
  const worklist = new Worklist({
    names: ['sort', 'kind', 'verdict'],
    path: (n) => ['n', n],
    select: (query) => all.filter((n) => (query.get('kind') !== 'odd' || n % 2 === 1) && (query.get('verdict') !== 'undecided' || !state.done.has(n)) && (query.get('all') === '1' || n < 8)).sort((x, y) => (query.get('sort') === 'down' ? y - x : x - y)),
    open: (n) => !state.done.has(n),
    tell: () => '',
    home: () => ({ href: '#/', name: '' }),
    basis: () => state.basis,
    wider: [{ verdict: 'any' }, { all: '1' }],
  });
  return { worklist, state };
}
const query = (/** @type {Record<string, string>} */ asked) => new URLSearchParams(asked);

test('neighbours are those of the list that is asked for', () => {
  const { worklist } = numbers();
  const { at, previous, next, items } = worklist.place(query({ kind: 'odd', sort: 'down', at: '3' }), 5);
  assert.deepEqual([at, previous, next, items.length], [1, 7, 3, 4]);
  assert.equal(worklist.place(query({}), 0).previous, undefined);
  assert.equal(worklist.place(query({}), 7).next, undefined);
});

test('a list stays while it is worked through, and is made anew where it is listed', () => {
  const { worklist, state } = numbers();
  const asked = query({ verdict: 'undecided' });
  assert.equal(worklist.list(asked).length, 8);
  for (const n of [0, 1, 2]) {
    state.done.add(n);
    assert.deepEqual([worklist.place(asked, n).at, worklist.place(asked, n).items.length, worklist.nextOpen(asked, n)], [n, 8, n + 1]);
  }
  assert.equal(worklist.list(asked).length, 5);
  // who comes by an address to what is decided meanwhile finds it at its place
  assert.deepEqual(worklist.place(asked, 1).items, [1, 3, 4, 5, 6, 7]);
  state.basis = 1;
  assert.deepEqual(worklist.place(asked, 4).items, [3, 4, 5, 6, 7], 'another threshold, another list');
});

test('what is in no list says so, or is in a wider one', () => {
  const { worklist } = numbers();
  assert.deepEqual([worklist.place(query({}), 9).at, worklist.place(query({}), 9).query.get('all')], [9, '1']);
  const nowhere = worklist.place(query({}), 77);
  assert.deepEqual([nowhere.at, nowhere.next, nowhere.previous], [-1, 0, undefined]);
});

test('the next undecided one is found around the end, and never where one is', () => {
  const { worklist, state } = numbers();
  assert.equal(worklist.nextOpen(query({}), 7), 0);
  for (let n = 0; n < 8; n++) state.done.add(n);
  assert.equal(worklist.nextOpen(query({}), 3), null);
  state.done.delete(3);
  assert.equal(worklist.nextOpen(query({}), 3), null);
  assert.equal(worklist.nextOpen(query({}), null), 3);
});

test('addresses take the list along, and nothing else', () => {
  const { worklist } = numbers();
  assert.equal(worklist.href(3, query({ sort: 'down', at: '2', kind: 'odd' }), { fold: 'differs' }), '#/n/3?t=0.6&sort=down&kind=odd&fold=differs');
  assert.equal(address(['pair', 1]), '#/pair/1?t=0.6');
  carry([{ from: ['pairs'], to: ['pair'], take: named(['sort', 'q']) }]);
  assert.equal(address(['pair', 1]), '#/pair/1?t=0.6&sort=down');
  assert.equal(address(['pair', 1], { sort: null }), '#/pair/1?t=0.6', 'what is named counts');
  assert.equal(address(['other']), '#/other?t=0.6');
  carry([]);
});

test('filters by verdict in words', () => {
  const name = (/** @type {string} */ v) => v.toUpperCase();
  assert.deepEqual(['', 'undecided', 'decided', 'copied'].map((v) => verdictFilter(v, name)), ['', 'undecided only', 'decided only', 'copied']);
});
