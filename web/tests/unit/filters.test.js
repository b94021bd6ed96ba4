import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Finder, classCounts, copies, folderPairs, select, selectCopies, topFolders, wanted, within } from '../../js/filters.js';
import { Model } from '../../js/model.js';
import { page } from './page.js';

/** Three clusters: x/a ~ x/b, y/c ~ z/d ~ z/e (identical), f ~ g. */
function made() {
  const small = page({ ids: ['kb/f.md', 'kb/g.md', 'kb/x/A.md', 'kb/x/b.md', 'kb/y/c.md', 'kb/z/d.md', 'kb/z/e.md'], pairs: [], same: { 6: [4, 'identical'] } });
  small.clusters = [
    { representative: 4, members: [[6, 'identical', 1, 1, 1], [5, 'near', 0.6, 0.7, 0.8]] },
    { representative: 2, members: [[3, 'near', 0.9, 0.9, 0.9]] },
    { representative: 0, members: [[1, 'lexical', 1, 1, 1]] },
  ];
  const model = new Model(small);
  return { model, finder: new Finder(model) };
}

/** @type {import('../../js/filters.js').VerdictLookup} */
const decided = { get: (cluster) => ({ 2: { verdict: /** @type {const} */ ('keep') }, 0: { verdict: /** @type {const} */ ('later') } })[cluster.representative] };

/** Representatives that an address gives. @param {string} query */
function found(query) {
  const { model, finder } = made();
  return select(model, model.clusters, wanted(new URLSearchParams(query)), finder, decided).map((c) => c.representative);
}

test('largest first, unless the address says otherwise', () => {
  assert.deepEqual(found(''), [4, 2, 0]);
  assert.deepEqual(found('sort=size&dir=asc'), [2, 0, 4], 'equal ones keep their numbers');
  assert.deepEqual(found('sort=average'), [0, 2, 4]);
  assert.deepEqual(found('sort=bytes'), [4, 2, 0]);
  assert.deepEqual(found('sort=folder'), [0, 2, 4]);
  assert.deepEqual(found('sort=name&dir=desc'), [0, 4, 2], 'by the name of the file, not of the folder');
  for (const wrong of ['nonsense', '__proto__', 'constructor', 'toString']) assert.deepEqual(found(`sort=${wrong}&dir=sideways`), [4, 2, 0], wrong);
});

test('a search looks at all members and not at case', () => {
  assert.deepEqual(found('q=E.MD'), [4]);
  assert.deepEqual(found('q=a.md'), [2]);
  assert.deepEqual(found('q=z+d'), [4], 'every word in one name');
  assert.deepEqual(found('q=y/+z/'), [], 'not one word here and one there');
  assert.deepEqual(found('q=kb/x/b.md'), [2], 'a pasted path finds its document');
  assert.deepEqual(found('q=kb'), [], 'what all share is in no name');
});

test('filters: class, folders, verdict', () => {
  assert.deepEqual(found('class=identical'), [4]);
  assert.deepEqual(found('class=near'), [4, 2]);
  assert.deepEqual(found('spans=1'), [4]);
  assert.deepEqual(found('folder=z'), [4], 'any member');
  assert.deepEqual(found('folder=.'), [0]);
  assert.deepEqual(found('verdict=decided'), [2]);
  assert.deepEqual(found('verdict=undecided'), [4, 0], 'what is put off is not decided');
  assert.deepEqual(found('verdict=later'), [0]);
  assert.deepEqual(found('class=near&spans=1&q=nothing'), []);
});

test('the list that is filtered stays as it was', () => {
  const { model, finder } = made();
  const before = [...model.clusters];
  select(model, model.clusters, wanted(new URLSearchParams('sort=average&dir=asc')), finder, decided);
  assert.deepEqual(model.clusters, before);
});

test('a folder is not another that begins like it', () => {
  assert.equal(within('ab/c', 'a'), false);
  assert.equal(within('a/c', 'a'), true);
  assert.equal(within('a', 'a'), true);
});

test('top-level folders count a group once', () => {
  assert.deepEqual(topFolders([['a/b', 'a/c'], ['a', ''], ['z']]), [['a', 2], ['.', 1], ['z', 1]]);
  assert.deepEqual(topFolders([['/srv/a', '/srv/b', 'srv'], ['//host/x']]), [['//host', 1], ['/srv', 1], ['srv', 1]]);
  assert.ok(within('/srv/a', '/srv') && !within('srv', '/srv'));
});

test('members by class', () => {
  const { model } = made();
  assert.deepEqual([...classCounts(model.clusters[0])], [['identical', 1], ['near', 1]]);
});

/** Copies of x in folders a and b, of y in a and b, of z in a alone. */
function sets() {
  const ids = ['a/x', 'a/y', 'a/z', 'a/z2', 'b/x', 'b/y'];
  return new Model(page({ ids, same: { 3: [2, 'identical'], 4: [0, 'identical'], 5: [1, 'identical'] } }));
}

test('sets of copies: names, bytes, folders', () => {
  const model = sets();
  const all = copies(model);
  assert.deepEqual(all.map((set) => [set.documents, set.each, set.freed, set.folders.length]), [[[0, 4], 10, 10, 2], [[1, 5], 20, 20, 2], [[2, 3], 30, 30, 1]]);
  const ask = (/** @type {object} */ more) => selectCopies(all, { sort: 'copies', dir: 'desc', q: '', spans: false, ...more }, new Finder(model)).map((set) => set.documents[0]);
  assert.deepEqual(ask({ sort: 'freed' }), [2, 1, 0]);
  assert.deepEqual(ask({ spans: true }), [0, 1]);
  assert.deepEqual(ask({ q: 'b/Y' }), [1]);
  assert.deepEqual(ask({ folders: ['a', 'b'] }), [0, 1]);
});

test('folders that hold the same files', () => {
  assert.deepEqual(folderPairs(copies(sets())), [{ a: 'a', b: 'b', shared: 2, bytes: 30 }]);
});

test('a content in very many folders does not make very many pairs', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `f${at}/license`);
  const same = Object.fromEntries(ids.slice(1).map((_, at) => [at + 1, /** @type {[number, 'identical']} */ ([0, 'identical'])]));
  assert.deepEqual(folderPairs(copies(new Model(page({ ids, same })))), []);
});
