// What the reader's browser keeps. A browser may refuse (private windows, some file: pages): then it lasts as long as the page.

/** @type {Map<string, string>} */
const memory = new Map();
let refused = false;

/** Whether the browser keeps things. */
export function lasting() {
  return !refused;
}

/** @param {string} key @param {any} fallback */
export function load(key, fallback) {
  let text = memory.get(key) ?? null;
  try {
    text = localStorage.getItem(`lookalike:${key}`) ?? text;
  } catch {
    refused = true;
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
  } catch {
    refused = true;
  }
}
