/**
 * Runs the life cycle of replication sets, policies, managed keys and automated snapshots with
 * every alternative of each assumption of the emulator, and with random combinations of them:
 * `npm run worlds -- --rounds 200 --seed 7`.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmRun, number } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { rounds, seed } = npmRun(
  'worlds',
  "Runs the life cycle of objects under every alternative of the emulator's assumptions, and under random combinations.",
)
  .option('--rounds <NUMBER>', 'the number of random combinations', number, 50)
  .option('--seed <NUMBER>', 'of the combinations', number, 1)
  .parse()
  .opts();
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), 'test/provider/(replication/set/)?worlds'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WORLDS_ROUNDS: String(rounds), WORLDS_SEED: String(seed) },
  },
);
process.exit(status ?? 1);
