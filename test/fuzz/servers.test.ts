/**
 * Searches for answers of servers that take commands more work than their length allows.
 *
 * @counts-work
 */
import { basename } from 'node:path';
import { paid, plant } from './support/planted';
import { climb } from './support/climb';
import { fileFor, runCommand } from './support/commands';
import { ANSWERS, answersTree } from './support/grammars';
import { type Answers, RecordedClusters } from './support/recorded-clusters';

/**
 * The maximum work for a command that receives almost nothing, for each request, for each character
 * of an answer, and for each step that a budget has paid for.
 */
const MOST = { command: 30_000, request: 3_000, character: 25, step: 10 } as const;

const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  ['doctor', '--cluster', 'us', 'eu'],
  ['adopt', '--output', fileFor('app')],
  ['policy', 'lint', '--cluster', 'us'],
  ['verify', '--cluster', 'us'],
];

let clusters: RecordedClusters;
let recorded: readonly Answers[];
beforeAll(async () => {
  clusters = await RecordedClusters.start();
  recorded = await clusters.record(COMMANDS.map((args) => () => runCommand(args, {}, clusters.env)));
});
afterAll(() => clusters.close());

COMMANDS.forEach((args, index) => {
  climb(args.map((each) => basename(each)).join(' '), {
    grammar: ANSWERS,
    start: () => answersTree(recorded[index]!),
    longest: 30_000,
    plant: () => plant('answers'),
    run: async (text) => {
      paid.steps = 0;
      clusters.use(JSON.parse(text) as Answers);
      await runCommand(args, {}, clusters.env);
      const { requests, characters } = clusters.received;
      const work = MOST.request * requests + MOST.character * characters + MOST.step * paid.steps;
      return { characters, work: MOST.command + work };
    },
  });
});
