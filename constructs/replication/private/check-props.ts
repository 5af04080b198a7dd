import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../../clusters/cluster';
import {
  checkConstructNames,
  checkProps,
  CLUSTER,
  DURATION,
  list,
  PATHS_FILTER,
  SWITCHOVER,
  type Expectations,
} from '../../private/expectations';
import type { PerfReplicationMember } from '../member';
import type { PerfReplicationOptions } from '../set-options';

const MEMBERS = list('a list of members', '{ cluster: us }, { cluster: eu }');
const CLUSTERS = list('a list of VaultClusters', 'us, eu');
const OPTIONS = {
  formerMembers: CLUSTERS,
  abandonedClusters: CLUSTERS,
  modeChangeTimeout: DURATION,
  switchover: SWITCHOVER,
  takeoverTimeout: DURATION,
  syncTimeout: DURATION,
};

/**
 * Checks the properties of a set.
 *
 * @throws Error for a property that is missing, or does not have its declared type.
 */
export function checkSetProps(
  set: IConstruct,
  props: PerfReplicationOptions & { readonly members: readonly PerfReplicationMember[] },
): void {
  const subject = `[${set.node.path}] PerfReplicationSet`;
  checkProps(subject, props, { primary: CLUSTER, members: MEMBERS }, OPTIONS);
  props.members.forEach((member, index) => {
    checkProps(`${subject}: members[${index}]`, member, { cluster: CLUSTER }, { pathsFilter: PATHS_FILTER });
  });
  checkConstructNames(set, 'PerfReplicationSet', 'PerfReplicationSetProps', props);
  checkClusters(subject, 'formerMembers', props.formerMembers ?? []);
  checkClusters(subject, 'abandonedClusters', props.abandonedClusters ?? []);
}

/**
 * Checks the properties of a pair.
 *
 * @throws Error for a property that is missing, or does not have its declared type.
 */
export function checkPairProps(
  pair: IConstruct,
  props: PerfReplicationOptions & { readonly clusters: readonly IVaultCluster[] },
): void {
  const subject = `[${pair.node.path}] PerfReplicationPair`;
  checkProps(subject, props, { primary: CLUSTER, clusters: CLUSTERS }, OPTIONS);
  checkConstructNames(pair, 'PerfReplicationPair', 'PerfReplicationPairProps', props);
  checkClusters(subject, 'clusters', props.clusters);
}

function checkClusters(subject: string, prop: string, clusters: readonly IVaultCluster[]): void {
  const named = clusters.map((cluster, index) => [`${prop}[${index}]`, cluster] as const);
  const expected: Expectations = Object.fromEntries(named.map(([name]) => [name, CLUSTER]));
  checkProps(subject, Object.fromEntries(named), expected);
}
