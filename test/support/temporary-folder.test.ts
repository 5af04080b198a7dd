import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

test('the temporary folder of a file with a failing test exists in the last hook, and is removed after it', () => {
  const project = temporaryFolder('jest');
  const seen = join(project, 'seen');
  writeFileSync(
    join(project, 'failing.test.ts'),
    `import { existsSync, writeFileSync } from 'node:fs';
     import { temporaryFolder } from '${join(__dirname, 'temporary-folder')}';
     const folder = temporaryFolder('failing');
     writeFileSync(folder + '/file', '');
     test('one is not two', () => expect(1).toBe(2));
     afterAll(() => writeFileSync('${seen}', existsSync(folder) ? folder : 'removed too early'));`,
  );
  const config = {
    rootDir: project,
    transform: { '\\.ts$': join(__dirname, 'transform.js') },
    runtime: join(__dirname, 'runtime.js'),
    cacheDirectory: join(project, 'cache'),
  };
  const jest = require.resolve('jest/bin/jest');
  const { status } = spawnSync(process.execPath, [jest, '--config', JSON.stringify(config)]);
  expect(status).toBe(1);
  const folder = readFileSync(seen, 'utf8');
  expect(folder).toMatch(/\/failing-\w{6}$/);
  expect(existsSync(folder)).toBe(false);
});
