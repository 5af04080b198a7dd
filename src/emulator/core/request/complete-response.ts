import type { LogicalRequest, LogicalResponse, Operation, WrapRequest } from '../backend';
import type { RouteMatch } from '../routing/backend-router';
import type { Reply } from '../call';
import { renderEnvelope } from './envelope';
import { LogicalError, notFound } from '../errors';
import { derivedPolicies } from '../identity/derived-policies';
import { issueLoginToken } from './login';
import type { Mounted } from '../routing/mounts';
import type { ClusterParts } from './parts';

/** The request that a handler received. */
interface Answered {
  readonly mounted: Mounted;
  readonly match: RouteMatch;
  readonly request: LogicalRequest;
  /** The path with the mount, relative to the namespace. */
  readonly calledPath: string;
}

/**
 * Completes a handler's response: adds warnings, creates the token of a login, and wraps the
 * response.
 *
 * @throws LogicalError if the response is empty.
 */
export function completeResponse(
  cluster: ClusterParts,
  { mounted, match, request, calledPath }: Answered,
  given: LogicalResponse | undefined,
): Reply {
  const mountType = mounted.entry.type;
  if (isMissing(request.operation, given)) {
    // The server answers a wrapped list without entries with this error.
    const wrapsList = request.operation === 'list' && request.wrap !== undefined;
    throw wrapsList ? new LogicalError(404, 'unsupported path') : notFound();
  }
  if (given === undefined || given.raw !== undefined) return { response: given, mountType };
  let response = withWarnings(given, parameterWarnings(match, request));
  if (response.auth !== undefined) {
    const { token, warnings = [] } = issueLoginToken(cluster, request, mounted, response.auth);
    response = withWarnings({ ...response, issued: token }, warnings);
  }
  if (response.issued !== undefined) {
    const identityPolicies = derivedPolicies(cluster.identity, cluster.namespaces, response.issued);
    response = { ...response, identityPolicies };
  }
  const wrap = shorterWrap(response.wrap, request.wrap);
  if (wrap === undefined || response.wrapped !== undefined) return { response, mountType };
  const body = renderEnvelope(request.id, response, mountType, cluster.server);
  const wrapped = cluster.wrapping.wrap(body, wrap, {
    namespace: request.namespace,
    path: calledPath,
    displayName: request.token?.displayName ?? '',
    ...wrappedAccessor(response, mountType),
  });
  return { response: { wrapped }, mountType };
}

/** Returns the accessor of the token or secret id in a response. Wrapping does not hide it. */
function wrappedAccessor({ issued, data }: LogicalResponse, mountType: string): { wrappedAccessor?: string } {
  if (issued !== undefined) return { wrappedAccessor: issued.accessor };
  const secretIdAccessor = mountType === 'approle' ? data?.['secret_id_accessor'] : undefined;
  return typeof secretIdAccessor === 'string' ? { wrappedAccessor: secretIdAccessor } : {};
}

/** Whether the response is empty: a read of a missing object, or a list without entries. */
function isMissing(operation: Operation, response: LogicalResponse | undefined): boolean {
  if (operation === 'read') return response === undefined;
  if (operation !== 'list') return false;
  if (response === undefined) return true;
  if (response.data === undefined || Object.keys(response.data).length === 0)
    return response.warnings === undefined;
  const { keys } = response.data;
  return Array.isArray(keys) && keys.length === 0;
}

/** Returns the warning about parameters that the endpoint does not have. */
export function ignoredParameters(names: readonly string[]): string {
  return `Endpoint ignored these unrecognized parameters: [${names.join(' ')}]`;
}

/** Returns the warnings about ignored parameters. */
function parameterWarnings({ route, captures }: RouteMatch, { body }: LogicalRequest): string[] {
  const sent = Object.keys(body);
  if (sent.length === 0) return [];
  const { fields = {}, arbitraryInput = false } = route;
  const ignored = arbitraryInput ? [] : sent.filter((name) => !Object.hasOwn(fields, name)).sort();
  const replaced = sent.filter((name) => Object.hasOwn(captures, name));
  return [
    ...(ignored.length > 0 ? [ignoredParameters(ignored)] : []),
    ...(replaced.length > 0
      ? [
          'Endpoint replaced the value of these parameters with the values captured from the ' +
            `endpoint's path: [${replaced.join(' ')}]`,
        ]
      : []),
  ];
}

function withWarnings(response: LogicalResponse, more: readonly string[]): LogicalResponse {
  return more.length === 0 ? response : { ...response, warnings: [...(response.warnings ?? []), ...more] };
}

/** Returns the wrapping with the shorter TTL: the route's or the caller's. */
function shorterWrap(
  routes: WrapRequest | undefined,
  callers: WrapRequest | undefined,
): WrapRequest | undefined {
  if (routes === undefined || callers === undefined) return routes ?? callers;
  return { ...routes, ttlSeconds: Math.min(routes.ttlSeconds, callers.ttlSeconds) };
}
