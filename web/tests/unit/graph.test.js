import assert from 'node:assert/strict';
import test from 'node:test';
import { graphOf, seriate, shortNames, summary, distinct } from '../../js/parts/graphdata.js';
import { lowEnd } from '../../js/parts/heatmap.js';
import { fit, layout, placeLabels } from '../../js/parts/layout.js';

const link = (/** @type {number} */ from, /** @type {number} */ to, length = 1) => ({ from, to, length });
const apart = (/** @type {{ x: number, y: number }} */ p, /** @type {{ x: number, y: number }} */ q) => Math.hypot(p.x - q.x, p.y - q.y);

test('a chain is a line', () => {
  // 0 is in the middle of the chain 3 1 0 2 4
  const points = layout(5, [link(0, 1), link(0, 2), link(1, 3), link(2, 4)]);
  const order = points.map((p, at) => ({ x: p.x, at })).sort((a, b) => a.x - b.x).map((p) => p.at);
  assert.ok(['3,1,0,2,4', '4,2,0,1,3'].includes(order.join()), order.join());
  const [height, width] = [Math.max(...points.map((p) => Math.abs(p.y))), Math.max(...points.map((p) => Math.abs(p.x)))];
  assert.ok(height < 0.15 * width, `${height} of ${width}`);
});

test('a clique is round: nobody is much nearer than another', () => {
  const n = 5;
  const links = [];
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) links.push(link(i, j));
  const points = layout(n, links);
  const all = links.map((l) => apart(points[l.from], points[l.to]));
  assert.ok(Math.max(...all) / Math.min(...all) < 2.1, all.join());
});

test('more alike is nearer', () => {
  const points = layout(3, [link(0, 1, 0.7), link(0, 2, 1.4)]);
  assert.ok(apart(points[0], points[1]) < 0.7 * apart(points[0], points[2]));
});

test('the same every time, and everything has a place, linked or not', () => {
  const links = [link(0, 1), link(0, 2), link(2, 3)];
  assert.deepEqual(layout(6, links), layout(6, links));
  for (const p of layout(6, links)) assert.ok(Number.isFinite(p.x) && Number.isFinite(p.y));
});

test('150 nodes around one fit the room and stand apart', () => {
  const points = layout(150, Array.from({ length: 149 }, (_, at) => link(0, at + 1)));
  const placed = fit(points, { width: 800, most: 500, unit: 110, apart: 20, padX: 40, padY: 30 });
  assert.ok(placed.height <= 500);
  for (const p of placed.points) assert.ok(p.x >= 39 && p.x <= 761 && p.y >= 29 && p.y <= placed.height - 29);
  let closest = Infinity;
  placed.points.forEach((p, i) => placed.points.forEach((q, j) => { if (i < j) closest = Math.min(closest, apart(p, q)); }));
  assert.ok(closest > 12, String(closest));
});

test('a long chain stands upright where there is little width', () => {
  const points = layout(8, Array.from({ length: 7 }, (_, at) => link(at, at + 1)));
  const { points: placed, height } = fit(points, { width: 340, most: 520, unit: 110, apart: 20, padX: 60, padY: 30 });
  assert.ok(height > 400);
  assert.ok(Math.max(...placed.map((p) => p.y)) - Math.min(...placed.map((p) => p.y)) > 300);
});

test('labels never overlap and stay inside', () => {
  const points = Array.from({ length: 40 }, (_, at) => ({ x: 60 + (at % 8) * 30, y: 30 + Math.floor(at / 8) * 25 }));
  const radii = points.map(() => 7);
  const widths = points.map((_, at) => 30 + (at % 5) * 20);
  const box = { width: 400, height: 200, line: 14 };
  const labels = placeLabels(points, radii, widths, box);
  const rects = labels.flatMap((l, at) => {
    if (l === null) return [];
    const left = l.anchor === 'start' ? l.x : l.anchor === 'end' ? l.x - widths[at] : l.x - widths[at] / 2;
    return [{ left, right: left + widths[at], top: l.y - 7, bottom: l.y + 7 }];
  });
  assert.ok(rects.length >= 5 && rects.length < 40);
  rects.forEach((r, i) => {
    assert.ok(r.left >= 0 && r.right <= 400 && r.top >= 0 && r.bottom <= 200);
    rects.forEach((q, j) => assert.ok(i === j || r.left >= q.right || r.right <= q.left || r.top >= q.bottom || r.bottom <= q.top, `${i} ${j}`));
  });
});

/** @param {any[]} pairs a, b, resemblance, a in b, b in a @param {number[]} standIn @returns {any} */
function model(pairs, standIn, threshold = 0.5) {
  return {
    threshold,
    page: { documents: { canonical: standIn }, report: { policy: { contained: 0.9 } } },
    pairsOf: new Map(),
    pairsWithin: (/** @type {number[]} */ inside) => pairs.filter(([a, b]) => inside.includes(a) && inside.includes(b))
      .map(([a, b, resemblance, a_in_b, b_in_a]) => ({ a, b, resemblance, a_in_b, b_in_a })),
  };
}
/** @param {[number, string, number | null][]} rows @returns {any} */
const cluster = (rows) => ({
  representative: 0,
  documents: [0, ...rows.map(([d]) => d)],
  members: rows.map(([document, kind, resemblance]) => ({ document, class: kind, resemblance, containment: resemblance, contained_by: resemblance, interval: null })),
});

