import type { Fields, ObjectDefinition } from '../definition/field';
import type { WrittenValuesOf } from '../definition/typed-values';
import {
  ACL_ARGUMENTS_SET_ONCE,
  ACL_GLOBS_AT_THE_END,
  ACL_PATHS_WITHOUT_EXPRESSIONS,
  ACL_PATHS_WITHOUT_VERSION,
  ACL_POLICY_PARSES,
  ACL_SYNTAX_KNOWN,
} from './acl-rules';
import { POLICY_NOT_EMPTY, NAME_RULES } from './common-rules';
import { ACL_POLICY_FIELD, NAME_FIELD } from './fields';
import { ACL_POLICY_PATH } from '../paths';

const FIELDS = { name: NAME_FIELD, policy: ACL_POLICY_FIELD } as const satisfies Fields;

/** The configured values of an ACL policy, by the interface's field names. */
export type AclPolicyValues = WrittenValuesOf<typeof FIELDS>;

/** An ACL policy, which grants capabilities on paths to tokens. */
export const ACL_POLICY: ObjectDefinition = {
  name: 'acl_policy',
  title: 'ACL policy',
  path: ACL_POLICY_PATH,
  edition: 'community',
  restricted: true,
  doc: 'An ACL policy: the paths that its tokens may access, and what they may do there. A change takes effect immediately.',
  fields: FIELDS,
  rules: [
    ...NAME_RULES,
    POLICY_NOT_EMPTY,
    ACL_POLICY_PARSES,
    ACL_SYNTAX_KNOWN,
    ACL_ARGUMENTS_SET_ONCE,
    ACL_GLOBS_AT_THE_END,
    ACL_PATHS_WITHOUT_VERSION,
    ACL_PATHS_WITHOUT_EXPRESSIONS,
  ],
};
