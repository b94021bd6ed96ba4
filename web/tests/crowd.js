// A class of any size for the page of `copies`: the submissions of the cohort many times, with pairs that a test names.

/**
 * @typedef {import('../js/copies/types.js').CopiesPage} CopiesPage
 * @typedef {[number, number, number]} Linked  two submissions and how similar they are
 */

/** @param {CopiesPage} data @param {number} size @param {Linked[]} links @param {number} [threshold] @returns {CopiesPage} */
export function crowd(data, size, links, threshold = 0.3) {
  const page = structuredClone(data);
  const { passages } = page.report;
  const [some] = passages.submissions;
  const [like] = passages.pairs;
  const highest = new Array(size).fill(0);
  for (const [a, b, similarity] of links) for (const s of [a, b]) highest[s] = Math.max(highest[s], similarity);
  passages.submissions = highest.map((most, at) => ({
    ...some, name: `s${String(at).padStart(4, '0')}.py`, full_name: `Person ${String.fromCharCode(65 + (at % 26))}. Number${at}`, owner: `o${at}`, label: `Group ${at % 4}`,
    created: 1_779_000_000 + at * 371, same_as: undefined, archive: undefined, highest: most,
  }));
  passages.pairs = links.map(([a, b, similarity]) => ({ ...like, a, b, similarity, share_a: similarity, share_b: similarity, class: similarity >= threshold ? /** @type {const} */ ('striking') : /** @type {const} */ ('ordinary'), folded: 0, passages: like.passages.slice(0, 1) }))
    .sort((x, y) => y.similarity - x.similarity);
  passages.pairs_all = links.length;
  passages.pairs_possible = (size * (size - 1)) / 2;
  passages.clusters = [];
  passages.ignored.frequent = [];
  Object.assign(passages.calibration, { threshold, striking: links.filter(([, , similarity]) => similarity >= threshold).length });
  page.report.skipped = [];
  page.contents = passages.submissions.flatMap((s) => s.files.map((_, f) => f));
  return page;
}

/** Groups of so many, dense inside, each linked with the next by one weak pair. @param {number} first @param {number} groups @param {number} each @returns {Linked[]} */
export function necklace(first, groups, each) {
  /** @type {Linked[]} */
  const links = [];
  for (let g = 0; g < groups; g++) {
    const start = first + g * each;
    for (let i = 0; i < each; i++) for (let j = i + 1; j < each; j++) links.push([start + i, start + j, 0.5 + ((i * 7 + j * 3 + g) % 35) / 100]);
    if (g + 1 < groups) links.push([start, start + each, 0.32]);
  }
  return links;
}
