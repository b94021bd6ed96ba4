// A graph as a picture: nodes with names, links of different strength. What they mean is said by those who draw one.

import { h, s, put, onceAFrame } from '../dom.js';
import { visit } from '../route.js';
import { shortNames } from './graphdata.js';
import { hoverNote } from './hovernote.js';
import { fit, layout, placeLabels } from './layout.js';

/**
 * @typedef {import('./layout.js').Point} Point
 *
 * @typedef {object} Dot
 * @property {string} name
 * @property {string} label        for readers of screens
 * @property {string} kind         a class
 * @property {number} radius
 * @property {boolean} [first]     it has a ring, and its name is bold
 * @property {number} copies       how many it stands for
 * @property {number} document     `data-document`
 * @property {string | null} href
 * @property {() => import('../dom.js').Child[]} note  under the pointer
 *
 * @typedef {object} Line
 * @property {number} from
 * @property {number} to
 * @property {number} strength     from 0 to 1
 * @property {number} length       how far apart the two would like to be
 * @property {boolean} contained   an arrow
 * @property {string} href
 * @property {() => import('../dom.js').Child[]} note
 *
 * @typedef {object} Drawing
 * @property {Dot[]} nodes
 * @property {Line[]} links
 * @property {string} summary
 * @property {import('../dom.js').Child[]} below
 */

const LINE = 15;

/** A sample of a node for a legend. @param {string} kind @param {string} text @param {boolean} [ring] */
export function dotKey(kind, text, ring = false) {
  return h('span', { class: 'graph-key' }, s('svg', { width: 14, height: 14, 'aria-hidden': 'true' }, s('circle', { class: `graph-dot ${kind}`, cx: 7, cy: 7, r: 6 }), ring && s('circle', { class: 'graph-ring', cx: 7, cy: 7, r: 2.5 })), text);
}

/** A sample of a link for a legend. @param {string} what @param {string} text */
export function lineKey(what, text) {
  return h('span', { class: 'graph-key' },
    s('svg', { width: 30, height: 14, 'aria-hidden': 'true' }, s('line', { class: `graph-line ${what}`, x1: 2, y1: 7, x2: what === 'contained' ? 22 : 28, y2: 7, 'stroke-width': what === 'contained' ? 1.5 : 4 }),
      what === 'contained' && s('path', { class: 'graph-arrow', d: 'M21 3 L29 7 L21 11 Z' })), text);
}

