// Pictures of many: nobody covers anybody, and the same is drawn every time.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DOTS, ISLAND, arranged, drawnOf, islandsOf } from '../../js/copies/classmap.js';
import { lanes, likeliest } from '../../js/copies/lanes.js';
import { firstBeyond } from '../../js/copies/parts/pairlist.js';
import { disjoint } from '../../js/parts/collide.js';
import { hull } from '../../js/parts/hull.js';
import { fit, layout } from '../../js/parts/layout.js';
import { valueLook } from '../../js/parts/matrix.js';
import { MOST, WHOLE, aimed, held, moved, revealed, zoomed } from '../../js/parts/viewport.js';
import { dice } from '../dice.js';

/** @typedef {{ x: number, y: number }} Point */

/** The least distance between the rims of two dots. @param {Point[]} points @param {(at: number) => number} radius */
function closest(points, radius) {
  let least = Infinity;
  for (let i = 0; i < points.length; i++) for (let j = i + 1; j < points.length; j++) least = Math.min(least, Math.hypot(points[i].x - points[j].x, points[i].y - points[j].y) - radius(i) - radius(j));
  return least;
}

test('300 dots in one place go apart, inside their box, and always to the same places', () => {
  const roll = dice(3);
  const wanted = [Array.from({ length: 300 }, () => ({ x: 200, y: 150 })), Array.from({ length: 300 }, () => ({ x: roll(400), y: 140 + roll(20) }))];
  const radii = Array.from({ length: 300 }, (_, at) => 4 + (at % 4));
  const box = { left: 0, right: 500, top: 0, bottom: 400 };
  for (const points of wanted) {
    const found = disjoint(points, radii, 2, box);
    assert.ok(closest(found, (at) => radii[at]) >= 1.95, String(closest(found, (at) => radii[at])));
    for (const p of found) assert.ok(p.x >= 0 && p.x <= 500 && p.y >= 0 && p.y <= 400, JSON.stringify(p));
    assert.deepEqual(disjoint(points, radii, 2, box), found);
  }
  // who has room stays
  const far = [{ x: 10, y: 10 }, { x: 100, y: 10 }];
  assert.deepEqual(disjoint(far, [5, 5], 2, box), far);
  // a box that is too small grows downwards
  const full = disjoint(Array.from({ length: 50 }, () => ({ x: 5, y: 5 })), Array.from({ length: 50 }, () => 5), 2, { left: 0, right: 40, top: 0, bottom: 10 });
  assert.ok(closest(full, () => 5) >= 1.95 && Math.max(...full.map((p) => p.y)) > 50);
});

test('a graph of 300 has no two dots over each other, on a screen and on a phone', () => {
  const roll = dice(5);
  const links = Array.from({ length: 299 }, (_, at) => ({ from: roll(at + 1), to: at + 1, length: 0.7 + roll(60) / 100 }));
  const wish = layout(300, links);
  for (const width of [840, 420, 340]) {
    const apart = Math.sqrt((0.24 * (width - 48) * 452) / 300);
    const { points, height } = fit(wish, { width, most: 500, unit: 175, apart, padX: 24, padY: 24 });
    assert.ok(closest(points, () => apart / 2) >= -0.05, `${width}: ${closest(points, () => apart / 2)}`);
    assert.ok(height <= 500 && points.every((p) => p.x >= 23 && p.x <= width - 23));
  }
});

/** Clusters of many sizes, rings with a chord. @param {number[]} sizes @returns {any[]} */
function clusters(sizes) {
  let first = 0;
  return sizes.map((size, at) => {
    const submissions = Array.from({ length: size }, (_, i) => first + i);
    const pairs = submissions.flatMap((s, i) => (i + 1 < size ? [{ a: s, b: s + 1, similarity: 0.4 + (i % 6) / 10 }] : []).concat(i % 3 === 0 && i + 4 < size ? [{ a: s, b: s + 4, similarity: 0.5 }] : []));
    first += size;
    return { number: at + 1, submissions, pairs, count: pairs.length, mean: 0.5 };
  });
}

