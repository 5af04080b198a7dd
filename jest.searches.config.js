const config = require('./jest.config');

/** `npm run test:searches`: searches of replication's states, random inputs, growing inputs. */
module.exports = {
  ...config,
  testMatch: undefined,
  testRegex: [
    '/test/(explore|fuzz)/.*\\.test\\.ts$',
    '/test/bounds/(bounds|limits)\\.test\\.ts$',
    '/walks/[^/]+\\.test\\.ts$',
    '/worlds\\.test\\.ts$',
  ],
};
