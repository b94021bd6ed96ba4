// Unpacks what the file carries: gzip in base64, in script elements that are never run.

/**
 * @param {string} base64
 * @returns {Promise<any>}
 */
async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** @param {string} id */
function element(id) {
  return document.getElementById(id)?.textContent ?? '';
}

/** @returns {Promise<import('./types.js').Page>} */
export function loadPage() {
  return unpack(element('data').trim());
}

/** The texts of documents, unpacked when they are asked for. */
export class Texts {
  /** @param {import('./types.js').Page} page */
  constructor(page) {
    this.page = page;
    this.all = element('texts').trim();
    /** @type {Map<number, Promise<Record<string, import('./types.js').Text>>>} the blocks looked at last */
    this.blocks = new Map();
  }

  /** Whether the text of a document is in this file. @param {number} document */
  has(document) {
    return this.page.texts.block[this.page.documents.content[document]] !== null;
  }

  /** @param {number} document @returns {Promise<import('./types.js').Text | null>} */
  async of(document) {
    const content = this.page.documents.content[document];
    const block = this.page.texts.block[content];
    if (block === null) return null;
    let unpacked = this.blocks.get(block);
    if (unpacked === undefined) {
      const [from, length] = this.page.texts.blocks[block];
      unpacked = unpack(this.all.slice(from, from + length));
      this.blocks.set(block, unpacked);
      // a reader looks at one cluster at a time: a few blocks are enough
      if (this.blocks.size > 8) this.blocks.delete(/** @type {number} */ (this.blocks.keys().next().value));
    }
    return (await unpacked)[content] ?? null;
  }
}
