import type { ObjectDefinition } from '../definition/field';
import { aclArgumentsSetOnce, aclGlobsAtTheEnd, aclPathsWithoutVersion, aclPolicyParses } from './acl-rules';
import { policyNotEmpty } from './document-rules';
import { aclPolicyField, nameField } from './fields';
import { nameRules } from './name-rules';

/** An ACL policy: what tokens may do. Interface sections 2.2 and 4.2. */
export const aclPolicy: ObjectDefinition = {
  name: 'acl_policy',
  title: 'ACL policy',
  path: 'sys/policies/acl',
  edition: 'community',
  restricted: true,
  doc: 'An ACL policy: the paths its tokens may reach, and what they may do there. A change takes effect at once.',
  section: '2.2',
  fields: { name: nameField, policy: aclPolicyField },
  rules: [
    ...nameRules,
    policyNotEmpty,
    aclPolicyParses,
    aclArgumentsSetOnce,
    aclGlobsAtTheEnd,
    aclPathsWithoutVersion,
  ],
};
