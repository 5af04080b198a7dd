/**
 * The types of the matchers for Vitest's `expect`: `import 'cdktf-vault-admin/policy/vitest'`. With `globals: true` the matchers
 * are added as well; without, call `expect.extend(POLICY_MATCHERS)`.
 */
import { POLICY_MATCHERS, type PolicyMatchers } from './matchers';

// Vitest is not a dependency of this package.
// eslint-disable-next-line @typescript-eslint/ban-ts-comment
// @ts-ignore
declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
  interface Assertion<T> extends PolicyMatchers<void> {}
}

const { expect } = globalThis as { expect?: { extend(matchers: object): void } };
expect?.extend(POLICY_MATCHERS);
