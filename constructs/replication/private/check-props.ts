import type { IConstruct } from 'constructs';
import { checkConstructProps, checkProps, CLUSTER, list } from '../../private/expectations';

const MEMBERS = list('a list of members', '{ cluster: us }, { cluster: eu }');
const CLUSTERS = list('a list of VaultClusters', 'us, eu');

/**
 * Checks the properties of a set.
 *
 * @throws Error for a property that is missing, or does not have its declared type.
 */
export function checkSetProps(set: IConstruct, props: { readonly members: readonly object[] }): void {
  const kind = 'PerfReplicationSet';
  checkConstructProps(set, kind, 'PerfReplicationSetProps', props, { primary: CLUSTER, members: MEMBERS });
  props.members.forEach((member, index) => {
    checkProps(`[${set.node.path}] ${kind}: members[${index}]`, member, { cluster: CLUSTER });
  });
}

/**
 * Checks the properties of a pair.
 *
 * @throws Error for a property that is missing, or does not have its declared type.
 */
export function checkPairProps(pair: IConstruct, props: object): void {
  checkConstructProps(pair, 'PerfReplicationPair', 'PerfReplicationPairProps', props, {
    primary: CLUSTER,
    clusters: CLUSTERS,
  });
}
