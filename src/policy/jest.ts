/**
 * Adds the matchers to Jest's `expect`, and their types: `import 'cdktf-vault-admin/policy/jest'`
 * in a test, or name it in `setupFilesAfterEnv`.
 */
import { POLICY_MATCHERS, type PolicyMatchers } from './matchers';
import { noGlobalExpect } from './messages';

declare global {
  // The names of Jest's own types.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
    interface Matchers<R, T> extends PolicyMatchers<R> {}
  }
}

const { expect } = globalThis as { expect?: { extend(matchers: object): void } };
if (!expect) throw noGlobalExpect('cdktf-vault-admin/policy/jest');
expect.extend(POLICY_MATCHERS);
