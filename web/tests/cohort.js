// A cohort made by hand for the page of `copies`: thirty submissions, two rings of copies, what was given, an earlier year, hostile names.
// What they share is found the plain way, token by token.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dice } from './dice.js';
import { padded, program, renamed, tokens, written } from './programs.js';

/** No page of ours has such an element: where it is one, text became markup. */
export const TAG = '<evil-tag>';

/**
 * @typedef {import('../js/copies/types.js').Pair} Pair
 * @typedef {import('../js/copies/types.js').Passages} Passages
 * @typedef {{ name: string, text: string, language: string }} File
 * @typedef {{ name: string, full_name?: string, owner?: string, label?: string, created?: number, archive?: boolean, files: File[] }} Made
 */

const K = 25;
const GIVEN = {
  python: 'import sys\nfrom pathlib import Path\n\n\ndef read_lines(path):\n    """Given: reads the lines of a file."""\n    lines = []\n    for line in Path(path).read_text().splitlines():\n        if line.strip() != "":\n            lines.append(line.strip().split(";"))\n    return lines\n\n\n',
  java: 'import java.util.List;\n\ninterface Given {\n    /** Given: reads one line of the file. */\n    static String[] read(String line) {\n        String[] parts = line.strip().split(";");\n        for (int at = 0; at < parts.length; at++) {\n            parts[at] = parts[at].strip();\n        }\n        return parts;\n    }\n}\n\n',
};

const PEOPLE = ['Anna Kowalski', 'Ben Okafor', 'Chiara Rossi', 'Dinh Nguyễn', 'Elif Yıldız', 'Felix Müller', 'Grace O’Brien', 'Hiro Tanaka', 'Ines Carvalho', 'Jonas Schmidt', 'Kira Petrova', 'Liam Byrne',
  'Mei Chen', 'Noah Weber', 'Olga Ivanova', 'Priya Raman', 'Quentin Moreau', 'Rosa Delgado', 'Samir Haddad', 'Tuva Lindqvist', 'Umar Siddiqui', 'Vera Novak', 'Wanjiru Kamau', 'Xavi Puig'];
const LABELS = ['Tuesday group', 'Thursday group', 'Evening group'];

