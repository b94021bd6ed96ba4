// Verdicts that all reviewers share: asked of the server, and asked again for what is new.

import { inCollection } from './api.js';

/** Between two looks, in milliseconds. */
const EVERY = 3000;

export class SharedVerdicts {
  /** @param {import('./api.js').Api} api @param {string} index */
  constructor(api, index) {
    this.api = api;
    this.index = index;
    this.last = 0;
    /** @type {Map<string, import('./types.js').KeptVerdict>} the newest on each cluster, those that were taken back too */
    this.newest = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.stopped = false;
  }

  /** Takes in what is new; whether there was something. */
  async look() {
    const { verdicts, last } = await this.api.get(inCollection(this.index, 'verdicts'), { after: this.last });
    for (const verdict of verdicts) this.#take(verdict);
    this.last = Math.max(this.last, last);
    return verdicts.length > 0;
  }

  /** An answer may come later than a newer one. @param {import('./types.js').KeptVerdict} verdict */
  #take(verdict) {
    if (verdict.number > (this.newest.get(verdict.cluster)?.number ?? 0)) this.newest.set(verdict.cluster, verdict);
  }

  /** Goes on looking until it is stopped. @param {() => void} changed @param {() => boolean} wanted  whether anybody looks */
  follow(changed, wanted) {
    this.timer = setTimeout(async () => {
      try {
        if (wanted() && await this.look()) changed();
      } catch {
        // there is a next time
      }
      if (!this.stopped) this.follow(changed, wanted);
    }, EVERY);
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** What holds for a cluster. @param {string} cluster @returns {import('./types.js').KeptVerdict | null} */
  of(cluster) {
    const kept = this.newest.get(cluster);
    return kept === undefined || kept.verdict === null ? null : kept;
  }

  /** Says something for all. @param {Pick<import('./types.js').KeptVerdict, 'cluster' | 'verdict' | 'keep' | 'note' | 'who' | 'documents'>} verdict */
  async say(verdict) {
    const kept = await this.api.send(inCollection(this.index, 'verdicts'), {}, verdict, 'PUT');
    this.#take(kept);
    return kept;
  }

  /** For `scan --decisions`. @param {string} version */
  decisions(version) {
    const clusters = [...this.newest.values()].filter(({ verdict }) => verdict !== null)
      .map(({ verdict, keep, note, documents }) => ({ representative: documents[0]?.id, verdict, keep, note, documents: documents.filter(({ content }) => content !== undefined) }))
      .filter(({ documents }) => documents.length > 0);
    return `${JSON.stringify({ lookalike: version, decisions: 1, made: new Date().toISOString(), clusters }, null, 1)}\n`;
  }
}

/** What has changed since a verdict: documents that came, and that went. @param {import('./types.js').KeptVerdict} verdict @param {import('./types.js').ReviewCluster} cluster */
export function since(verdict, cluster) {
  // a program may have said it without them
  if (verdict.documents.length === 0) return { came: 0, went: 0 };
  const key = (/** @type {{ id: string, content?: string | null }} */ { id, content }) => content ?? id;
  const before = new Set(verdict.documents.map(key));
  const now = new Set(named(cluster).map(key));
  return { came: [...now].filter((one) => !before.has(one)).length, went: [...before].filter((one) => !now.has(one)).length };
}

/** The documents of a cluster by name and content; one that was seen under several names is there with each. @param {import('./types.js').ReviewCluster} cluster @returns {{ id: string, content?: string }[]} */
export function named({ documents }) {
  return documents.flatMap(({ content, seen }) => seen.map(({ url }) => (content === null ? { id: url } : { id: url, content })));
}
