// Asks the server. What it refuses is an error in its own words.

/** Why the server refused. */
export class Refused extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

const KEY = 'lookalike:token';

/** @typedef {Record<string, string | number | boolean | null | undefined>} Query */

export class Api {
  constructor() {
    /** Who asks; empty if the server wants nothing. Kept as long as the window is open. */
    this.token = '';
    try {
      this.token = sessionStorage.getItem(KEY) ?? '';
    } catch {
      // a browser that keeps nothing asks again after a reload
    }
  }

  /** @param {string} token */
  setToken(token) {
    this.token = token;
    try {
      sessionStorage.setItem(KEY, token);
    } catch {
      // as above
    }
  }

  /**
   * @param {string} method
   * @param {string} path   below the page
   * @param {Query} query   what is null, false or empty is left out
   * @param {BodyInit | null} [body]
   * @param {string} [type]
   * @returns {Promise<Response>}
   */
  async ask(method, path, query, body = null, type = undefined) {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== null && value !== undefined && value !== false && value !== '') words.set(name, String(value));
    const headers = new Headers();
    if (this.token !== '') headers.set('Authorization', `Bearer ${this.token}`);
    if (type !== undefined) headers.set('Content-Type', type);
    let response;
    try {
      response = await fetch(`${path}${words.size === 0 ? '' : `?${words}`}`, { method, headers, body, cache: 'no-store' });
    } catch {
      throw new Refused(0, 'The server does not answer. Is it still running?');
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => null);
    throw new Refused(response.status, typeof problem?.detail === 'string' ? problem.detail : `The server answered with ${response.status}.`);
  }

  /** @param {string} path @param {Query} [query] @returns {Promise<any>} */
  async get(path, query = {}) {
    return (await this.ask('GET', path, query)).json();
  }

  /** @param {string} path @param {Query} query @param {any} value @param {string} [method] @returns {Promise<any>} */
  async send(path, query, value, method = 'POST') {
    return (await this.ask(method, path, query, JSON.stringify(value), 'application/json')).json();
  }

  /** A document as it is. @param {string} path @param {Query} query @param {Blob} bytes @returns {Promise<any>} */
  async sendFile(path, query, bytes) {
    return (await this.ask('POST', path, query, bytes, 'application/octet-stream')).json();
  }
}

/** The path of a route of a collection. @param {string} name @param {string} route */
export function inCollection(name, route) {
  return `v1/collections/${encodeURIComponent(name)}/${route}`;
}

/** The path of a document. @param {string} name   the collection @param {string} id */
export function documentPath(name, id) {
  return inCollection(name, `documents/${encodeURIComponent(id)}`);
}
