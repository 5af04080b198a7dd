import { join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');

test('the fast tests leave out those that start other programs', () => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a configuration is read as Jest reads it
  const { testPathIgnorePatterns: patterns } = require('../../jest.fast.config.js') as {
    testPathIgnorePatterns: readonly string[];
  };
  const leavesOut = (path: string) => patterns.some((pattern) => new RegExp(pattern).test(join(ROOT, path)));

  expect(leavesOut(relative(ROOT, __filename))).toBe(true);
  expect(leavesOut('test/provider/managed-keys/lifecycle.test.ts')).toBe(true);
  expect(leavesOut('test/policy/vitest-types.test.ts')).toBe(false);
  expect(leavesOut('test/model/acl/parse.test.ts')).toBe(false);
});
