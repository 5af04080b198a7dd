import type { FoundSet } from '../estate/replication-sets';
import type { Naming, Part, StackOfApp } from './declaration';
import { slug, UniqueNames } from './names';
import { replicationStack } from './replication-stack';

/** The declarable objects of a running estate. */
export interface Estate {
  readonly clusters: readonly FoundCluster[];
  readonly sets: readonly FoundSet[];
}

/** The objects of one cluster. */
export interface FoundCluster {
  readonly name: string;
  /** The functions that declare the found objects, one for each kind. */
  readonly declare: readonly ((naming: Naming) => readonly Part[])[];
}

/** An estate as stacks, with the Terraform variables of its secrets. */
export interface App {
  readonly stacks: readonly StackOfApp[];
  readonly variables: readonly string[];
  /** The declared replication sets. */
  readonly sets: readonly FoundSet[];
}

/**
 * Returns one stack for each cluster, so that each can be deployed while another cluster is down,
 * and one for replication, which spans clusters. Empty parts are left out.
 *
 * @param taken names that no stack gets.
 */
export function appOf({ clusters, sets }: Estate, taken: readonly string[] = []): App {
  const names = new UniqueNames('-', taken);
  const variables = new UniqueNames('_');
  const stacks = clusters.map((cluster) => clusterStack(cluster, names.take(slug(cluster.name)), variables));
  const namespaces = new Map(
    clusters.map(({ name }, index) => [name, stacks[index]!.parts.flatMap(namespacesIn)]),
  );
  const replication = replicationStack(names.take('replication'), sets, namespaces);
  return {
    stacks: [...stacks, ...(replication ? [replication] : [])].filter(({ parts }) => parts.length > 0),
    variables: variables.all,
    sets,
  };
}

/** Returns the paths of the namespaces that a part declares. */
function namespacesIn({ declarations }: Part): readonly string[] {
  return declarations
    .filter(({ construct }) => construct === 'Namespace')
    .map(({ props: { namespace, path } }) =>
      [namespace, path].filter((each) => typeof each === 'string').join('/'),
    );
}

function clusterStack(
  { name: cluster, declare }: FoundCluster,
  name: string,
  variables: UniqueNames,
): StackOfApp {
  const naming = { stack: name, ids: new UniqueNames(), variables };
  const before = variables.all.length;
  const parts = declare
    .flatMap((partsOf) => partsOf(naming))
    .filter(({ declarations }) => declarations.length > 0);
  return { name, handles: [{ cluster, local: 'cluster' }], parts, variables: variables.all.slice(before) };
}
