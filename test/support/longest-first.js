const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Files that take long although they are small. Jest begins with the largest files if it does not
 * know the times of an earlier run.
 */
const LONG = [
  /\/languages\//,
  /\/release\/(platforms|release|musl)\.test/,
  /\/executables\//,
  /\/explore\//,
  /\/replication\/set\/walks\/planted/,
  /\/provider\/replication\/set\/(interruptions|crashes|worlds)\.test/,
  /\/(examples|docs|package|peers)\//,
  /\/cli\/adopt\/estate\.test/,
  /\/provider\/(worlds|secrets)\.test/,
  /\/mistakes\/hcl\.test/,
];

/** Begins with the files that take longest, so that no process is idle at the end of a run. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONG.findIndex((pattern) => pattern.test(path));
      return found < 0 ? LONG.length : found;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
