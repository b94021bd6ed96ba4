// A list of any length: only the rows in sight are in the page. Rows have one fixed height, so a place in the list is a multiplication.

import { h, put, style, onceAFrame } from '../dom.js';
import { commas } from '../format.js';
import { listenToKeys } from './pairkeys.js';

/**
 * @template T
 * @typedef {object} Column
 * @property {string} key                names the column in the address and in style sheets
 * @property {string} label
 * @property {'asc' | 'desc'} [sorts]    the direction of the first click; without it the column cannot be sorted by
 * @property {(item: T) => import('../dom.js').Child | import('../dom.js').Child[]} cell
 * @property {(item: T) => boolean} [blank]  whether the cell says nothing: a column of such cells gives up its room
 */

/**
 * @template T
 * @typedef {object} ListOptions
 * @property {string} part               `data-part`, and the class of the list
 * @property {string} label              for readers of screens
 * @property {Column<T>[]} columns       the first holds the link of the row, if there is one
 * @property {number} height             of a row, in pixels
 * @property {number} narrow             the same where the window is narrow
 * @property {(item: T) => string | null} [href]
 * @property {(item: T) => Record<string, string | number>} [data]  `data-…` hooks of a row
 * @property {(item: T) => boolean} [chosen]   whether the row is the one that is shown elsewhere
 * @property {(sort: string, dir: 'asc' | 'desc') => void} [onsort]
 * @property {boolean} [box]             scrolls by itself, and not with the page
 */

/** Rows before and after those in sight: a scroll finds them ready. */
const SPARE = 6;
/** A printed list ends somewhere. */
const PRINTED = 500;
/** Browsers place nothing below about 16 million pixels. */
const DEEPEST = 10_000_000;

/** How many rows a list can have. @param {{ height: number, narrow: number }} options */
export function mostRows({ height, narrow }) {
  return Math.floor(DEEPEST / Math.max(height, narrow));
}

