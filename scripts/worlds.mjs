/**
 * Runs the life cycle of replication sets, policies, managed keys and automated snapshots with
 * every alternative of each assumption of the emulator, and with random combinations of them:
 * `npm run worlds -- --rounds 200 --seed 7`.
 */
import { npmRun, number, runJest } from './npm-run.mjs';

const { rounds, seed } = npmRun(
  'worlds',
  "Runs the life cycle of objects under every alternative of the emulator's assumptions, and under random combinations.",
)
  .option('--rounds <NUMBER>', 'the number of random combinations', number, 50)
  .option('--seed <NUMBER>', 'of the combinations', number, 1)
  .parse()
  .opts();
runJest(['test/provider/(replication/set/)?worlds'], {
  WORLDS_ROUNDS: String(rounds),
  WORLDS_SEED: String(seed),
});
