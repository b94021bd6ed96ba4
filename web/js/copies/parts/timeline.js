// When the members of a cluster handed in, the first on top. An arc leads from the earlier of two to the later.
// Of many pairs the likeliest are drawn; those of one submission when it is pointed at, focused or chosen.

import { h, s, put, style, cleanName } from '../../dom.js';
import { commas, count, moment, percent } from '../../format.js';
import { address } from '../../route.js';
import { lanes, likeliest } from '../lanes.js';
import { shortNameOf } from './names.js';

/** @typedef {import('../types.js').Pair} Pair */

const MOST = 300;
/** As many pairs can be told apart. */
const ALL = 24;
/** Room for the arcs, and where there is little. */
const [ARCS, FEW] = [120, 92];
/** Pixels of a row: name and date in a line, or below each other. */
const [ROW, TALL] = [30, 46];

/** `3 days`, `2 hours`, `5 minutes` @param {number} seconds */
export function span(seconds) {
  const units = /** @type {[number, string][]} */ ([[86_400 * 365.25, 'year'], [86_400, 'day'], [3600, 'hour'], [60, 'minute']]);
  const [size, name] = units.find(([unit]) => seconds >= unit * 0.95) ?? [1, 'second'];
  return count(Math.round(seconds / size), name);
}

/** Those with a date, earliest first. @param {import('../model.js').CopiesModel} model @param {number[]} submissions */
export function dated(model, submissions) {
  return submissions.filter((at) => model.submissions[at].created !== undefined).sort((x, y) => (model.submissions[x].created ?? 0) - (model.submissions[y].created ?? 0) || x - y);
}

