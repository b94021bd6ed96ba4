// The frame of the page: head, foot, colours, and the view that the address names.

import { h, put } from './dom.js';
import { address, current, here } from './route.js';
import { themeButton } from './theme.js';

/**
 * A view is made once and then shown as often as its address changes, threshold included.
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(route: import('./route.js').Route) => void} show
 * @property {string} title
 */

/**
 * @typedef {object} Frame
 * @property {() => string} what            what the page is about
 * @property {string} foot
 * @property {string[][]} places            the views that the head leads to: path and name
 * @property {Record<string, () => View>} views  by the first part of the address; '' is where the page begins
 * @property {Record<string, string>} [above]  under which of the places other views are
 * @property {(route: import('./route.js').Route) => import('./route.js').Route} arrive  before a view is shown: may lead elsewhere
 * @property {HTMLElement[]} [tools]        beside the choice of colours
 */

/** Starts the page. @param {Frame} frame @returns {{ again: () => void }}  makes every view anew */
export function startFrame(frame) {
  const links = frame.places.map(([path, name]) => h('a', { href: address([path]), 'data-place': path }, name));
  const main = h('main', { id: 'main', tabindex: -1 });
  const what = h('span', { class: 'what' });
  put(
    document.body,
    h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ e) => { e.preventDefault(); main.focus(); } }, 'To the content'),
    h('header', { class: 'top' },
      h('a', { class: 'brand', href: address([]) }, h('span', { class: 'mark', 'aria-hidden': 'true' }, '≈'), 'lookalike'),
      what,
      h('nav', { 'aria-label': 'Views' }, links),
      frame.tools ?? [],
      themeButton()),
    main,
    h('footer', {}, frame.foot),
  );
  /** @type {Map<string, View>} */
  const made = new Map();
  let shown = '';
  function show() {
    const route = frame.arrive(current());
    const wanted = route.path[0] ?? '';
    const name = Object.hasOwn(frame.views, wanted) ? wanted : '';
    let view = made.get(name);
    if (view === undefined) {
      view = frame.views[name]();
      made.set(name, view);
    }
    if (view.element.parentElement !== main) {
      put(main, view.element);
      scrollTo(0, 0);
    }
    view.show(route);
    document.title = `${view.title} · lookalike`;
    what.title = frame.what();
    put(what, h('bdi', {}, frame.what()));
    for (const link of links) {
      const path = link.dataset.place ?? '';
      link.setAttribute('href', address([path]));
      link.toggleAttribute('data-here', path === name || path === frame.above?.[name]);
      if (path === name) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const place = route.path.join('/');
    if (shown !== place && shown !== '') main.focus({ preventScroll: true });
    shown = place;
  }
  let told = '';
  addEventListener('hashchange', () => {
    // who went there by a key was shown it at once
    if (told === here()) return;
    told = here();
    show();
  });
  told = here();
  show();
  document.documentElement.dataset.ready = 'yes';
  return {
    again() {
      made.clear();
      show();
    },
  };
}
