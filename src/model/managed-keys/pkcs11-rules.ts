import type { FieldValues, Rule } from '../definition/field';
import { fieldsRule, integerRule, textRule } from '../definition/rules';
import { generationRule, isSet } from './common-rules';
import { KEY_CURVES, RSA_KEY_BITS } from './key-spec';
import {
  findMechanism,
  mechanismNumber,
  mechanismOfName,
  MECHANISMS,
  SUPPORTED_MECHANISMS,
} from './mechanisms';
import { either, field, phrase, remove, set, literal, literals } from '../messages';

const KEY_IS_NAMED: Rule = fieldsRule(['key_label', 'key_id'], 'key-label-or-key-id', (values) =>
  isSet(values, 'key_label') || isSet(values, 'key_id')
    ? undefined
    : {
        problem: phrase`or ${field('key_id')} is required`,
        allowed: 'the label of the key, or its id',
        cure: phrase`set ${field('key_label')} or ${field('key_id')}`,
      },
);

const SLOT_IS_NAMED: Rule = fieldsRule(['slot', 'token_label'], 'slot-or-token-label', (values) =>
  isSet(values, 'slot') || isSet(values, 'token_label')
    ? undefined
    : {
        problem: phrase`or ${field('token_label')} is required`,
        allowed: 'the number of the slot, or the label of its token',
        cure: phrase`set ${field('slot')} or ${field('token_label')}`,
      },
);

const SLOT_IS_NAMED_ONCE: Rule = fieldsRule(['slot', 'token_label'], 'slot-xor-token-label', (values) =>
  isSet(values, 'slot') && isSet(values, 'token_label')
    ? {
        problem: phrase`conflicts with ${field('token_label')}`,
        received: phrase`${literal(values.slot)}, with ${field('token_label')} ${literal(values.token_label)}`,
        allowed: 'one of the two',
        cure: phrase`remove ${field('slot')} or ${field('token_label')}`,
      }
    : undefined,
);

const SLOT_IS_DECIMAL: Rule = textRule('slot', 'slot-decimal', (slot) =>
  slot === '' || /^\d+$/.test(slot)
    ? undefined
    : {
        problem: 'must be a decimal number',
        received: literal(slot),
        allowed: 'decimal digits; convert hexadecimal numbers',
        cure: /^0x[0-9a-f]{1,100}$/i.test(slot)
          ? `write ${JSON.stringify(BigInt(slot).toString())}`
          : 'write the number of the slot',
      },
);

const MECHANISM_IS_HEXADECIMAL: Rule = textRule('mechanism', 'mechanism-hexadecimal', (mechanism) => {
  if (mechanism.trim() === '' || mechanismNumber(mechanism) !== undefined) return undefined;
  const named = mechanismOfName(mechanism);
  return {
    problem: 'must be a hexadecimal number',
    received: literal(mechanism),
    allowed: `"0x" and 1 to 100 hexadecimal digits, such as ${SUPPORTED_MECHANISMS}`,
    cure: named ? `write ${JSON.stringify(named)}` : "write the mechanism's number",
  };
});

const MAX_PARALLEL_IS_POSITIVE: Rule = {
  ...integerRule('max_parallel', 'max-parallel-positive', (number) =>
    number < 1
      ? {
          problem: 'must be at least 1',
          received: String(number),
          allowed: 'the maximum number of concurrent requests to the HSM, 1 or more',
          cure: 'set it to 1 or more, or remove it for the default of 1',
        }
      : undefined,
  ),
  // The provider `hashicorp/vault` sends 0 if the field is left out.
  serverAccepts: true,
};

const GENERATION_NEEDS_LABEL: Rule = generationRule(['key_label'], 'generation-needs-key-label', (values) =>
  isSet(values, 'key_label')
    ? undefined
    : {
        problem: phrase`is required if ${field('allow_generate_key')} is ${literal(true)}`,
        allowed: 'the label of the generated key; the HSM assigns ids',
        cure: either(set('key_label'), set('allow_generate_key', false)),
      },
);

const GENERATION_NEEDS_SUPPORTED_MECHANISM: Rule = generationRule(
  ['mechanism'],
  'generation-needs-supported-mechanism',
  ({ mechanism }) =>
    typeof mechanism !== 'string' ||
    mechanismNumber(mechanism) === undefined ||
    findMechanism(mechanism) !== undefined
      ? undefined
      : {
          problem: 'is a mechanism for which the server cannot generate keys',
          received: literal(mechanism),
          allowed: SUPPORTED_MECHANISMS,
          cure: phrase`use one of these, or create the key in the HSM and ${set('allow_generate_key', false)}`,
        },
);

const GENERATION_NEEDS_CURVE: Rule = generationRule(
  ['curve', 'mechanism'],
  'generation-needs-curve',
  (values) =>
    familyOf(values) !== 'ECDSA' || isSet(values, 'curve')
      ? undefined
      : {
          problem: phrase`is required if ${field('allow_generate_key')} is ${literal(true)} and the mechanism is CKM_ECDSA`,
          allowed: literals(KEY_CURVES),
          cure: either(set('curve'), set('allow_generate_key', false)),
        },
);

const GENERATION_NEEDS_KEY_BITS: Rule = generationRule(
  ['key_bits', 'mechanism'],
  'generation-needs-key-bits',
  (values) =>
    familyOf(values) !== 'RSA' || isSet(values, 'key_bits')
      ? undefined
      : {
          problem: phrase`is required if ${field('allow_generate_key')} is ${literal(true)} and the mechanism is ${RSA_MECHANISMS}`,
          allowed: RSA_KEY_BITS.join(', '),
          cure: either(set('key_bits'), set('allow_generate_key', false)),
        },
);

const OAEP_HASH_NEEDS_OAEP: Rule = fieldsRule(
  ['rsa_oaep_hash', 'mechanism'],
  'oaep-hash-needs-oaep',
  (values) =>
    !isSet(values, 'rsa_oaep_hash') ||
    typeof values.mechanism !== 'string' ||
    findMechanism(values.mechanism)?.name === 'CKM_RSA_PKCS_OAEP'
      ? undefined
      : {
          problem: 'requires the mechanism CKM_RSA_PKCS_OAEP',
          received: phrase`${field('mechanism')} ${literal(values.mechanism)}`,
          allowed: phrase`${field('mechanism')} ${literal('0x0009')}`,
          cure: either(remove('rsa_oaep_hash'), set('mechanism', literal('0x0009'))),
        },
);

const RSA_MECHANISMS = MECHANISMS.filter(({ keyFamily }) => keyFamily === 'RSA')
  .map(({ name }) => name)
  .join(' or ');

function familyOf({ mechanism }: FieldValues): 'RSA' | 'ECDSA' | undefined {
  return typeof mechanism === 'string' ? findMechanism(mechanism)?.keyFamily : undefined;
}

export const PKCS11_RULES: readonly Rule[] = [
  KEY_IS_NAMED,
  SLOT_IS_NAMED,
  SLOT_IS_NAMED_ONCE,
  SLOT_IS_DECIMAL,
  MECHANISM_IS_HEXADECIMAL,
  MAX_PARALLEL_IS_POSITIVE,
  GENERATION_NEEDS_LABEL,
  GENERATION_NEEDS_SUPPORTED_MECHANISM,
  GENERATION_NEEDS_CURVE,
  GENERATION_NEEDS_KEY_BITS,
  OAEP_HASH_NEEDS_OAEP,
];
