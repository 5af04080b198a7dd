import type { IConstruct } from 'constructs';
import { normalizeNamespace } from '../../../src/model';
import type { Access } from '../../../src/model/access';
import { Capability } from '../capability';
import { Grant } from '../grant';
import type { IAclPolicy } from '../policy';
import { PolicyStatement } from '../policy-statement';
import { checkProps, POLICY } from '../../private/expectations';
import { outOfReach } from '../../private/messages';
import { refuseConstruct } from '../../private/report';

/**
 * Adds statements for access to an object to a policy. Their paths are relative to the policy's
 * namespace.
 *
 * @param object the object to which access is granted.
 * @param purpose a comment above the first statement.
 * @param access paths relative to the object's namespace.
 */
export function grant(
  object: IConstruct & { readonly namespace?: string },
  policy: IAclPolicy,
  purpose: string,
  access: readonly Access[],
): Grant {
  checkProps(`[${object.node.path}] grant`, { policy }, { policy: POLICY });
  const prefix = namespacePrefix(policy, object.namespace);
  return Grant._addToPolicy(
    policy,
    access.map(
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
  refuseConstruct(policy, [outOfReach(from, to)]);
  return '';
}
