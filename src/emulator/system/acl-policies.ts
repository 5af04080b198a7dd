import { AclPolicyError, DEFAULT_POLICY, HIDDEN_POLICIES, IMMUTABLE_POLICIES } from '../../model';
import { type LogicalResponse, type Namespace, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import {
  type PolicyStore,
  policyName,
  WRAPPING_POLICY_NAME,
  WRAPPING_POLICY_TEXT,
} from '../core/stores/policy-store';
import { foldingWarning, policyDocument, refuseImmutable, refuseTaken } from './policy-input';

export function aclPolicyRoutes({ policies, server }: ClusterParts): readonly Route[] {
  const rootNamespaceOnly = () => server.assumed('policiesInNamespaces').rootNamespaceOnly;
  return [
    route({
      pattern: 'policies/acl',
      rootNamespaceOnly,
      operations: { list: ({ namespace }) => ({ data: { keys: aclNames(policies, namespace) } }) },
      help: { synopsis: 'Lists the ACL policies.' },
    }),
    route({
      pattern: 'policies/acl/*name',
      rootNamespaceOnly,
      fields: {
        name: { type: 'string', path: true, description: 'The name of the policy.' },
        policy: {
          type: 'string',
          default: '',
          description: 'The rules of the policy, which may be base64-encoded.',
        },
      },
      operations: {
        read: ({ data, namespace }) => readAcl(policies, namespace, data.name),
        update: ({ data, namespace }) => writeAcl(policies, namespace, data.name, data.policy),
        delete: ({ data, namespace }) => deleteAcl(policies, namespace, data.name),
      },
      help: { synopsis: 'Reads, writes and deletes an ACL policy.' },
    }),
  ];
}

/**
 * Returns the names of a namespace's ACL policies, sorted; `root`, which is not stored, is last.
 */
export function aclNames(policies: PolicyStore, namespace: Namespace): string[] {
  const names = policies.list(namespace, 'acl');
  return namespace.path === '' ? [...names, 'root'] : names;
}

export function readAcl(
  policies: PolicyStore,
  namespace: Namespace,
  written: string,
): LogicalResponse | undefined {
  const name = policyName(written);
  if (name === 'root' && namespace.path === '') return { data: { name, policy: '' } };
  if (name === WRAPPING_POLICY_NAME) return { data: { name, policy: WRAPPING_POLICY_TEXT } };
  const stored = HIDDEN_POLICIES.includes(name) ? undefined : policies.get(namespace, 'acl', name);
  return stored && { data: stored };
}

export function writeAcl(
  policies: PolicyStore,
  namespace: Namespace,
  written: string,
  given: string,
): LogicalResponse | undefined {
  const name = policyName(written);
  const policy = policyDocument(given);
  try {
    policies.parse(namespace, policy);
  } catch (error) {
    throw error instanceof AclPolicyError
      ? invalidRequest(`failed to parse policy: ${error.message}`)
      : error;
  }
  refuseImmutable(name);
  refuseTaken(policies, namespace, 'rgp', name);
  policies.put(namespace, 'acl', { name, policy });
  return foldingWarning(written);
}

export function deleteAcl(policies: PolicyStore, namespace: Namespace, written: string): undefined {
  const name = policyName(written);
  if (IMMUTABLE_POLICIES.includes(name)) throw invalidRequest(`cannot delete "${name}" policy`);
  if (name === DEFAULT_POLICY) throw invalidRequest('cannot delete default policy');
  policies.delete(namespace, 'acl', name);
}
