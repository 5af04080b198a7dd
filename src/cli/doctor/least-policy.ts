import { renderAclPolicy } from '../../model';
import { visible } from '../../text';
import { groupsBy } from '../output/lists';
import type { Requirement } from './requirements';
import type { DoctorTarget } from './targets';

/** The ACL policy that the token of one cluster needs. */
interface LeastPolicy {
  /** `cluster "us"`. */
  readonly subject: string;
  /** Where it has to be, and the token with it: empty for the root namespace. */
  readonly namespace: string;
  readonly policy: string;
}

/** The commands of Terraform that a token is for. A token that applies can also plan. */
export type Purpose = 'apply' | 'plan';

/**
 * Returns the least ACL policy with which the stacks of a cluster can be applied, or planned. The
 * policy `default` is assumed beside it.
 */
export function leastPolicy(
  { subject, settings, requirements: all }: DoctorTarget,
  purpose: Purpose = 'apply',
): LeastPolicy {
  const requirements = purpose === 'apply' ? all : all.flatMap(readOnly);
  const own = settings.options.namespace ?? '';
  // Policies reach down into namespaces, and never up.
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

/** Returns what a plan requires. */
function readOnly(required: Requirement): readonly Requirement[] {
  if (required.writesInPlan) return [required];
  const capabilities = required.capabilities.filter((each) => ['read', 'list', 'sudo'].includes(each));
  return capabilities.some((each) => each !== 'sudo') ? [{ ...required, capabilities }] : [];
}

/**
 * The rules with which `doctor` and plans inspect the token in namespaces below that of the policy,
 * where `default` does not apply.
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

/** @param above the namespace of the cluster's settings, seen from that of the policy. */
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
 * Policies for people to store, with remarks on rights that the stacks do not show. No name in them
 * can end a comment.
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
