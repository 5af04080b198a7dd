/**
 * Measures commands against their alternatives, in turn and in one run, and prints medians and
 * ratios. Other load on the machine affects both alike, so the ratios show how fast the project is.
 *
 *   npm run bench
 *   npm run bench -- --rounds 9 --count 1000
 *   npm run bench -- --large
 */
import { Command } from 'commander';
import { prepareUpstream, upstreamMirror, upstreamMissing } from '../test/support/upstream-mirror';
import { raceEmulatorReads, raceGovernedReads } from './emulator-reads';
import { raceEmulatorWrites, timeExpiredTokens } from './emulator-writes';
import { raceImport } from './import';
import { runLargeStacks } from './large-stacks';
import { timePolicies } from './policies';
import { racePython } from './python';
import { countPlanOfTen, racePair, raceSwitchover } from './replication';
import { report, type Comparison } from './report';
import { raceSentinelCheck } from './sentinel';
import { raceStart } from './start';
import { raceSynth } from './synth';
import { raceTerraform } from './terraform';
import { nullResource, terraformData, upstream, vaultadmin } from './terraform-stacks';

const values = new Command('npm run bench --')
  .description('Measures commands against their alternatives, and prints medians and ratios.')
  .option('--rounds <NUMBER>', 'how often each is measured', Number, 7)
  .option('--count <NUMBER>', 'the number of policies in large stacks', Number, 1000)
  .option('--large', 'measure only apps with large stacks')
  .parse()
  .opts<{ readonly rounds: number; readonly count: number; readonly large?: true }>();
const { rounds, count } = values;

void (values.large ? measureLargeStacks() : main());

async function main(): Promise<void> {
  prepareUpstream();
  for (const provider of ['vault', 'null']) {
    if (!upstreamMirror(provider)) console.error(upstreamMissing(provider));
  }
  const start = await raceStart(rounds * 3);
  const imported = await raceImport(rounds * 3);
  const synth = await raceSynth(rounds);
  const onePolicy = await racePython(rounds, 1);
  const manyPolicies = await racePython(rounds, 1000);
  const reads = await raceEmulatorReads(rounds);
  const governed = await raceGovernedReads(rounds);
  const writes = await raceEmulatorWrites(rounds);
  const expired = await timeExpiredTokens();
  const sentinel = await raceSentinelCheck(rounds);
  const policies = await timePolicies(rounds);
  const pair = await racePair(rounds);
  const switchover = await raceSwitchover(rounds);
  const { planOne, planNew, apply, replan, farApply } = await raceTerraform(rounds, count);

  const floor = { ours: vaultadmin.name, comparedWith: terraformData.name, unit: 'ms' } as const;
  const peer = { ...floor, comparedWith: upstream.name };
  const nothing = { ...floor, comparedWith: nullResource.name };
  const comparisons: readonly Comparison[] = [
    {
      what: 'start to handshake',
      medians: start,
      ours: 'provider',
      comparedWith: 'node -e 0',
      unit: 'ms',
      target: { max: 1.7 },
    },
    {
      what: 'import',
      medians: imported,
      ours: 'the constructs',
      comparedWith: 'cdktf alone',
      unit: 'ms',
      target: { max: 1.5 },
    },
    {
      what: 'synth of 5,000',
      medians: synth,
      ours: 'AclPolicy',
      comparedWith: 'the same L1s',
      unit: 'ms',
      target: { max: 1.2 },
    },
    {
      what: 'synth of one from Python',
      medians: onePolicy,
      ours: 'AclPolicy',
      comparedWith: 'Policy',
      unit: 'ms',
      target: { max: 1.5 },
    },
    {
      what: 'synth of 1,000 from Python',
      medians: manyPolicies,
      ours: 'AclPolicy',
      comparedWith: 'Policy',
      unit: 'ms',
      target: { max: 1.5 },
    },
    {
      what: 'emulator reads',
      medians: reads,
      ours: 'emulator',
      comparedWith: 'bare node:http',
      unit: 'per second',
      target: { min: 0.7 },
    },
    {
      what: 'emulator reads of a secret',
      medians: governed,
      ours: 'with one EGP',
      comparedWith: 'without',
      unit: 'per second',
      target: { min: 0.5 },
    },
    {
      what: 'emulator writes of a secret',
      medians: writes,
      ours: 'with --data',
      comparedWith: 'without',
      unit: 'per second',
      target: { min: 0.3 },
    },
    {
      what: 'check of 1,000 policies of 100 lines',
      medians: sentinel,
      ours: 'Sentinel',
      comparedWith: 'TypeScript, parse alone',
      unit: 'ms',
      target: { beyond: 2000 },
    },
    {
      what: 'pair from nothing to streaming',
      medians: pair,
      ours: 'apply of a pair',
      comparedWith: 'the bare calls',
      unit: 'ms',
      target: { beyond: 3000 },
    },
    {
      what: 'set without a primary during a switchover',
      medians: switchover,
      ours: 'apply of a switchover',
      comparedWith: 'demote and promote',
      unit: 'ms',
      target: { max: 1.5 },
    },
    { what: 'plan of one', medians: planOne, ...floor },
    { what: 'plan of one', medians: planOne, ...nothing },
    { what: 'plan of one', medians: planOne, ...peer, target: { max: 1.05 } },
    { what: `plan of ${count} new`, medians: planNew, ...floor },
    { what: `plan of ${count} new`, medians: planNew, ...peer },
    { what: `apply of ${count}`, medians: apply, ...floor },
    { what: `apply of ${count}`, medians: apply, ...peer },
    { what: `re-plan of ${count}`, medians: replan, ...floor },
    { what: `re-plan of ${count}`, medians: replan, ...nothing, target: { max: 1 } },
    { what: `re-plan of ${count}`, medians: replan, ...peer, target: { max: 1 } },
    { what: '2,000 creates, 20 ms away', medians: farApply, ...peer, target: { max: 0.8 } },
  ];
  report(comparisons.filter(({ medians, comparedWith }) => comparedWith in medians));

  console.log('\nQuestions to ACL policies, computing time:');
  for (const { what, took, limit, unit } of policies) {
    console.log(
      `- ${what}: ${took.toPrecision(3)} ${unit} (at most ${limit}: ${took <= limit ? 'met' : 'missed'})`,
    );
  }

  console.log(`\nRemoval of 100,000 expired wrapping tokens: ${expired.toFixed(0)} ms (at most 5000)`);

  console.log('\nRequests of the plan of an unchanged set of ten secondaries:');
  for (const [request, times] of Object.entries(await countPlanOfTen())) console.log(`- ${times} ${request}`);
}

/** By itself, as it takes minutes. */
async function measureLargeStacks(): Promise<void> {
  for (const { what, seconds, memory } of await runLargeStacks()) {
    const programs = Object.entries(memory).map(([name, megabytes]) => `${name} ${megabytes} MB`);
    console.log(`- ${[`${what}: ${seconds.toFixed(1)} s`, ...programs].join(', ')}`);
  }
}
