import { renderAclPolicy } from '../../model';
import { visible } from '../../text';
import { groupsBy } from '../../model/groups';
import type { Requirement } from './requirements';
import type { DoctorTarget } from './targets';

/** The ACL policy that the token of one cluster needs. */
interface LeastPolicy {
  /** The subject: `cluster "us"`. */
  readonly subject: string;
  /** The namespace of the policy and of the token; empty for the root namespace. */
  readonly namespace: string;
  readonly policy: string;
}

/** The commands of Terraform that a token is used for. A token for `apply` can also plan. */
export type Purpose = 'apply' | 'plan';

/**
 * Returns the least ACL policy with which the stacks of a cluster can be applied, or planned, by a
 * token that also has the policy `default`.
 */
export function leastPolicy(
  { subject, settings, requirements: all }: DoctorTarget,
  purpose: Purpose = 'apply',
): LeastPolicy {
  const requirements = purpose === 'apply' ? all : all.flatMap(readOnly);
  const own = settings.options.namespace ?? '';
  // Policies can also grant paths in namespaces below, never in those above.
  const namespace = requirements.some(({ inRoot }) => inRoot) ? '' : own;
  const above = namespace === own ? '' : own;
  const located = requirements.map((required) => ({
    ...required,
    path: pathFrom(required, above),
  }));
  const rules = groupsBy(located, ({ path }) => path).map((same) => ({
    path: same[0].path,
    capabilities: [...new Set(same.flatMap(({ capabilities }) => capabilities))],
    ...(same.every(({ toJoin }) => toJoin) && {
      comment: 'Only until the cluster has joined its replication set.',
    }),
  }));
  return { subject, namespace, policy: renderAclPolicy([...rules, ...rulesOfDoctor(requirements, above)]) };
}

/** Returns the part of a requirement that a plan needs. */
function readOnly(required: Requirement): readonly Requirement[] {
  if (required.writesInPlan) return [required];
  const capabilities = required.capabilities.filter((each) => ['read', 'list', 'sudo'].includes(each));
  return capabilities.some((each) => each !== 'sudo') ? [{ ...required, capabilities }] : [];
}

/**
 * Returns the rules for looking up the token in the namespaces below that of the policy. The policy
 * `default` permits this in its own namespace only.
 */
function rulesOfDoctor(requirements: readonly Requirement[], above: string) {
  const spaces = [...new Set([above, ...requirements.map((required) => namespaceOf(required, above))])];
  const paths = spaces
    .filter((space) => space !== '')
    .map((space) => ({ path: `${space}/sys/capabilities-self`, capabilities: ['update'] as const }));
  const lookUp = { path: `${above}/auth/token/lookup-self`, capabilities: ['read'] as const };
  return [...(above === '' ? [] : [lookUp]), ...paths].map((rule) => ({
    ...rule,
    comment: 'Only to look up what the token may do.',
  }));
}

/**
 * @param above the path of the namespace of the cluster's settings, relative to the namespace of
 *   the policy.
 */
function pathFrom(required: Requirement, above: string): string {
  return joined(namespaceOf(required, above), required.path);
}

function namespaceOf({ inRoot, namespace }: Requirement, above: string): string {
  return inRoot ? '' : joined(above, namespace);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

/**
 * Returns policies for people to store, with remarks on rights that the stacks do not show. A name
 * in a remark cannot end its comment.
 */
export function renderLeastPolicies(
  policies: readonly LeastPolicy[],
  unknown: readonly string[],
  purpose: Purpose = 'apply',
): string {
  const texts = policies.map(({ subject, namespace, policy }) => {
    const where = namespace === '' ? 'the root namespace' : `namespace ${JSON.stringify(namespace)}`;
    const heading = visible(
      `For the token of ${subject}${purpose === 'plan' ? ' that plans' : ''}, in ${where}, in addition to the policy "default".`,
    );
    return `# ${heading}\n\n${policy}`;
  });
  const missing = unknown.map(
    (address) => `# ${visible(`Not included: what ${address} requires could not be determined.`)}\n`,
  );
  return [...texts, ...(missing.length > 0 ? [missing.join('')] : [])].join('\n');
}
