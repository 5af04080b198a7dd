/**
 * Kills a writing emulator at random moments, and checks that no acknowledged write is lost:
 * `npm run kills -- --rounds 200`.
 */
import { npmRun, number, runJest } from './npm-run.mjs';

const { rounds } = npmRun('kills', 'Kills a writing emulator, and looks for every acknowledged write.')
  .option('--rounds <NUMBER>', 'the number of kills', number, 200)
  .parse()
  .opts();
runJest(['test/emulator/data-folder/kills'], { KILLS_ROUNDS: String(rounds) });
