import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

const folder = temporaryFolder('modules');
const load = createRequire(join(folder, 'main.js'));
const loaded: unknown[] = [];

/** Loads a module in each of many turns of the event loop. The test that calls it does not wait. */
async function loadInTurns(): Promise<void> {
  for (const index of Array(100).keys()) {
    writeFileSync(join(folder, `${index}.js`), `module.exports = ${index};`);
    loaded.push(load(`./${index}`));
    await Promise.resolve();
  }
}

let loading: Promise<void> | undefined;

test('work that a test starts can load a module during the test', () => {
  loading = loadInTurns();
  expect(loaded).toEqual([0]);
});

test('work that a test started can load a module between two tests', async () => {
  expect(loaded.length).toBeGreaterThan(1);
  await loading;
  expect(loaded).toEqual([...Array(100).keys()]);
});
