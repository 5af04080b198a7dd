const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that count work: V8 lists all that a process has loaded for each count, which takes long after many files of tests. */
const COUNTING = /\/(bounds\/bounds|fuzz\/work|acl\/attacks|support\/counted-work)\.test/;

/** Files that take long, and are small: without the times of an earlier run, Jest begins with the largest ones. */
const LONG = [
  COUNTING,
  /\/languages\/python\.test/,
  /\/provider\/replication\/set\/(interruptions|crashes|worlds)\.test/,
  /\/(examples|docs|package|peers)\//,
  /\/cli\/adopt\/estate\.test/,
];

/** Begins with what takes longest, so that no process waits for another one at the end. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONG.findIndex((pattern) => pattern.test(path));
      return found < 0 ? LONG.length : found;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
