// For the programs that tests start. Terraform ends before it has filled the memory: collecting
// garbage would take a quarter of its processor time.
Object.assign(process.env, { GOGC: 'off', GOMEMLIMIT: '1GiB' });

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/before-all.ts',
  globalTeardown: '<rootDir>/test/support/after-all.ts',
  testMatch: ['**/*.test.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/transform.js' },
  runtime: '<rootDir>/test/support/runtime.js',
  moduleNameMapper: { '^cdktf-vault-admin$': '<rootDir>/constructs/index.ts' },
  setupFiles: ['<rootDir>/test/support/cheap-digests.ts'],
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // One more than the cores of a small machine: many tests wait for a program, a server or a
  // deadline.
  maxWorkers: 3,
  // Starting a program takes 60 ms of computing in a process with 2 GB of memory, 10 ms in one with
  // 300 MB: a process that has grown is replaced. Up to 100 MB of the limit is garbage, because
  // `npm test` lets the space for short-lived values grow.
  workerIdleMemoryLimit: '400MB',
  // For tests that hang: a busy machine must not fail one that takes half a minute by itself. None
  // has a shorter limit of its own.
  testTimeout: 300_000,
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
};
