// All pairs in one list, to be searched, filtered and sorted. The address says how.

import { h, put } from '../../dom.js';
import { commas, count } from '../../format.js';
import { listKeys } from '../../parts/list.js';
import { choice, keepPlace, offer, searchField } from '../../parts/listfilters.js';
import { thresholdStepper } from '../../parts/thresholdstepper.js';
import { short } from '../../recipe.js';
import { amend } from '../../route.js';
import { offerLabels } from '../parts/labelfilter.js';
import { firstBeyond, pairList } from '../parts/pairlist.js';
import { shortNameOf } from '../parts/names.js';
import { wantedPairs } from '../filters.js';
import { PAIR_VERDICTS } from '../verdictfile.js';

const NONE = { q: null, label: null, cluster: null, verdict: null };

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function pairsView(app) {
  const { model, verdicts, worklist } = app;
  const search = searchField('Search the names of submissions, people and files');
  const [label, verdict, cluster] = [choice('Group', 'label'), choice('Verdict', 'verdict'), choice('Cluster', 'cluster')];
  const below = h('button', { type: 'button', 'data-filter': 'below', onclick: () => amend({ below: below.getAttribute('aria-pressed') === 'true' ? null : 1 }) }, 'Below the threshold too');
  const clear = h('button', { type: 'button', class: 'quiet', onclick: () => { search.value = ''; amend(NONE); } }, 'Clear filters');
  const shown = h('p', { class: 'list-count muted', 'aria-live': 'polite', 'data-part': 'count' });
  const hidden = h('p', { class: 'list-count muted', 'data-part': 'hidden' });
  const nothing = h('p', { class: 'list-nothing muted' });
  const threshold = thresholdStepper(model, { before: 'From', after: 'similarity' });
  /** @type {import('../types.js').Pair | null} */
  let opened = null;
  /** @type {import('../types.js').Pair | null} */
  let beyond = null;
  const list = pairList(app, (sort, dir) => amend({ sort, dir }), () => opened, { rule: () => beyond });
  const sorting = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Sort by', class: 'list-narrow', onchange: () => amend({ sort: sorting.value, dir: null }) },
    [['similarity', 'Most similar'], ['share', 'Largest share'], ['longest', 'Longest passage'], ['overlap', 'Largest overlap'], ['passages', 'Most passages'], ['rarity', 'Rarest'], ['expected', 'Least expected'], ['name', 'By name']].map(([value, text]) => h('option', { value }, text))));
  const element = h('div', { 'data-part': 'pairs' },
    h('div', { class: 'row spread list-title' }, h('h1', {}, 'Pairs'), threshold.element),
    h('div', { class: 'row list-tools no-print', role: 'search' }, search, label, cluster, verdict, below, sorting, clear),
    shown, hidden, list.element, nothing);
  listKeys(element, list, search);
  const arrive = keepPlace(element, 'pairs', (path) => { if (path[0] === 'pair') opened = model.pair(Number(path[1]), Number(path[2])); });
  return {
    element,
    title: 'Pairs',
    show(route) {
      const hides = verdicts.before > 0;
      const want = wantedPairs(route.query, hides);
      if (document.activeElement !== search) search.value = want.q;
      offerLabels(label, app, want.label);
      offer(verdict, [[hides ? 'any' : '', 'Any verdict'], ['undecided', 'Undecided'], ['decided', 'Decided'], ...Object.entries(PAIR_VERDICTS).map(([v, { name }]) => /** @type {[string, string]} */ ([v, name]))], hides && want.verdict === '' ? 'any' : want.verdict);
      cluster.hidden = model.clusters.length === 0;
      offer(cluster, [['', 'All clusters'], ...model.clusters.slice(0, 200).map((c) => /** @type {[string, string]} */ ([String(c.submissions[0]), `${c.number}: ${shortNameOf(app, c.submissions[0])} and ${commas(c.submissions.length - 1)} more`]))], want.cluster < 0 ? '' : String(want.cluster));
      below.setAttribute('aria-pressed', String(want.below));
      sorting.value = want.sort;
      threshold.show();
      const kept = worklist.list(route.query);
      const above = model.above(model.threshold);
      clear.hidden = !(want.q || want.label >= 0 || want.cluster >= 0 || route.query.get('verdict'));
      // nothing is hidden without a word
      const decided = want.verdict === 'undecided' ? model.pairs.slice(0, want.below ? undefined : above).filter((p) => !verdicts.open(p)).length : 0;
      const all = want.below ? model.pairs.length : above;
      put(hidden, decided > 0 && [`${count(decided, 'decided pair')} ${decided === 1 ? 'is' : 'are'} not shown. `, h('button', { type: 'button', class: 'quiet small', onclick: () => amend({ verdict: hides ? 'any' : null }) }, 'Show')]);
      put(shown, kept.length < all ? `${commas(kept.length)} of ${count(all, 'pair')}` : count(all, 'pair'), want.below ? ` ${model.pairs.some((p) => p.similarity < model.section.rules.min_similarity) ? 'in all' : `from ${short(model.section.rules.min_similarity)} similarity on`}` : ` from ${short(model.threshold)} on; ${commas(model.pairs.length - above)} more below`);
      nothing.hidden = kept.length > 0;
      nothing.textContent = all === 0 ? 'No two submissions are so similar. Lower the threshold to see others.' : 'No pair fits. Try fewer filters.';
      list.element.hidden = kept.length === 0;
      beyond = want.sort === 'similarity' ? firstBeyond(kept, model.threshold) : null;
      list.set(kept, want.sort, want.dir);
      arrive();
    },
  };
}
