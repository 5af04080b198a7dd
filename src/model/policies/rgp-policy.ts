import type { ObjectDefinition } from '../definition/field';
import { POLICY_NOT_EMPTY } from './document-rules';
import { ENFORCEMENT_LEVEL_FIELD, NAME_FIELD, SENTINEL_POLICY_FIELD } from './fields';
import { NAME_RULES } from './name-rules';
import { SENTINEL_IS_BALANCED } from './sentinel-rules';

/** A role governing policy, tied to tokens and identities. Interface sections 2.2 and 4.2. */
export const RGP_POLICY = {
  name: 'rgp_policy',
  title: 'RGP policy',
  path: 'sys/policies/rgp',
  edition: 'enterprise',
  restricted: true,
  doc: 'A role governing policy: a Sentinel document tied to tokens and identities. A change takes effect at once.',
  section: '2.2',
  fields: { name: NAME_FIELD, policy: SENTINEL_POLICY_FIELD, enforcement_level: ENFORCEMENT_LEVEL_FIELD },
  rules: [...NAME_RULES, POLICY_NOT_EMPTY, SENTINEL_IS_BALANCED],
} satisfies ObjectDefinition;
