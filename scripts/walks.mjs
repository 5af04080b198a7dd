/**
 * Takes random walks of replication sets in several processes: `npm run walks -- --walks 10000 --seed 7 [--processes 2]`. A walk that
 * fails prints its seed and all that happened; `--walks 1 --seed SEED` takes it again.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    walks: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const walks = Number(values.walks);
const processes = Math.min(Number(values.processes), walks);
const share = Math.ceil(walks / processes);

const began = performance.now();
const codes = await Promise.all(
  Array.from({ length: processes }, (_, index) => {
    const count = Math.min(share, walks - index * share);
    return count > 0 ? take(count, Number(values.seed) + index * share) : 0;
  }),
);
console.log(`${walks} walks in ${((performance.now() - began) / 1000).toFixed(0)} s`);
process.exit(Math.max(...codes));

function take(count, seed) {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), 'test/provider/replication/set/walks/walks'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, WALKS: String(count), WALKS_SEED: String(seed) } },
  );
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
