import { REPLICATION_SET } from '../../../model';
import { or, phrase, remove, type Message } from '../../../model/messages';
import { isKnown, type Diagnostics } from '../../../plugin';
import type { Cluster, Clusters } from '../../clusters';
import { report } from '../../messages';
import { loginNamespaceOf } from '../shared/member';
import {
  abandon,
  clustersIn,
  emptyStorage,
  factsOf,
  hasNeverConnected,
  hasSteppedDown,
  inWords,
  isAttached,
  receivesMount,
  list,
  quote,
  TOKEN_TTL,
  type ClusterFacts,
  type Goal,
  type Step,
  type Observation,
} from './planner';
import type { SetConfig, SetState } from './schema';
import { addressesOf } from './wanted';

const { title } = REPLICATION_SET;

/**
 * Refuses a plan that cannot show its steps: once the values are known, Terraform would apply steps
 * that nobody has reviewed.
 */
export function refuseUnshown(diagnostics: Diagnostics): void {
  report(diagnostics, 'error', {
    summary: `${title}: the plan cannot show what happens to the clusters`,
    details:
      "Some values of the set, or of its clusters in the provider's configuration, are known only after an apply. The steps " +
      'may include one that erases, promotes, demotes or disables a cluster, which nobody could have reviewed.',
    cures:
      'apply what the values come from first (terraform apply -target=...), then plan again, and review the steps',
  });
}

/**
 * Refuses steps on clusters that are no longer in the provider's configuration: every apply would
 * stop at such a step.
 */
export function refuseUnconfigured(
  steps: readonly Step[],
  { names }: Clusters,
  diagnostics: Diagnostics,
): void {
  if (!isKnown(names)) return;
  const missing = new Map<string, Step>();
  for (const step of steps) if (!names.includes(step.cluster)) missing.set(step.cluster, step);
  for (const [name, step] of missing) {
    report(diagnostics, 'error', {
      summary: `${title}: ${quote(name)} is still in the set, but not in clusters of the provider's configuration`,
      details: `Terraform could not take this step:\n  - ${inWords(step)}`,
      cures: phrase`add ${quote(name)} to clusters in the provider's configuration again, and apply. Once it has left the set,
        remove it there. ${or('If')} it is gone for good, ${abandon(name, 'add it to abandoned_clusters')} instead`,
    });
  }
}

/** Warns about clusters that do not answer: the plan uses their last known status. */
export function noticeUnreachable(
  members: readonly string[],
  observation: Observation,
  diagnostics: Diagnostics,
): void {
  for (const name of members) {
    const { unreachable, mode } = factsOf(observation, name);
    if (unreachable === undefined) continue;
    const assumed =
      mode === 'unknown' ? 'It is planned as an empty cluster.' : 'Its last known status is used.';
    report(diagnostics, 'warning', {
      summary: `${title}: the status of ${quote(name)} cannot be read`,
      details: [unreachable, `${assumed} The other clusters of the set are planned as usual.`],
    });
  }
}

/**
 * Warns of secondaries that lost the connection to their primary. They connect again by themselves.
 */
export function noticeDisconnected(goal: Goal, observation: Observation, diagnostics: Diagnostics): void {
  const { primary, secondaries } = goal.wanted;
  const facts = observation[primary];
  if (facts?.mode !== 'primary' || facts.unreachable !== undefined) return;
  for (const [name, { id }] of Object.entries(secondaries)) {
    const secondary = observation[name];
    if (secondary?.mode !== 'secondary' || secondary.unreachable !== undefined) continue;
    if (!isAttached(secondary, facts) || facts.secondaries[id] !== 'disconnected') continue;
    report(diagnostics, 'warning', {
      summary: `${title}: ${quote(name)} is not connected to its primary ${quote(primary)}`,
      details: 'It receives no writes until the connection is restored; it keeps trying.',
      cures:
        'check the network between their cluster addresses, and the logs of both. If ' +
        `${quote(name)} follows another cluster (known_primary_cluster_addrs in its replication status), change its id in ` +
        'secondaries: it then gets a new activation token',
    });
  }
}

/** The steps of a plan, and what warnings about them depend on. */
interface PlannedSteps {
  readonly goal: Goal;
  readonly steps: readonly Step[];
  readonly observation: Observation;
  readonly switchover: SetConfig['switchover'];
  readonly state: SetState | null;
  readonly clusterOf: (name: string) => Cluster;
  readonly diagnostics: Diagnostics;
}

