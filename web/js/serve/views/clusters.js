// Clusters of an index or of a saved run, and what reviewers say of them. On the left the clusters, on the right the one that is open.

import { cleanName, h, put } from '../../dom.js';
import { verdictName } from '../../decisions.js';
import { commas, count, percent } from '../../format.js';
import { download } from '../../parts/download.js';
import { listenToKeys } from '../../parts/pairkeys.js';
import { address, amend, visit } from '../../route.js';
import { loadClusters } from '../clusterpage.js';
import { answers, chosenIndex, indexChoice, pairAddress, sightings, table } from '../parts/common.js';
import { templatesPanel } from '../parts/templates.js';
import { saidBy, verdictForm } from '../parts/verdictform.js';
import { SharedVerdicts } from '../review.js';

const hasClusters = (/** @type {import('../types.js').Served} */ { kind }) => kind === 'shingles' || kind === 'run';
/** Clusters of a page. */
const PAGE = 50;

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function clustersView(app) {
  return new ClustersView(app);
}

class ClustersView {
  /** @param {import('../start.js').ServeApp} app */
  constructor(app) {
    this.app = app;
    this.title = 'Clusters';
    /** @type {import('../types.js').Served | undefined} */
    this.index = undefined;
    this.from = -1;
    this.all = 0;
    /** @type {import('../types.js').ReviewCluster[]} */
    this.clusters = [];
    /** @type {SharedVerdicts | null} */
    this.verdicts = null;
    /** The key of the one that is open. */
    this.opened = '';
    /** @type {import('../types.js').ReviewCluster | null} */
    this.drawn = null;
    this.choice = h('span');
    this.counts = h('p', { class: 'muted', 'data-part': 'counts' });
    this.list = h('ol', { class: 'serve-clusters', 'data-part': 'clusters', 'aria-label': 'Clusters, the largest first' });
    this.pager = h('div', { class: 'row serve-pager' });
    this.detail = h('div', { 'data-part': 'detail' });
    this.members = h('div');
    this.said = h('div');
    this.body = h('div', { class: 'serve-review' }, h('div', { class: 'serve-list' }, this.list, this.pager), this.detail);
    this.answer = answers(this.said);
    this.form = verdictForm({
      say: async (verdict) => {
        await this.verdicts?.say(verdict);
        this.tell();
      },
      kept: () => [...this.members.querySelectorAll('input:checked')].map((box) => /** @type {HTMLInputElement} */ (box).value),
      next: () => this.step(1, true),
    }, app.health.read_only);
    this.templates = templatesPanel(app, () => { void this.load(); });
    this.element = h('div', { class: 'wide serve-wide-view' },
      h('div', { class: 'row spread' }, h('h1', {}, 'Clusters'), h('div', { class: 'row' }, this.choice,
        h('button', { type: 'button', 'data-action': 'export', title: 'For scan --decisions', onclick: () => this.export() }, 'Export decisions'))),
      this.counts, this.said, this.body, this.templates.element);
    listenToKeys(this.element, {
      j: () => this.step(1, false),
      k: () => this.step(-1, false),
      1: () => this.form.choose(0),
      2: () => this.form.choose(1),
      3: () => this.form.choose(2),
      4: () => this.form.choose(3),
      s: () => { void this.form.submit(true); },
    });
  }

  /** @param {import('../../route.js').Route} route */
  show({ query }) {
    const index = chosenIndex(this.app, query, hasClusters);
    if (index === undefined) return;
    const from = Math.max(0, Math.floor(Number(query.get('from')) || 0));
    this.opened = query.get('open') ?? '';
    if (index.name === this.index?.name && from === this.from) {
      this.tell();
      return;
    }
    if (index.name !== this.index?.name) {
      this.verdicts?.stop();
      this.verdicts = new SharedVerdicts(this.app.api, index.name);
      this.verdicts.follow(() => this.tell(), () => this.element.isConnected && !document.hidden);
    }
    [this.index, this.from] = [index, from];
    put(this.choice, indexChoice(this.app, hasClusters, index.name));
    void this.load();
  }

  async load() {
    const { index, from, verdicts } = this;
    if (index === undefined || verdicts === null) return;
    delete this.element.dataset.drawn;
    await this.answer(async () => {
      const [page] = await Promise.all([loadClusters(this.app.api, index, from, PAGE), verdicts.look()]);
      [this.clusters, this.all] = [page.clusters, page.all];
      return null;
    });
    void this.templates.show(index);
    this.tell();
    this.element.dataset.drawn = 'yes';
  }

