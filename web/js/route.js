// The address of a view: `#/clusters?sort=size&t=0.8`. Everything that a reader would want to send to a colleague is in it.

/**
 * @typedef {object} Route
 * @property {string[]} path    `['cluster', '12']`; empty for the overview
 * @property {URLSearchParams} query
 */

/** Browsers refuse, aloud or silently, a page that changes its address too often: the strictest takes 100 changes in 30 seconds. */
const APART = 400;

/** Where the page is although the address does not say so yet, and the address from which it went there. @type {{ hash: string, from: string } | null} */
let ahead = null;
let last = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/** The address of the moment, written or not. A reader who went elsewhere meanwhile wins. */
export function here() {
  if (ahead !== null && ahead.from !== location.hash) ahead = null;
  return ahead?.hash ?? location.hash;
}

/** @returns {Route} */
export function current() {
  const [path, query] = here().replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter((part) => part !== ''), query: new URLSearchParams(query ?? '') };
}

/**
 * What an address takes along on the way from one view to another, by the first part of their paths.
 * @typedef {{ from: string[], to: string[], take: (route: Route) => Record<string, string | null> }} Trail
 */

/** @type {Trail[]} */
let trails = [];

/** Says what is taken along. @param {Trail[]} rules */
export function carry(rules) {
  trails = rules;
}

/** Of a query, some names. @param {string[]} names @returns {(route: Route) => Record<string, string | null>} */
export function named(names) {
  return ({ query }) => Object.fromEntries(names.map((name) => [name, query.get(name)]));
}

/**
 * The address of a view. What is in the query now and is not named stays only if it is the threshold, or lies on a trail.
 * @param {(string | number)[]} path
 * @param {Record<string, string | number | null | undefined>} [query]
 */
export function address(path, query = {}) {
  const all = new URLSearchParams();
  const route = current();
  const threshold = route.query.get('t');
  if (threshold !== null) all.set('t', threshold);
  for (const { from, to, take } of trails) {
    if (!from.includes(route.path[0] ?? '') || !to.includes(String(path[0] ?? ''))) continue;
    for (const [name, value] of Object.entries(take(route))) if (value !== null && value !== '') all.set(name, value);
  }
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') all.delete(name);
    else all.set(name, String(value));
  }
  const text = all.toString();
  return `#/${path.join('/')}${text === '' ? '' : `?${text}`}`;
}

/**
 * Changes the query without a new entry in the history; views are told.
 * @param {Record<string, string | number | null | undefined>} query
 */
export function amend(query) {
  const { path, query: now } = current();
  const merged = { ...Object.fromEntries(now), ...query };
  const next = address(path, merged);
  if (next === here()) return;
  // the views follow even where the address cannot
  ahead = { hash: next, from: location.hash };
  write();
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Goes to another view: an entry in the history of its own. @param {string} hash */
export function visit(hash) {
  flush();
  location.hash = hash;
  // the browser tells a moment later: a key that is pressed meanwhile would be taken for the view that was left
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Whoever leaves must find the address as it was when he comes back. */
function flush() {
  if (ahead !== null) write(true);
}

/** Writes the address, now or as soon as the browser takes it. @param {boolean} [leaving] */
function write(leaving = false) {
  clearTimeout(later);
  const hash = here();
  if (ahead === null) return;
  const wait = last + APART - Date.now();
  if (wait > 0 && !leaving) {
    later = setTimeout(write, wait);
    return;
  }
  last = Date.now();
  try {
    history.replaceState(null, '', hash);
  } catch {
    // refused; there is a next time
  }
  if (location.hash === hash) ahead = null;
  else later = setTimeout(write, 1000);
}

if (typeof addEventListener === 'function') {
  addEventListener('pagehide', flush);
  // before the link is followed
  addEventListener('click', flush, { capture: true });
}
