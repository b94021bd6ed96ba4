// The list that a reader works through: which items, in which order, and where in it the reader is. Views of an item step through the list
// from which it was opened; the address says which that is, so it can be sent, and is there after a reload.

import { address } from './route.js';

/**
 * @template T
 * @typedef {object} WorklistOptions
 * @property {(item: T) => (string | number)[]} path   the address of an item
 * @property {string[]} names                          what of an address says which are listed, and how
 * @property {(query: URLSearchParams) => T[]} select  the items that an address asks for, in order
 * @property {(item: T) => boolean} open               whether it waits for a verdict
 * @property {(query: URLSearchParams) => string} tell which are listed and in which order, in words
 * @property {(query: URLSearchParams) => { href: string, name: string }} home  where the list is
 * @property {() => unknown} basis                     what else the list depends on, such as the threshold
 * @property {Record<string, string>[]} [wider]        what else to ask for where an item is not in its list
 */

/**
 * @template T
 * @typedef {object} Place
 * @property {T[]} items
 * @property {number} at                 -1 if the item is in no such list
 * @property {URLSearchParams} query     what was asked for in the end
 * @property {T | undefined} previous
 * @property {T | undefined} next
 */

/** @template T */
export class Worklist {
  /** @type {{ asked: string, basis: unknown, items: T[], at: Map<T, number>, query: URLSearchParams } | null} */
  #kept = null;

  /** @param {WorklistOptions<T>} options */
  constructor(options) {
    this.options = options;
  }

  /** What an address says of the list, and nothing else. @param {URLSearchParams} query @returns {Record<string, string>} */
  asked(query) {
    return Object.fromEntries(this.options.names.flatMap((name) => {
      const value = query.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }));
  }

  /** The list as it is now, for the view that shows it. @param {URLSearchParams} query @returns {T[]} */
  list(query) {
    return this.#keep(query, this.options.select(query), query).items;
  }

  /** @param {URLSearchParams} query @param {T[]} items @param {URLSearchParams} told */
  #keep(query, items, told) {
    this.#kept = { asked: JSON.stringify(this.asked(query)), basis: this.options.basis(), items, at: new Map(items.map((item, at) => [item, at])), query: told };
    return this.#kept;
  }

  /** @param {URLSearchParams} query @param {T} item */
  #with(query, item) {
    const kept = this.#kept;
    // a list that is worked through stays as it was: what is decided does not leave it under the reader's hands
    if (kept !== null && kept.asked === JSON.stringify(this.asked(query)) && kept.basis === this.options.basis() && kept.at.has(item)) return kept;
    const plain = this.options.select(query);
    if (plain.includes(item)) return this.#keep(query, plain, query);
    const listed = new Set(plain);
    for (const more of this.options.wider ?? []) {
      const wide = new URLSearchParams({ ...Object.fromEntries(query), ...more });
      const items = this.options.select(wide);
      if (!items.includes(item)) continue;
      // decided meanwhile: it keeps its place among those that are asked for
      const decided = Object.keys(more).every((name) => name === 'verdict');
      return decided ? this.#keep(query, items.filter((one) => listed.has(one) || one === item), query) : this.#keep(query, items, wide);
    }
    return this.#keep(query, plain, query);
  }

  /** Where in the list an item is. @param {URLSearchParams} query @param {T} item @returns {Place<T>} */
  place(query, item) {
    const { items, at, query: told } = this.#with(query, item);
    const here = at.get(item) ?? -1;
    return { items, at: here, query: told, previous: here > 0 ? items[here - 1] : undefined, next: items[here + 1] };
  }

  /** The next item that waits for a verdict, around the end; of all if none is named. @param {URLSearchParams} query @param {T | null} after @returns {T | null} */
  nextOpen(query, after) {
    const { items, at } = after === null ? { items: this.options.select(query), at: -1 } : this.place(query, after);
    for (let step = 1; step <= items.length; step += 1) {
      const candidate = items[(at + step) % items.length];
      if (candidate !== after && this.options.open(candidate)) return candidate;
    }
    return null;
  }

  /** The address of an item in a list. @param {T} item @param {URLSearchParams} query @param {Record<string, string | number | null>} [more] */
  href(item, query, more = {}) {
    return address(this.options.path(item), { ...this.asked(query), ...more });
  }
}

/** A filter by verdict in words. @param {string} verdict @param {(verdict: string) => string} name */
export function verdictFilter(verdict, name) {
  return verdict === 'undecided' || verdict === 'decided' ? `${verdict} only` : verdict === '' ? '' : name(verdict).toLowerCase();
}
