import type { Acl } from '../../../model';
import { AuditTrail } from '../audit';
import type { OperationHandler, LogicalRequest, Operation, TokenEntry } from '../backend';
import { WRAPPING_POLICY_NAME } from '../stores/policy-store';
import type { JsonObject } from '../primitives/json';
import { cidrsAllow } from '../primitives/cidr';
import type { ClusterParts } from './parts';
import {
  LogicalError,
  collect,
  invalidRequest,
  openRefusal,
  permissionDenied,
  unsupportedOperation,
  unsupportedPath,
  ReadOnlyError,
  settled,
  codedError,
} from '../errors';
import type { Mounted } from '../routing/mounts';
import type { RouteMatch } from '../routing/backend-router';
import { type ApiRequest, indexOf, type Reply } from '../call';
import { namespaceOfCall } from './call-namespace';
import { type LocatedCall, SentinelGuard } from './sentinel-guard';
import { completeResponse } from './complete-response';
import { decodeFields } from '../input/field-schemas';
import { backendHelp, routeHelp } from './help';

interface Target extends LocatedCall {
  readonly trail: AuditTrail;
}

/** The capabilities for each operation; the token must have at least one of them. */
const CAPABILITIES: Readonly<Record<ApiRequest['operation'], readonly string[]>> = {
  ...{ read: ['read'], list: ['list'], delete: ['delete'], help: [] },
  ...{ create: ['create', 'update'], update: ['create', 'update'], patch: ['patch'], recover: ['recover'] },
};

/** A mount and its route for the path. */
interface Routed {
  readonly mounted: Mounted;
  readonly match: RouteMatch;
}

/**
 * Handles calls: resolves the namespace and the route, checks the token, ACL and Sentinel policies,
 * runs the handler, and completes its response. Synchronous, unless a handler has to wait.
 */
export class RequestHandler {
  readonly #cluster: ClusterParts;

  readonly #sentinel: SentinelGuard;

  constructor(cluster: ClusterParts) {
    this.#cluster = cluster;
    this.#sentinel = new SentinelGuard(cluster);
  }

  /** @throws LogicalError if the cluster refuses the call. */
  handle(call: ApiRequest): Reply | Promise<Reply> {
    this.#admit(call);
    const target = this.#locate(call);
    const unauthenticated = target.mounted?.router.unauthenticatedPaths.has(target.rest) ?? false;
    const { trail } = target;
    try {
      const reply = unauthenticated ? this.#handleUnauthenticated(target) : this.#handleAuthenticated(target);
      if (!(reply instanceof Promise)) return trail.response(reply);
      return reply.then(
        (awaited) => trail.response(awaited),
        (error: unknown) => trail.refusal(error),
      );
    } catch (error) {
      return trail.refusal(error);
    }
  }

  /**
   * Checks a call before its body is received. The check is neither counted nor logged.
   *
   * @throws LogicalError if the call is refused regardless of its body.
   */
  checkHead(call: ApiRequest): void {
    this.#admit(call);
    const target = this.#locate(call);
    const { mounted, namespace, path, rest } = target;
    if (mounted?.router.find(rest) === undefined) throw unsupportedPath();
    if (mounted.router.unauthenticatedPaths.has(rest)) return;
    const granted = this.#aclFor(target, this.#requireToken(target)).capabilities(namespace.path + path);
    const isGranted = CAPABILITIES[call.operation].some((each) => granted.includes(each));
    const lacksSudo = mounted.router.rootPaths.has(rest) && !granted.includes('sudo');
    if (!granted.includes('root') && (!isGranted || lacksSudo)) throw permissionDenied();
  }

