// Where verdicts are kept: in this browser, under the name of the report. The same report may be open twice.

import { load, save } from './storage.js';

export class VerdictStore {
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {string} key */
  constructor(key) {
    this.key = key;
  }

  /** Takes in what is kept. */
  read() {}

  /** Reads what is kept, now and whenever another window has changed it. */
  follow() {
    this.read();
    if (typeof addEventListener !== 'function') return;
    addEventListener('storage', (event) => {
      if (event.key !== `lookalike:${this.key}`) return;
      this.read();
      this.#notify();
    });
  }

  /** @param {() => void} listener  called after any change */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** @param {any} fallback */
  kept(fallback) {
    return load(this.key, fallback);
  }

  /** @param {any} value */
  keep(value) {
    save(this.key, value);
    this.#notify();
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }
}
