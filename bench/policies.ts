import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Acl, diffPolicySets, Effort, lintAclPolicy, parseAclPolicy, policyChange } from '../src/model';
import { STEPS_OF_A_PLAN } from '../src/provider/policies/meaning';
import { race } from './measure';
import { policySet, RULES, rules, TEAMS } from './policy-sets';

const POLICIES = 2_000;
const DECISIONS = 100_000;
/** The number of policies in a plan. Every tenth is one whose comparison takes long. */
const PLANNED = 1_000;

/** The time to an answer about ACL policies, and its limit. */
export interface PolicyTime {
  readonly what: string;
  readonly took: number;
  readonly limit: number;
  readonly unit: 'ms' | 'µs';
}

/** Measures the times for which people wait when they examine policies. */
export async function timePolicies(rounds: number): Promise<readonly PolicyTime[]> {
  const [before, after] = [policySet(0), policySet(1)];
  const texts = Array.from({ length: POLICIES }, (_, index) => rules(index % 7, 6).join('\n'));
  const planned = Array.from({ length: PLANNED }, (_, index) =>
    index % 10 === 0 ? hostile(index) : rules(index % 7, 6).join('\n'),
  );
  const acl = new Acl([parseAclPolicy(rules(0).join('\n'))]);
  const medians = await race(rounds, [
    { name: 'first diff', run: () => Promise.resolve(firstDiff()) },
    { name: 'diff', run: inOneGo(() => diffPolicySets(before, after)) },
    { name: 'lint', run: inOneGo(() => texts.forEach((text) => lintAclPolicy(text))) },
    { name: 'plan', run: inOneGo(() => planAll(planned)) },
    { name: 'decisions', run: inOneGo(() => decide(acl)) },
  ]);
  return [
    {
      what: `first diff of two sets of ${RULES} rules in a process, without reading them`,
      took: medians['first diff'] ?? NaN,
      limit: 100,
      unit: 'ms',
    },
    { what: 'the same again', took: medians.diff ?? NaN, limit: 100, unit: 'ms' },
    { what: `lint of ${POLICIES} policies`, took: medians.lint ?? NaN, limit: 5_000, unit: 'ms' },
    {
      what: `what ${PLANNED} policies of a plan allow, a tenth of them hostile`,
      took: medians.plan ?? NaN,
      limit: 2_000,
      unit: 'ms',
    },
    { what: 'a decision', took: ((medians.decisions ?? NaN) / DECISIONS) * 1_000, limit: 5, unit: 'µs' },
  ];
}

/** Compares the policies of one plan. */
function planAll(policies: readonly string[]): void {
  const steps = new Effort(STEPS_OF_A_PLAN);
  for (const text of policies) policyChange(undefined, text, steps);
}

/** Returns rules that have paths in common with each other, or many globs for one parameter. */
function hostile(seed: number): string {
  const indexes = Array.from({ length: 200 }, (_, index) => index);
  if (seed % 20 === 0) {
    const globs = JSON.stringify(indexes.map((index) => `*${index}x${seed}`));
    return `path "a" {\n  capabilities = ["update"]\n  required_parameters = ["p"]\n  allowed_parameters = { "p" = ${globs} }\n}`;
  }
  const paths = indexes.map((index) =>
    index.toString(2).padStart(9, '0').replaceAll('1', '+/').replaceAll('0', 'a/'),
  );
  return paths
    .map(
      (path, index) =>
        `path "${path}${seed}*" {\n  capabilities = ["${index % 2 === 0 ? 'read' : 'list'}"]\n}`,
    )
    .join('\n');
}

/** Measures code that V8 has not optimized yet, as a command of the command line runs it. */
function firstDiff(): number {
  return Number(execFileSync(process.execPath, [join(__dirname, 'first-diff.js')], { encoding: 'utf8' }));
}

/** Measures computing time only, so that other load on the machine does not count. */
function inOneGo(work: () => unknown): () => Promise<number> {
  return () => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return Promise.resolve((user + system) / 1_000);
  };
}

function decide(acl: Acl): void {
  for (let index = 0; index < DECISIONS; index++) {
    acl.allow({ operation: 'read', path: `secret/data/team-${index % TEAMS}/app-${index % 10}/config` });
  }
}
