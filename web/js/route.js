// The address of a view: `#/clusters?sort=size&t=0.8`. Everything that a reader would want to send to a colleague is in it.

/**
 * @typedef {object} Route
 * @property {string[]} path    `['cluster', '12']`; empty for the overview
 * @property {URLSearchParams} query
 */

/** @returns {Route} */
export function current() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter((part) => part !== ''), query: new URLSearchParams(query ?? '') };
}

/**
 * The address of a view. What is in the query now and is not named stays only if it is the threshold.
 * @param {(string | number)[]} path
 * @param {Record<string, string | number | null | undefined>} [query]
 */
export function address(path, query = {}) {
  const all = new URLSearchParams();
  const threshold = current().query.get('t');
  if (threshold !== null) all.set('t', threshold);
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
  if (next === location.hash) return;
  history.replaceState(null, '', next);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
