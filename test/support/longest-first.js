const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The files that count work: for each count, V8 lists everything that a process has loaded, which
 * takes long after many files of tests.
 */
const COUNTING = /\/(bounds\/bounds|fuzz\/work|acl\/attacks|support\/counted-work)\.test/;

/**
 * The small files that take long: without the times of an earlier run, Jest begins with the largest
 * files.
 */
const LONG = [
  COUNTING,
  /\/languages\/python\.test/,
  /\/release\/(platforms|release|musl)\.test/,
  /\/explore\//,
  /\/(provider|cli)\/executable/,
  /\/provider\/replication\/set\/(interruptions|crashes|worlds)\.test/,
  /\/(examples|docs|package|peers)\//,
  /\/cli\/adopt\/estate\.test/,
];

/** Begins with the files that take longest, so that no process waits for another one at the end. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONG.findIndex((pattern) => pattern.test(path));
      return found < 0 ? LONG.length : found;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
