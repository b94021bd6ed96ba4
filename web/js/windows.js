// Finds equal windows of words. Windows are compared word by word, so a hash that fails costs time, never truth.

/** An open table of the windows of one sequence, each under the place where it stands first. */
export class Windows {
  /** @param {Int32Array} words @param {number} width */
  constructor(words, width) {
    this.words = words;
    this.width = width;
    let room = 16;
    while (room < words.length * 2) room *= 2;
    this.mask = room - 1;
    this.slots = new Int32Array(room).fill(-1);
    // documents are hostile: nobody shall know beforehand which windows fall together
    this.seed = Math.floor(Math.random() * 0x7fffffff);
  }

  /** The place of the first equal window; of this one if it is new. @param {number} at */
  add(at) {
    const slot = this.#slot(this.words, at);
    if (this.slots[slot] < 0) this.slots[slot] = at;
    return this.slots[slot];
  }

  /** The place of the first equal window, or -1. @param {Int32Array} words @param {number} at */
  find(words, at) {
    return this.slots[this.#slot(words, at)];
  }

  /** @param {Int32Array} words @param {number} at */
  #slot(words, at) {
    const { width, slots, mask } = this;
    let hash = this.seed;
    for (let i = 0; i < width; i++) {
      hash = Math.imul(hash ^ words[at + i], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & mask;
    while (slots[slot] >= 0 && !this.#equal(slots[slot], words, at)) slot = (slot + 1) & mask;
    return slot;
  }

  /** @param {number} place @param {Int32Array} words @param {number} at */
  #equal(place, words, at) {
    for (let i = 0; i < this.width; i++) if (this.words[place + i] !== words[at + i]) return false;
    return true;
  }
}