/** @param {import('../start.js').CopiesApp} app @param {number[]} members @param {Pair[]} pairs  among them @returns {HTMLElement | null}  null where dates are not known */
export function timeline(app, members, pairs) {
  const { model } = app;
  const all = dated(model, members);
  if (all.length < 2) return null;
  const shown = all.slice(0, MOST);
  const when = (/** @type {number} */ at) => model.submissions[at].created ?? 0;
  const row = new Map(shown.map((at, i) => [at, i]));
  const known = pairs.filter((p) => row.has(p.a) && row.has(p.b));
  const drawn = known.length <= ALL ? known : likeliest(known, row);
  const small = matchMedia('(max-width: 640px)');
  const arcs = s('svg', { class: 'time-arcs', role: 'group' });
  const plot = s('svg', { class: 'time-plot', 'aria-hidden': 'true' });
  let [chosen, lit] = [-1, -1];
  const y = (/** @type {number} */ i) => (small.matches ? TALL : ROW) * (i + 0.5);
  const room = () => (small.matches ? FEW : ARCS);
  const ends = (/** @type {Pair} */ p) => [row.get(p.a) ?? 0, row.get(p.b) ?? 0].sort((m, n) => m - n);
  const of = (/** @type {number} */ i) => known.filter((p) => ends(p).includes(i));

  const rows = shown.map((at, i) => {
    const own = of(i);
    const like = h('span', { class: 'time-like number small' });
    const press = () => {
      chosen = chosen === i ? -1 : i;
      light(chosen);
      rows.forEach(({ button }, other) => button?.setAttribute('aria-pressed', String(other === chosen)));
    };
    const words = `Show the ${count(own.length, 'pair')} of ${shortNameOf(app, at)}`;
    const button = own.length > 0 && h('button', { type: 'button', class: 'time-pick small number no-print', 'aria-pressed': 'false', 'aria-label': words, title: words, onclick: press }, commas(own.length));
    const [year, hour] = [moment(when(at)).slice(0, 5), moment(when(at)).slice(5, 16)];
    const element = h('li', { class: 'time-name', 'data-row': i }, h('a', { href: address(['submission', at]) }, h('bdi', {}, shortNameOf(app, at))), like,
      h('span', { class: 'time-when muted small number' }, h('span', { class: 'time-year' }, year), i === 0 ? `${hour} · first` : `${hour} · ${span(when(at) - when(shown[i - 1]))} later`), button || h('span', { class: 'time-pick', 'aria-hidden': 'true' }));
    return { element, like, button: button === false ? null : button };
  });

  /** @param {Pair[]} some @param {string} look */
  function brackets(some, look) {
    const intervals = some.map((p) => ({ from: ends(p)[0], to: ends(p)[1] }));
    const lane = lanes(intervals);
    const apart = Math.max(2.5, Math.min(12, (room() - 24) / Math.max(1, ...lane.map((l) => l + 1))));
    return some.map((p, at) => {
      const { from, to } = intervals[at];
      // what leaves a row leaves it a little below what arrives
      const [x, top, bottom] = [Math.max(ARCS - room() + 2, ARCS - 16 - lane[at] * apart), y(from) + 4, y(to) - 3];
      return s('a', { href: address(['pair', shown[from], shown[to]]), class: `time-arc${look}`, tabindex: -1, 'aria-hidden': 'true' },
        s('title', {}, `${shortNameOf(app, shown[from])}, then ${shortNameOf(app, shown[to])}: ${percent(p.similarity)} similar`),
        s('path', { class: 'time-hit', d: `M${ARCS} ${top}H${x}V${bottom}H${ARCS}` }),
        s('path', { d: `M${ARCS} ${top}H${x + 4}Q${x} ${top} ${x} ${top + 4}V${bottom - 4}Q${x} ${bottom} ${x + 4} ${bottom}H${ARCS - 7}`, 'stroke-width': Math.min(apart * 0.7, 0.8 + 3 * p.similarity).toFixed(1), 'stroke-opacity': ((0.5 + 0.45 * p.similarity) * (1 - (0.65 * (to - from)) / shown.length)).toFixed(2) }),
        s('path', { class: 'time-tip', d: `M${ARCS} ${bottom}l-8 -3.5v7Z` }));
    });
  }

  /** Shows the pairs of a row; of nobody the likeliest of all. @param {number} i */
  function light(i) {
    lit = i;
    const own = i < 0 ? [] : of(i);
    put(arcs, brackets(drawn, i < 0 ? '' : ' faint'), brackets(own, ' on'));
    const likes = new Map(own.map((p) => [ends(p)[0] === i ? ends(p)[1] : ends(p)[0], p.similarity]));
    rows.forEach(({ element, like }, at) => {
      const alike = likes.get(at);
      like.textContent = alike === undefined ? '' : percent(alike);
      element.classList.toggle('with', alike !== undefined);
      element.classList.toggle('here', at === i);
    });
  }

  function draw() {
    const [first, last] = [when(shown[0]), when(shown[shown.length - 1])];
    const x = (/** @type {number} */ i) => (even ? i / (shown.length - 1) : last === first ? 0.5 : (when(shown[i]) - first) / (last - first)) * 96 + 2;
    const tall = y(shown.length - 0.5);
    for (const svg of [arcs, plot]) svg.setAttribute('height', String(tall));
    arcs.setAttribute('width', String(room()));
    arcs.setAttribute('viewBox', `${ARCS - room()} 0 ${room()} ${tall}`);
    style(list, { '--time-row': `${small.matches ? TALL : ROW}px` });
    put(plot, shown.map((_, i) => s('line', { class: 'time-line', x1: 0, x2: '100%', y1: y(i), y2: y(i) })), shown.map((at, i) => {
      const hue = model.hue(model.submissions[at].label);
      return s('circle', { class: `graph-dot person${hue === null ? '' : ` pair-hue${hue}`}`, cx: `${x(i).toFixed(2)}%`, cy: y(i), r: 6 });
    }));
    light(lit);
  }

  // an earlier year would press all others into one point: then only the order counts
  const gaps = shown.slice(1).map((at, i) => when(at) - when(shown[i]));
  const even = Math.max(...gaps) > 0.8 * (when(shown[shown.length - 1]) - when(shown[0])) && shown.length > 2;
  const list = h('ol', { class: 'time-names' }, rows.map(({ element }) => element));
  const under = (/** @type {Event} */ event) => Number(/** @type {Element} */ (event.target).closest('[data-row]')?.getAttribute('data-row') ?? -1);
  for (const [come, leave] of [['pointerover', 'pointerleave'], ['focusin', 'focusout']]) {
    list.addEventListener(come, (event) => { if (under(event) !== lit) light(under(event)); });
    list.addEventListener(leave, () => { if (lit !== chosen) light(chosen); });
  }
  arcs.setAttribute('aria-label', `${count(known.length, 'pair')}, from the earlier to the later; they are listed below.`);
  small.addEventListener('change', () => { if (arcs.isConnected) draw(); });
  draw();
  return h('figure', { class: 'timeline', 'data-part': 'timeline' },
    h('div', { class: 'time-scroll' }, h('div', { class: 'time-grid' }, list, arcs, plot)),
    h('figcaption', { class: 'small muted' }, h('bdi', {}, cleanName(shortNameOf(app, shown[0]))), ' handed in first (all times are UTC). An arc leads from the earlier of two to the later; thicker means more similar. ',
      drawn.length < known.length && `Drawn is for each the most similar of those before it, ${commas(drawn.length)} of ${count(known.length, 'pair')}; a name or its number shows all of its own. `,
      'Who handed in first need not be the author.',
      even && ' The dots are evenly spaced: one gap is far longer than all others.', all.length < members.length && ` ${count(members.length - all.length, 'member')} without a date.`, all.length > shown.length && ` The first ${MOST} of ${commas(all.length)}.`));
}