test('the map of 400: everybody has a place of his own, the same every time, and it fits', () => {
  const all = clusters([100, 30, 14, 9, 9, 6, 5, 5, 4, 4, 3, 3, 3, ...Array.from({ length: 20 }, () => 2)]);
  const { islands, left, alone, singles } = drawnOf(all, 400);
  assert.equal(left.length, 0);
  assert.deepEqual(singles, alone);
  const made = () => islands.flatMap(islandsOf);
  for (const [width, most] of [[1300, 600], [900, 500], [330, 560]]) {
    const { at, height, radius } = arranged(made(), singles, width, most);
    assert.equal(at.size, 400);
    const points = Array.from({ length: 400 }, (_, s) => /** @type {Point} */ (at.get(s)));
    assert.ok(closest(points, () => radius) >= 2, `${width}: ${closest(points, () => radius)}`);
    for (const p of points) assert.ok(p.x >= radius && p.x <= width - radius && p.y >= radius && p.y <= height - radius, JSON.stringify({ p, width, height }));
    if (width > 800) assert.ok(height <= most, `${height} of ${most}`);
    assert.deepEqual(arranged(made(), singles, width, most).at, at);
  }
});

test('what the report knows as one cluster and lists no pairs of is in parts', () => {
  const [cluster] = clusters([6]);
  cluster.pairs = cluster.pairs.filter((/** @type {any} */ p) => p.b <= 2 || p.a >= 3);
  assert.deepEqual(islandsOf({ ...cluster, pairs: cluster.pairs.slice(0, 2) }).map((i) => i.members), [[0, 1, 2], [3], [4], [5]]);
});

test('five thousand: large clusters first, what is left out is told', () => {
  const all = clusters([1200, 300, 300, 300, 300, 200, 90, 50, 2]);
  const { islands, left, alone, singles } = drawnOf(all, 5000);
  assert.deepEqual(left.map((c) => c.submissions.length), [1200, 50], 'too large, and no room left');
  assert.ok(islands.reduce((n, c) => n + c.submissions.length, 0) <= DOTS && islands.every((c) => c.submissions.length <= ISLAND));
  assert.equal(alone.length, 5000 - 2742);
  assert.deepEqual(singles, []);
});

test('the hull of points has all of them inside', () => {
  const roll = dice(9);
  for (let seed = 0; seed < 50; seed++) {
    const points = Array.from({ length: 3 + roll(20) }, () => ({ x: roll(100), y: roll(100) }));
    const rim = hull(points);
    rim.forEach((p, at) => {
      const q = rim[(at + 1) % rim.length];
      if (rim.length > 2) for (const r of points) assert.ok((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) >= -1e-9);
    });
  }
});

test('a picture is enlarged around the pointer and never leaves its frame', () => {
  const size = { width: 400, height: 300 };
  const at = { x: 100, y: 200 };
  const near = zoomed(WHOLE, 2, at, size);
  assert.deepEqual(near, { scale: 2, x: -100, y: -200 });
  const point = { x: (at.x - near.x) / near.scale, y: (at.y - near.y) / near.scale };
  assert.deepEqual(point, at, 'what was under the pointer is under it');
  assert.deepEqual(zoomed(near, 0.01, at, size), { scale: 1, x: 0, y: 0 });
  assert.equal(zoomed(near, 1000, at, size).scale, MOST);
  assert.deepEqual(moved(near, 1000, 1000, size), { scale: 2, x: 0, y: 0 });
  assert.deepEqual(moved(near, -1000, -1000, size), { scale: 2, x: -400, y: -300 });
  assert.deepEqual(held({ scale: 1, x: 30, y: -3 }, size), { scale: 1, x: 0, y: 0 });
  const core = [{ x: 300, y: 200 }, { x: 340, y: 220 }];
  const seen = aimed(core, size);
  assert.ok(seen.scale > 1.5 && seen.scale <= 3);
  for (const p of core) assert.ok(p.x * seen.scale + seen.x > 0 && p.x * seen.scale + seen.x < 400 && p.y * seen.scale + seen.y > 0 && p.y * seen.scale + seen.y < 300);
  assert.deepEqual(aimed([{ x: 0, y: 0 }, { x: 400, y: 300 }], size), WHOLE);
  const shown = revealed({ scale: 4, x: 0, y: 0 }, { x: 390, y: 290 }, size);
  assert.ok(390 * 4 + shown.x <= 400 && 290 * 4 + shown.y <= 300 && 390 * 4 + shown.x >= 0);
});

