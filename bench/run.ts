/**
 * Measures commands against their alternatives, in turn and in one run, and prints medians and
 * ratios. Other load on the machine affects both alike, so the ratios show how fast the project is.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from '../test/support/terraform';
import { prepareUpstream, upstreamMirror, upstreamMissing } from '../test/support/upstream-mirror';
import { raceEmulatorReads, raceGovernedReads } from './emulator-reads';
import { raceEmulatorWrites, timeExpiredTokens } from './emulator-writes';
import { raceImport } from './import';
import { runLargeStacks } from './large-stacks';
import { timePolicies } from './policies';
import { racePython } from './python';
import { countPlanOfTen, measureGaps, racePair } from './replication';
import { aboutThisMachine } from './machine';
import { recordPlanFunctions } from './plan-functions';
import { buildExecutable, zipSize } from './provider';
import { tableOf, type Comparison } from './report';
import { raceSentinelCheck } from './sentinel';
import { raceStart } from './start';
import { raceSynth } from './synth';
import { raceTerraform } from './terraform';
import { nullResource, terraformData, upstream, vaultadmin, vaultadminOnNode } from './terraform-stacks';

/** The options of `npm run bench`. */
interface BenchOptions {
  /** The number of measurements of each contender. */
  readonly rounds: number;
  /** The number of policies in large stacks. */
  readonly count: number;
  readonly large?: true;
  readonly write?: true;
}

const PAGE = join('docs', 'speed.md');
const LARGEST_ZIP = 58_000_000;

export async function bench(options: BenchOptions): Promise<void> {
  if (options.large) return measureLargeStacks();
  const folder = mkdtempSync(join(tmpdir(), 'bench-executable-'));
  try {
    if (options.write) await recordPlanFunctions();
    const lines = await measure(buildExecutable(folder), options);
    console.log(lines.join('\n'));
    if (options.write) writeFileSync(PAGE, [...headOf(), ...lines, ''].join('\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function headOf(): readonly string[] {
  return [
    '# Speed',
    '',
    'Each command and what it is compared with were run in turn on one machine; the table has the medians. Ratios hold elsewhere,',
    'absolute figures do not. `npm run bench -- --write` measures them and writes this page. If a target is missed, the row says so.',
    '',
    ...aboutThisMachine(),
    '',
  ];
}

/**
 * Returns the results as lines of Markdown.
 *
 * @param executable the folder of the executable.
 */
async function measure(executable: string, { rounds, count }: BenchOptions): Promise<readonly string[]> {
  prepareUpstream();
  for (const provider of ['vault', 'null']) {
    if (!upstreamMirror(provider)) console.error(upstreamMissing(provider));
  }
  const start = await raceStart(rounds * 3, executable);
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
  const gaps = await measureGaps(rounds);
  const terraform = await raceTerraform(rounds, count, executable);
  const { planOne, planNew, apply, replan, replanComputing, farApply } = terraform;

  const floor = { ours: vaultadmin.name, comparedWith: terraformData.name, unit: 'ms' } as const;
  const peer = { ...floor, comparedWith: upstream.name };
  const nothing = { ...floor, comparedWith: nullResource.name };
  const comparisons: readonly Comparison[] = [
    {
      what: 'start to handshake',
      medians: start,
      ours: 'executable',
      comparedWith: 'hashicorp/vault',
      unit: 'ms',
      target: { max: 0.5 },
    },
    {
      what: 'start to handshake',
      medians: start,
      ours: 'on Node.js',
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
      target: { max: 1.3 },
    },
    {
      what: 'synth of 5,000',
      medians: synth,
      ours: 'AclPolicy',
      comparedWith: 'the same L1s',
      unit: 'ms',
      target: { max: 1.15 },
    },
    {
      what: 'synth of 5,000',
      medians: synth,
      ours: 'checking the texts alone',
      comparedWith: 'the same L1s',
      unit: 'ms',
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
      target: { min: 0.8 },
    },
    {
      what: 'emulator reads of a secret',
      medians: governed,
      ours: 'with one EGP',
      comparedWith: 'without',
      unit: 'per second',
      target: { min: 0.7 },
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
    { what: 'plan of one', medians: planOne, ...floor },
    { what: 'plan of one', medians: planOne, ...nothing },
    { what: 'plan of one', medians: planOne, ...peer, target: { max: 0.75 } },
    { what: 'plan of one', medians: planOne, ...peer, ours: vaultadminOnNode.name, target: { max: 1.05 } },
    { what: `plan of ${count} new`, medians: planNew, ...floor },
    { what: `plan of ${count} new`, medians: planNew, ...peer, target: { max: 0.95 } },
    { what: `apply of ${count}`, medians: apply, ...floor },
    { what: `apply of ${count}`, medians: apply, ...peer, target: { max: 0.95 } },
    { what: `re-plan of ${count}`, medians: replan, ...floor },
    { what: `re-plan of ${count}`, medians: replan, ...nothing, target: { max: 0.95 } },
    { what: `re-plan of ${count}`, medians: replan, ...peer, target: { max: 0.95 } },
    {
      what: `re-plan of ${count}, computing time`,
      medians: replanComputing,
      ...nothing,
      target: { max: 0.95 },
    },
    { what: `re-plan of ${count}, computing time`, medians: replanComputing, ...peer, target: { max: 0.95 } },
    { what: '2,000 creates, 20 ms away', medians: farApply, ...peer, target: { max: 0.65 } },
  ];
  const found = comparisons.filter(
    ({ medians, ours, comparedWith }) => Number.isFinite(medians[ours]) && comparedWith in medians,
  );
  const zip = zipSize(executable);
  return [
    ...tableOf(found),
    '',
    'Rows about Terraform are of the executable unless they say otherwise. `terraform_data` needs no provider, and `null_resource` belongs to',
    'a provider in Go that does nothing. Rows about Python are computing time, with all processes that Python starts.',
    '',
    `The zip of the executable for ${platform()} has ${(zip / 1e6).toFixed(1)} MB (at most ${LARGEST_ZIP / 1e6} MB: ${verdict(zip <= LARGEST_ZIP)}).`,
    '',
    'Questions to ACL policies, computing time:',
    '',
    ...policies.map(
      ({ what, took, limit, unit }) =>
        `- ${what}: ${took.toPrecision(3)} ${unit} (at most ${limit}: ${verdict(took <= limit)})`,
    ),
    '',
    `Removal of 100,000 expired wrapping tokens: ${expired.toFixed(0)} ms (at most 5000: ${verdict(expired <= 5_000)}).`,
    '',
    'Time without writes during a switchover of servers that are unavailable after each change of mode, up to the first write of the new',
    'primary:',
    '',
    ...gaps.map(
      ({ mode, unavailable, took, limit }) =>
        `- \`${mode}\`, servers unavailable for ${unavailable / 1000} s: ${(took / 1000).toFixed(2)} s ` +
        `(at most ${limit / 1000} s: ${verdict(took <= limit)})`,
    ),
    '',
    'Requests of the plan of an unchanged set of ten secondaries:',
    '',
    ...Object.entries(await countPlanOfTen()).map(([request, times]) => `- ${times} ${request}`),
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : '**missed**';
}

/** Measures large stacks. This takes minutes, so it runs only if it is requested. */
async function measureLargeStacks(): Promise<void> {
  for (const { what, seconds, memory } of await runLargeStacks()) {
    const programs = Object.entries(memory).map(([name, megabytes]) => `${name} ${megabytes} MB`);
    console.log(`- ${[`${what}: ${seconds.toFixed(1)} s`, ...programs].join(', ')}`);
  }
}
