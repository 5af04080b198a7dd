import { type CallAccess, PERFORMANCE_PATH, type ReplicationCallName, REPLICATION_CALLS } from '../../model';
import { type Handler, type Route, route } from '../core/backend';
import type { FieldSchemas } from '../core/request/fields';
import type { CallHandlers, ReplicatedCluster } from './calls';
import { fieldsOf, refuseFindings } from './fields';
import { filterHandlers } from './filter-calls';
import { primaryHandlers } from './primary-calls';
import { secondaryHandlers } from './secondary-calls';

const PERFORMANCE = PERFORMANCE_PATH.replace(/^sys\//, '');
/** Where the calls were before there was another kind of replication. The status there is of both kinds. */
const ALIAS = 'replication';

const CALL_NAMES = Object.keys(REPLICATION_CALLS) as ReplicationCallName[];
const OPERATION_OF = { GET: 'read', POST: 'update', DELETE: 'delete' } as const;

/** All calls of performance replication, under their present names and their first ones. */
export function replicationRoutes(cluster: ReplicatedCluster): readonly Route[] {
  const handlers: CallHandlers<ReplicationCallName> = {
    status: () => ({ data: cluster.replication.status() }),
    ...primaryHandlers(cluster),
    ...filterHandlers(cluster),
    ...secondaryHandlers(cluster),
  };
  const paths = new Set(Object.values(REPLICATION_CALLS).map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const here = CALL_NAMES.filter((name) => REPLICATION_CALLS[name].path === path);
    return prefixesOf(path).map((prefix) => routeOf(cluster, `${prefix}/${path}`, here, handlers));
  });
}

function routeOf(
  cluster: ReplicatedCluster,
  pattern: string,
  names: readonly ReplicationCallName[],
  handlers: CallHandlers<ReplicationCallName>,
): Route {
  const fields: FieldSchemas[] = names.map((name) => fieldsOf(REPLICATION_CALLS[name]));
  const operations = names.map((name) => [
    OPERATION_OF[REPLICATION_CALLS[name].method],
    checked(cluster, name, handlers[name]),
  ]);
  return route({
    pattern,
    rootNamespaceOnly: true,
    fields: Object.assign({}, ...fields) as FieldSchemas,
    operations: Object.fromEntries(operations) as Route['operations'],
    help: { synopsis: names.map((name) => REPLICATION_CALLS[name].doc).join(' ') },
  });
}

/** Lets a handler see nothing but input that the model takes, in a mode that the call can be made in. */
function checked({ replication }: ReplicatedCluster, name: ReplicationCallName, handler: Handler): Handler {
  return (request) => {
    replication.changes.require(name);
    refuseFindings(REPLICATION_CALLS[name], request.data);
    return handler(request);
  };
}

/** The paths, and their aliases, of the calls with this access, relative to `sys/`. */
function pathsOf(access: CallAccess): string[] {
  return Object.values(REPLICATION_CALLS)
    .filter((call) => call.access === access)
    .flatMap(({ path }) => prefixesOf(path).map((prefix) => `${prefix}/${path}`));
}

function prefixesOf(path: string): string[] {
  return path === REPLICATION_CALLS.status.path ? [PERFORMANCE] : [PERFORMANCE, ALIAS];
}

export const REPLICATION_ROOT_PATHS: readonly string[] = pathsOf('sudo');
export const REPLICATION_UNAUTHENTICATED_PATHS: readonly string[] = pathsOf('anyone');