/** The warnings about the steps of a plan, in the order in which they are shown. */
const NOTICES: readonly ((planned: PlannedSteps) => void)[] = [
  noticeNoPrimary,
  noticeNeverConnected,
  noticeRevokedTokens,
  noticeOthers,
  noticeImmediate,
  noticeForce,
  noticeTakeOver,
  noticeClusterAddr,
  noticeAddressLeftBehind,
  noticeTokens,
];

/** Warns about the steps of a plan. */
export function noticeSteps(planned: PlannedSteps): void {
  for (const notice of NOTICES) notice(planned);
}

/**
 * Warns that the address of a member leads to another cluster than in the last apply, with the same
 * role in the set. The next apply only notes the new id; later plans show the steps.
 */
function noticeOthers({ state, observation, diagnostics }: PlannedSteps): void {
  for (const [name, id] of Object.entries(state?.cluster_ids ?? {})) {
    const now = observation[name]?.self?.id;
    if (now === undefined || now === id) continue;
    report(diagnostics, 'warning', {
      summary: `${title}: ${quote(name)} is another cluster than at the last apply`,
      details: `The cluster at its address has the id ${quote(now)}; it was ${quote(id)}. The apply changes nothing, and notes the new id.`,
      cures:
        `if that is right, apply, plan again, and review the steps. Otherwise correct the address of cluster ${quote(name)} in the ` +
        "provider's configuration",
    });
  }
}

/**
 * Warns that it is unknown before the promotion whether the former primary has accepted a write
 * that its successor lacks.
 */
function noticeImmediate({ switchover, steps, diagnostics }: PlannedSteps): void {
  const step = steps.find((each) => each.kind === 'demote' && !each.forced);
  if (switchover !== 'immediate' || step?.kind !== 'demote') return;
  const [cluster, successor] = [quote(step.cluster), quote(step.successor)];
  report(diagnostics, 'warning', {
    path: ['switchover'],
    summary: `${title}: ${successor} is promoted before it can be compared with ${cluster}`,
    details:
      `If ${cluster} accepts a write in its last moment that ${successor} does not receive, ${cluster} keeps it and does not ` +
      'follow, and a person has to decide which writes are lost.',
    cures: 'pause all writers before you apply, or set switchover to "verified"',
  });
}

/**
 * Warns about a member that has a token and has never connected: a new member has to join again
 * with empty storage once its token has expired.
 */
function noticeNeverConnected({ steps, observation, diagnostics }: PlannedSteps): void {
  for (const step of steps) {
    if (step.kind !== 'follow') continue;
    const { cluster, primary } = step;
    if (!hasNeverConnected(factsOf(observation, cluster), factsOf(observation, primary))) continue;
    report(diagnostics, 'warning', {
      path: ['secondaries', cluster],
      summary: `${title}: ${quote(cluster)} has an activation token of ${quote(primary)}, but has never connected to it`,
      details:
        `If it joined as a new member, it has no data, and follows ${quote(primary)} by itself once it reaches its cluster address. ` +
        `This may only work within ${TOKEN_TTL / 60} minutes of the join, until the token expires: after that, nobody can ` +
        'log in to it to give it another one.',
      cures: phrase`check the network between their cluster addresses. If Terraform cannot log in to ${quote(cluster)},
            ${emptyStorage(cluster)}`,
    });
  }
}

/**
 * Warns of a token that an interrupted apply may have left, or that may be intended for another
 * cluster.
 */
function noticeRevokedTokens({ steps, observation, diagnostics }: PlannedSteps): void {
  for (const step of steps) {
    if (step.kind !== 'join') continue;
    const { cluster, primary, id } = step;
    const facts = factsOf(observation, primary);
    if (facts.mode !== 'primary' || facts.secondaries[id] !== 'never') continue;
    report(diagnostics, 'warning', {
      path: ['secondaries', cluster],
      summary: `${title}: ${quote(primary)} has issued an activation token for the id ${quote(id)}, which will be revoked`,
      details: 'It was never used: an apply was interrupted, or someone else issued it for another cluster.',
      cures: `if another cluster is to join with it, give ${quote(cluster)} another id (id = ... in secondaries[${quote(cluster)}])`,
    });
  }
}

/**
 * Warns that a primary uses a new address for its secondaries only after it becomes a primary
 * again.
 */
