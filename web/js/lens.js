// What differs between the lenses, as data: by which number documents are linked, and what that number is called. Shingles link by resemblance, chunks by
// the bytes that two documents have in common, as a share of the smaller.

import { bytes, percent } from './format.js';
import { short } from './recipe.js';
import { chunkLinks } from './regroupchunks.js';
import { shingleLinks } from './regroupshingles.js';

/**
 * The words of a lens.
 * @typedef {object} Terms
 * @property {string} measure    the head of a column
 * @property {string} member     the head of a column of members
 * @property {string} average    what the mean of a cluster is
 * @property {string} averaged   the same at length
 * @property {string} alike      behind the number of two documents
 * @property {string} like       behind the number of a member
 * @property {string} threshold  what the threshold is
 * @property {string} from       behind the threshold
 * @property {string} text       what documents have
 * @property {string} nothing    where there are no clusters
 * @property {string} pairs      above the histogram of pairs
 * @property {string} pairsBy    below that
 * @property {string} noPairs    what no two documents do
 * @property {string} heat       above the heat map
 * @property {string} matrix     what the heat map shows
 * @property {string} textless   why texts are missing, the limit apart
 * @property {string} template   what a scan does with the verdict “template”
 * @property {string} empty      why a document without size was not compared
 * @property {string} unlisted   why nothing is known where not all pairs are listed
 * @property {(from: string) => string} below           why nothing is known where they are
 * @property {(threshold: number) => string} near       which members are near
 * @property {(threshold: number) => string} contained  which are contained
 * @property {(threshold: number) => string} arrow      what the arrow of the graph says
 */

/**
 * A lens as the page knows it.
 * @typedef {object} Lens
 * @property {'shingles' | 'chunks'} name
 * @property {boolean} bytes     whether two documents have bytes in common, at least so many, and not shingles
 * @property {boolean} lexical   whether documents can have the same words in another form
 * @property {boolean} anyFile   whether documents may have no text
 * @property {number} most       per cent that a pair can have which is not the same
 * @property {(page: import('./types.js').Page, threshold: number) => import('./cluster.js').Links} links
 * @property {(policy: import('./types.js').Policy, threshold: number) => number | null} containedFrom  from which share of one inside the other two documents are linked; null if that was not looked for
 * @property {<R extends number | null>(resemblance: R, inside: number | null, has: number | null) => R | number} likeness  how alike two documents are, by the number that links them; `inside`, `has`: shares of either that the other has
 * @property {(report: import('./types.js').Head) => boolean} explores  whether a scan can list pairs below its threshold
 * @property {Terms} terms
 */

/** @type {Lens} */
const SHINGLES = {
  name: 'shingles',
  bytes: false,
  lexical: true,
  anyFile: false,
  most: 99,
  links: shingleLinks,
  containedFrom: (policy) => policy.contained,
  likeness: (resemblance) => resemblance,
  // without effect beside these: their pairs are found at the threshold only
  explores: ({ shingles }) => shingles !== undefined && !shingles.include_boilerplate && shingles.candidates !== 'super',
  terms: {
    measure: 'Resemblance',
    member: 'Resemblance',
    average: 'alike on average',
    averaged: 'Average resemblance of the members to the representative',
    alike: 'alike',
    like: 'like the representative',
    threshold: 'Threshold: least resemblance of a link',
    from: '',
    text: 'text',
    nothing: 'No documents resemble each other at this threshold.',
    pairs: 'How alike are the pairs?',
    pairsBy: '',
    noPairs: 'resemble each other',
    heat: 'How alike they are',
    matrix: 'Resemblance of every two documents',
    textless: 'they were changed, moved or deleted during the scan',
    template: 'the text they share is ignored',
    empty: 'One of the two is too short, so the scan did not compare them.',
    unlisted: 'This page has not all pairs: how much these two resemble each other is not in it.',
    below: (from) => `These two resemble each other by less than ${from}, so the scan did not compare them in full.`,
    near: (threshold) => `from ${short(threshold)} resemblance`,
    contained: (threshold) => `${short(threshold)} of it is in another`,
    arrow: () => 'contained in',
  },
};

/** @type {Lens} */
const CHUNKS = {
  name: 'chunks',
  bytes: true,
  lexical: false,
  anyFile: true,
  most: 100,
  links: chunkLinks,
  containedFrom: (_policy, threshold) => threshold,
  likeness: (resemblance, inside, has) => (inside === null || has === null ? resemblance : Math.max(inside, has)),
  explores: () => true,
  terms: {
    measure: 'In common',
    member: 'Of the smaller',
    average: 'in common on average',
    averaged: 'Average share of the smaller file that a member and the representative have in common',
    alike: 'of the smaller in common',
    like: 'of the smaller in common with the representative',
    threshold: 'Threshold: least share of the smaller file that a link has in common',
    from: 'of the smaller file',
    text: 'content',
    nothing: 'No documents have so much in common.',
    pairs: 'How much do pairs have in common?',
    pairsBy: 'By the share of the smaller file that is in the other. ',
    noPairs: 'have much in common',
    heat: 'How much they have in common',
    matrix: 'Share of the smaller in common of every two documents',
    textless: 'they are binary, known from an exchange file only, or were changed, moved or deleted during the scan',
    template: 'the chunks that all of them share are ignored',
    empty: 'One of the two has nothing but templates, so there was nothing to compare.',
    unlisted: 'This page has not all pairs: how much these two have in common is not in it.',
    below: (from) => `These two have less than ${from} of the smaller in common.`,
    near: (threshold) => `${short(threshold)} or more of both together is in common`,
    contained: (threshold) => `${short(threshold)} or more of it is in the representative, which has much else`,
    arrow: (threshold) => `${short(threshold)} of it or more is in`,
  },
};

/** The lens by which documents were compared. @param {Pick<import('./types.js').Page, 'chunks'>} page */
export function lensOf({ chunks }) {
  return chunks === undefined ? SHINGLES : CHUNKS;
}

/** @param {Pick<import('./types.js').Page, 'chunks'>} page */
export function terms(page) {
  return lensOf(page).terms;
}

/** Whether so many bytes in common are enough for a link; they always are where they do not count. @param {Pick<import('./types.js').Page, 'report'>} page @param {number | null | undefined} shared */
export function enough({ report }, shared) {
  return (shared ?? Infinity) >= (report.policy.min_shared ?? 0);
}

/** `12.3 KB in common, 58.0% of the smaller` @param {number} shared @param {number | null} share */
export function inCommon(shared, share) {
  return `${bytes(shared)} in common${share === null ? '' : `, ${percent(share)} of the smaller`}`;
}