test('documents of the same text are one node; containment points into the container', () => {
  const m = model([[0, 2, 0.8, 0.9, 0.9], [2, 4, 0.3, 1, 0.3], [0, 4, 0.1, 0.2, 0.2]], [0, 0, 2, 2, 4]);
  const c = cluster([[1, 'identical', 1], [2, 'near', 0.8], [3, 'near', 0.8], [4, 'chained', null]]);
  assert.deepEqual(distinct(m, c).map((n) => n.documents), [[0, 1], [2, 3], [4]]);
  const graph = graphOf(m, c);
  assert.deepEqual(graph.links.map((l) => [l.from, l.to, l.contained]), [[0, 1, false], [1, 2, true]]);
  assert.equal(graph.indirect, 1);
  assert.equal(summary(graph), '5 documents with 3 different texts, 2 links; 1 document is linked to the representative only through others.');
  const reverse = graphOf(model([[0, 1, 0.3, 0.3, 1]], [0, 1]), cluster([[1, 'contained', 0.3]]));
  assert.deepEqual(reverse.links.map((l) => [l.from, l.to, l.contained, l.inside]), [[1, 0, true, 1]]);
});

test('a link that is known from the cluster only is a link too', () => {
  const graph = graphOf(model([], [0, 1, 2]), cluster([[1, 'near', 0.7], [2, 'chained', null]]));
  assert.deepEqual(graph.links.map((l) => [l.from, l.to]), [[1, 0]]);
});

test('too much is cut, and counted; what holds together stays', () => {
  const pairs = [];
  for (let a = 0; a < 60; a++) for (let b = a + 1; b < 60; b++) pairs.push([a, b, a === 0 ? 0.6 : 0.9, 0.9, 0.9]);
  const graph = graphOf(model(pairs, Array.from({ length: 60 }, (_, d) => d)), cluster(Array.from({ length: 59 }, (_, at) => [at + 1, 'near', 0.6])), 50, 100);
  assert.equal(graph.nodes.length, 50);
  assert.equal(graph.leftNodes, 10);
  assert.equal(graph.links.length, 100);
  assert.equal(graph.leftLinks, (50 * 49) / 2 - 100);
  assert.ok(graph.links.some((l) => l.from === 0), 'the representative is not cut off');
});

test('names: as short as they can be told apart', () => {
  assert.deepEqual(shortNames(['a/x/index.md', 'b/x/index.md', 'c/other.md']), ['a/x/index.md', 'b/x/index.md', 'other.md']);
  assert.equal(shortNames(['a-very-long-name-that-does-not-fit.md'], 16)[0], 'a-very…ot-fit.md');
});

test('a heat map has neighbours side by side', () => {
  const place = [3, 0, 4, 1, 2];
  const order = seriate(5, (i, j) => 1 - Math.abs(place[i] - place[j]) / 5);
  const along = order.map((at) => place[at]).join('');
  assert.ok(along === '01234' || along === '43210', along);
});

test('no label covers a badge, its own or another', () => {
  const badge = (/** @type {{ x: number, y: number }} */ p) => ({ left: p.x + 3, right: p.x + 24, top: p.y - 16, bottom: p.y - 1 });
  // in the right half labels stand at the right first, where the badges are
  const points = [{ x: 250, y: 60 }, { x: 260, y: 100 }, { x: 40, y: 60 }];
  const badges = [badge(points[0]), badge(points[1]), null];
  const widths = [80, 80, 80];
  const places = placeLabels(points, [8, 8, 8], widths, { width: 400, height: 160, line: 15 }, [], badges);
  places.forEach((place, at) => {
    assert.ok(place !== null, `label ${at}`);
    const left = place.anchor === 'start' ? place.x : place.anchor === 'end' ? place.x - widths[at] : place.x - widths[at] / 2;
    for (const b of badges) {
      if (b !== null) assert.ok(left >= b.right || left + widths[at] <= b.left || place.y - 7.5 >= b.bottom || place.y + 7.5 <= b.top, JSON.stringify({ at, place, b }));
    }
  });
  const without = placeLabels(points, [8, 8, 8], widths, { width: 400, height: 160, line: 15 });
  assert.ok((without[0]?.x ?? 0) < badge(points[0]).right, 'it would have been covered');
});

test('the scale of the heat map says where it ends', () => {
  assert.equal(lowEnd(0.3, [{ alike: 0.3 }, { alike: 0.9 }]), '30%');
  assert.equal(lowEnd(0.3, [{ alike: 0.19 }]), '30% or less');
});
