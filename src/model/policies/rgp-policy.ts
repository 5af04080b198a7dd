import type { Fields, ObjectDefinition } from '../definition/field';
import type { WrittenValuesOf } from '../definition/typed-values';
import { POLICY_NOT_EMPTY, NAME_RULES } from './common-rules';
import { ENFORCEMENT_LEVEL_FIELD, NAME_FIELD, SENTINEL_POLICY_FIELD } from './fields';
import { SENTINEL_PARSES, SENTINEL_RUNS } from './sentinel-rules';
import { RGP_POLICY_PATH } from '../paths';

const FIELDS = {
  name: NAME_FIELD,
  policy: SENTINEL_POLICY_FIELD,
  enforcement_level: ENFORCEMENT_LEVEL_FIELD,
} as const satisfies Fields;

/** The configured values of an RGP policy, by the interface's field names. */
export type RgpPolicyValues = WrittenValuesOf<typeof FIELDS>;

/** A role governing policy, which applies to tokens and identities. */
export const RGP_POLICY = {
  name: 'rgp_policy',
  title: 'RGP policy',
  path: RGP_POLICY_PATH,
  edition: 'enterprise',
  restricted: true,
  doc: 'A role governing policy: a Sentinel policy for tokens and identities. A change takes effect immediately.',
  fields: FIELDS,
  rules: [...NAME_RULES, POLICY_NOT_EMPTY, SENTINEL_PARSES, SENTINEL_RUNS],
} satisfies ObjectDefinition;
