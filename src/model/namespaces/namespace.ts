import type { Fields, ObjectDefinition, Rule } from '../definition/field';
import { textRule } from '../definition/rules';
import { namespacePathProblem, normalizeNamespace } from '../identity/namespace-path';
import { literal, phrase, set } from '../messages';
import type { ValuesOf } from '../definition/typed-values';
import { NAMESPACE_PATH } from '../paths';

export const NAMESPACE_FIELDS = {
  path: {
    type: 'string',
    required: true,
    identity: true,
    doc: 'Name of the namespace: the last segment of its path. The argument `namespace` says which namespace it is created in.',
  },
  custom_metadata: {
    type: 'string_map',
    since: '1.12',
    doc: 'Texts by name that describe the namespace. Requires Vault Enterprise 1.12.',
  },
} as const satisfies Fields;

/** The fields of the Terraform resource that are not sent to servers. */
export const NAMESPACE_SETTINGS = {
  force_destroy: {
    type: 'boolean',
    default: false,
    doc:
      'Whether a destroy deletes the namespace with everything in it: secrets engines, auth methods, policies, keys, identities. ' +
      'If `false`, a destroy is refused while the namespace holds any of them. Namespaces within it are never deleted by it.',
  },
} as const satisfies Fields;

const PATH_IS_ONE_NAME: Rule = textRule('path', 'path-is-one-name', (path) => {
  const names = normalizeNamespace(path).split('/');
  const name = names.at(-1)!;
  const parent = names.slice(0, -1).join('/');
  const problem = namespacePathProblem(path);
  if (name === '' || problem) {
    return {
      problem: 'cannot be the name of a namespace',
      received: literal(path),
      ...(problem && { allowed: problem.allowed }),
      cure: 'set it to a name such as "team"',
    };
  }
  if (path === name) return undefined;
  return {
    problem: 'must be one name, without slashes',
    received: literal(path),
    cure:
      parent === ''
        ? phrase`${set('path', literal(name))}`
        : phrase`${set('path', literal(name))}, and ${set('namespace', literal(parent))}`,
  };
});

/** A namespace, which holds mounts, policies, identities and further namespaces of its own. */
export const NAMESPACE: ObjectDefinition = {
  name: 'namespace',
  title: 'namespace',
  path: NAMESPACE_PATH,
  edition: 'enterprise',
  restricted: false,
  doc: 'A namespace: an isolated part of a cluster with its own secrets engines, auth methods, policies and identities.',
  fields: NAMESPACE_FIELDS,
  rules: [PATH_IS_ONE_NAME],
};

/** The configured values of a namespace. */
export type NamespaceValues = ValuesOf<Omit<typeof NAMESPACE_FIELDS, 'path'>>;
