/**
 * Kills a writing emulator at random moments, and checks that no acknowledged write is lost: `npm
 * run kills -- --rounds 200`.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), 'test/emulator/data-folder/kills'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, KILLS_ROUNDS: values.rounds } },
);
process.exit(status ?? 1);
