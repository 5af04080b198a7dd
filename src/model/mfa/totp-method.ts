import type { Fields, ObjectDefinition } from '../definition/field';
import { durationRule, integerRule, notEmptyRule } from '../definition/rules';

/**
 * The largest size of a key in bytes. A key that is longer than the hash's blocks adds no security.
 */
const LARGEST_KEY = 128;

const FIELDS = {
  name: { type: 'string', required: true, identity: true, doc: 'Name of the method.' },
  issuer: { type: 'string', required: true, doc: 'Organization that issues the keys.' },
  period: { type: 'duration', default: 30, doc: 'How long a passcode is valid.' },
  key_size: { type: 'integer', default: 20, doc: 'Size of generated keys, in bytes.' },
  qr_size: { type: 'integer', default: 200, doc: 'Size of the QR code, in pixels. `0` generates none.' },
  algorithm: {
    type: 'string',
    default: 'SHA1',
    allowed: ['SHA1', 'SHA256', 'SHA512'],
    doc: 'Hash algorithm of passcodes.',
  },
  digits: { type: 'integer', default: 6, allowed: [6, 8], doc: 'Digits of a passcode.' },
  skew: {
    type: 'integer',
    default: 1,
    allowed: [0, 1],
    doc: 'Number of periods before and after the current one whose passcodes are accepted.',
  },
  max_validation_attempts: {
    type: 'integer',
    default: 5,
    doc: 'Number of wrong passcodes after which an entity is locked out for one period.',
  },
} as const satisfies Fields;

/**
 * An MFA method with time-based one-time passwords, which policies can require of single requests.
 */
export const TOTP_METHOD = {
  name: 'mfa_totp_method',
  title: 'TOTP method',
  path: 'sys/mfa/method/totp',
  edition: 'enterprise',
  restricted: true,
  doc: 'An MFA method with time-based one-time passwords. Keys belong to identity entities.',
  fields: FIELDS,
  rules: [
    notEmptyRule('issuer', 'write the name of the organization'),
    durationRule('period', {
      allowed: 'a number of seconds, or a duration such as "30s"',
      cure: 'set it to "30s"',
    }),
    integerRule('key_size', 'key-size-range', (size) =>
      size >= 1 && size <= LARGEST_KEY
        ? undefined
        : {
            problem: 'is out of range',
            received: String(size),
            allowed: `1 to ${LARGEST_KEY} bytes`,
            cure: 'set it to 20',
          },
    ),
    integerRule('max_validation_attempts', 'attempts-positive', (attempts) =>
      attempts > 0
        ? undefined
        : {
            problem: 'must be greater than zero',
            received: String(attempts),
            allowed: 'a number such as 5',
            cure: 'remove it for the default of 5',
          },
    ),
  ],
} satisfies ObjectDefinition & { readonly fields: typeof FIELDS };
