import type { Fields, ObjectDefinition } from '../definition/field';
import type { WrittenValuesOf } from '../definition/typed-values';
import { POLICY_NOT_EMPTY, NAME_RULES } from './common-rules';
import { EGP_PATH_RULES } from './egp-path-rules';
import { ENFORCEMENT_LEVEL_FIELD, NAME_FIELD, PATHS_FIELD, SENTINEL_POLICY_FIELD } from './fields';
import { SENTINEL_PARSES, SENTINEL_RUNS } from './sentinel-rules';
import { EGP_POLICY_PATH } from '../paths';

const FIELDS = {
  name: NAME_FIELD,
  policy: SENTINEL_POLICY_FIELD,
  enforcement_level: ENFORCEMENT_LEVEL_FIELD,
  paths: PATHS_FIELD,
} as const satisfies Fields;

/** The configured values of an EGP policy, by the interface's field names. */
export type EgpPolicyValues = WrittenValuesOf<typeof FIELDS>;

/** An endpoint governing policy, which applies to paths. */
export const EGP_POLICY = {
  name: 'egp_policy',
  title: 'EGP policy',
  path: EGP_POLICY_PATH,
  edition: 'enterprise',
  restricted: true,
  doc: 'An endpoint governing policy: a Sentinel policy for paths. A change takes effect immediately.',
  fields: FIELDS,
  rules: [...NAME_RULES, POLICY_NOT_EMPTY, SENTINEL_PARSES, SENTINEL_RUNS, ...EGP_PATH_RULES],
} satisfies ObjectDefinition;
