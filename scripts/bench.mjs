/**
 * Measures commands against their alternatives:
 *
 *   npm run bench
 *   npm run bench -- --rounds 9 --count 1000
 *   npm run bench -- --large
 *   npm run bench -- --write --rounds 3
 */
import { npmRun, number } from './npm-run.mjs';

const options = npmRun(
  'bench',
  'Measures commands against their alternatives, and prints medians and ratios.',
)
  .option('--rounds <NUMBER>', 'how often each is measured', number, 7)
  .option('--count <NUMBER>', 'the number of policies in large stacks', number, 1000)
  .option('--large', 'measure only apps with large stacks')
  .option('--write', 'write the results to docs/speed.md, too')
  .parse()
  .opts();

const { bench } = await import('../lib/bench/run.js');
await bench(options);
