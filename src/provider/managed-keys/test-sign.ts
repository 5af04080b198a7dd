import { describeFinding, MANAGED_KEY, TEST_SIGN, validateTestSign, type KeySpec } from '../../model';
import { bool, isKnown, singleBlock, string, type Diagnostics, type Unknown } from '../../plugin';
import { describeField } from '../objects';

/** Defaults are left to the server, for a key that allows one way of signing only follows that. */
const { hash_algorithm: hashAlgorithm, use_pss: usePss } = TEST_SIGN.fields;

export const testSignBlock = singleBlock({
  description: `${TEST_SIGN.doc} It is made after every change; where it fails, so does the change, and the next apply tries again.`,
  attributes: {
    hash_algorithm: string({ optional: true, description: describeField(hashAlgorithm) }),
    use_pss: bool({ optional: true, description: describeField(usePss) }),
    on_refresh: bool({
      optional: true,
      default: false,
      description:
        'Makes a test signature whenever Terraform reads the key, too. Where it fails, so does the plan.',
    }),
    passed: bool({
      computed: true,
      description: 'Whether the last test signature after a change was a success.',
    }),
  },
});

/** What a state says of the test signature. */
export interface TestSign {
  readonly hash_algorithm: string | null;
  readonly use_pss: boolean | null;
  readonly on_refresh: boolean;
  readonly passed: boolean | null;
}

/** What a configuration says of it, while planning. */
export type TestSignConfig =
  { readonly [Name in keyof TestSign]: TestSign[Name] | null | Unknown } | null | Unknown;

/** @param key what is known of the key that signs. */
export function reportTestSign(
  config: TestSignConfig,
  name: string | undefined,
  key: KeySpec | undefined,
  diagnostics: Diagnostics,
): void {
  if (config === null || !isKnown(config)) return;
  const ifKnown = (value: unknown) => (isKnown(value) ? value : null);
  const values = { hash_algorithm: ifKnown(config.hash_algorithm), use_pss: ifKnown(config.use_pss) };
  for (const finding of validateTestSign(values, key)) {
    const field = `test_sign.${finding.field}`;
    const { summary, detail } = describeFinding(MANAGED_KEY, name, { ...finding, field });
    diagnostics[finding.severity](summary, detail, ['test_sign', finding.field]);
  }
}
