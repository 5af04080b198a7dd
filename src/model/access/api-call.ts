import type { AclCapability } from '../acl';
import type { FieldValues } from '../definition';

/** A call of the interface, with the capabilities that policies have to grant for it. */
export interface ApiCall {
  readonly method: 'GET' | 'LIST' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/v1/`. `:name` stands for the value with the name `name`. */
  readonly path: string;
  /** The call requires the sudo capability as well. */
  readonly sudo?: boolean;
  /** The server distinguishes creating from updating on this path. */
  readonly creates?: boolean;
}

/** The capabilities that a policy has to grant on one path. */
export interface Access {
  /** The path below `/v1/`. */
  readonly path: string;
  /** The capabilities in the order in which policies usually list them. */
  readonly capabilities: readonly AclCapability[];
}

const ORDER: readonly AclCapability[] = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'];

/**
 * Returns the capabilities that policies have to grant for calls: one entry per path.
 *
 * @param values the values in the paths, by name. A call whose path needs another value is left
 *   out.
 */
export function accessFor(calls: readonly ApiCall[], values: FieldValues = {}): readonly Access[] {
  const granted = new Map<string, Set<AclCapability>>();
  for (const call of calls) {
    const path = pathOf(call, values);
    if (path === undefined) continue;
    granted.set(path, new Set([...(granted.get(path) ?? []), ...capabilitiesFor(call)]));
  }
  return Array.from(granted, ([path, capabilities]) => ({
    path,
    capabilities: ORDER.filter((capability) => capabilities.has(capability)),
  }));
}

/** Returns the capabilities that a call requires on its path. */
function capabilitiesFor({ method, sudo = false, creates = false }: ApiCall): readonly AclCapability[] {
  const ofMethod: Readonly<Record<ApiCall['method'], readonly AclCapability[]>> = {
    GET: ['read'],
    LIST: ['list'],
    POST: creates ? ['create', 'update'] : ['update'],
    PATCH: ['patch'],
    DELETE: ['delete'],
  };
  return [...ofMethod[method], ...(sudo ? (['sudo'] as const) : [])];
}

/**
 * Returns the path with its values, or `undefined` if one of them is missing. The path of a list
 * ends with a slash, as servers check it.
 */
function pathOf({ method, path }: ApiCall, values: FieldValues): string | undefined {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment;
    const value = values[segment.slice(1)];
    return typeof value === 'string' ? value : undefined;
  });
  if (segments.includes(undefined)) return undefined;
  return `${segments.join('/')}${method === 'LIST' ? '/' : ''}`;
}
