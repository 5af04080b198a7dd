const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take long, and are small: without the times of an earlier run, Jest begins with the largest ones. */
const LONG = [
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