/** A picture without names, for a card. @param {Pick<Drawing, 'nodes' | 'links'>} drawing @param {number} width @param {number} most  height */
export function thumbnail({ nodes, links }, width, most) {
  const { points, height } = fit(layout(nodes.length, links), { width, most, unit: 70, apart: nodes.length > 30 ? 10 : 18, padX: 14, padY: 14 });
  return s('svg', { class: 'graph-thumbnail', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    links.map(({ from, to, strength }) => s('line', { class: 'graph-line', x1: points[from].x.toFixed(1), y1: points[from].y.toFixed(1), x2: points[to].x.toFixed(1), y2: points[to].y.toFixed(1), 'stroke-width': (0.8 + 3 * strength).toFixed(2), 'stroke-opacity': (0.3 + 0.6 * strength).toFixed(2) })),
    nodes.map(({ kind }, at) => s('circle', { class: `graph-dot ${kind}`, cx: points[at].x.toFixed(1), cy: points[at].y.toFixed(1), r: nodes.length > 30 ? 3.5 : 5.5 })));
}

export function network() {
  const svg = s('svg', { class: 'graph-svg', role: 'group' });
  const holder = h('div', { class: 'graph-holder' }, svg);
  const below = h('figcaption', { class: 'graph-caption small muted' });
  const element = h('figure', { class: 'graph', 'data-part': 'graph' }, holder, below);
  const note = hoverNote(holder);
  /** @type {Drawing} */
  let graph = { nodes: [], links: [], summary: '', below: [] };
  /** @type {Point[]} where the nodes would like to be, in any unit */
  let wish = [];
  /** @type {Point[]} where they are */
  let points = [];
  /** @type {SVGElement[]} */
  let nodes = [];
  /** @type {SVGElement[]} */
  let lines = [];
  let [width, lit] = [0, ''];
  const radius = (/** @type {number} */ at) => graph.nodes[at].radius;

  /** @param {Drawing} drawing */
  function show(drawing) {
    graph = drawing;
    element.hidden = graph.nodes.length < 2;
    if (element.hidden) wish = [];
    if (element.hidden) return;
    wish = layout(graph.nodes.length, graph.links);
    put(below, graph.below);
    width = 0;
    draw();
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
    svg.setAttribute('aria-label', `Graph of links. ${graph.summary}`);
    // the strongest on top
    const order = graph.links.map((_, at) => at).sort((x, y) => graph.links[x].strength - graph.links[y].strength);
    lines = [];
    const drawn = order.map((at) => (lines[at] = line(at)));
    const labels = shortNames(graph.nodes.map((n) => n.name), narrow ? 18 : 26);
    const places = placeLabels(points, points.map((_, at) => radius(at)), labels.map((l, at) => measure(l, graph.nodes[at].first === true)), { width, height: placed.height, line: LINE },
      graph.links.length > 500 ? [] : graph.links.map((l) => [points[l.from], points[l.to]]), points.map((_, at) => badgeBox(at)));
    nodes = graph.nodes.map((_, at) => node(at));
    const texts = places.map((place, at) => place && s('text', { class: graph.nodes[at].first ? 'graph-label first' : 'graph-label', x: place.x, y: place.y, 'text-anchor': place.anchor, 'aria-hidden': 'true', 'data-at': at }, labels[at]));
    put(svg, s('g', { role: 'img', 'aria-label': graph.summary }, drawn), nodes, s('g', { class: 'graph-labels' }, texts));
    lit = '';
    note.hide();
  }

  /** @param {number} at */
  function line(at) {
    const link = graph.links[at];
    const [p, q] = [points[link.from], points[link.to]];
    // many links would become one blot
    const thin = Math.max(0.3, Math.min(1, 1.1 - graph.links.length / 700, 1.2 - graph.nodes.length / 180));
    const look = { 'stroke-width': link.contained ? 1.5 : ((1.2 + 5 * link.strength ** 1.5) * thin).toFixed(2), 'stroke-opacity': link.contained ? 0.8 : ((0.3 + 0.6 * link.strength) * Math.sqrt(thin)).toFixed(2) };
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
    const copies = graph.nodes[at].copies;
    if (copies === 1) return null;
    const [x, y] = [points[at].x + radius(at) * 0.8, points[at].y - radius(at) * 0.95];
    return { left: x - 4, right: x + 10 + 6 * String(copies).length, top: y - 8, bottom: y + 7 };
  }

  /** @param {number} at */
  function node(at) {
    const { x, y } = points[at];
    const { kind, copies, first = false, href, label, document, radius: r } = graph.nodes[at];
    const box = badgeBox(at);
    const badge = box !== null && s('g', { class: 'graph-badge' },
      s('rect', { x: box.left.toFixed(1), y: box.top.toFixed(1), width: (box.right - box.left).toFixed(1), height: 15, rx: 7.5 }),
      s('text', { x: ((box.left + box.right) / 2).toFixed(1), y: (box.top + 8).toFixed(1) }, `×${copies}`));
    return s('a', { class: `graph-node ${kind}`, href, role: href === undefined || href === null ? 'img' : null, tabindex: at === 0 ? 0 : -1, 'aria-label': label, 'data-document': document, 'data-at': at },
      s('circle', { class: 'graph-halo', cx: x.toFixed(1), cy: y.toFixed(1), r: r + 5 }), s('circle', { class: `graph-dot ${kind}`, cx: x.toFixed(1), cy: y.toFixed(1), r }),
      first && s('circle', { class: 'graph-ring', cx: x.toFixed(1), cy: y.toFixed(1), r: r - 4.5 }), badge);
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
      const p = points[what.node];
      note.show(p.x, p.y - radius(what.node), ...graph.nodes[what.node].note());
    } else if (what.link !== undefined) {
      const { from, to, note: told } = graph.links[what.link];
      note.show((points[from].x + points[to].x) / 2, (points[from].y + points[to].y) / 2 - 4, ...told());
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
    if (link !== undefined) visit(graph.links[link].href);
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