  /** Draws what is known. */
  tell() {
    const { clusters, verdicts, index } = this;
    if (verdicts === null || index === undefined) return;
    const open = clusters.find(({ key }) => key === this.opened) ?? clusters[0];
    const decided = [...verdicts.newest.values()].filter(({ verdict }) => verdict !== null && verdict !== 'later').length;
    put(this.counts, this.all === 0 ? 'No two documents are alike.' : `${count(this.all, 'cluster')}, ${commas(decided)} decided by all reviewers together.`);
    const held = this.list.contains(document.activeElement);
    put(this.list, clusters.map((cluster) => {
      const said = verdicts.of(cluster.key);
      const here = cluster === open;
      return h('li', {}, h('a', { href: address(['clusters'], { index: index.name, from: this.from || null, open: cluster.key }), 'aria-current': here ? 'true' : null, 'data-cluster': cluster.key },
        h('bdi', { class: 'serve-cluster-name' }, nameOf(cluster)),
        h('span', { class: 'small muted' }, count(cluster.size, 'document')),
        said?.verdict && h('span', { class: `chip ${said.verdict}`, title: saidBy(said) }, verdictName(said.verdict), said.who !== '' && ` · ${cleanName(said.who)}`)));
    }));
    if (held) /** @type {HTMLElement | null} */ (this.list.querySelector('[aria-current]'))?.focus({ preventScroll: true });
    this.#page();
    if (open === undefined) {
      put(this.detail);
      return;
    }
    const said = verdicts.of(open.key);
    // ticks that a reviewer is setting are not taken away
    if (this.detail.dataset.cluster !== open.key || this.drawn !== open) {
      this.detail.dataset.cluster = open.key;
      this.drawn = open;
      put(this.members, members(open, index, new Set(said?.verdict === 'keep' ? said.keep : [open.documents[0]?.seen[0]?.url ?? ''])));
      put(this.detail, h('section', { class: 'panel' }, h('h2', {}, h('bdi', {}, nameOf(open)), h('span', { class: 'muted' }, ` · ${count(open.size, 'document')}`)), this.members,
        open.size > open.documents.length && h('p', { class: 'small muted' }, `The first ${commas(open.documents.length)} are listed.`), this.templates.markButton(index, open), this.form.element));
    }
    this.form.show(open, said);
  }

  #page() {
    const next = this.from + PAGE;
    const to = (/** @type {string} */ label, /** @type {number} */ from) => h('a', { class: 'button', href: address(['clusters'], { index: this.index?.name, from: from === 0 ? null : from }) }, label);
    put(this.pager, this.all > PAGE && [this.from > 0 && to('← Larger', Math.max(0, this.from - PAGE)), h('span', { class: 'small muted number' }, `${commas(this.from + 1)} to ${commas(Math.min(next, this.all))}`), next < this.all && to('Smaller →', next)]);
  }

  /** To another cluster of the page: the next, or the next that nobody has decided. @param {number} by @param {boolean} undecided */
  step(by, undecided) {
    const { clusters, verdicts } = this;
    const now = Math.max(0, clusters.findIndex(({ key }) => key === (this.opened || clusters[0]?.key)));
    const open = (/** @type {number} */ at) => clusters[at] !== undefined && (!undecided || verdicts?.of(clusters[at].key) == null);
    let at = now + by;
    while (undecided && at < clusters.length && !open(at)) at += by;
    if (open(at)) amend({ open: clusters[at].key });
    else if (undecided && this.from + PAGE < this.all) visit(address(['clusters'], { index: this.index?.name, from: this.from + PAGE }));
    this.list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  export() {
    download(this.verdicts?.decisions(this.app.health.lookalike) ?? '', 'application/json', 'decisions.json');
  }
}

/** @param {import('../types.js').ReviewCluster} cluster */
function nameOf({ documents, key }) {
  return cleanName(documents[0]?.seen[0]?.url ?? key);
}

/** @param {import('../types.js').ReviewCluster} cluster @param {import('../types.js').Served} index @param {Set<string>} keep */
function members({ documents }, index, keep) {
  const first = documents[0];
  return table('members', ['Keep', 'Document', '#Like the first', '~To do'], documents.map((document, at) => {
    const name = document.seen[0]?.url ?? '';
    return h('tr', {}, h('td', {}, h('input', { type: 'checkbox', value: name, checked: keep.has(name), 'aria-label': `Keep ${cleanName(name)}` })),
      h('td', {}, sightings(document.seen, index)),
      h('td', { class: 'number', 'data-label': at === 0 ? null : 'Like the first', title: document.about }, at === 0 ? h('span', { class: 'small muted' }, 'representative') : percent(document.likeness)),
      h('td', { class: 'serve-go' }, at > 0 && index.kind === 'shingles' && h('a', { class: 'button', href: pairAddress(index.name, { id: first.seen[0]?.url ?? '', content: first.content }, { id: name, content: document.content }) }, 'Side by side')));
  }));
}
