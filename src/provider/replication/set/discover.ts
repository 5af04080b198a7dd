import { VaultError, type ReplicationStatus } from '../../../client';
import { REPLICATION_SET } from '../../../model';
import type { RequestContext } from '../../objects';
import type { ImportRequest } from '../../../plugin';
import { MessageError } from '../../messages';
import { observe } from './decide';
import { Performer } from './perform';
import { quote, type Observation } from './planner';
import type { SetState } from './schema';
import { UNCONFIGURED } from './state';

const { title } = REPLICATION_SET;

/**
 * Returns the primary of an import: its name, which may be the whole id, or the id of the set.
 *
 * @throws DiagnosticError if no cluster with that name is configured, or if no cluster is the
 * primary of that set
 */
export async function importedPrimary(
  { id, identity }: ImportRequest,
  context: RequestContext,
): Promise<string> {
  const names = context.providerData.knownNames(title, context);
  if (identity) return primaryOf(String(identity.cluster_id), names, context);
  if (names.includes(id)) return id;
  throw new MessageError({
    summary: `${title}: import id ${quote(id)} does not contain a cluster name`,
    allowed: `the name of the set's primary, one of ${names.map(quote).join(', ')}`,
    cures: 'write the name of the cluster that is the primary now',
  });
}

async function primaryOf(
  clusterId: string,
  names: readonly string[],
  context: RequestContext,
): Promise<string> {
  const statuses = await Promise.all(names.map(async (name) => [name, await glance(name, context)] as const));
  const [found] = statuses.filter(
    ([, status]) => status?.mode === 'primary' && status.cluster_id === clusterId,
  );
  if (found) return found[0];
  throw new MessageError({
    summary: `${title}: no cluster is the primary of the set ${quote(clusterId)}`,
    details: `Clusters read: ${names.map(quote).join(', ')}.`,
    cures: "check the cluster_id, and that the primary is in clusters of the provider's configuration",
  });
}

/** Returns the status of a cluster; `undefined` if it does not answer. */
async function glance(name: string, context: RequestContext): Promise<ReplicationStatus | undefined> {
  const { performance } = context.providerData.cluster(name, title, context).anonymous().replication;
  try {
    return (await performance.status({ signal: context.signal })).data;
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

/** Whether a set was imported and not read yet: its state then contains only the primary. */
export function isImported({ cluster_id }: SetState): boolean {
  return cluster_id === null;
}

/**
 * Returns the set of a primary: its secondaries are the clusters of the provider's configuration
 * that report the same replication set.
 *
 * @throws DiagnosticError if the cluster is not a primary
 */
export async function discover(state: SetState, context: RequestContext): Promise<SetState> {
  const { primary } = state;
  const names = context.providerData
    .knownNames(title, context)
    .filter((name) => context.providerData.isReady(name));
  const performer = new Performer(context, { definition: REPLICATION_SET, title });
  const observation = await performer.run(observe(names, { ids: [], before: {} }));
  const facts = observation[primary];
  if (facts?.mode !== 'primary' || facts.unreachable !== undefined) throw noPrimary(primary, observation);
  const secondaries = Object.entries(observation).flatMap(([name, each]) =>
    each.mode === 'secondary' && each.clusterId === facts.clusterId
      ? [[name, { ...UNCONFIGURED, id: each.secondaryId || name }] as const]
      : [],
  );
  return {
    ...state,
    cluster_id: facts.clusterId,
    primary_cluster_addr: facts.clusterAddr || null,
    secondaries: secondaries.length === 0 ? null : Object.fromEntries(secondaries),
    switchover: REPLICATION_SET.fields.switchover.default,
    deletion_protection: true,
    steps: [],
  };
}

function noPrimary(primary: string, observation: Observation): MessageError {
  const facts = observation[primary];
  const others = Object.keys(observation).filter((name) => observation[name]?.mode === 'primary');
  return new MessageError({
    summary: `${title}: there is no set whose primary is ${quote(primary)}`,
    details: [
      `Status of ${quote(primary)}: ${facts?.unreachable ?? facts?.mode ?? 'unknown'}.`,
      `Primaries among the clusters of the provider's configuration: ${others.map(quote).join(', ') || 'none'}.`,
    ],
    cures: 'import the set by the name of its primary; a set that does not exist yet is created by an apply',
  });
}
