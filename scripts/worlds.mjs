/**
 * Runs the life cycle of replication sets, policies, managed keys and automated snapshots under
 * every alternative of the emulator's assumptions, and under random combinations: `npm run worlds
 * -- --rounds 200 --seed 7`.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), 'test/provider/(replication/set/)?worlds'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WORLDS_ROUNDS: values.rounds, WORLDS_SEED: values.seed },
  },
);
process.exit(status ?? 1);