/** @template T */
export class List {
  /** @param {ListOptions<T>} options */
  constructor(options) {
    this.options = options;
    /** @type {T[]} */
    this.items = [];
    /** @type {Map<number, HTMLElement>} rows in the page */
    this.rows = new Map();
    /** the row that the keyboard is on */
    this.active = 0;
    this.printing = false;
    this.head = h('div', { class: 'list-head', role: 'row', 'aria-rowindex': 1 });
    this.body = h('div', { class: 'list-rows', role: 'rowgroup', onkeydown: (/** @type {KeyboardEvent} */ e) => this.#key(e), onfocusin: (/** @type {Event} */ e) => this.#focused(e) });
    this.cut = h('p', { class: 'list-cut muted small' });
    this.rest = h('p', { class: 'list-rest muted small', 'data-part': 'rest', hidden: true });
    this.element = h('div', { class: `list ${options.part}${options.box ? ' list-box' : ''}`, 'data-part': options.part }, this.rest,
      h('div', { class: 'list-grid', role: 'grid', 'aria-label': options.label, 'aria-readonly': 'true' }, h('div', { role: 'rowgroup', class: 'list-top' }, this.head), this.body), this.cut);
    this.small = matchMedia('(max-width: 640px)');
    const draw = onceAFrame(() => this.draw());
    (options.box ? this.element : window).addEventListener('scroll', draw, { passive: true });
    this.small.addEventListener('change', () => this.#again());
    addEventListener('beforeprint', () => { this.printing = true; this.#again(); });
    addEventListener('afterprint', () => { this.printing = false; this.#again(); });
    // also tells when the view comes into the page
    new ResizeObserver(draw).observe(this.element);
  }

  /** The height of a row now. */
  get tall() {
    return this.small.matches ? this.options.narrow : this.options.height;
  }

  /**
   * Shows other items, or the same in another order.
   * @param {T[]} items
   * @param {string} [sort]
   * @param {string} [dir]
   */
  set(items, sort = '', dir = 'asc') {
    const most = mostRows(this.options);
    this.items = items.length > most ? items.slice(0, most) : items;
    this.rest.hidden = items.length <= most;
    this.rest.textContent = `The first ${commas(most)} of ${commas(items.length)} rows. Search or filter to see others.`;
    this.active = Math.min(this.active, Math.max(0, items.length - 1));
    const without = this.options.columns.filter(({ blank, key }) => blank !== undefined && key !== sort && this.items.every(blank));
    this.element.dataset.without = without.map(({ key }) => key).join(' ');
    const held = [...this.head.children].findIndex((cell) => cell.contains(document.activeElement));
    put(this.head, this.options.columns.map((column, at) => this.#header(column, at, sort, dir)));
    if (held >= 0) this.head.children[held].querySelector('button')?.focus({ preventScroll: true });
    this.element.querySelector('[role=grid]')?.setAttribute('aria-rowcount', String(this.items.length + 1));
    this.#again();
  }

  /** Scrolls to an item, if it is not in sight. @param {number} index */
  reveal(index) {
    // what is beyond the last row is not here
    if (index >= this.items.length) return;
    const [from, to] = this.#window();
    const first = Math.ceil(from / this.tall);
    const last = Math.floor(to / this.tall) - 1;
    if (index >= first && index <= last) return;
    const move = index < first ? index * this.tall - from : (index + 1) * this.tall - to;
    if (this.options.box) this.element.scrollTop += move;
    else scrollBy({ top: move, behavior: 'instant' });
    this.draw();
  }

  /** The part of the rows that is in sight, in pixels from the first. @returns {[number, number]} */
  #window() {
    const rows = this.body.getBoundingClientRect();
    const head = this.head.getBoundingClientRect();
    const top = this.options.box ? this.element.getBoundingClientRect().top : 0;
    const bottom = this.options.box ? this.element.getBoundingClientRect().bottom : innerHeight;
    // the head of the list stays in sight and covers rows
    return [Math.max(0, Math.max(top, head.bottom) - rows.top), Math.max(0, bottom - rows.top)];
  }

  /** Makes the rows that came into sight and drops those that left. */
  draw() {
    if (!this.element.isConnected) return;
    const { length } = this.items;
    const [from, to] = this.#window();
    const first = this.printing ? 0 : Math.max(0, Math.floor(from / this.tall) - SPARE);
    const end = this.printing ? Math.min(length, PRINTED) : Math.min(length, Math.ceil(to / this.tall) + SPARE);
    const focused = this.body.contains(document.activeElement);
    const wanted = (/** @type {number} */ index) => (index >= first && index < end) || (focused && index === this.active);
    for (const [index, row] of this.rows) {
      if (wanted(index)) continue;
      row.remove();
      this.rows.delete(index);
    }
    const fresh = document.createDocumentFragment();
    /** @type {Node | null} */
    let before = null;
    // in the order of the list, for readers of screens
    for (let index = end - 1; index >= first; index--) {
      const row = this.rows.get(index);
      if (row !== undefined) {
        this.body.insertBefore(fresh, before);
        before = row;
      } else {
        const made = this.#row(index);
        this.rows.set(index, made);
        fresh.prepend(made);
      }
    }
    this.body.insertBefore(fresh, before ?? this.body.firstChild);
    this.#rove();
  }

  /** Everything anew: other items, or another height. */
  #again() {
    const held = this.body.contains(document.activeElement);
    this.rows.clear();
    put(this.body);
    style(this.body, { height: `${this.items.length * this.tall}px` });
    style(this.element, { '--list-row': `${this.tall}px`, '--list-sticky': this.options.box ? '0px' : `${document.querySelector('header.top')?.clientHeight ?? 0}px` });
    this.cut.textContent = this.items.length > PRINTED ? `The first ${PRINTED} of ${commas(this.items.length)} rows are printed.` : '';
    this.draw();
    if (held) this.#go(this.active);
  }

  /** @param {Column<T>} column @param {number} at @param {string} sort @param {string} dir */
  #header(column, at, sort, dir) {
    const here = column.key === sort;
    const next = here ? (dir === 'asc' ? 'desc' : 'asc') : column.sorts;
    const label = column.sorts === undefined ? column.label
      : h('button', { class: 'list-sort', type: 'button', onclick: () => this.options.onsort?.(column.key, next ?? 'asc') },
        column.label, h('span', { class: 'list-arrow', 'aria-hidden': 'true' }, here ? (dir === 'asc' ? '↑' : '↓') : '↕'));
    return h('div', {
      role: 'columnheader',
      class: `list-cell ${column.key}`,
      // buttons are not printed: the sheet prints this
      'data-label': column.sorts === undefined ? null : column.label,
      'aria-colindex': at + 1,
      'aria-sort': here ? (dir === 'asc' ? 'ascending' : 'descending') : column.sorts === undefined ? null : 'none',
    }, label);
  }

  /** @param {number} index */
  #row(index) {
    const item = this.items[index];
    const { columns, href, data, chosen } = this.options;
    const to = href?.(item) ?? null;
    const cells = columns.map((column, at) => {
      const inside = column.cell(item);
      const link = at === 0 && to !== null ? h('a', { class: 'list-link', href: to, tabindex: -1 }, inside) : inside;
      return h('div', { role: 'gridcell', class: `list-cell ${column.key}`, 'aria-colindex': at + 1 }, link);
    });
    const hooks = Object.fromEntries(Object.entries(data?.(item) ?? {}).map(([name, value]) => [`data-${name}`, value]));
    const here = chosen?.(item) ?? false;
    const row = h('div', { class: 'list-row', role: 'row', 'aria-rowindex': index + 2, 'data-index': index, 'aria-selected': here ? 'true' : null, tabindex: to === null ? -1 : null, ...hooks }, cells);
    style(row, { top: `${index * this.tall}px` });
    return row;
  }

  /** One row is in the order of the Tab key: the last that had the focus, or the first in sight. */
  #rove() {
    if (!this.rows.has(this.active) && this.rows.size > 0) this.active = Math.min(...this.rows.keys());
    for (const [index, row] of this.rows) target(row).setAttribute('tabindex', index === this.active ? '0' : '-1');
  }

  /** @param {Event} event */
  #focused(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest('[data-index]');
    if (row === null) return;
    this.active = Number(row.getAttribute('data-index'));
    this.#rove();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [from, to] = this.#window();
    const page = Math.max(1, Math.floor((to - from) / this.tall) - 1);
    const end = this.items.length - 1;
    const places = new Map([['ArrowDown', this.active + 1], ['j', this.active + 1], ['ArrowUp', this.active - 1], ['k', this.active - 1], ['PageDown', this.active + page], ['PageUp', this.active - page], ['Home', 0], ['End', end]]);
    const place = places.get(event.key);
    if (place === undefined) return;
    event.preventDefault();
    this.#go(Math.max(0, Math.min(end, place)));
  }

  /** Puts the focus on the row that had it last, or on the first in sight. */
  enter() {
    const [from, to] = this.#window();
    const first = Math.ceil(from / this.tall);
    const seen = this.active >= first && this.active < Math.floor(to / this.tall);
    this.#go(seen ? this.active : Math.min(first, this.items.length - 1));
  }

  /** Puts the focus on a row. @param {number} index */
  #go(index) {
    if (this.items.length === 0) return;
    this.active = index;
    this.reveal(index);
    const row = this.rows.get(index);
    if (row !== undefined) target(row).focus({ preventScroll: true });
  }
}

/**
 * Keys that lead into a list from anywhere in its view, and to its search.
 * @param {HTMLElement} view @param {List<any>} list @param {HTMLInputElement} search
 */
export function listKeys(view, list, search) {
  const shown = (/** @type {HTMLElement} */ element) => element.offsetParent !== null;
  const enter = () => { if (shown(list.element)) list.enter(); };
  const look = () => {
    if (!shown(search)) return;
    search.focus();
    search.select();
  };
  listenToKeys(view, { j: enter, k: enter, arrowdown: enter, arrowup: enter, '/': look });
}

/** What of a row takes the focus. @param {HTMLElement} row @returns {HTMLElement} */
function target(row) {
  return row.querySelector('a.list-link') ?? row;
}
