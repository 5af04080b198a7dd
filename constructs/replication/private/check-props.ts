import type { IConstruct } from 'constructs';
import { checkConstructProps, CLUSTER, list, orElse } from '../../private/expectations';

const MEMBERS = orElse(list('a list of members', '{ cluster: us }, { cluster: eu }'), () => []);
const CLUSTERS = orElse(list('a list of VaultClusters', 'us, eu'), () => []);

/**
 * Checks the properties of a set.
 *
 * @returns the properties to use.
 */
export function checkSetProps<P extends object>(set: IConstruct, props: P): P {
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
export function checkPairProps<P extends object>(pair: IConstruct, props: P): P {
  return checkConstructProps(pair, 'PerfReplicationPair', 'PerfReplicationPairProps', props, {
    primary: CLUSTER,
    clusters: CLUSTERS,
  });
}
