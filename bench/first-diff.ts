/** Prints the computing time of the first comparison of two sets in a process, in milliseconds. */
import { diffPolicySets } from '../src/model';
import { policySet } from './policy-sets';

const [before, after] = [policySet(0), policySet(1)];
const started = process.cpuUsage();
diffPolicySets(before, after);
const { user, system } = process.cpuUsage(started);
console.log((user + system) / 1_000);
