import type { ObjectDefinition } from '../definition/field';
import { policyNotEmpty } from './document-rules';
import { enforcementLevelField, nameField, sentinelPolicyField } from './fields';
import { nameRules } from './name-rules';
import { sentinelIsBalanced } from './sentinel-rules';

/** A role governing policy, tied to tokens and identities. Interface sections 2.2 and 4.2. */
export const rgpPolicy: ObjectDefinition = {
  name: 'rgp_policy',
  title: 'RGP policy',
  path: 'sys/policies/rgp',
  edition: 'enterprise',
  restricted: true,
  doc: 'A role governing policy: a Sentinel document tied to tokens and identities. A change takes effect at once.',
  section: '2.2',
  fields: { name: nameField, policy: sentinelPolicyField, enforcement_level: enforcementLevelField },
  rules: [...nameRules, policyNotEmpty, sentinelIsBalanced],
};
