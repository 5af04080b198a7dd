import { MANAGED_KEY, TEST_SIGN, validateTestSign, type KeySpec } from '../../model';
import { bool, isKnown, singleBlock, string, type Diagnostics } from '../../plugin';
import { reportFinding } from '../messages';
import { describeField } from '../fields';
import { nameIn, objectIn, textIn, type AttributeValues } from '../objects';

/**
 * The block of the test signature. Its attributes have no defaults, because the server knows which
 * way of signing a key allows.
 */
export const TEST_SIGN_BLOCK = singleBlock({
  description: `${TEST_SIGN.doc} The signature is made after every change. If it fails, the change fails, and the next apply tries again.`,
  attributes: {
    hash_algorithm: string({ optional: true, description: describeField(TEST_SIGN.fields.hash_algorithm) }),
    use_pss: bool({ optional: true, description: describeField(TEST_SIGN.fields.use_pss) }),
    on_refresh: bool({
      optional: true,
      default: false,
      description:
        'Also makes a test signature whenever Terraform reads the key. If it fails, the plan fails.',
    }),
    passed: bool({
      computed: true,
      description: 'Whether the last test signature after a change succeeded.',
    }),
  },
});

/** The attributes of the test signature in the state. */
export interface TestSign {
  readonly hash_algorithm: string | null;
  readonly use_pss: boolean | null;
  readonly on_refresh: boolean;
  readonly passed: boolean | null;
}

/** Returns the block of the test signature among known values; null if it is missing. */
export function testSignIn(values: AttributeValues): TestSign | null {
  if ((values.test_sign ?? null) === null) return null;
  const { use_pss: usePss, on_refresh: onRefresh, passed, ...texts } = objectIn(values, 'test_sign');
  return {
    hash_algorithm: textIn(texts, 'hash_algorithm'),
    use_pss: typeof usePss === 'boolean' ? usePss : null,
    on_refresh: onRefresh === true,
    passed: typeof passed === 'boolean' ? passed : null,
  };
}

/**
 * Reports errors in the test signature of a configuration.
 *
 * @param key the known values of the key
 */
export function reportTestSign(
  config: AttributeValues,
  key: KeySpec | undefined,
  diagnostics: Diagnostics,
): void {
  const given = objectIn(config, 'test_sign');
  const ifKnown = (value: unknown) => (isKnown(value) ? value : null);
  const values = { hash_algorithm: ifKnown(given.hash_algorithm), use_pss: ifKnown(given.use_pss) };
  for (const finding of validateTestSign(values, key)) {
    const { field } = finding;
    const inBlock = { ...finding, field: `test_sign.${field}` };
    reportFinding(diagnostics, MANAGED_KEY, nameIn(MANAGED_KEY, config), inBlock, ['test_sign', field]);
  }
}
