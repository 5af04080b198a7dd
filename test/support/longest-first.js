const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The small files that take long: without the times of an earlier run, Jest begins with the largest
 * files.
 */
const LONG = [
  /\/languages\/python\.test/,
  /\/release\/(platforms|release|musl)\.test/,
  /\/explore\//,
  /\/replication\/set\/walks\/planted/,
  /\/(provider|cli)\/executable/,
  /\/provider\/replication\/set\/(interruptions|crashes|worlds)\.test/,
  /\/(examples|docs|package|peers)\//,
  /\/cli\/adopt\/estate\.test/,
  /\/provider\/(worlds|secrets)\.test/,
  /\/mistakes\/hcl\.test/,
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
