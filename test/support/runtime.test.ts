import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

const folder = temporaryFolder('modules');
const load = createRequire(join(folder, 'main.js'));
const loaded: unknown[] = [];
let goesOn: Promise<void> | undefined;

/** Loads another module in each of many turns, and so also after the test that began it. */
async function loadInTurns(): Promise<void> {
  for (const index of Array(100).keys()) {
    writeFileSync(join(folder, `${index}.js`), `module.exports = ${index};`);
    loaded.push(load(`./${index}`));
    await Promise.resolve();
  }
}

describe('a module that is loaded late', () => {
  test('can be used by what a test begins', () => {
    goesOn = loadInTurns();
    expect(loaded).toEqual([0]);
  });

  test('can be used by what goes on between two tests', async () => {
    expect(loaded.length).toBeGreaterThan(1);
    await goesOn;
    expect(loaded).toEqual([...Array(100).keys()]);
  });
});
