import { formatImportId, normalizeFilterPath, sendsWholeNamespace } from '../../../model';
import type { StoredPathsFilter } from '../../../client';
import type { FoundSecondary, FoundSet } from '../estate/replication-sets';
import type { HclBody, HclValue } from '../hcl/hcl';
import { CodeExpression, type CodeProperties } from './code';
import {
  type Declaration,
  type Handle,
  type Part,
  type ResourceAddress,
  type StackOfApp,
  resourceType,
} from './declaration';
import { handleName, UniqueNames } from './names';

/**
 * Returns the stack of the replication sets, which span clusters. `undefined` if there are none.
 *
 * @param namespaces the namespaces that the app declares, by cluster.
 */
export function replicationStack(
  name: string,
  sets: readonly FoundSet[],
  namespaces: ReadonlyMap<string, readonly string[]>,
): StackOfApp | undefined {
  if (sets.length === 0) return undefined;
  const clusters = sets.flatMap(({ primary, secondaries }) => [
    primary,
    ...secondaries.map(({ cluster }) => cluster),
  ]);
  const handles = clusters.map((cluster): Handle => ({ cluster, local: handleName(cluster) }));
  const ids = new UniqueNames();
  const part: Part = {
    title: 'replication sets',
    declarations: sets.map((set) => declare(set, ids, namespaces.get(set.primary) ?? [])),
  };
  return { name, handles, parts: [part], variables: [] };
}

function declare(
  { primary, primaryClusterAddr, secondaries }: FoundSet,
  ids: UniqueNames,
  namespaces: readonly string[],
): Declaration {
  return {
    id: ids.take('set'),
    construct: 'PerfReplicationSet',
    props: {
      primary: handleOf(primary),
      primaryClusterAddr: primaryClusterAddr || undefined,
      members: [{ cluster: handleOf(primary) }, ...secondaries.map((each) => memberOf(each, namespaces))],
    },
    arguments: {
      primary,
      primary_cluster_addr: primaryClusterAddr || undefined,
      secondaries: secondaryArguments(secondaries),
    },
    ...addressOfSet(primary),
  };
}

/** Returns the address of a set in Terraform, by the name of its primary. */
export function addressOfSet(primary: string): ResourceAddress {
  return { resource: resourceType({ name: 'perf_replication_set' }), importId: primary };
}

/**
 * Returns the address of the paths filter of a secondary, if a resource of its own manages the
 * filter.
 */
export function addressOfFilter(primary: string, secondaryId: string): ResourceAddress {
  return {
    resource: resourceType({ name: 'perf_replication_paths_filter' }),
    importId: formatImportId({ cluster: primary, namespace: '', name: secondaryId }),
  };
}

function memberOf({ cluster, id, filter }: FoundSecondary, namespaces: readonly string[]): CodeProperties {
  return {
    cluster: handleOf(cluster),
    secondaryId: id === cluster ? undefined : id,
    pathsFilter: filter && filterCode(filter, namespaces),
  };
}

/** Returns the code of a filter. It confirms the namespaces that the secondary already receives. */
function filterCode({ mode, paths }: StoredPathsFilter, namespaces: readonly string[]): CodeExpression {
  const filter = CodeExpression.call('PathsFilter', mode, paths);
  const normalized = paths.map(normalizeFilterPath);
  const whole = namespaces
    .map(normalizeFilterPath)
    .filter((namespace) => sendsWholeNamespace(mode, normalized, namespace));
  return whole.length === 0 ? filter : filter.followedBy('sendingWholeNamespaces', whole);
}

function secondaryArguments(secondaries: readonly FoundSecondary[]): HclBody[string] {
  const entries = secondaries.map(({ cluster, id, filter }): [string, HclValue] => [
    cluster,
    {
      id: id === cluster ? undefined : id,
      everything: filter === undefined ? true : undefined,
      paths_filter: filter && { mode: filter.mode, paths: filter.paths },
    },
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function handleOf(cluster: string): CodeExpression {
  return CodeExpression.local(handleName(cluster));
}
