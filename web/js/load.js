// Unpacks what the file carries: gzip in base64, in script elements that are never run.

import { gunzip } from './gunzip.js';
import { readBlock } from './lines.js';
import { refuseBroken } from './refuse.js';

/** @param {string} id */
function element(id) {
  return document.getElementById(id)?.textContent ?? '';
}

/** Starts a page with what the file carries. @template P @param {(page: P) => void} start */
export async function openPage(start) {
  document.documentElement.dataset.started = 'yes';
  try {
    start(JSON.parse(await gunzip(element('data').trim())));
  } catch (error) {
    refuseBroken(error);
    throw error;
  }
}

/** Texts that are packed together, and the bytes of documents after which no more are added; as in crates/report/src/html/texts.rs. */
const TOGETHER = 8;
const BLOCK = 1 << 20;
/** A text may come with its source and a map between the two, and base64 takes a third more. */
const GROWTH = 4;

/** Whether the limit can have kept texts out of the file: it has no room for a block of those that are missing. @param {import('./types.js').Page} page */
export function limited({ texts, contents, documents }) {
  const without = new Set(texts.without);
  if (texts.embedded + without.size >= contents.length) return false;
  const [from, length] = texts.blocks.at(-1) ?? [0, 0];
  let largest = 0;
  documents.content.forEach((content, document) => {
    if (texts.block[content] === null && !without.has(content)) largest = Math.max(largest, documents.bytes[document]);
  });
  return texts.limit - from - length < GROWTH * Math.min(TOGETHER * largest, BLOCK + largest) + 1000;
}

/** The texts of a page by their content, unpacked when they are asked for. */
export class Contents {
  /** @param {import('./types.js').TextPlaces} places */
  constructor(places) {
    this.places = places;
    this.all = element('texts').trim();
    /** @type {Map<number, Promise<Record<string, import('./types.js').Text>>>} the blocks looked at last */
    this.blocks = new Map();
  }

  /** @param {number} content @returns {Promise<import('./types.js').Text | null>} */
  async get(content) {
    const block = this.places.block[content] ?? null;
    if (block === null) return null;
    let unpacked = this.blocks.get(block);
    if (unpacked === undefined) {
      const [from, length] = this.places.blocks[block];
      unpacked = gunzip(this.all.slice(from, from + length)).then((text) => readBlock(JSON.parse(text)));
      this.blocks.set(block, unpacked);
      // a reader looks at one cluster at a time: a few blocks are enough
      if (this.blocks.size > 8) this.blocks.delete(/** @type {number} */ (this.blocks.keys().next().value));
    }
    return (await unpacked)[content] ?? null;
  }
}

/** The texts of documents. */
export class Texts {
  /** @param {import('./types.js').Page} page */
  constructor(page) {
    this.page = page;
    this.contents = new Contents(page.texts);
  }

  /** Whether the text of a document is in this file. @param {number} document */
  has(document) {
    return this.page.texts.block[this.page.documents.content[document]] !== null;
  }

  /** Whether a document has no text that could be in any file. @param {number} document */
  none(document) {
    return (this.page.texts.without ?? []).includes(this.page.documents.content[document]);
  }

  /** @param {number} document @returns {Promise<import('./types.js').Text | null>} */
  of(document) {
    return this.contents.get(this.page.documents.content[document]);
  }
}