  /** @throws LogicalError if the cluster cannot serve the call at present. */
  #admit(call: ApiRequest): void {
    const { sealed, replication, server } = this.#cluster;
    if (sealed) throw new LogicalError(503, 'Vault is sealed');
    replication.admit(call.path, server.enterprise ? indexOf(call) : '');
  }

  /**
   * Runs the handler of a request that a secondary has authorized but may not handle itself.
   *
   * @throws LogicalError if the handler refuses the request, or this cluster does not have the
   *   path.
   */
  execute(request: LogicalRequest): ReturnType<OperationHandler> {
    const namespace = this.#cluster.namespaces.byId(request.namespace.id);
    const mounted = namespace && this.#cluster.mounts.find(namespace, request.mount.path + request.path);
    const match = mounted?.router.find(request.path);
    if (namespace === undefined || mounted === undefined || match === undefined) throw unsupportedPath();
    const asked = { ...request, namespace, mount: mounted.entry };
    const { route } = match;
    // The object may exist on only one of the two clusters, so it is looked up again.
    const operation =
      route.exists !== undefined && isWrite(request.operation) && request.operation !== 'patch'
        ? route.exists(asked)
          ? 'update'
          : 'create'
        : request.operation;
    const handler = route.operations[operation];
    if (handler === undefined) throw unsupportedOperation();
    return this.#settling(() => handler({ ...asked, operation }));
  }

  #locate(call: ApiRequest): Target {
    const called = this.#cluster.namespaces.resolve(call.namespace, call.path);
    const { path } = called;
    if (path.endsWith('/') && isWrite(call.operation))
      throw invalidRequest("cannot write to a path ending in '/'");
    const token =
      call.token === '' ? undefined : this.#cluster.tokens.lookup(this.#cluster.wrapping.tokenId(call.token));
    const namespace = namespaceOfCall(this.#cluster.namespaces, called, token, call.body);
    const mounted = this.#cluster.mounts.find(namespace, path);
    const rest = mounted === undefined ? path : path.slice(mounted.entry.path.length);
    const trail = new AuditTrail(this.#cluster.audit, {
      call,
      operation: call.operation,
      namespace,
      path,
      token,
      mount: mounted?.entry,
      server: this.#cluster.server,
      clock: this.#cluster.clock,
    });
    return { call, namespace, path, token, mounted, rest, trail };
  }

  /**
   * Handles a call that needs no token. Errors are formatted without a count and bullets, which the
   * server only uses on authenticated paths.
   */
  #handleUnauthenticated(target: Target): Reply | Promise<Reply> {
    try {
      const match = target.mounted?.router.find(target.rest);
      const operation = this.#operation(target, match);
      this.#sentinel.check(target, operation, true);
      target.trail.request(operation);
      const reply = this.#route(target, match, operation, false);
      return reply instanceof Promise ? reply.catch(throwStandingAlone) : reply;
    } catch (error) {
      return throwStandingAlone(error);
    }
  }

  #handleAuthenticated(target: Target): Reply | Promise<Reply> {
    this.#checkWrappingToken(target);
    const token = this.#requireToken(target);
    const { last } = this.#cluster.tokens.use(token);
    if (!last) return this.#handleAuthorized(target, token);
    // The last use ends the token after the request, whatever the result is.
    const finish = () => this.#cluster.tokens.revoke(token);
    try {
      const reply = this.#handleAuthorized(target, token);
      if (reply instanceof Promise) return reply.finally(finish);
      finish();
      return reply;
    } catch (error) {
      finish();
      throw error;
    }
  }

  /**
   * Checks the wrapping token of an unwrap or rewrap. If it is used or unknown, the refusal says
   * that the wrapping token is not valid, even if the caller's own token is missing.
   */
  #checkWrappingToken({ call, path }: Target): void {
    if (path !== 'sys/wrapping/unwrap' && path !== 'sys/wrapping/rewrap') return;
    const { token } = call.body;
    const text = typeof token === 'string' && token !== '' ? token : call.token;
    if (text !== '') this.#cluster.wrapping.token(text);
  }

  #requireToken({ call, token }: Target): TokenEntry {
    const { server } = this.#cluster;
    if (token !== undefined) {
      if (!this.#hasGoodEntity(token)) throw new LogicalError(403, 'permission denied');
      if (!cidrsAllow(token.boundCidrs ?? [], call.remoteAddress)) throw permissionDenied();
      return token;
    }
    if (call.token !== '') {
      const text = server.atLeast(...server.assumed('invalidTokenText').since)
        ? collect(['permission denied', 'invalid token'])
        : 'permission denied';
      throw new LogicalError(403, text);
    }
    throw server.atLeast(1, 14)
      ? new LogicalError(403, 'permission denied')
      : invalidRequest('missing client token');
  }

  /**
   * Whether the token's entity exists and is enabled. A token of a deleted entity is not valid,
   * unless the entity was merged into another one.
   */
  #hasGoodEntity({ entityId }: TokenEntry): boolean {
    if (entityId === undefined) return true;
    const entity = this.#cluster.identity.entityOrMerged(entityId);
    return entity !== undefined && !entity.disabled;
  }

  #handleAuthorized(target: Target, token: TokenEntry): Reply | Promise<Reply> {
    const match = target.mounted?.router.find(target.rest);
    const operation = this.#operation(target, match);
    const sudo = this.#authorize(target, token, operation);
    this.#sentinel.check(target, operation, false);
    target.trail.request(operation);
    return this.#route(target, match, operation, sudo);
  }

  /** Returns the operation of a call; create or update if the route distinguishes them. */
  #operation(target: Target, match: RouteMatch | undefined): ApiRequest['operation'] {
    const { call, mounted } = target;
    if (call.operation !== 'update' || mounted === undefined || match?.route.exists === undefined)
      return call.operation;
    return match.route.exists(logicalRequest(target, mounted, match, 'update', false)) ? 'update' : 'create';
  }

  /** @returns whether the token has sudo on the path. */
  #authorize(target: Target, token: TokenEntry, operation: ApiRequest['operation']): boolean {
    const { call, namespace, path, mounted, rest } = target;
    const decision = this.#aclFor(target, token).allow({
      operation,
      path: namespace.path + path,
      data: call.body,
      wrapTtl: call.wrap?.ttlSeconds,
    });
    const needsSudo = operation !== 'help' && mounted?.router.rootPaths.has(rest) === true;
    if (!decision.allowed || (needsSudo && !decision.sudo)) throw permissionDenied();
    return decision.sudo;
  }

  /** Returns the ACL of a token in the namespace of a call. */
  #aclFor({ namespace, path }: Pick<Target, 'namespace' | 'path'>, token: TokenEntry): Acl {
    // Wrapping tokens work in any namespace, because their only policy is the same everywhere.
    const anywhere = path.startsWith('sys/wrapping/') && token.policies[0] === WRAPPING_POLICY_NAME;
    return this.#cluster.authorizer.aclFor(token, anywhere ? namespace : undefined);
  }

  #route(
    target: Target,
    match: RouteMatch | undefined,
    operation: ApiRequest['operation'],
    sudo: boolean,
  ): Reply | Promise<Reply> {
    const { mounted, path, rest, namespace } = target;
    if (mounted === undefined)
      throw new LogicalError(404, `no handler for route "${path}". route entry not found.`);
    const mountType = mounted.entry.type;
    if (operation === 'help' && rest === '') return { response: backendHelp(mounted.backend), mountType };
    const { rootNamespaceOnly: isOnly = false } = match?.route ?? {};
    const isRootOnly = typeof isOnly === 'boolean' ? isOnly : isOnly();
    if (match === undefined || (isRootOnly && namespace.path !== '')) throw unsupportedPath();
    if (operation === 'help') return { response: routeHelp(match.route, rest), mountType };
    if (operation === 'recover') return this.#recover(target, { mounted, match }, sudo);
    const { snapshot } = target.call;
    if (snapshot === undefined) return this.#answer(target, { mounted, match }, operation, sudo);
    const earlier = mountInSnapshot(this.#cluster, mounted, rest, snapshot.id);
    return this.#answer(target, routed(earlier, rest), operation, sudo);
  }

  /** Writes the content that the path, or another path of the mount, had in a loaded snapshot. */
  async #recover(target: Target, { mounted, match }: Routed, sudo: boolean): Promise<Reply> {
    const { id, sourcePath } = target.call.snapshot!;
    const { path: mountPath } = mounted.entry;
    const path = sourcePath === '' ? target.path : sourcePath;
    if (!path.startsWith(mountPath))
      throw openRefusal('loadedSnapshots', `the source path is not in the mount ${mountPath}`);
    if (path !== target.path) this.#authorizeSource({ ...target, path });
    const rest = path.slice(mountPath.length);
    const earlier = mountInSnapshot(this.#cluster, mounted, rest, id);
    const { route, captures } = routed(earlier, rest).match;
    const read = route.operations.read;
    if (read === undefined) throw unsupportedOperation();
    const request = logicalRequest({ ...target, path, rest }, earlier, { route, captures }, 'read', sudo);
    const found = await this.#settling(() => read(request));
    if (found?.data === undefined) throw noDataInSnapshot();
    const content = mounted.backend.recovered?.(found) ?? (found.data as JsonObject);
    return this.#answer(target, { mounted, match }, 'update', sudo, content);
  }

  #authorizeSource(source: Target): void {
    const { operation } = this.#cluster.server.assumed('snapshotRecoverSource');
    this.#authorize(source, source.token!, operation);
  }

  /** Runs the handler of an operation, and completes its response. */
  #answer(
    target: Target,
    { mounted, match }: Routed,
    operation: Operation,
    sudo: boolean,
    body: JsonObject = target.call.body,
  ): Reply | Promise<Reply> {
    const handler = match.route.operations[operation];
    if (handler === undefined) throw unsupportedOperation();
    const request = logicalRequest(target, mounted, match, operation, sudo, body);
    const response = this.#run(handler, request);
    const answered = { mounted, match, request, calledPath: target.path };
    return response instanceof Promise
      ? response.then((awaited) => completeResponse(this.#cluster, answered, awaited))
      : completeResponse(this.#cluster, answered, response);
  }

  /**
   * Runs a handler. If it writes what only a primary may write, the request is forwarded to the
   * primary.
   */
  #run(handler: OperationHandler, request: LogicalRequest): ReturnType<OperationHandler> {
    try {
      const response = this.#settling(() => handler(request));
      return response instanceof Promise
        ? response.catch((error: unknown) => this.#passOn(error, request))
        : response;
    } catch (error) {
      return this.#passOn(error, request);
    }
  }

  /** Sets the status and text of open refusals that a handler throws. */
  #settling(handle: () => ReturnType<OperationHandler>): ReturnType<OperationHandler> {
    const rethrow = (error: unknown) => {
      throw settled(error, this.#cluster.server);
    };
    try {
      const response = handle();
      return response instanceof Promise ? response.catch(rethrow) : response;
    } catch (error) {
      return rethrow(error);
    }
  }

  #passOn(error: unknown, request: LogicalRequest): ReturnType<OperationHandler> {
    if (!(error instanceof ReadOnlyError)) throw error;
    return this.#cluster.replication.forward(request);
  }
}

function logicalRequest(
  { call, namespace, token, rest }: Target,
  mounted: Mounted,
  { route, captures }: RouteMatch,
  operation: Operation,
  sudo: boolean,
  body: JsonObject = call.body,
): LogicalRequest {
  return {
    id: call.id,
    operation,
    path: rest,
    mount: mounted.entry,
    namespace,
    data: decodeFields(route.fields ?? {}, body, captures),
    body,
    ...(call.content && { content: call.content }),
    token,
    clientToken: call.token === '' ? undefined : call.token,
    sudo,
    wrap: call.wrap,
    headers: call.headers,
    remoteAddress: call.remoteAddress,
  };
}

/** @throws LogicalError if the mount has no route for the path. */
function routed(mounted: Mounted, rest: string): Routed {
  const match = mounted.router.find(rest);
  if (match === undefined) throw unsupportedPath();
  return { mounted, match };
}

function throwStandingAlone(error: unknown): never {
  throw error instanceof LogicalError && error.collected
    ? new LogicalError(error.status, error.message)
    : error;
}

function isWrite(operation: ApiRequest['operation']): boolean {
  return operation === 'update' || operation === 'create' || operation === 'patch';
}

/**
 * Returns a mount with its content in a loaded snapshot. A mount that was created after the
 * snapshot, even at the same path, has no content in it.
 *
 * @throws LogicalError if the path cannot be read from snapshots, or the snapshot is not ready.
 */
function mountInSnapshot(
  cluster: ClusterParts,
  { entry, backend }: Mounted,
  path: string,
  id: string,
): Mounted {
  if (!backend.recoverable?.(path)) throw unsupportedOperation();
  if (cluster.replication.mode === 'secondary' && !entry.local) {
    throw openRefusal('loadedSnapshots', `${entry.path} is not a local mount: use the primary`);
  }
  return cluster.mounts.over(entry, cluster.loadedSnapshot(id));
}

function noDataInSnapshot(): Error {
  return codedError(400, 'no data in the snapshot');
}
