// The graph of a cluster: who is linked to whom.

import { h, s, put, cleanName, onceAFrame } from '../dom.js';
import { percent, commas } from '../format.js';
import { byBytes, inCommon, terms } from '../lens.js';
import { short } from '../recipe.js';
import { address, visit } from '../route.js';
import { graphOf, shortNames, summary } from './graphdata.js';
import { hoverNote } from './hovernote.js';
import { fit, layout, placeLabels } from './layout.js';

/**
 * @typedef {import('./graphdata.js').Link} Link
 * @typedef {import('./layout.js').Point} Point
 */

const LINE = 15;

/** @param {import('../model.js').Model} model */
export function clusterGraph(model) {
  const said = terms(model.page);
  const svg = s('svg', { class: 'graph-svg', role: 'group' });
  const holder = h('div', { class: 'graph-holder' }, svg);
  const below = h('figcaption', { class: 'graph-caption small muted' });
  const element = h('figure', { class: 'graph', 'data-part': 'graph' }, holder, below);
  const note = hoverNote(holder);
  /** @type {ReturnType<typeof graphOf>} */
  let graph = { nodes: [], links: [], leftNodes: 0, leftLinks: 0, indirect: 0 };
  /** @type {Point[]} where the nodes would like to be, in any unit */
  let wish = [];
  /** @type {Point[]} where they are */
  let points = [];
  /** @type {SVGElement[]} */
  let nodes = [];
  /** @type {SVGElement[]} */
  let lines = [];
  let [width, lit] = [0, ''];

  /** How strong a link is between the threshold and equality. @param {Link} link */
  const strength = (link) => Math.max(0, (link.alike - model.threshold) / Math.max(0.01, 1 - model.threshold));
  const name = (/** @type {number} */ at) => cleanName(model.name(graph.nodes[at].document));
  const radius = (/** @type {number} */ at) => (at === 0 ? 10 : 7) + Math.min(5, Math.log2(graph.nodes[at].documents.length) * 1.5);
  const kind = (/** @type {number} */ at) => (at === 0 ? 'representative' : graph.nodes[at].member?.class ?? 'chained');

  /** `80.0 % like the representative`; null if nobody knows. @param {import('../model.js').Member} member */
  function like(member) {
    const alike = model.alike(member);
    return alike === null ? null : `${percent(alike)} ${said.like}`;
  }

  /** @param {import('../model.js').Cluster} cluster */
  function show(cluster) {
    graph = graphOf(model, cluster);
    element.hidden = graph.nodes.length < 2;
    if (element.hidden) wish = [];
    if (element.hidden) return;
    wish = layout(graph.nodes.length, graph.links.map((l) => ({ from: l.from, to: l.to, length: l.contained ? 1.3 : 1.25 - 0.5 * strength(l) })));
    put(below, legend(), h('p', { class: 'graph-summary' }, summary(graph, said.text), ' ', left()));
    width = 0;
    draw();
  }

  function left() {
    if (graph.leftNodes === 0 && graph.leftLinks === 0) return '';
    return graph.leftLinks > 0 ? `The ${commas(graph.links.length)} strongest links are drawn.` : '';
  }

  function legend() {
    const kinds = new Set(graph.nodes.map((_, at) => kind(at)));
    const names = /** @type {Record<string, string>} */ ({
      representative: 'representative', near: 'near', contained: 'contained', chained: 'chained: linked through others', lexical: 'lexical', shingle: 'shingle', identical: 'identical' });
    const dots = [...kinds].map((k) => h('span', { class: 'graph-key' }, s('svg', { width: 14, height: 14, 'aria-hidden': 'true' }, s('circle', { class: `graph-dot ${k}`, cx: 7, cy: 7, r: 6 }), k === 'representative' && s('circle', { class: 'graph-ring', cx: 7, cy: 7, r: 2.5 })), names[k] ?? k));
    const stroke = (/** @type {string} */ what, /** @type {string} */ text) => h('span', { class: 'graph-key' },
      s('svg', { width: 30, height: 14, 'aria-hidden': 'true' }, s('line', { class: `graph-line ${what}`, x1: 2, y1: 7, x2: what === 'contained' ? 22 : 28, y2: 7, 'stroke-width': what === 'contained' ? 1.5 : 4 }),
        what === 'contained' && s('path', { class: 'graph-arrow', d: 'M21 3 L29 7 L21 11 Z' })), text);
    const strokes = [
      graph.links.some((l) => !l.contained) && stroke('', 'thicker: more alike'),
      graph.links.some((l) => l.contained) && stroke('contained', byBytes(model.page) ? `${short(model.threshold)} of it or more is in` : 'contained in'),
    ];
    const several = graph.nodes.some((n) => n.documents.length > 1);
    return h('div', { class: 'graph-legend' }, dots, strokes, several && h('span', { class: 'graph-key' }, h('span', { class: 'graph-times' }, '×2'), `copies of the same ${said.text}`));
  }

  function draw() {
    const now = holder.clientWidth;
    if (now === 0 || now === width || wish.length === 0) return;
    width = now;
    const narrow = width < 520;
    const count = graph.nodes.length;
    const room = { width, most: Math.min(560, 190 + count * 28), unit: narrow ? 105 : count > 4 ? 175 : 140, apart: count > 60 ? 24 : 34, padX: narrow ? 58 : 120, padY: 34 };
    const placed = fit(wish, room);
    points = placed.points;
    svg.setAttribute('viewBox', `0 0 ${width} ${placed.height}`);
    svg.setAttribute('width', String(width));
    svg.setAttribute('height', String(placed.height));
    svg.setAttribute('aria-label', `Graph of links. ${summary(graph, said.text)}`);
    // the strongest on top
    const order = graph.links.map((_, at) => at).sort((x, y) => strength(graph.links[x]) - strength(graph.links[y]));
    lines = [];
    const drawn = order.map((at) => (lines[at] = line(at)));
    const labels = shortNames(graph.nodes.map((_, at) => name(at)), narrow ? 18 : 26);
    const places = placeLabels(points, points.map((_, at) => radius(at)), labels.map((l, at) => measure(l, at === 0)), { width, height: placed.height, line: LINE },
      graph.links.length > 500 ? [] : graph.links.map((l) => [points[l.from], points[l.to]]), points.map((_, at) => badgeBox(at)));
    nodes = graph.nodes.map((_, at) => node(at));
    const texts = places.map((place, at) => place && s('text', { class: at === 0 ? 'graph-label first' : 'graph-label', x: place.x, y: place.y, 'text-anchor': place.anchor, 'aria-hidden': 'true', 'data-at': at }, labels[at]));
    put(svg, s('g', { role: 'img', 'aria-label': summary(graph, said.text) }, drawn), nodes, s('g', { class: 'graph-labels' }, texts));
    lit = '';
    note.hide();
  }

  /** @param {number} at */
  function line(at) {
    const link = graph.links[at];
    const [p, q] = [points[link.from], points[link.to]];
    // many links would become one blot
    const thin = Math.max(0.3, Math.min(1, 1.1 - graph.links.length / 700, 1.2 - graph.nodes.length / 180));
    const look = { 'stroke-width': link.contained ? 1.5 : ((1.2 + 5 * strength(link) ** 1.5) * thin).toFixed(2), 'stroke-opacity': link.contained ? 0.8 : ((0.3 + 0.6 * strength(link)) * Math.sqrt(thin)).toFixed(2) };
    if (!link.contained) return s('line', { class: 'graph-line', x1: p.x.toFixed(1), y1: p.y.toFixed(1), x2: q.x.toFixed(1), y2: q.y.toFixed(1), ...look });
    const long = Math.max(1, Math.hypot(q.x - p.x, q.y - p.y));
    const [ux, uy] = [(q.x - p.x) / long, (q.y - p.y) / long];
    const tip = { x: q.x - ux * (radius(link.to) + 3), y: q.y - uy * (radius(link.to) + 3) };
    const foot = { x: tip.x - ux * 9, y: tip.y - uy * 9 };
    const point = (/** @type {number} */ x, /** @type {number} */ y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    return s('g', {},
      s('line', { class: 'graph-line contained', x1: p.x.toFixed(1), y1: p.y.toFixed(1), x2: foot.x.toFixed(1), y2: foot.y.toFixed(1), ...look }),
      s('path', { class: 'graph-arrow', d: `M${point(tip.x, tip.y)} L${point(foot.x - uy * 4.5, foot.y + ux * 4.5)} L${point(foot.x + uy * 4.5, foot.y - ux * 4.5)} Z` }));
  }

  /** Where the number of copies stands; null where there is one only. @param {number} at */
  function badgeBox(at) {
    const copies = graph.nodes[at].documents.length;
    if (copies === 1) return null;
    const [x, y] = [points[at].x + radius(at) * 0.8, points[at].y - radius(at) * 0.95];
    return { left: x - 4, right: x + 10 + 6 * String(copies).length, top: y - 8, bottom: y + 7 };
  }

  /** @param {number} at */
  function node(at) {
    const { x, y } = points[at];
    const { document, documents, member } = graph.nodes[at];
    const r = radius(at);
    const other = at === 0 ? documents[1] : document;
    const known = member === null ? 'representative' : `${member.class}, ${like(member) ?? 'not compared with the representative'}`;
    const copies = documents.length === 1 ? '' : `, ${documents.length} documents with this ${said.text}`;
    const box = badgeBox(at);
    const badge = box !== null && s('g', { class: 'graph-badge' },
      s('rect', { x: box.left.toFixed(1), y: box.top.toFixed(1), width: (box.right - box.left).toFixed(1), height: 15, rx: 7.5 }),
      s('text', { x: ((box.left + box.right) / 2).toFixed(1), y: (box.top + 8).toFixed(1) }, `×${documents.length}`));
    return s('a', {
      class: `graph-node ${kind(at)}`,
      href: other === undefined ? null : address(['pair', graph.nodes[0].document, other]),
      tabindex: at === 0 ? 0 : -1,
      'aria-label': `${name(at)}: ${known}${copies}`,
      'data-document': document,
      'data-at': at,
    }, s('circle', { class: 'graph-halo', cx: x.toFixed(1), cy: y.toFixed(1), r: r + 5 }), s('circle', { class: `graph-dot ${kind(at)}`, cx: x.toFixed(1), cy: y.toFixed(1), r }),
    at === 0 && s('circle', { class: 'graph-ring', cx: x.toFixed(1), cy: y.toFixed(1), r: r - 4.5 }), badge);
  }

  /** @param {{ node?: number, link?: number }} what */
  function light(what) {
    const key = `${what.node ?? ''}/${what.link ?? ''}`;
    if (key === lit) return;
    lit = key;
    const on = new Set(what.node === undefined ? [] : [what.node]);
    graph.links.forEach((link, at) => {
      const yes = at === what.link || (what.node !== undefined && (link.from === what.node || link.to === what.node));
      if (yes) on.add(link.from).add(link.to);
      lines[at].classList.toggle('on', yes);
    });
    nodes.forEach((n, at) => n.classList.toggle('on', on.has(at)));
    for (const label of svg.querySelectorAll('.graph-label')) label.classList.toggle('on', on.has(Number(label.getAttribute('data-at'))));
    svg.classList.toggle('lit', on.size > 0);
    svg.classList.toggle('aims', what.link !== undefined);
    tell(what);
  }

  /** @param {{ node?: number, link?: number }} what */
  function tell(what) {
    if (what.node !== undefined) {
      const { member, documents } = graph.nodes[what.node];
      const p = points[what.node];
      note.show(p.x, p.y - radius(what.node), h('bdi', { class: 'hovernote-name' }, name(what.node)),
        h('div', {}, member === null ? 'representative' : like(member) ?? 'linked through others'),
        documents.length > 1 && h('div', {}, `${commas(documents.length)} documents with this ${said.text}`));
    } else if (what.link !== undefined) {
      const { from, to, alike, inside, has, common } = graph.links[what.link];
      note.show((points[from].x + points[to].x) / 2, (points[from].y + points[to].y) / 2 - 4,
        h('bdi', { class: 'hovernote-name' }, name(from)), h('bdi', { class: 'hovernote-name' }, name(to)),
        common === null || common === undefined ? h('div', {}, h('strong', {}, percent(alike)), ` ${said.alike}`) : h('div', {}, inCommon(common, alike)),
        inside !== null && h('div', {}, `${percent(inside)} of the first is in the second, ${percent(has)} the other way`));
    } else note.hide();
  }

  /** What is under the pointer: a node, else a link that is near. @param {MouseEvent} event */
  function under(event) {
    const box = svg.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    const node = points.findIndex((p, i) => Math.hypot(p.x - at.x, p.y - at.y) <= radius(i) + 4);
    if (node >= 0) return { node };
    let [best, link] = [7, -1];
    graph.links.forEach(({ from, to }, i) => {
      const away = fromSegment(at, points[from], points[to]);
      if (away < best) [best, link] = [away, i];
    });
    return link >= 0 ? { link } : {};
  }

  const hover = onceAFrame((/** @type {MouseEvent} */ event) => light(under(event)));
  svg.addEventListener('pointermove', (event) => hover(/** @type {MouseEvent} */ (event)));
  svg.addEventListener('pointerleave', () => requestAnimationFrame(() => light({})));
  svg.addEventListener('click', (event) => {
    if (/** @type {Element} */ (event.target).closest('a')) return;
    const { link } = under(/** @type {MouseEvent} */ (event));
    if (link !== undefined) visit(address(['pair', graph.nodes[graph.links[link].from].document, graph.nodes[graph.links[link].to].document]));
  });
  const place = (/** @type {Event} */ event) => Number(/** @type {Element} */ (event.target).closest('[data-at]')?.getAttribute('data-at') ?? -1);
  svg.addEventListener('focusin', (event) => { if (place(event) >= 0) light({ node: place(event) }); });
  svg.addEventListener('focusout', () => light({}));
  svg.addEventListener('keydown', (event) => {
    const direction = { ArrowRight: 0, ArrowDown: 1, ArrowLeft: 2, ArrowUp: 3 }[/** @type {KeyboardEvent} */ (event).key];
    const from = place(event);
    if (direction === undefined || from < 0) return;
    event.preventDefault();
    const next = neighbour(points, from, direction * Math.PI / 2);
    if (next < 0) return;
    nodes[from].setAttribute('tabindex', '-1');
    nodes[next].setAttribute('tabindex', '0');
    nodes[next].focus();
  });
  new ResizeObserver(onceAFrame(() => { if (!element.hidden) draw(); })).observe(holder);
  return { element, show };
}

/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;

/** How wide a label will be. @param {string} text @param {boolean} bold */
function measure(text, bold) {
  pen ??= document.createElement('canvas').getContext('2d');
  if (pen === null) return text.length * 7;
  pen.font = `${bold ? '650' : '400'} 12px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width + 2;
}

/** @param {Point} at @param {Point} p @param {Point} q */
function fromSegment(at, p, q) {
  const [dx, dy] = [q.x - p.x, q.y - p.y];
  const along = Math.max(0, Math.min(1, ((at.x - p.x) * dx + (at.y - p.y) * dy) / Math.max(1e-9, dx * dx + dy * dy)));
  return Math.hypot(at.x - p.x - along * dx, at.y - p.y - along * dy);
}

/** The nearest node in a direction. @param {Point[]} points @param {number} from @param {number} angle */
function neighbour(points, from, angle) {
  let [best, found] = [Infinity, -1];
  points.forEach((p, at) => {
    const [dx, dy] = [p.x - points[from].x, p.y - points[from].y];
    const ahead = dx * Math.cos(angle) + dy * Math.sin(angle);
    const aside = Math.abs(-dx * Math.sin(angle) + dy * Math.cos(angle));
    if (at === from || ahead <= 0 || ahead + 2 * aside >= best) return;
    [best, found] = [ahead + 2 * aside, at];
  });
  return found;
}
