import type { IConstruct } from 'constructs';
import { checkConstructProps, CLUSTER, list, orElse } from '../../private/expectations';
import type { PerfReplicationPairProps } from '../perf-replication-pair';
import type { PerfReplicationSetProps } from '../perf-replication-set';

const MEMBERS = orElse(list('a list of members', '{ cluster: us }, { cluster: eu }'), () => []);
const CLUSTERS = orElse(list('a list of VaultClusters', 'us, eu'), () => []);

/**
 * Checks the properties of a set.
 *
 * @returns the properties to use.
 */
export function checkSetProps(set: IConstruct, props: PerfReplicationSetProps): PerfReplicationSetProps {
  return checkConstructProps(
    set,
    'PerfReplicationSet',
    'PerfReplicationSetProps',
    props,
    { primary: CLUSTER, members: MEMBERS },
    { members: { cluster: CLUSTER } },
  );
}

/**
 * Checks the properties of a pair.
 *
 * @returns the properties to use.
 */
export function checkPairProps(pair: IConstruct, props: PerfReplicationPairProps): PerfReplicationPairProps {
  return checkConstructProps(pair, 'PerfReplicationPair', 'PerfReplicationPairProps', props, {
    primary: CLUSTER,
    clusters: CLUSTERS,
  });
}
