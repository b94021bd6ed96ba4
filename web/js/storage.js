// What the reader's browser keeps. A browser may refuse (private windows, some file: pages, no room left): then it lasts as long as the page.

/** @type {Map<string, string>} */
const memory = new Map();
/** @type {Set<string>} keys whose last value the browser did not take: it may still have an older one */
const unsaved = new Set();
let unreadable = false;

/** Whether the browser keeps things. */
export function lasting() {
  return !unreadable && unsaved.size === 0;
}

/** @param {string} key @param {any} fallback */
export function load(key, fallback) {
  let text = memory.get(key) ?? null;
  try {
    if (!unsaved.has(key)) text = localStorage.getItem(`lookalike:${key}`) ?? text;
  } catch {
    unreadable = true;
  }
  try {
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @param {string} key @param {any} value */
export function save(key, value) {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(`lookalike:${key}`, text);
    unsaved.delete(key);
  } catch {
    unsaved.add(key);
  }
}
