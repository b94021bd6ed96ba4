// A graph as a picture: nodes with names, links of different strength. What they mean is said by those who draw one.

import { h, s, put, onceAFrame } from '../dom.js';
import { visit } from '../route.js';
import { shortNames } from './graphdata.js';
import { hoverNote } from './hovernote.js';
import { hull } from './hull.js';
import { fit, layout, placeLabels } from './layout.js';
import { zoomable } from './zoom.js';

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
 * @property {boolean} [bridge]    between two cores: dotted
 * @property {string} href
 * @property {() => import('../dom.js').Child[]} note
 *
 * @typedef {object} Drawing
 * @property {Dot[]} nodes
 * @property {Line[]} links
 * @property {string} summary
 * @property {import('../dom.js').Child[]} below
 * @property {number[][]} [cores]  nodes with a line around them
 * @property {Set<number> | null} [chosen]  nodes that stand out from the others
 * @property {(width: number) => Placed} [place]  where the nodes are, if somebody else knows
 *
 * @typedef {object} Placed
 * @property {Point[]} points
 * @property {number} height
 * @property {number} [size]       what the radii are multiplied with
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

/** A sample of a core for a legend. @param {string} text */
export function coreKey(text) {
  return h('span', { class: 'graph-key' }, s('svg', { width: 22, height: 14, 'aria-hidden': 'true' }, s('path', { class: 'graph-core', d: 'M6 7L16 7Z', 'stroke-width': 11 })), text);
}