function noticeClusterAddr({ goal, steps, observation, diagnostics }: PlannedSteps): void {
  const { primary, address } = goal.wanted;
  const facts = observation[primary];
  if (facts?.mode !== 'primary' || facts.clusterAddr === undefined) return;
  if (address === undefined || facts.clusterAddr === address) return;
  const joining = steps.filter(({ kind }) => kind === 'join').map(({ cluster }) => cluster);
  const joins =
    joining.length === 0
      ? []
      : [
          `${list(joining)} will contact ${quote(primary)} at the address in use, and cannot be given another one before having reached it.`,
        ];
  report(diagnostics, 'warning', {
    path: ['primary_cluster_addr'],
    summary: `${title}: ${quote(primary)} still uses a different primary_cluster_addr`,
    details: [
      `Received: ${quote(address)}.`,
      `In use: ${quote(facts.clusterAddr)}.`,
      'The address takes effect when a cluster is enabled or promoted, so this one applies from the next switchover on. ' +
        'Secondaries that cannot reach the primary at the old address any more are given the new one.',
      ...joins,
    ],
  });
}

/**
 * Warns that primary_cluster_addr may still lead to the old primary when the new primary gives it
 * to its secondaries.
 */
function noticeAddressLeftBehind({ goal, steps, state, diagnostics }: PlannedSteps): void {
  const { wanted, known } = goal;
  const { primary, address } = wanted;
  const isPromoted = steps.some(({ kind, cluster }) => kind === 'promote' && cluster === primary);
  if (!known || !state || !isPromoted || known.primary === primary) return;
  if (address === undefined || address !== addressesOf(state)[known.primary]) return;
  report(diagnostics, 'warning', {
    path: ['primary_cluster_addr'],
    summary: `${title}: ${quote(primary)} becomes the primary with the primary_cluster_addr of ${quote(known.primary)}`,
    received:
      `${quote(address)}, the address that ${quote(known.primary)} currently gives to its secondaries. If it still leads to ` +
      `${quote(known.primary)} afterwards, no cluster can follow ${quote(primary)}`,
    cures:
      `unless the address moves with the primary, set primary_cluster_addr to the address of ${quote(primary)}, or remove ` +
      'it. Or set the address of each cluster in primary_cluster_addrs',
  });
}

/** Warns that the creation of a set that already exists takes it over. */
function noticeTakeOver({ goal, observation, diagnostics }: PlannedSteps): void {
  const { primary } = goal.wanted;
  const facts = observation[primary];
  if (goal.known || facts?.mode !== 'primary') return;
  report(diagnostics, 'warning', {
    summary: `${title}: ${quote(primary)} is already the primary of a replication set, which Terraform takes over`,
    details:
      `Cluster id: ${quote(facts.clusterId)}. Either an earlier apply was interrupted and this one completes it, or someone ` +
      'else created the set. Its members are kept, and steps lists the changes. An import shows more details.',
  });
}

/**
 * Reports a set without a primary, after an interrupted apply or a demotion by hand: until there is
 * a primary, no write is possible.
 */
function noticeNoPrimary({ goal, steps, observation, diagnostics }: PlannedSteps): void {
  const [first] = steps;
  if (!goal.known || first?.kind !== 'promote') return;
  const silent = Object.keys(observation).filter((name) => observation[name]!.unreachable !== undefined);
  const who = silent.length === 0 ? 'no cluster is the primary' : 'no cluster that answers is the primary';
  const stands = Object.entries(observation).map(([name, facts]) => `  - ${name}: ${standOf(facts)}`);
  report(diagnostics, 'warning', {
    summary: `${title}: ${who}, so nothing can be written until ${quote(first.cluster)} is promoted`,
    details: [
      'Clusters now:',
      ...stands,
      'An apply was interrupted and this one completes it, or the primary is lost, or someone made it step down.',
    ],
  });
}

function standOf(facts: ClusterFacts): string {
  if (facts.unreachable !== undefined) return 'does not answer';
  return hasSteppedDown(facts) ? 'secondary, stepped down as the primary' : facts.mode;
}

/**
 * Lists the steps of a destroy in a warning, because the plan of a destroy shows no planned values.
 */
export function noticeEnding(setTitle: string, steps: readonly Step[], diagnostics: Diagnostics): void {
  report(diagnostics, 'warning', {
    summary: `${setTitle} will end: replication is disabled on its clusters`,
    details:
      steps.length === 0
        ? 'None of its clusters is still in the set, so the resource is only removed from the state.'
        : [
            'Steps:',
            ...steps.map((step) => `  - ${inWords(step)}`),
            'Each cluster keeps its data and accepts its own writes from then on. To join them again, all but one must be erased.',
          ],
  });
}

/**
 * Warns of a force_promotion that is no longer needed, since the next change of the primary would
 * use it.
 */
