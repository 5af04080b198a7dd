/**
 * Kills a writing emulator at random moments, and checks that no acknowledged write is lost:
 * `npm run kills -- --rounds 200`.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmRun, number } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { rounds } = npmRun('kills', 'Kills a writing emulator, and looks for every acknowledged write.')
  .option('--rounds <NUMBER>', 'the number of kills', number, 200)
  .parse()
  .opts();
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), 'test/emulator/data-folder/kills'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, KILLS_ROUNDS: String(rounds) } },
);
process.exit(status ?? 1);
