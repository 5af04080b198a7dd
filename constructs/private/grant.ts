import { normalizeNamespace } from '../../src/model';
import type { Access } from '../../src/model/access';
import type { IAclPolicy } from '../policies/policy';
import { Capability, PolicyStatement } from '../policies/policy-statement';
import { outOfReach } from './messages';

/**
 * Adds statements to a policy, with their paths as they are seen from the policy's namespace.
 *
 * @param purpose written above the first statement.
 * @param grants paths as they are seen from the object's namespace.
 * @throws Error where the policy's namespace does not reach the object's.
 */
export function grant(
  policy: IAclPolicy,
  namespace: string | undefined,
  purpose: string,
  grants: readonly Access[],
): void {
  const prefix = namespacePrefix(policy, namespace);
  policy.addStatements(
    ...grants.map(
      ({ path, capabilities }, index) =>
        new PolicyStatement({
          comment: index === 0 ? purpose : undefined,
          paths: [prefix + path],
          capabilities: Object.values(Capability).filter((each) => capabilities.includes(each)),
        }),
    ),
  );
}

function namespacePrefix(policy: IAclPolicy, namespace: string | undefined): string {
  const from = normalizeNamespace(policy.namespace);
  const to = normalizeNamespace(namespace);
  if (from === to) return '';
  if (from === '') return `${to}/`;
  if (to.startsWith(`${from}/`)) return `${to.slice(from.length + 1)}/`;
  throw outOfReach(policy, from, to);
}
