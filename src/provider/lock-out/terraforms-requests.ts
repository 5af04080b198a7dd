import {
  accessFor,
  DATA_SOURCE_CALLS,
  RESOURCE_CALLS,
  SET_MEMBER_CALLS,
  type ResourceCall,
} from '../../model/access';
import { isKnown } from '../../plugin';
import type { ClusterSettings } from '../configuration';
import type { AttributeValues } from '../objects';
import type { ClientOptions } from '../../client';
import { namespacePrefix } from '../../model';

/** A request that Terraform makes on a cluster. */
export interface TerraformsRequest {
  readonly operation: string;
  /** The path, relative to the namespace. */
  readonly path: string;
  /** The full path of the namespace with a final slash; empty for the root namespace. */
  readonly namespace: string;
  /** The written data; absent if a part of it is unknown. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Whether the request has no token, as a login. */
  readonly isLogin: boolean;
  /** Whether the request has a wrapping token instead of Terraform's token. */
  readonly isUnwrapping?: boolean;
}

/**
 * The capabilities that are operations. The others, such as `sudo`, are conditions of an operation.
 */
const OPERATIONS: readonly string[] = ['create', 'read', 'update', 'delete', 'list'];
const WRITES: readonly string[] = ['create', 'update'];

/**
 * Returns the requests that Terraform makes for any resource: it gets a token, looks it up and
 * revokes it.
 */
export function requestsOfCluster({
  options,
  login: configured,
}: ClusterSettings): readonly TerraformsRequest[] {
  const namespace = namespaceOf(options);
  const own = { namespace, isLogin: false };
  const lookup = { ...own, operation: 'read', path: 'auth/token/lookup-self', data: {} };
  if (!configured) return [lookup];
  const { path, namespace: of = options.namespace ?? '', parameters, secretIdWrappingPath } = configured;
  const login = { namespace: namespaceOf({ namespace: of }), operation: 'update', isLogin: true };
  const { secret_id: token } = parameters;
  const isWrapped = secretIdWrappingPath !== undefined && token !== undefined;
  return [
    ...(isWrapped
      ? [
          { ...login, path: 'sys/wrapping/lookup', data: { token } },
          { ...login, path: 'sys/wrapping/unwrap', data: {}, isLogin: false, isUnwrapping: true },
        ]
      : []),
    // The content of a wrapping token is known only after it is unwrapped.
    { ...login, path, ...(!isWrapped && { data: parameters }) },
    lookup,
    { ...own, operation: 'update', path: 'auth/token/revoke-self', data: {} },
  ];
}

/**
 * The requests of Terraform for a resource: reads, writes and the deletion.
 *
 * @param values the plan. Calls whose paths need a value that is not known yet are left out.
 * @param data the written data, if it is known in full.
 */
export function requestsOfResource(
  { options }: ClusterSettings,
  name: string,
  values: AttributeValues,
  data?: Readonly<Record<string, unknown>>,
): readonly TerraformsRequest[] {
  const known = Object.fromEntries(Object.entries(values).filter(([, value]) => isKnown(value)));
  const namespace = namespaceOf(options, values.namespace);
  return callsOf(name)
    .filter(({ toJoin }) => !toJoin)
    .filter(({ ifGiven }) => ifGiven === undefined || isGiven(values[ifGiven]))
    .filter(({ unlessGiven }) => unlessGiven === undefined || !isGiven(values[unlessGiven]))
    .flatMap((call) =>
      accessFor([call], known).flatMap(({ path, capabilities }) =>
        capabilities
          .filter((capability) => OPERATIONS.includes(capability))
          .map((operation): TerraformsRequest => {
            const content = WRITES.includes(operation) ? data : {};
            return {
              operation,
              path,
              namespace: call.inRoot ? '' : namespace,
              ...(content && { data: content }),
              isLogin: false,
            };
          }),
      ),
    );
}

function callsOf(name: string): readonly ResourceCall[] {
  return name === 'perf_replication_set'
    ? SET_MEMBER_CALLS
    : (RESOURCE_CALLS[name] ?? DATA_SOURCE_CALLS[name] ?? []);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the full path of a namespace with a final slash; empty for the root namespace. */
export function namespaceOf({ namespace }: Pick<ClientOptions, 'namespace'>, below?: unknown): string {
  return namespacePrefix(namespace) + namespacePrefix(typeof below === 'string' ? below : '');
}
