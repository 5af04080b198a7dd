const config = require('./jest.config');

/** `npm run test:searches`: searches of replication's states, and random inputs and walks. */
module.exports = {
  ...config,
  testMatch: undefined,
  testRegex: ['/test/(explore|fuzz)/.*\\.test\\.ts$', '/walks/[^/]+\\.test\\.ts$', '/worlds\\.test\\.ts$'],
};