function noticeForce({ goal, observation, diagnostics }: PlannedSteps): void {
  const { primary, forced } = goal.wanted;
  if (!forced || !goal.known || observation[primary]?.mode !== 'primary') return;
  report(diagnostics, 'warning', {
    path: ['force_promotion'],
    summary: `${title}: force_promotion is still set, although ${quote(primary)} is the primary`,
    details: 'As long as it is set, secondaries follow the primary even if they have writes that it lacks.',
    cures: phrase`${remove('force_promotion')} once all clusters follow the primary`,
  });
}

/** Warns of a static token, which is erased with all other data of a cluster that joins. */
function noticeTokens({ steps, clusterOf, diagnostics }: PlannedSteps): void {
  for (const { kind, cluster } of steps) {
    if (kind !== 'join' || clusterOf(cluster).settings.login) continue;
    report(diagnostics, 'warning', {
      path: ['secondaries', cluster],
      summary: `${title}: the token of cluster ${quote(cluster)} will be lost when it joins`,
      details:
        'Joining erases a cluster and all its tokens. Everything that requires a token there will fail afterwards: other resources, ' +
        'a later switchover, removing the cluster from the set.',
      cures:
        `in the provider's configuration, replace the token of cluster ${quote(cluster)} with auth_login, with an auth ` +
        'method of the primary that is replicated, such as approle or userpass. This can also be done later',
    });
  }
}

/**
 * Refuses filters that withhold the auth method of the provider's login: a secondary has only the
 * auth methods that it receives.
 */
export function refuseLockout(
  { wanted }: Goal,
  clusterOf: (name: string) => Cluster,
  diagnostics: Diagnostics,
): void {
  for (const [name, { filter }] of Object.entries(wanted.secondaries)) {
    const mount = loginMount(clusterOf(name));
    if (mount === undefined || receivesMount(filter, mount)) continue;
    report(diagnostics, 'error', {
      path: ['secondaries', name],
      summary: `${title}: the paths filter of ${quote(name)} excludes the auth method that Terraform logs in with`,
      details: [
        `Auth method of auth_login: ${quote(mount)}.`,
        'Terraform could no longer promote the cluster or remove it from the set.',
      ],
      cures: `change the filter so that the secondary receives ${quote(mount)}, or log in to ${quote(name)} with another auth method`,
    });
  }
}

/** Returns the mount of the auth method of a cluster's login, with its namespace before it. */
function loginMount(cluster: Cluster): string | undefined {
  const { login } = cluster.settings;
  const mount = /^(auth\/.+?)\/login(\/|$)/.exec(login?.path ?? '')?.[1];
  if (mount === undefined) return undefined;
  const namespace = loginNamespaceOf(cluster);
  return namespace === '' ? `${mount}/` : `${namespace}/${mount}/`;
}

/**
 * Refuses two cluster names that lead to one server, because a cluster must not join itself.
 *
 * @returns whether it was refused
 */
export function refuseSameServer(
  { wanted }: Goal,
  clusterOf: (name: string) => Cluster,
  diagnostics: Diagnostics,
): boolean {
  let isFound = false;
  const seen = new Map<string, string>();
  for (const name of clustersIn(wanted)) {
    const { address } = clusterOf(name).anonymous();
    const other = seen.get(address);
    seen.set(address, name);
    if (other === undefined) continue;
    isFound = true;
    if (other === name) {
      report(diagnostics, 'error', {
        path: ['secondaries', name],
        summary: `${title}: ${quote(name)} is both the primary and one of its secondaries`,
        details:
          'The configuration that Terraform passes to the provider also has the values that ignore_changes keeps.',
        cures: 'list neither primary nor secondaries in ignore_changes, or both of them',
      });
      continue;
    }
    report(diagnostics, 'error', {
      path: ['secondaries', name],
      summary: `${title}: ${quote(other)} and ${quote(name)} are at the same address`,
      details: `Address of both: ${address}.`,
      cures:
        "correct the address of one of them in the provider's configuration, or list the cluster only once",
    });
  }
  return isFound;
}

/** Returns the message about a state in which a secondary has no values. */
export function emptySecondary(primary: string, name: string): Message {
  return {
    summary: `${title} ${quote(primary)}: secondaries[${quote(name)}] has no values in the state`,
    details:
      'Every version of the provider stores values there, so something else has changed the state. Nothing was changed.',
    cures:
      'restore an earlier version of the state. If there is none, remove the set from the state (terraform state rm), and import it again',
  };
}
