import type { Fields, FieldValues, Rule } from '../definition/field';
import { fieldsRule } from '../definition/rules';
import type { ValuesOf } from '../definition/typed-values';
import { generationRule, isSet } from './common-rules';
import { KEY_CURVES, RSA_KEY_BITS, type KeySpec } from './key-spec';
import { managedKeyBackend, type ManagedKeyBackend } from './managed-key-backend';
import { either, field, phrase, set, literal, literals } from '../messages';

const FIELDS = {
  access_key: {
    type: 'string',
    sensitive: true,
    doc:
      'AWS access key. Without it, the server uses the default AWS credentials of its machine: `AWS_ACCESS_KEY_ID`, a ' +
      'profile or an instance profile.',
  },
  secret_key: {
    type: 'string',
    sensitive: true,
    doc: 'AWS secret key. Without it, the server uses the default AWS credentials of its machine.',
  },
  region: {
    type: 'string',
    default: 'us-east-1',
    doc: 'AWS region of the key.',
    inputDoc: 'Without it, the server uses the default region of its machine.',
  },
  endpoint: {
    type: 'string',
    doc: 'Endpoint of the key-management service.',
    inputDoc: 'Default: the AWS endpoint of the region.',
  },
  kms_key: {
    type: 'string',
    required: true,
    doc: 'ARN, id or alias of the key.',
    inputDoc: 'If the key may be generated, it must be an alias, which the generated key gets.',
  },
  key_type: {
    type: 'string',
    required: true,
    allowed: ['RSA', 'ECDSA'],
    ignoreCase: true,
    doc: 'Type of the key: `RSA`, which requires `key_bits`, or `ECDSA`, which requires `curve`.',
  },
  key_bits: { type: 'integer', default: 0, allowed: RSA_KEY_BITS, doc: 'Size of an RSA key in bits.' },
  curve: {
    type: 'string',
    default: '',
    allowed: KEY_CURVES,
    doc: 'Curve of an ECDSA key. `P256` is the AWS key spec ECC_NIST_P256, and so on.',
  },
} as const satisfies Fields;
export type AwsKmsValues = ValuesOf<typeof FIELDS>;

const RSA_NEEDS_KEY_BITS: Rule = fieldsRule(['key_bits', 'key_type'], 'rsa-needs-key-bits', (values) =>
  familyOf(values) === 'RSA' && !isSet(values, 'key_bits')
    ? {
        problem: phrase`is required if ${field('key_type')} is RSA`,
        allowed: RSA_KEY_BITS.join(', '),
        cure: set('key_bits', 'the size of the key'),
      }
    : undefined,
);

const ECDSA_NEEDS_CURVE: Rule = fieldsRule(['curve', 'key_type'], 'ecdsa-needs-curve', (values) =>
  familyOf(values) === 'ECDSA' && !isSet(values, 'curve')
    ? {
        problem: phrase`is required if ${field('key_type')} is ECDSA`,
        allowed: literals(KEY_CURVES),
        cure: set('curve', 'the curve of the key'),
      }
    : undefined,
);

const GENERATION_NEEDS_ALIAS: Rule = generationRule(
  ['kms_key'],
  'generation-needs-alias',
  ({ kms_key: key }) =>
    typeof key !== 'string' || key.trim() === '' || isAwsAlias(key)
      ? undefined
      : {
          problem: phrase`must be an alias if ${field('allow_generate_key')} is ${literal(true)}`,
          received: literal(key),
          allowed: 'an alias such as "alias/signing"; a generated key gets it',
          cure: either('set it to an alias', set('allow_generate_key', false)),
        },
);

/** Keys in AWS KMS. */
export const AWS_KMS: ManagedKeyBackend = managedKeyBackend({
  type: 'awskms',
  title: 'AWS KMS',
  doc: 'A managed key in AWS KMS. An existing key must have the key usage SIGN_VERIFY.',
  fields: FIELDS,
  keySpec: (values): KeySpec | undefined => {
    const { key_bits: bits, curve } = values;
    const family = familyOf(values);
    if (family === undefined) return undefined;
    return family === 'RSA' ? { family, bits: bits as number } : { family, curve: curve as string };
  },
  rules: [RSA_NEEDS_KEY_BITS, ECDSA_NEEDS_CURVE, GENERATION_NEEDS_ALIAS],
});

/** Whether a text names a key of AWS KMS by an alias: `alias/signing`, or the ARN of an alias. */
export function isAwsAlias(key: string): boolean {
  return /^(arn:[^:]+:kms:[^:]*:[^:]*:)?alias\/.+$/.test(key);
}

function familyOf({ key_type: type }: FieldValues): KeySpec['family'] | undefined {
  const name = typeof type === 'string' ? type.toUpperCase() : undefined;
  return name === 'RSA' || name === 'ECDSA' ? name : undefined;
}
