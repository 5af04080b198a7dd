import {
  type CallAccess,
  type Field,
  PERFORMANCE_PATH,
  REPLICATION_CALLS,
  type ReplicationCall,
  type ReplicationCallName,
} from '../../model';
import { type OperationHandler, type Route, route } from '../core/backend';
import { type FieldSchemas, decodeField } from '../core/input/field-schemas';
import { TYPE_ON_WIRE, checkedInput } from '../core/input/model-input';
import {
  type CallHandler,
  type CallHandlers,
  type CallInput,
  type ReplicatedCluster,
  requireMode,
} from './calls/call';
import { FILTER_CALLS } from './calls/filter-calls';
import { MODE_CALLS } from './calls/mode-calls';
import { TOKEN_CALLS } from './calls/token-calls';

const PERFORMANCE = PERFORMANCE_PATH.replace(/^sys\//, '');
/**
 * The path of the calls in versions that only had performance replication. The status at this path
 * shows performance and disaster recovery replication.
 */
const ALIAS = 'replication';

const HANDLERS: CallHandlers = {
  status: ({ replication }) => ({ data: replication.status() }),
  ...MODE_CALLS,
  ...FILTER_CALLS,
  ...TOKEN_CALLS,
};

const CALL_NAMES = Object.keys(HANDLERS) as ReplicationCallName[];
const OPERATION_OF = { GET: 'read', POST: 'update', DELETE: 'delete' } as const;

/**
 * Returns the routes of all calls of performance replication, under their present and earlier
 * paths.
 */
export function replicationRoutes(cluster: ReplicatedCluster): readonly Route[] {
  const paths = new Set(Object.values(REPLICATION_CALLS).map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const here = CALL_NAMES.filter((name) => REPLICATION_CALLS[name].path === path);
    return prefixesOf(path).map((prefix) => routeOf(cluster, `${prefix}/${path}`, here));
  });
}

function routeOf(cluster: ReplicatedCluster, pattern: string, names: readonly ReplicationCallName[]): Route {
  const operations: Partial<Record<(typeof OPERATION_OF)[keyof typeof OPERATION_OF], OperationHandler>> = {};
  let fields: FieldSchemas = {};
  for (const name of names) {
    operations[OPERATION_OF[REPLICATION_CALLS[name].method]] = checked(cluster, name);
    fields = { ...fields, ...fieldsOf(REPLICATION_CALLS[name]) };
  }
  return route({
    pattern,
    rootNamespaceOnly: true,
    fields,
    operations,
    help: { synopsis: names.map((name) => REPLICATION_CALLS[name].doc).join(' ') },
  });
}

/**
 * Returns a handler that is only called with input that the model accepts, in a mode that allows
 * the call.
 */
function checked<Name extends ReplicationCallName>(cluster: ReplicatedCluster, name: Name): OperationHandler {
  const handle: CallHandler<Name> = HANDLERS[name];
  return (request) => {
    const isRepeated = name === 'enablePrimary' && cluster.replication.mode === 'primary';
    if (!isRepeated || !cluster.server.assumed('primaryEnabledAgain').accepted)
      requireMode(cluster.replication, name);
    const input: CallInput<Name> = checkedInput(REPLICATION_CALLS[name], undefined, request.data);
    return handle(cluster, input, request);
  };
}

/** Returns a call's fields for its route. Fields in the path are read from there. */
function fieldsOf({ fields, path }: ReplicationCall): FieldSchemas {
  const schema = (name: string, { type, default: value, doc }: Field) => ({
    type: TYPE_ON_WIRE[type],
    description: doc,
    ...(path.includes(`:${name}`) && { path: true as const }),
    ...(value !== undefined && { default: decodeField(TYPE_ON_WIRE[type], value) }),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schema(name, field)]));
}

/** Returns the paths of the calls with this access, and their aliases, relative to `sys/`. */
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
