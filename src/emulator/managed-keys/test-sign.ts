import {
  DEFAULT_KEY_USAGES,
  describeFinding,
  MANAGED_KEY_BACKENDS,
  normalizeKeyUsages,
  TEST_SIGN,
  validateTestSign,
  type HashAlgorithm,
  type KeySpec,
} from '../../model';
import { type LogicalError, invalidRequest, openRefusal } from '../core/errors';
import type { ServerFlavour } from '../core/backend';
import type { Decoded, FieldSchemas } from '../core/input/field-schemas';
import { KeyStoreError, signAndVerify } from './key-stores';
import type { KeyOperations } from './key-operations';
import type { ManagedKeyEntry } from './store';

export const TEST_SIGN_FIELDS = {
  use_pss: { type: 'boolean', description: TEST_SIGN.fields.use_pss.doc },
  hash_algorithm: { type: 'string', description: TEST_SIGN.fields.hash_algorithm.doc },
} as const satisfies FieldSchemas;

type TestSignRequest = Partial<Decoded<typeof TEST_SIGN_FIELDS>>;

/**
 * Signs and verifies random data with a managed key.
 *
 * @throws LogicalError 400 if the signature fails, which shows that the configuration is not valid.
 */
export async function signForTest(
  operations: KeyOperations,
  server: ServerFlavour,
  entry: ManagedKeyEntry,
  request: TestSignRequest,
): Promise<void> {
  const spec = MANAGED_KEY_BACKENDS[entry.type].keySpec(entry.fields);
  refuseFindings(entry, request, spec);
  const usages = normalizeKeyUsages(entry.fields.usages ?? DEFAULT_KEY_USAGES);
  const required: readonly string[] = server.assumed('testSignUsages').required;
  const missing = required.find((usage) => !usages?.some((each) => each === usage));
  if (missing !== undefined) {
    throw refusal(entry, `usages: ${JSON.stringify(usages)} do not include "${missing}"`);
  }
  try {
    const key = await operations.use(entry);
    // If the server does not know the mechanism, the key determines the family.
    refuseFindings(entry, request, { ...spec, family: key.key_type });
    const hash = request.hash_algorithm ?? spec?.signature?.hash ?? TEST_SIGN.fields.hash_algorithm.default;
    signAndVerify(key, hash as HashAlgorithm, request.use_pss ?? spec?.signature?.pss ?? false);
  } catch (error) {
    throw error instanceof KeyStoreError ? refusal(entry, error.message) : error;
  }
}

/** Creates the server's refusal for a failure of a key store. */
export function refusal({ name }: ManagedKeyEntry, message: string): LogicalError {
  return openRefusal('testSignFailed', name, message);
}

function refuseFindings(
  { name }: ManagedKeyEntry,
  request: TestSignRequest,
  spec: KeySpec | undefined,
): void {
  const [finding] = validateTestSign({ ...request }, spec);
  if (finding !== undefined) throw invalidRequest(describeFinding(TEST_SIGN, name, finding).line);
}
