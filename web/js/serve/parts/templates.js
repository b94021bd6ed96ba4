// Templates of a saved run: what the files of a cluster share is ignored from then on.

import { clean, cleanName, h, put } from '../../dom.js';
import { count } from '../../format.js';
import { inCollection } from '../api.js';
import { problemNote } from './common.js';

/** @param {import('../start.js').ServeApp} app @param {() => void} changed  the clusters are others now */
export function templatesPanel(app, changed) {
  const list = h('ul', { class: 'templates', 'data-part': 'templates' });
  const problem = h('div');
  const element = h('section', { class: 'panel', hidden: true }, h('h2', {}, 'Templates'), h('p', { class: 'small muted' }, 'What they hold does not count: files that share nothing else are not clustered.'), problem, list);
  let run = '';

  /** @param {() => Promise<unknown>} change */
  async function apply(change) {
    put(problem);
    try {
      await change();
      changed();
    } catch (error) {
      put(problem, problemNote(error));
    }
  }

  return {
    element,
    /** @param {import('../types.js').Served} index */
    async show(index) {
      element.hidden = index.kind !== 'run';
      if (index.kind !== 'run') return;
      run = index.name;
      try {
        const { templates } = await app.api.get(inCollection(run, 'templates'));
        put(list, templates.length === 0 ? h('li', { class: 'muted' }, 'None is marked.') : templates.map((/** @type {any} */ template) => h('li', { class: 'template' },
          h('div', { class: 'template-count' }, h('b', { class: 'number' }, template.documents), h('span', { class: 'small muted' }, template.documents === 1 ? 'file' : 'files')),
          h('div', {}, h('p', { class: 'template-title' }, h('strong', {}, cleanName(template.name)), h('span', { class: 'small muted' }, ` · ${count(template.chunks.length, 'chunk')} · ${cleanName(template.from)} `),
            h('button', { type: 'button', class: 'quiet', onclick: () => { void apply(() => app.api.ask('DELETE', inCollection(run, `templates/${encodeURIComponent(template.name)}`), {})); } }, 'Count it again')),
          template.text && h('p', { class: 'template-text small' }, clean(template.text))))));
      } catch (error) {
        put(problem, problemNote(error));
      }
    },
    /** For a cluster of a run. @param {import('../types.js').Served} index @param {import('../types.js').ReviewCluster} cluster */
    markButton(index, cluster) {
      if (index.kind !== 'run') return null;
      return h('p', {}, h('button', { type: 'button', 'data-action': 'template', onclick: () => { void apply(() => app.api.send(inCollection(index.name, 'templates'), {}, { cluster: cluster.number })); } }, 'Ignore what they share'),
        h('span', { class: 'small muted' }, ' as a template: the clusters are made again without it'));
    },
  };
}
