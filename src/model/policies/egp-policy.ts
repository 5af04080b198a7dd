import type { ObjectDefinition } from '../definition/field';
import { policyNotEmpty } from './document-rules';
import { egpPathRules } from './egp-path-rules';
import { enforcementLevelField, nameField, pathsField, sentinelPolicyField } from './fields';
import { nameRules } from './name-rules';
import { sentinelIsBalanced } from './sentinel-rules';

/** An endpoint governing policy, tied to paths. Interface sections 2.2 and 4.2. */
export const egpPolicy: ObjectDefinition = {
  name: 'egp_policy',
  title: 'EGP policy',
  path: 'sys/policies/egp',
  edition: 'enterprise',
  restricted: true,
  doc: 'An endpoint governing policy: a Sentinel document tied to paths. A change takes effect at once.',
  section: '2.2',
  fields: {
    name: nameField,
    policy: sentinelPolicyField,
    enforcement_level: enforcementLevelField,
    paths: pathsField,
  },
  rules: [...nameRules, policyNotEmpty, sentinelIsBalanced, ...egpPathRules],
};