/** A picture without names, for a card. @param {Pick<Drawing, 'nodes' | 'links'>} drawing @param {number} width @param {number} most  height */
export function thumbnail({ nodes, links }, width, most) {
  const { points, height } = fit(layout(nodes.length, links), { width, most, unit: 70, apart: nodes.length > 30 ? 10 : 18, padX: 14, padY: 14 });
  return s('svg', { class: 'graph-thumbnail', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    links.map(({ from, to, strength }) => s('line', { class: 'graph-line', x1: points[from].x.toFixed(1), y1: points[from].y.toFixed(1), x2: points[to].x.toFixed(1), y2: points[to].y.toFixed(1), 'stroke-width': (0.8 + 3 * strength).toFixed(2), 'stroke-opacity': (0.3 + 0.6 * strength).toFixed(2) })),
    nodes.map(({ kind }, at) => s('circle', { class: `graph-dot ${kind}`, cx: points[at].x.toFixed(1), cy: points[at].y.toFixed(1), r: nodes.length > 30 ? 3.5 : 5.5 })));
}

/**
 * @param {object} [options]
 * @param {number} [options.most]    pixels of height
 * @param {boolean} [options.wheel]  the wheel enlarges without a key
 */
export function network({ most = 560, wheel = false } = {}) {
  const svg = s('svg', { class: 'graph-svg', role: 'group' });
  const holder = h('div', { class: 'graph-holder' }, svg);
  const below = h('figcaption', { class: 'graph-caption small muted' });
  const element = h('figure', { class: 'graph', 'data-part': 'graph' });
  const note = hoverNote(holder);
  const paintSoon = onceAFrame(() => { if (wish.length > 0) paint(); });
  const zoom = zoomable(svg, { size: () => ({ width, height }), changed: paintSoon, wheel });
  element.append(zoom.element, holder, below);
  /** @type {Drawing} */
  let graph = { nodes: [], links: [], summary: '', below: [] };
  /** @type {Point[]} where the nodes would like to be, in any unit */
  let wish = [];
  /** @type {Point[]} where they are in the whole picture */
  let whole = [];
  /** @type {Point[]} where they are seen */
  let points = [];
  /** @type {SVGElement[]} */
  let nodes = [];
  /** @type {SVGElement[]} */
  let lines = [];
  /** @type {SVGElement[]} */
  let rims = [];
  /** @type {string[]} */
  let labels = [];
  /** @type {number[]} how wide the labels are */
  let wide = [];
  /** @type {boolean[]} by link */
  let kept = [];
  const texts = s('g', { class: 'graph-labels' });
  let [width, height, shrunk, lit] = [0, 0, 1, ''];
  /** @type {Set<number>} nodes that are lit */
  let on = new Set();
  // a dot grows less than the picture: enlarging makes room
  const radius = (/** @type {number} */ at) => graph.nodes[at].radius * shrunk * Math.min(Math.sqrt(zoom.sight.scale), shrunk < 1 ? 1.2 / shrunk : 1.8);

  /** @param {Drawing} drawing */
  function show(drawing) {
    graph = drawing;
    kept = graph.links.map(() => true);
    zoom.forget();
    element.hidden = graph.nodes.length < 2;
    if (element.hidden) wish = [];
    if (element.hidden) return;
    wish = graph.place === undefined ? layout(graph.nodes.length, graph.links) : graph.nodes.map(() => ({ x: 0, y: 0 }));
    put(below, graph.below);
    width = 0;
    draw();
  }

  /** @param {boolean} narrow @returns {Placed} */
  function placed(narrow) {
    if (graph.place !== undefined) return graph.place(width);
    const count = graph.nodes.length;
    // where there is no room for names none is kept for them
    const [padX, padY] = [count > 60 ? 24 : narrow ? 58 : 120, count > 60 ? 24 : 34];
    const tall = Math.min(most, 190 + count * 28);
    const apart = Math.min(34, Math.sqrt((0.24 * (width - 2 * padX) * (tall - 2 * padY)) / count));
    const size = Math.min(1, (apart - 3) / (2 * Math.max(...graph.nodes.map((n) => n.radius))));
    return { ...fit(wish, { width, most: tall, unit: narrow ? 105 : count > 4 ? 175 : 140, apart, padX, padY }), size };
  }

  function draw() {
    const now = holder.clientWidth;
    if (now === 0 || now === width || wish.length === 0) return;
    width = now;
    zoom.forget();
    const narrow = width < 520;
    const found = placed(narrow);
    [whole, height, shrunk] = [found.points, found.height, found.size ?? 1];
    if (graph.chosen) zoom.forget([...graph.chosen].map((at) => whole[at]));
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('width', String(width));
    svg.setAttribute('height', String(height));
    svg.setAttribute('aria-label', `Graph of links. ${graph.summary}`);
    // the strongest on top
    const order = graph.links.map((_, at) => at).sort((x, y) => graph.links[x].strength - graph.links[y].strength);
    lines = [];
    const drawn = order.map((at) => (lines[at] = line(at)));
    labels = shortNames(graph.nodes.map((n) => n.name), narrow ? 18 : 26);
    wide = labels.map((label, at) => measure(label, graph.nodes[at].first === true));
    nodes = graph.nodes.map((_, at) => node(at));
    rims = (graph.cores ?? []).map((core) => s('path', { class: `graph-core${away(core[0])}` }));
    put(svg, s('g', { 'aria-hidden': 'true' }, rims), s('g', { role: 'img', 'aria-label': graph.summary }, drawn), nodes, texts);
    [lit, on] = ['', new Set()];
    svg.classList.remove('lit', 'aims');
    paint();
    keep((at) => kept[at]);
  }

  /** Everything to where it is seen now. */
  function paint() {
    const { scale, x: right, y: down } = zoom.sight;
    points = whole.map((p) => ({ x: p.x * scale + right, y: p.y * scale + down }));
    graph.links.forEach((_, at) => aim(at));
    nodes.forEach((n, at) => {
      n.setAttribute('transform', `translate(${points[at].x.toFixed(1)} ${points[at].y.toFixed(1)})`);
      const r = radius(at);
      n.children[0].setAttribute('r', (r + 5).toFixed(1));
      n.children[1].setAttribute('r', r.toFixed(1));
      if (graph.nodes[at].first) n.children[2].setAttribute('r', Math.max(1, r - 4.5).toFixed(1));
    });
    (graph.cores ?? []).forEach((core, at) => {
      const rim = hull(core.map((place) => points[place]));
      rims[at].setAttribute('d', `M${rim.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('L')}Z`);
      rims[at].setAttribute('stroke-width', (2 * Math.max(...core.map(radius)) + 14).toFixed(1));
    });
    name();
    note.hide();
  }

  /** Names where there is room; the first and the largest have the choice. */
  function name() {
    const seen = points.map((_, at) => at).filter((at) => away(at) === '' && points[at].x > -20 && points[at].x < width + 20 && points[at].y > -20 && points[at].y < height + 20);
    const rank = (/** @type {number} */ at) => (graph.nodes[at].first ? 1000 : 0) + (graph.chosen?.has(at) ? 500 : 0) + graph.nodes[at].radius;
    seen.sort((x, y) => rank(y) - rank(x) || x - y);
    const places = placeLabels(seen.map((at) => points[at]), seen.map(radius), seen.map((at) => wide[at]), { width, height, line: LINE },
      graph.links.length > 500 ? [] : graph.links.map((l) => [points[l.from], points[l.to]]), seen.map(badgeBox));
    put(texts, places.map((place, i) => {
      const at = seen[i];
      const look = `graph-label${graph.nodes[at].first ? ' first' : ''}${on.has(at) ? ' on' : ''}`;
      return place && s('text', { class: look, x: place.x.toFixed(1), y: place.y.toFixed(1), 'text-anchor': place.anchor, 'aria-hidden': 'true', 'data-at': at }, labels[at]);
    }));
  }

  /** @param {number} at */
  function away(at) {
    return graph.chosen && !graph.chosen.has(at) ? ' away' : '';
  }

  /** @param {number} at */
  function line(at) {
    const link = graph.links[at];
    // many links in one place would become one blot
    const thin = graph.place !== undefined ? 0.7 : Math.max(0.3, Math.min(1, 1.1 - graph.links.length / 700, 1.2 - graph.nodes.length / 180));
    const look = { 'stroke-width': link.contained ? 1.5 : ((1.2 + 5 * link.strength ** 1.5) * thin).toFixed(2), 'stroke-opacity': link.contained ? 0.8 : ((0.3 + 0.6 * link.strength) * Math.sqrt(thin)).toFixed(2) };
    const faded = away(link.from) || away(link.to);
    if (!link.contained) return s('line', { class: `graph-line${link.bridge ? ' bridge' : ''}${faded}`, ...look });
    return s('g', { class: faded === '' ? null : faded.trim() }, s('line', { class: 'graph-line contained', ...look }), s('path', { class: 'graph-arrow' }));
  }

  /** Puts a line between its nodes. @param {number} at */
  function aim(at) {
    const link = graph.links[at];
    const [p, q] = [points[link.from], points[link.to]];
    const from = (/** @type {Element} */ l, /** @type {Point} */ end) => {
      for (const [key, value] of /** @type {[string, number][]} */ ([['x1', p.x], ['y1', p.y], ['x2', end.x], ['y2', end.y]])) l.setAttribute(key, value.toFixed(1));
    };
    if (!link.contained) return from(lines[at], q);
    const long = Math.max(1, Math.hypot(q.x - p.x, q.y - p.y));
    const [ux, uy] = [(q.x - p.x) / long, (q.y - p.y) / long];
    const tip = { x: q.x - ux * (radius(link.to) + 3), y: q.y - uy * (radius(link.to) + 3) };
    const foot = { x: tip.x - ux * 9, y: tip.y - uy * 9 };
    const point = (/** @type {number} */ x, /** @type {number} */ y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    from(lines[at].children[0], foot);
    lines[at].children[1].setAttribute('d', `M${point(tip.x, tip.y)} L${point(foot.x - uy * 4.5, foot.y + ux * 4.5)} L${point(foot.x + uy * 4.5, foot.y - ux * 4.5)} Z`);
    return undefined;
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
    const { kind, copies, first = false, href, label, document } = graph.nodes[at];
    const r = radius(at);
    const [left, top, room] = [r * 0.8 - 4, -r * 0.95 - 8, 14 + 6 * String(copies).length];
    const badge = copies > 1 && s('g', { class: 'graph-badge' },
      s('rect', { x: left.toFixed(1), y: top.toFixed(1), width: room, height: 15, rx: 7.5 }),
      s('text', { x: (left + room / 2).toFixed(1), y: (top + 8).toFixed(1) }, `×${copies}`));
    const hooks = { class: `graph-node ${kind}${away(at)}`, tabindex: at === 0 ? 0 : -1, 'aria-label': label, 'data-document': document, 'data-at': at };
    // what leads nowhere is a picture: it takes the focus because the others are reached from it
    return s(href === null ? 'g' : 'a', { ...hooks, ...(href === null ? { role: 'img' } : { href }) },
      s('circle', { class: 'graph-halo' }), s('circle', { class: `graph-dot ${kind}` }), first && s('circle', { class: 'graph-ring' }), badge);
  }

  /** Shows some links, and who has none of them as alone. @param {(at: number) => boolean} want */
  function keep(want) {
    const linked = new Set();
    graph.links.forEach(({ from, to }, at) => {
      kept[at] = want(at);
      if (kept[at]) linked.add(from).add(to);
      lines[at]?.classList.toggle('gone', !kept[at]);
    });
    nodes.forEach((n, at) => n.classList.toggle('alone', !linked.has(at)));
  }

  /** Marks some nodes; nobody with null. @param {((document: number) => boolean) | null} found */
  function mark(found) {
    nodes.forEach((n, at) => n.classList.toggle('found', found !== null && found(graph.nodes[at].document)));
    svg.classList.toggle('searched', found !== null);
  }

  /** @param {{ node?: number, link?: number }} what */
  function light(what) {
    const key = `${what.node ?? ''}/${what.link ?? ''}`;
    if (key === lit) return;
    lit = key;
    on = new Set(what.node === undefined ? [] : [what.node]);
    graph.links.forEach((link, at) => {
      const yes = kept[at] && (at === what.link || (what.node !== undefined && (link.from === what.node || link.to === what.node)));
      if (yes) on.add(link.from).add(link.to);
      lines[at].classList.toggle('on', yes);
    });
    nodes.forEach((n, at) => n.classList.toggle('on', on.has(at)));
    for (const label of texts.children) label.classList.toggle('on', on.has(Number(label.getAttribute('data-at'))));
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
    if (svg.classList.contains('dragging')) return {};
    const box = svg.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    const node = points.findIndex((p, i) => Math.hypot(p.x - at.x, p.y - at.y) <= radius(i) + 4);
    if (node >= 0) return { node };
    let [best, link] = [7, -1];
    graph.links.forEach(({ from, to }, i) => {
      if (!kept[i]) return;
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
  // a picture that listens to the focus itself would be a stop of the Tab key
  holder.addEventListener('focusin', (event) => {
    if (place(event) < 0) return;
    // who was reached by a key may be out of sight
    zoom.reveal(whole[place(event)]);
    requestAnimationFrame(() => { if (svg.contains(document.activeElement)) light({ node: place(event) }); });
  });
  holder.addEventListener('focusout', () => light({}));
  svg.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const direction = { ArrowRight: 0, ArrowDown: 1, ArrowLeft: 2, ArrowUp: 3 }[key];
    const from = place(event);
    // by place not everybody may be reached, one after the other everybody is
    const along = { Home: 0, End: nodes.length - 1, PageDown: Math.min(nodes.length - 1, from + 1), PageUp: from - 1 }[key];
    if ((direction === undefined && along === undefined) || from < 0) return;
    event.preventDefault();
    const next = direction === undefined ? along ?? -1 : neighbour(points, from, direction * Math.PI / 2);
    if (next < 0) return;
    nodes[from].setAttribute('tabindex', '-1');
    nodes[next].setAttribute('tabindex', '0');
    nodes[next].focus();
  });
  new ResizeObserver(onceAFrame(() => { if (!element.hidden) draw(); })).observe(holder);
  return { element, show, keep, mark };
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
