import type { Field } from '../definition/field';
import { sameBy } from '../definition/same-meaning';
import { policyText } from './policy-text';

/** The enforcement levels of an RGP or EGP, from the weakest to the strongest. */
export const ENFORCEMENT_LEVELS = ['advisory', 'soft-mandatory', 'hard-mandatory'] as const;
export type EnforcementLevel = (typeof ENFORCEMENT_LEVELS)[number];

export const NAME_FIELD = {
  type: 'string',
  required: true,
  identity: true,
  doc: 'Name of the policy, in lower case.',
} as const satisfies Field;

/** Compares policy documents. A document in base64 means the same as the plain text. */
const SAME_DOCUMENT = sameBy((policy) => policyText(String(policy)));

export const ACL_POLICY_FIELD = {
  type: 'string',
  required: true,
  sameMeaning: SAME_DOCUMENT,
  doc: 'Policy document in HCL or its JSON form.',
  inputDoc: 'It may be base64-encoded to avoid string escaping.',
} as const satisfies Field;

export const SENTINEL_POLICY_FIELD = {
  type: 'string',
  required: true,
  sameMeaning: SAME_DOCUMENT,
  doc: 'Policy document in the Sentinel language.',
  inputDoc: 'It may be base64-encoded to avoid string escaping.',
} as const satisfies Field;

export const ENFORCEMENT_LEVEL_FIELD = {
  type: 'string',
  required: true,
  allowed: ENFORCEMENT_LEVELS,
  doc:
    'How strictly the policy is enforced: `advisory` only logs failures, `soft-mandatory` can be overridden by a ' +
    'request that asks for it, and `hard-mandatory` cannot be overridden.',
} as const satisfies Field;

export const PATHS_FIELD = {
  type: 'string_set',
  required: true,
  doc:
    'Paths that the policy applies to, without a leading slash. A final `*` matches any suffix; the path `*` ' +
    'affects all authenticated and login requests.',
} as const satisfies Field;
