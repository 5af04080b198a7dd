import type { Finding, FieldValues, ObjectDefinition } from '../definition/field';
import { validate } from '../definition/validate';
import { HASH_ALGORITHMS, type KeySpec } from './key-spec';
import { MANAGED_KEY_BASE } from './managed-key-backend';
import { phrase, remove, literal } from '../messages';

/** The input of a test signature. */
export const TEST_SIGN = {
  name: 'managed_key_test_sign',
  title: 'test/sign of managed key',
  path: MANAGED_KEY_BASE.path,
  edition: MANAGED_KEY_BASE.edition,
  restricted: MANAGED_KEY_BASE.restricted,
  doc: 'Signs and verifies random data with a managed key, to check that its configuration works.',
  fields: {
    use_pss: {
      type: 'boolean',
      default: false,
      doc: 'Uses RSA-PSS signatures, with a salt of the length of the hash.',
    },
    hash_algorithm: {
      type: 'string',
      default: 'sha2-256',
      allowed: HASH_ALGORITHMS,
      doc: 'Hash algorithm of the signature.',
    },
  },
  rules: [],
} as const satisfies ObjectDefinition;

/**
 * Checks a test signature by itself, and against the key that is to make it. If the key allows only
 * one way of signing, absent fields get their values from it.
 *
 * @param key the facts about the key; `undefined` if they are not known yet.
 */
export function validateTestSign(
  values: FieldValues,
  key: KeySpec | undefined,
  unknown?: ReadonlySet<string>,
): readonly Finding[] {
  const { use_pss: pss, hash_algorithm: hash } = values;
  const { family, signature } = key ?? {};
  return [
    ...validate(TEST_SIGN, values, unknown),
    ...(family === 'ECDSA' && pss === true ? [PSS_IS_FOR_RSA] : []),
    ...(family === 'RSA' && signature && differs(pss, signature.pss)
      ? [unlikeAlgorithm('use_pss', pss, signature.pss)]
      : []),
    ...(signature && differs(hash, signature.hash)
      ? [unlikeAlgorithm('hash_algorithm', hash, signature.hash)]
      : []),
  ];
}

const PSS_IS_FOR_RSA: Finding = {
  severity: 'error',
  rule: 'use-pss-for-rsa',
  field: 'use_pss',
  problem: 'is only for RSA keys, but the key is an ECDSA key',
  received: literal(true),
  allowed: literal(false),
  cure: remove('use_pss'),
};

function unlikeAlgorithm(name: string, received: unknown, allowed: unknown): Finding {
  return {
    severity: 'error',
    rule: 'signature-fits-algorithm',
    field: name,
    problem: "does not match the key's algorithm",
    received: literal(received),
    allowed: literal(allowed),
    cure: phrase`${remove(name)}: it is then determined by the algorithm`,
  };
}

function differs(received: unknown, allowed: unknown): boolean {
  return received !== undefined && received !== null && received !== allowed;
}
