/**
 * The types of the matchers for Vitest's `expect`: `import 'cdktf-vault-admin/policy/vitest'`. With
 * `globals: true` the matchers are added as well; without, call `expect.extend(POLICY_MATCHERS)`.
 */
import { POLICY_MATCHERS, type PolicyMatchers } from './matchers';

// Vitest is not a dependency of this package. TypeScript only adds to a module that the file refers
// to.
// eslint-disable-next-line @typescript-eslint/ban-ts-comment
// @ts-ignore
export type { Assertion } from 'vitest';

// eslint-disable-next-line @typescript-eslint/ban-ts-comment
// @ts-ignore
declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any
  interface Assertion<T = any> extends PolicyMatchers<void> {}
}

const { expect } = globalThis as { expect?: { extend(matchers: object): void } };
expect?.extend(POLICY_MATCHERS);