/** @param {string} text */
const bytesOf = (text) => Buffer.byteLength(text);
/** @param {string} text */
const hashed = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** @returns {Made[]} */
function handedIn() {
  const roll = dice(7);
  const start = Date.UTC(2026, 4, 18, 8) / 1000;
  /** @type {Map<string, import('./programs.js').Function_[]>} */
  const own = new Map(PEOPLE.map((person) => [person, program(roll, 6 + roll(3))]));
  const of = (/** @type {string} */ person) => own.get(person) ?? [];
  const take = (/** @type {string} */ from, /** @type {number[]} */ which) => which.map((at) => of(from)[at]);
  // Ben, Chiara and Felix have Anna's; Noah and Olga have Mei's; a little of Hiro's is in Ines's
  own.set('Ben Okafor', [...take('Anna Kowalski', [0, 1, 2, 3, 4, 5]), ...program(roll, 2)]);
  own.set('Chiara Rossi', [...take('Anna Kowalski', [4, 5, 1, 0]), ...program(roll, 3)]);
  own.set('Felix Müller', [...program(roll, 2), ...take('Ben Okafor', [3, 2, 6, 7]), ...program(roll, 2)]);
  own.set('Noah Weber', [...take('Mei Chen', [0, 1, 2, 3, 4]), ...program(roll, 2)]);
  own.set('Olga Ivanova', [...take('Mei Chen', [3, 4, 5]), ...take('Noah Weber', [5]), ...program(roll, 2)]);
  own.set('Ines Carvalho', [...program(roll, 5), ...take('Hiro Tanaka', [2])]);
  const disguised = new Set(['Ben Okafor', 'Felix Müller', 'Olga Ivanova']);
  /** @type {Made[]} */
  const all = PEOPLE.map((person, at) => {
    const language = at < 14 && person !== 'Mei Chen' && person !== 'Noah Weber' ? 'python' : 'java';
    const key = /** @type {'python' | 'java'} */ (language);
    const login = `${person.split(' ')[1].normalize('NFD').replace(/[^a-z]/gi, '').toLowerCase()}${20 + at}`;
    const write = (/** @type {import('./programs.js').Function_[]} */ functions, /** @type {string} */ type) => {
      const text = written(functions, key, type);
      const edited = ['Chiara Rossi', 'Noah Weber', 'Felix Müller'].includes(person) ? padded(text, dice(at + 3)) : text;
      return disguised.has(person) ? renamed(edited, dice(at)) : edited;
    };
    const head = language === 'python' ? `# Exercise 3, ${person}\n# ${login}@example.edu\n` : `// Exercise 3 by ${person}\n`;
    const functions = of(person);
    const half = Math.ceil(functions.length / 2);
    const files = at % 3 === 1 || language === 'java'
      ? language === 'python'
        ? [{ name: 'ledger/main.py', text: head + GIVEN.python + write(functions.slice(0, half), ''), language }, { name: `ledger/${login}_tools.py`, text: `${write(functions.slice(half), '')}\n\ndef ${login}_report():\n    print("done by ${person.split(' ')[0]}")\n`, language }]
        : [{ name: 'src/Main.java', text: head + GIVEN.java + write(functions.slice(0, half), 'Main'), language }, { name: 'src/Tools.java', text: write(functions.slice(half), 'Tools'), language }]
      : [{ name: `${login}.py`, text: head + GIVEN.python + write(functions, ''), language }];
    const created = start + at * 3671 + (disguised.has(person) ? 190_000 : 0) + roll(40_000);
    return { name: files.length === 1 ? `${login}.py` : `${login}.zip`, full_name: person, owner: login, label: LABELS[at % 3], created, files };
  });
  const anna = all[0];
  // the same program once more, with other words in its comments
  all.push({ name: 'zz_late.py', full_name: `Zoé ${TAG} Blanc`, owner: 'blanc77', label: LABELS[2], created: start + 400_000, files: [{ name: 'zz_late.py', language: 'python', text: anna.files[0].text.replace(/# Exercise.*\n#.*\n/, `# ${TAG} by Zoé Blanc: größere Übung 😀\n`) }] });
  all.push({ name: 'kowalski20-first-try.py', full_name: anna.full_name, owner: anna.owner, label: anna.label, created: start - 90_000, files: [{ name: 'first.py', language: 'python', text: GIVEN.python + written(take('Anna Kowalski', [0, 1]), 'python', '') }] });
  const old = (/** @type {string} */ name, /** @type {File[]} */ files) => all.push({ name: `archive/2025/${name}`, archive: true, label: '2025', created: start - 31_000_000, files });
  old('a17.py', [{ name: 'a17.py', language: 'python', text: GIVEN.python + written([...take('Anna Kowalski', [5, 4, 3]), ...program(roll, 4)], 'python', '') }]);
  for (const name of ['b02.py', 'c11.py']) old(name, [{ name, language: 'python', text: GIVEN.python + written(program(roll, 6), 'python', '') }]);
  old(`${TAG} "quoted" & \u202ename.java`, [{ name: `${TAG}.java`, language: 'java', text: `// ${TAG} </script><script>window.hacked = 1</script>\n${GIVEN.java}${written([...program(roll, 3), ...take('Mei Chen', [5])], 'java', 'Old')}` }]);
  return all.sort((x, y) => (x.name < y.name ? -1 : x.name > y.name ? 1 : 0));
}

/** @typedef {{ file: number, kind: string, from: number, to: number, given: boolean }} Placed */

/** The tokens of a submission, those of the given code marked. @param {Made} made @returns {Placed[]} */
function placed({ files }) {
  return files.flatMap(({ text, language }, file) => {
    const given = GIVEN[/** @type {'python' | 'java'} */ (language)];
    const at = text.indexOf(given);
    return tokens(text).map((token) => ({ ...token, file, given: at >= 0 && token.from >= at && token.to <= at + given.length }));
  });
}

/** @type {WeakMap<Placed[], (string | null)[]>} */
const keys = new WeakMap();

/** Every run of K tokens in one file that counts, by its first; null where there is none. @param {Placed[]} list */
function keysOf(list) {
  const known = keys.get(list) ?? list.map((_, at) => {
    const run = list.slice(at, at + K);
    return run.length < K || run.some((t) => t.given || t.file !== run[0].file) ? null : run.map((t) => t.kind).join(' ');
  });
  keys.set(list, known);
  return known;
}

/** Longest common runs first, each token once. @param {Placed[]} a @param {Placed[]} b @returns {[number, number, number][]} */
function tiles(a, b) {
  const key = (/** @type {Placed[]} */ list, /** @type {number} */ at) => keysOf(list)[at];
  /** @type {Map<string, number[]>} */
  const seeds = new Map();
  b.forEach((_, at) => { const k = key(b, at); if (k !== null) seeds.set(k, [...(seeds.get(k) ?? []), at]); });
  /** @type {[number, number, number][]} */
  const runs = [];
  a.forEach((_, x) => {
    for (const y of seeds.get(key(a, x) ?? '') ?? []) {
      if (x > 0 && y > 0 && a[x - 1].kind === b[y - 1].kind && !a[x - 1].given && !b[y - 1].given && a[x - 1].file === a[x].file && b[y - 1].file === b[y].file) continue;
      let n = 0;
      while (x + n < a.length && y + n < b.length && a[x + n].kind === b[y + n].kind && !a[x + n].given && !b[y + n].given && a[x + n].file === a[x].file && b[y + n].file === b[y].file) n += 1;
      runs.push([x, y, n]);
    }
  });
  const [inA, inB] = [new Set(), new Set()];
  return runs.sort((x, y) => y[2] - x[2]).filter(([x, y, n]) => {
    for (let at = 0; at < n; at++) if (inA.has(x + at) || inB.has(y + at)) return false;
    for (let at = 0; at < n; at++) { inA.add(x + at); inB.add(y + at); }
    return true;
  });
}

/** @returns {{ page: import('../js/copies/types.js').CopiesPage, texts: string[] }}  texts by content */
export function cohort() {
  const made = handedIn();
  const all = made.map(placed);
  const same = all.map((list, at) => all.findIndex((other, b) => b < at && other.length === list.length && other.every((t, i) => t.kind === list[i].kind)));
  const stretch = (/** @type {number} */ s, /** @type {number} */ first, /** @type {number} */ n) => {
    const [from, to] = [all[s][first], all[s][first + n - 1]];
    const { text } = made[s].files[from.file];
    const line = (/** @type {number} */ at) => text.slice(0, at).split('\n').length;
    return { file: from.file, start: bytesOf(text.slice(0, from.from)), end: bytesOf(text.slice(0, to.to)), line: line(from.from), last_line: line(to.to) };
  };
  const counts = all.map((list) => list.filter((t) => !t.given).length);
  const shingles = all.map((list) => new Set(keysOf(list)));
  /** @type {Pair[]} */
  const pairs = [];
  /** @type {number[]} */
  const similarities = [];
  made.forEach((x, a) => made.forEach((y, b) => {
    if (b <= a || same[a] >= 0 || (same[b] >= 0 && same[b] !== a) || (x.owner !== undefined && x.owner === y.owner) || (x.archive && y.archive)) return;
    const found = tiles(all[a], all[b]);
    const overlap = found.reduce((sum, [, , n]) => sum + n, 0);
    const similarity = (2 * overlap) / (counts[a] + counts[b]);
    similarities.push(similarity);
    if (similarity < 0.05) return;
    const passages = found.map(([i, j, n], at) => {
      const seed = keysOf(all[a])[i];
      // one passage that goes on over a gap
      const gap = at === 1 && n > 60 ? 5 : 0;
      return { a: stretch(a, i, n), b: stretch(b, j, n), tokens: n, equal: n - gap, submissions: Math.max(2, shingles.filter((set, s) => set.has(seed) && !made[s].archive).length) };
    });
    const rarity = passages.reduce((sum, p) => sum + p.tokens * (1 - (p.submissions - 2) / made.length), 0) / Math.max(1, overlap);
    pairs.push({ a, b, similarity, share_a: overlap / counts[a], share_b: overlap / counts[b], overlap, longest: found[0][2], passages_all: found.length, rarity, shared_by_others: passages.reduce((sum, p) => sum + (p.submissions > 2 ? p.tokens : 0), 0) / Math.max(1, passages.reduce((sum, p) => sum + p.tokens, 0)), class: similarity >= 0.24 ? 'striking' : 'ordinary', folded: 0, expected: Math.max(0.01, 400 * Math.exp(-28 * similarity)), passages });
  }));
  pairs.sort((x, y) => y.similarity - x.similarity);
  const threshold = 0.24;
  return finish(made, all, same, counts, pairs, similarities, threshold);
}

/** @param {Made[]} made @param {Placed[][]} all @param {number[]} same @param {number[]} counts @param {Pair[]} pairs @param {number[]} similarities @param {number} threshold */
function finish(made, all, same, counts, pairs, similarities, threshold) {
  const highest = made.map((_, s) => Math.max(0, ...pairs.filter((p) => p.a === s || p.b === s).map((p) => p.similarity), ...(same[s] >= 0 || same.includes(s) ? [1] : [])));
  const given = (/** @type {File} */ { text, language }) => {
    const code = GIVEN[/** @type {'python' | 'java'} */ (language)];
    const at = text.indexOf(code);
    return at < 0 ? [] : [/** @type {[number, number]} */ ([bytesOf(text.slice(0, at)), bytesOf(text.slice(0, at + code.trimEnd().length))])];
  };
  const contents = made.flatMap((m) => m.files.map((f) => f.text));
  const distinct = [...new Set(contents)];
  const sorted = [...similarities].sort((x, y) => x - y);
  const histogram = new Array(100).fill(0);
  for (const s of similarities) histogram[Math.min(99, Math.floor(s * 100))] += 1;
  const submissions = made.map(({ files, created, ...m }, s) => ({
    ...m, ...(created === undefined ? {} : { created, created_at: new Date(created * 1000).toISOString().replace('T', ' ').slice(0, 19) }),
    files: files.map((f, file) => ({
      name: f.name, language: f.language, bytes: bytesOf(f.text), lines: f.text.split('\n').length - 1, tokens: all[s].filter((t) => t.file === file).length, content: hashed(f.text),
      ...(s === 9 && file === 0 ? { degraded: `line 41: the grammar of ${f.language} does not accept it ${TAG}` } : {}), excluded: given(f),
    })),
    tokens: all[s].length, excluded: all[s].length - counts[s], highest: highest[s], ...(same[s] >= 0 && made[s].owner !== made[same[s]].owner ? { same_as: same[s] } : {}),
  }));
  /** @type {Passages} */
  const passages = {
    recipes: [{ family: 'code', k: 25, t: 40, files: contents.length }],
    rules: { min_similarity: 0.05, limit: 10_000, max_df: 12, identifiers: false, literals: false, comments: false },
    submissions, pairs, pairs_all: pairs.length, pairs_possible: similarities.length, clusters: [],
    calibration: {
      pairs: similarities.length, median: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)], threshold, source: 'estimated', striking: pairs.filter((p) => p.similarity >= threshold).length, histogram,
      table: Array.from({ length: 99 }, (_, at) => (at + 1) / 100).map((t) => ({ threshold: t, expected: Math.max(0.01, 400 * Math.exp(-28 * t)), found: pairs.filter((p) => p.similarity >= t).length })),
      reasoning: [`${similarities.length} pairs were compared. Half of them are below ${(sorted[sorted.length >> 1] * 100).toFixed(1)}%, nineteen in twenty below ${(sorted[Math.floor(sorted.length * 0.95)] * 100).toFixed(1)}%.`, 'The tail of unrelated pairs falls off exponentially.', 'From 24% on less than one pair is expected by chance.'],
    },
    ignored: { base_files: 2, base_tokens: all.flat().filter((t) => t.given).length, frequent_tokens: 96, frequent: [{ submissions: 19, tokens: 31, example: 2, place: { file: 0, start: 60, end: 320, line: 4, last_line: 12 } }], frequent_all: 1 },
    winnowing: [{ family: 'code', w: 16, hashes: 48_211, fingerprints: 5702, density: 0.1183, expected: 0.1176, longest_gap: 16, zero_mod: { p: 8, fingerprints: 6003, longest_gap: 211 }, slope: -0.68 }],
  };
  passages.clusters = plainClusters(passages, threshold);
  const report = {
    schema: 2, lookalike: '0.9.0', lens: 'passages', recipe: 'auto|tokens|passages:code=25/40,prose=3/5|v=3', passages,
    skipped: [{ id: `ex3/${TAG}/photo.png`, reason: 'not a text', kind: 'binary' }, { id: 'ex3/kowalski20/empty.py', reason: 'no tokens', kind: 'empty' }],
  };
  return {
    page: {
      kind: /** @type {const} */ ('copies'), name: 'c0h0rt', made: 1_779_300_000, inputs: ['ex3', `archive ${TAG}`], command: ['copies', 'ex3', '--per-folder', '--archive', 'archive', '--base', 'given'], report,
      contents: contents.map((text) => distinct.indexOf(text)), texts: { limit: 32_000_000, embedded: 0, block: distinct.map(() => null), blocks: [], without: [] },
    },
    texts: distinct,
  };
}

/** Groups by walking from one to the next: the plain way. @param {Passages} report @param {number} threshold */
export function plainClusters({ submissions, pairs }, threshold) {
  const links = pairs.filter((p) => p.similarity >= threshold);
  const seen = new Set();
  const groups = submissions.flatMap((_, first) => {
    const group = new Set([first]);
    if (seen.has(first)) return [];
    for (const s of group) for (const { a, b } of links) if (a === s || b === s) group.add(a === s ? b : a);
    for (const s of group) seen.add(s);
    if (group.size < 2) return [];
    const inside = links.filter(({ a }) => group.has(a));
    return [{ submissions: [...group].sort((x, y) => x - y), pairs: inside.length, mean: inside.reduce((sum, p) => sum + p.similarity, 0) / inside.length }];
  });
  return groups.sort((x, y) => y.submissions.length - x.submissions.length || x.submissions[0] - y.submissions[0]);
}

/** A packed value as it stands in a page. @param {unknown} value */
const packed = (value) => gzipSync(JSON.stringify(value)).toString('base64');

let shell = '';

/** Any page of `copies`: it carries the script of no other. */
function shellOfCopies() {
  if (shell === '') {
    const place = mkdtempSync(join(tmpdir(), 'lookalike-copies-'));
    for (const name of ['a.py', 'b.py']) writeFileSync(join(place, name), 'print(1)\n');
    const file = join(place, 'page.html');
    execFileSync(process.env.LOOKALIKE ?? '', ['copies', place, '--html', file, '--quiet'], { stdio: 'ignore' });
    shell = readFileSync(file, 'utf8');
    rmSync(place, { recursive: true });
  }
  return shell;
}

/** A page of other data. @param {import('../js/copies/types.js').CopiesPage} page @param {string[]} texts by content; those beyond the end are missing */
export function copiesPage(page, texts) {
  const html = shellOfCopies();
  const places = { ...page.texts, block: [...page.texts.block], blocks: /** @type {[number, number][]} */ ([]) };
  let all = '';
  texts.forEach((text, content) => {
    const block = packed({ [content]: { text, format: 'text' } });
    places.block[content] = places.blocks.length;
    places.blocks.push([all.length, block.length]);
    places.embedded += 1;
    all += block;
  });
  return html.replace(/id="data">[^<]*</, () => `id="data">${packed({ ...page, texts: places })}<`).replace(/id="texts">[^<]*</, () => `id="texts">${all}<`);
}
