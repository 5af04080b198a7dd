/**
 * Searches for plans, files of Terraform and tests of Sentinel policies that take commands more
 * work than their length allows.
 *
 * @counts-work
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { paid, plant } from './support/planted';
import { climb, type Search } from './support/climb';
import { fileFor, runCommand } from './support/commands';
import { ANSWERS, jsonTree, TERRAFORM, terraformFile } from './support/grammars';

/**
 * The maximum work for a command, for each character of its input, and for each step that a budget
 * has paid for.
 */
const MOST = { command: 30_000, character: 100, step: 10 } as const;

const change = (type: string, before: object, after: object) => ({
  ...{ address: `${type}.a`, mode: 'managed', type },
  change: { actions: ['update'], before, after, after_unknown: {}, after_sensitive: {} },
});
const rule = (path: string) => `path "${path}" { capabilities = ["read"] }\n`;
const set = (...paths: readonly string[]) => ({
  primary: 'us',
  secondaries: { eu: { id: 'eu', paths_filter: { mode: 'deny', paths } } },
  steps: ['join eu'],
});
const PLAN = {
  format_version: '1.2',
  resource_changes: [
    change('vaultadmin_perf_replication_set', set('a/'), set('a/', 'b/')),
    change('vaultadmin_acl_policy', { name: 'a', policy: rule('a') }, { name: 'a', policy: rule('b') }),
  ],
};
const plan = { grammar: ANSWERS, start: () => jsonTree(PLAN) };

/** @param name the name of the file with the input. Default: the last argument */
function search(
  args: readonly string[],
  grammar: Pick<Search, 'grammar' | 'start'>,
  name = basename(args.at(-1)!),
): void {
  climb(args.map((each) => basename(each)).join(' '), {
    ...grammar,
    plant: () => plant('lines'),
    run: async (text) => {
      paid.steps = 0;
      await runCommand(args, { [name]: text });
      return {
        characters: text.length,
        work: MOST.command + MOST.character * text.length + MOST.step * paid.steps,
      };
    },
  });
}

const POLICY = 'import "m"\nparam limit\nmain = rule { m.a is not undefined and request.path is "a" }\n';
const TEST = 'test/it/a.json';
const CONFIGURATION = {
  global: { request: { value: { path: 'a', data: { a: ['b'] } } } },
  mock: { m: { data: { a: ['b'] } } },
  param: { limit: { value: 'a' } },
  test: { rules: { main: true } },
};
beforeAll(() => {
  mkdirSync(dirname(fileFor(TEST)), { recursive: true });
  writeFileSync(fileFor('it.sentinel'), POLICY);
});

search(['plan-picture', fileFor('plan.json')], plan);
search(['plan-picture', '--format', 'mermaid', fileFor('plan.json')], plan);
search(['policy', 'diff', '--plan', fileFor('plan.json')], plan);
search(['policy', 'check', fileFor('it.tf')], { grammar: TERRAFORM, start: terraformFile });
search(['policy', 'lint', fileFor('it.tf')], { grammar: TERRAFORM, start: terraformFile });
search(
  ['policy', 'test', fileFor('it.sentinel')],
  { grammar: ANSWERS, start: () => jsonTree(CONFIGURATION) },
  TEST,
);
