import { normalizeNamespace } from '../../src/model';
import type { IAclPolicy } from '../policies/policy';
import { PolicyStatement, type Capability } from '../policies/policy-statement';
import { outOfReach } from './messages';

/** What may be done with an object. */
export interface Grant {
  /** Below `/v1/`, seen from the object's namespace. */
  readonly path: string;
  readonly capabilities: Capability[];
}

/**
 * Adds statements to a policy, with their paths as they are seen from the policy's namespace.
 *
 * @param purpose written above the first statement.
 * @throws Error where the policy's namespace does not reach the object's.
 */
export function grant(
  policy: IAclPolicy,
  namespace: string | undefined,
  purpose: string,
  grants: readonly Grant[],
): void {
  const prefix = namespacePrefix(policy, namespace);
  policy.addStatements(
    ...grants.map(
      ({ path, capabilities }, index) =>
        new PolicyStatement({
          comment: index === 0 ? purpose : undefined,
          paths: [prefix + path],
          capabilities,
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
