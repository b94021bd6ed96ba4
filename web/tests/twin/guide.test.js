// What the guide tells people to write does what it says.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, folder, lookalike } from '../program.js';

/** What the guide gives for a platform. @param {string} platform */
function recipe(platform) {
  const row = readFileSync(join(ROOT, 'docs/guide/copies.md'), 'utf8').split('\n').find((line) => line.startsWith(`| ${platform} |`));
  return /--owner '([^']+)'/.exec(String(row))?.[1] ?? '';
}

for (const [root, says] of [['', 'as it comes'], ['CS101/', 'with a folder around it']]) {
  test(`people of a Moodle export have their names, ${says}`, () => {
    const place = folder();
    for (const [name, number] of [['Oskar Abara', 101], ['Mia de la Cruz', 102]]) {
      const path = join(place, 'export', `${root}${name}_${number}_assignsubmission_file_`);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'a.py'), `print(${number})\n`.repeat(20));
    }
    const archive = join(place, 'export.tar');
    execFileSync('tar', ['-cf', archive, '-C', join(place, 'export'), '.']);
    const report = JSON.parse(lookalike('copies', archive, '--per-folder', '--owner', recipe('Moodle'), '--json'));
    const owners = report.passages.submissions.map((/** @type {{ owner: string }} */ one) => one.owner).sort();
    assert.deepEqual(owners, ['Mia de la Cruz', 'Oskar Abara']);
  });
}
