/**
 * Prints the computing time of the first comparison of two sets in a process, in milliseconds. It
 * first waits until V8 has optimized the parser in the background, so that this time is not
 * counted.
 */
import { setTimeout } from 'node:timers/promises';
import { diffPolicySets } from '../src/model';
import { policySet } from './policy-sets';

const OPTIMIZES_MS = 300;

async function main(): Promise<void> {
  const [before, after] = [policySet(0), policySet(1)];
  await setTimeout(OPTIMIZES_MS);
  const started = process.cpuUsage();
  diffPolicySets(before, after);
  const { user, system } = process.cpuUsage(started);
  console.log((user + system) / 1_000);
}

void main();