test('lanes: no two arcs of one lane meet', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const roll = dice(seed);
    const all = Array.from({ length: 5 + roll(190) }, () => { const from = roll(80); return { from, to: from + 1 + roll(15) }; });
    const lane = lanes(all);
    all.forEach((x, i) => all.forEach((y, j) => { if (i < j && lane[i] === lane[j]) assert.ok(x.to < y.from || y.to < x.from, `${seed}: ${i} ${j}`); }));
    const most = Math.max(...Array.from({ length: 96 }, (_, row) => all.filter((x) => x.from <= row && x.to >= row).length));
    assert.ok(Math.max(...lane) + 1 <= 2 * most, 'not many more lanes than there are arcs at one place');
  }
});

test('of 194 pairs of 86 the likeliest source of each is drawn', () => {
  const roll = dice(86);
  const row = new Map(Array.from({ length: 86 }, (_, at) => [at + 100, at]));
  const pairs = Array.from({ length: 194 }, () => { const a = roll(86); const b = (a + 1 + roll(85)) % 86; return { a: a + 100, b: b + 100, similarity: roll(100) / 100 }; });
  const drawn = likeliest(pairs, row);
  assert.ok(drawn.length <= 85);
  const later = (/** @type {{ a: number, b: number }} */ p) => Math.max(p.a, p.b);
  assert.equal(new Set(drawn.map(later)).size, drawn.length);
  for (const p of pairs) assert.ok((drawn.find((d) => later(d) === later(p))?.similarity ?? -1) >= p.similarity);
});

test('the threshold goes through a list where it belongs', () => {
  const pairs = [0.9, 0.5, 0.35, 0.34, 0.1].map((similarity) => /** @type {any} */ ({ similarity }));
  assert.equal(firstBeyond(pairs, 0.35), pairs[3]);
  assert.equal(firstBeyond([...pairs].reverse(), 0.35), pairs[2]);
  assert.equal(firstBeyond(pairs, 0.05), null);
  assert.equal(firstBeyond(pairs, 0.95), null);
});

test('numbers of the heat map can be read on every colour, in light and in dark', () => {
  const css = (/** @type {string} */ file) => readFileSync(new URL(`../../css/${file}`, import.meta.url), 'utf8');
  const [base, cluster] = [css('base.css'), css('cluster.css')];
  const rgb = (/** @type {string} */ hex) => (hex.length === 4 ? [1, 2, 3].map((at) => parseInt(hex[at] + hex[at], 16)) : [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const both = (/** @type {string} */ text, /** @type {RegExp} */ rule) => {
    const value = rule.exec(text)?.[1] ?? '';
    const [light = '', dark = light] = value.match(/#[0-9a-f]{3,6}/g) ?? [];
    return { light: rgb(light), dark: rgb(dark) };
  };
  const luminance = (/** @type {number[]} */ c) => c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const [surface, accent] = [both(base, /--surface: ([^;]+);/), both(base, /--accent: ([^;]+);/)];
  for (let ink = 0.1; ink <= 1.0001; ink += 0.005) {
    const text = both(cluster, new RegExp(`\\.heat-value\\.${valueLook(ink)} \\{ color: ([^;]+);`));
    for (const theme of /** @type {const} */ (['light', 'dark'])) {
      const [x, y] = [luminance(text[theme]), luminance(surface[theme].map((v, at) => v + (accent[theme][at] - v) * Math.min(1, ink)))].sort((p, q) => q - p);
      assert.ok((x + 0.05) / (y + 0.05) >= 4.5, `${theme} ${ink.toFixed(3)}: ${((x + 0.05) / (y + 0.05)).toFixed(2)}`);
    }
  }
});
