import {
  formatImportId,
  ImportIdError,
  namespacePathProblem,
  normalizeNamespace,
  parseImportId,
  validate,
  ACL_POLICY,
  describeFinding,
} from '../model';
import { renderAclPolicy, type AclRuleSource } from '../model/acl';
import { ArgumentError, defineFunction, types, type ProviderFunction } from '../plugin';

const RULES = types.list(
  types.object({
    path: types.string,
    capabilities: types.list(types.string),
  }),
);

const POLICY_DOCUMENT = defineFunction({
  name: 'policy_document',
  summary: 'Writes an ACL policy',
  description:
    'Returns the text of an ACL policy with the given rules. Each has a `path` and its `capabilities`, such as ' +
    '`["read", "list"]`. The text is checked as the server does when it is written.',
  parameters: [{ name: 'rules', type: RULES, description: 'The rules of the policy.' }],
  returns: types.string,
  call(rules) {
    // The check of the text finds capabilities that do not exist.
    const text = renderAclPolicy(rules as readonly AclRuleSource[]);
    const [problem] = problemsOf(text, 'error');
    if (problem !== undefined) throw new ArgumentError(0, problem);
    return text;
  },
});

const POLICY_CHECK = defineFunction({
  name: 'policy_check',
  summary: 'Checks the text of an ACL policy',
  description:
    'Returns the problems in the text of an ACL policy: what the server would refuse, and rules that do not do what they seem ' +
    'to. The list is empty if there are none.',
  parameters: [{ name: 'text', type: types.string, description: 'The text, such as `file("ops.hcl")`.' }],
  returns: types.list(types.string),
  call: (text) => problemsOf(text),
});

const IMPORT_ID = defineFunction({
  name: 'import_id',
  summary: 'Writes an import ID',
  description: 'Returns the import ID of an object in its full form, `cluster/namespace//name`.',
  parameters: [
    { name: 'cluster', type: types.string, description: 'The name of the cluster.' },
    { name: 'namespace', type: types.nullable(types.string), description: 'The namespace; null for none.' },
    {
      name: 'name',
      type: types.string,
      description: 'The name of the object; of a managed key `type/name`.',
    },
  ],
  returns: types.string,
  call(cluster, namespace, name) {
    for (const [i, part] of [cluster, name].entries()) {
      if (part === '') throw new ArgumentError(i * 2, 'must not be empty');
    }
    const problem = namespacePathProblem(namespace ?? '');
    if (problem) throw new ArgumentError(1, `${problem.problem}; allowed: ${problem.allowed}`);
    return formatImportId({ cluster, namespace: normalizeNamespace(namespace), name });
  },
});

const PARSE_IMPORT_ID = defineFunction({
  name: 'parse_import_id',
  summary: 'Reads an import ID',
  description: 'Returns the parts of an import ID in its full form, `cluster/namespace//name`.',
  parameters: [{ name: 'id', type: types.string, description: 'The ID, such as the `id` of a resource.' }],
  returns: types.object({ cluster: types.string, namespace: types.string, name: types.string }),
  call(id) {
    const cluster = id.split('/')[0] ?? '';
    if (!id.includes('//') || cluster === '') {
      throw new ArgumentError(0, `must have the form cluster/namespace//name, got ${JSON.stringify(id)}`);
    }
    try {
      return parseImportId(id, [cluster]);
    } catch (error) {
      if (error instanceof ImportIdError) throw new ArgumentError(0, error.message);
      throw error;
    }
  },
});

const MOUNT_OF = defineFunction({
  name: 'mount_of',
  summary: 'Finds the mount of a path',
  description:
    'Returns the mount that a path of the API belongs to, if mounts have one segment: `secret/` for `secret/data/app`, ' +
    '`auth/userpass/` for `auth/userpass/users/alice`, `sys/` for `sys/mounts`.',
  parameters: [{ name: 'path', type: types.string, description: 'The path, without `/v1/`.' }],
  returns: types.string,
  call(path) {
    const found = mountOf(path);
    if (found === undefined) throw new ArgumentError(0, `must contain a mount, got ${JSON.stringify(path)}`);
    return found;
  },
});

/**
 * The functions of the provider, which need no server: `provider::vaultadmin::policy_check(...)`.
 */
export const FUNCTIONS: readonly ProviderFunction[] = [
  POLICY_DOCUMENT,
  POLICY_CHECK,
  IMPORT_ID,
  PARSE_IMPORT_ID,
  MOUNT_OF,
];

function problemsOf(policy: string, severity?: 'error'): readonly string[] {
  return validate(ACL_POLICY, { policy }, new Set(['name']))
    .filter((finding) => severity === undefined || finding.severity === severity)
    .map((finding) => describeFinding(ACL_POLICY, undefined, finding).summary);
}

/**
 * Returns the first segment of a path as its mount, or the first two if the path is below `auth/`;
 * `undefined` if the path contains no mount.
 */
function mountOf(path: string): string | undefined {
  const [first = '', second = ''] = path.replace(/^\/+/, '').split('/');
  if (first === '') return undefined;
  if (first !== 'auth') return `${first}/`;
  return second === '' ? undefined : `auth/${second}/`;
}
