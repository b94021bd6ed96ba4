// Decisions as the browser keeps them: every document named once, so that those of fifty thousand fit. They outlast the page: the next scan
// of the same place finds them again by id and content.

/**
 * @typedef {import('./types.js').Decision} Decision
 * @typedef {import('./types.js').Page} Page
 * @typedef {{ made: number, before: boolean, decision: Decision, keep: number[] }} StoredEntry  as in verdicts.js
 *
 * @typedef {object} Packed
 * @property {number} of             tells whether numbers of documents still mean the same
 * @property {number} given          the same of the decisions that came with the page
 * @property {number[]} numbers      by name: the document of the page; -1 if it was not on it
 * @property {(number | string)[]} ids  by name: how many characters its id shares with the one before, and the others
 * @property {number[]} content      by name: index into `contents`
 * @property {string[]} contents
 * @property {[number, 0 | 1, string, number | string, (number | string)[], string, number[]][]} rows
 *   made, before, verdict, representative, keep, note, documents; names by their places, ids that are no names of the decision as they are
 */

/**
 * @param {Page} page
 * @param {StoredEntry[]} entries
 * @param {(id: string, content: string) => number[]} found  documents of the page that are what they were
 * @returns {Packed}
 */
export function pack(page, entries, found) {
  const { documents, contents } = page;
  /** @type {Map<string, { number: number, id: string, content: string }>} */
  const named = new Map();
  const name = (/** @type {number} */ number, /** @type {string} */ id, /** @type {string} */ content) => {
    const key = number < 0 ? JSON.stringify([id, content]) : String(number);
    if (!named.has(key)) named.set(key, { number, id, content });
    return key;
  };
  const rows = entries.map(({ made, before, decision, keep }) => {
    const parts = decision.documents.map(({ id, content }) => name(found(id, content)[0] ?? -1, id, content));
    const kept = keep.map((d) => ({ id: documents.id[d], key: name(d, documents.id[d], contents[documents.content[d]]) }));
    const exact = new Set(kept.map((k) => k.id));
    return { made, before, decision, parts, kept: [...kept.map((k) => k.key), ...decision.keep.filter((id) => !exact.has(id)).map((id) => ({ id }))] };
  });
  // in order, neighbours share most of their ids
  const order = [...named].sort(([, x], [, y]) => (x.id < y.id ? -1 : x.id > y.id ? 1 : 0));
  const place = new Map(order.map(([key], at) => [key, at]));
  const table = new Map(order.map(([, { content }]) => [content, 0]));
  [...table.keys()].forEach((content, at) => table.set(content, at));
  const at = (/** @type {string} */ key) => place.get(key) ?? 0;
  return {
    of: fingerprint(page),
    given: hash([JSON.stringify(page.decisions)]),
    numbers: order.map(([, { number }]) => number),
    ids: order.flatMap(([, { id }], n) => {
      const shared = n === 0 ? 0 : common(order[n - 1][1].id, id);
      return [shared, id.slice(shared)];
    }),
    content: order.map(([, { content }]) => table.get(content) ?? 0),
    contents: [...table.keys()],
    rows: rows.map(({ made, before, decision, parts, kept }) => {
      const first = decision.documents.findIndex((d) => d.id === decision.representative);
      return [made, before ? 1 : 0, decision.verdict, first < 0 ? decision.representative : at(parts[first]), kept.map((k) => (typeof k === 'string' ? at(k) : k.id)), decision.note, parts.map(at)];
    }),
  };
}

/**
 * @param {Page} page
 * @param {Packed} packed
 * @param {(id: string, content: string) => number[]} found
 * @returns {{ entries: StoredEntry[], given: boolean }}  and whether they belong to the decisions that came with this page
 */
export function unpack(page, packed, found) {
  const same = packed.of === fingerprint(page);
  let last = '';
  const names = packed.numbers.map((number, at) => {
    last = last.slice(0, Number(packed.ids[2 * at])) + packed.ids[2 * at + 1];
    return { number, id: last, content: packed.contents[packed.content[at]] };
  });
  const id = (/** @type {number | string} */ name) => (typeof name === 'string' ? name : names[name].id);
  const here = (/** @type {number | string} */ name) => {
    if (typeof name === 'string') return [];
    const { number, id: of, content } = names[name];
    return same && number >= 0 ? [number] : found(of, content);
  };
  const entries = packed.rows.map(([made, before, verdict, representative, keep, note, documents]) => ({
    made,
    before: before === 1,
    keep: keep.flatMap(here),
    decision: {
      representative: id(representative),
      verdict: /** @type {import('./types.js').Verdict} */ (verdict),
      keep: [...new Set(keep.map(id))],
      note,
      documents: documents.map((name) => ({ id: names[name].id, content: names[name].content })),
    },
  }));
  return { entries, given: packed.given === hash([JSON.stringify(page.decisions)]) };
}

/** @param {string} x @param {string} y */
function common(x, y) {
  let at = 0;
  while (at < x.length && x[at] === y[at]) at += 1;
  return at;
}

/** @type {WeakMap<Page, number>} */
const prints = new WeakMap();

/** @param {Page} page */
function fingerprint(page) {
  const { documents, contents } = page;
  const known = prints.get(page) ?? hash(documents.id.flatMap((id, document) => [id, contents[documents.content[document]]]));
  prints.set(page, known);
  return known;
}

/** @param {string[]} texts */
function hash(texts) {
  let value = 0x811c9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value = Math.imul(value ^ 0x10000, 0x01000193);
  }
  return value >>> 0;
}
