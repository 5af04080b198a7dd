import type { Estate, FoundCluster } from '../estate/found';
import type { StackOfApp } from './declaration';
import { keyPart } from './managed-keys';
import { slug, UniqueNames } from './names';
import { policyParts } from './policies';
import { replicationStack } from './replication';
import { auditPart } from './audit-devices';
import { snapshotPart } from './auto-snapshots';

/** An estate as stacks, and the Terraform variables that they take secrets from. */
export interface App {
  readonly stacks: readonly StackOfApp[];
  readonly variables: readonly string[];
}

/**
 * One stack for each cluster, so that they are deployed one by one, and can be while another is down; and one for
 * replication, which reaches several of them. What has nothing in it is left out.
 */
export function appOf({ clusters, sets }: Estate): App {
  const names = new UniqueNames();
  const variables = new UniqueNames('_');
  const stacks = clusters.map((cluster) => clusterStack(cluster, names.take(slug(cluster.name)), variables));
  const replication = replicationStack(names.take('replication'), sets);
  return {
    stacks: [...stacks, ...(replication ? [replication] : [])].filter(({ parts }) => parts.length > 0),
    variables: variables.all,
  };
}

function clusterStack(
  { name: cluster, policies, keys, snapshots, auditDevices }: FoundCluster,
  name: string,
  variables: UniqueNames,
): StackOfApp {
  const ids = new UniqueNames();
  const parts = [
    ...policyParts(name, policies, ids),
    keyPart(keys, ids, variables),
    snapshotPart(snapshots, ids, variables),
    auditPart(auditDevices, ids),
  ];
  return {
    name,
    handles: [{ cluster, local: 'cluster' }],
    parts: parts.filter(({ declarations }) => declarations.length > 0),
  };
}
