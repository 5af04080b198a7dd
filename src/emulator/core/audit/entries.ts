import type {
  LogicalResponse,
  MountEntry,
  Namespace,
  ServerFlavour,
  TokenEntry,
  ResponseWrapInfo,
} from '../backend';
import { type LogicalError, collect } from '../errors';
import { pluginVersion } from '../flavour';
import { type EmulatorClock, timestamp } from '../primitives/clock';
import { type Json, type JsonObject, isJsonObject, parseJson } from '../primitives/json';
import { uuid } from '../primitives/identifiers';
import type { ApiRequest } from '../call';
import type { Hashing } from './hashing';
import type { DeviceSettings } from './device-settings';

/** Renders one entry for a device. */
export type EntryFor = (hashing: Hashing, settings: DeviceSettings) => JsonObject;

/** The facts of a call that are known when it is audited. */
export interface AuditedCall {
  readonly call: ApiRequest;
  /** The operation; for a write, create or update, as the route has decided. */
  readonly operation: ApiRequest['operation'];
  readonly namespace: Namespace;
  /** The path relative to the namespace. */
  readonly path: string;
  readonly token: TokenEntry | undefined;
  readonly mount: MountEntry | undefined;
  readonly server: ServerFlavour;
  readonly clock: EmulatorClock;
}

/** The result of a call. */
interface Outcome {
  readonly response?: LogicalResponse;
  readonly error?: LogicalError;
}

/** The test entry that is written when a device is enabled. */
export function testEntry(now: number): EntryFor {
  return () => ({
    auth: { token_type: 'default' },
    request: { id: uuid(), namespace: { id: 'root' }, operation: 'update', path: 'sys/audit/test' },
    time: timestamp(now),
    type: 'request',
  });
}

/**
 * Returns the entry of a request.
 *
 * @param error the reason of a refusal before the request is handled.
 */
export function requestEntry(audited: AuditedCall, error?: LogicalError): EntryFor {
  return (hashing) =>
    tidy({
      auth: authOf(audited, hashing, error === undefined),
      error: error && errorText(error),
      request: requestOf(audited, hashing),
      time: timestamp(audited.clock.now()),
      type: 'request',
    });
}

/** Returns the entry of the response to a request. */
export function responseEntry(audited: AuditedCall, { response, error }: Outcome): EntryFor {
  return (hashing, { elidesLists }) =>
    tidy({
      auth: authOf(audited, hashing, error?.status !== 403),
      error: error && errorText(error),
      request: requestOf(audited, hashing),
      response: responseOf(audited, hashing, elidesLists, { response, error }),
      time: timestamp(audited.clock.now()),
      type: 'response',
    });
}

function authOf({ token }: AuditedCall, hashing: Hashing, allowed: boolean): Json {
  if (token === undefined) return { token_type: 'default' };
  return tidy({
    ...tokenOf(token, hashing),
    policy_results: { allowed },
    remaining_uses: token.usesLeft || undefined,
  });
}

function tokenOf(token: TokenEntry, hashing: Hashing): Readonly<Record<string, Json | undefined>> {
  return {
    accessor: hashing.accessor(token.accessor),
    client_token: hashing.secret(token.id),
    display_name: token.displayName || undefined,
    entity_id: token.entityId,
    metadata: token.metadata ?? undefined,
    policies: token.policies,
    token_issue_time: timestamp(token.createdAt),
    token_policies: token.policies,
    token_ttl: token.creationTtlSeconds || undefined,
    token_type: token.type,
  };
}

function requestOf(
  { call, operation, namespace, path, token, mount, server }: AuditedCall,
  hashing: Hashing,
): Json {
  const hasData = Object.keys(call.body).length > 0;
  return tidy({
    client_token: hashing.secret(call.token),
    client_token_accessor: hashing.accessor(token?.accessor),
    data: hasData ? hashing.data(call.body, clearKeys(mount, 'audit_non_hmac_request_keys')) : undefined,
    id: call.id,
    ...mountOf(mount),
    mount_running_version: mount && pluginVersion(server),
    namespace: tidy({ id: namespace.id, path: namespace.path || undefined }),
    operation,
    path,
    policy_override: call.policyOverride || undefined,
    remote_address: call.remoteAddress,
    wrap_ttl: call.wrap?.ttlSeconds,
  });
}

function mountOf(mount: MountEntry | undefined): Readonly<Record<string, Json | undefined>> {
  if (mount === undefined) return {};
  return {
    mount_accessor: mount.accessor,
    mount_class: mount.kind,
    mount_point: mount.path,
    mount_type: mount.type,
  };
}

function responseOf(
  { operation, path, mount, server }: AuditedCall,
  hashing: Hashing,
  elidesLists: boolean,
  { response = {}, error }: Outcome,
): Json {
  const { data, auth } = contentOf(path, response);
  const shown = error === undefined ? data : refusalData(error);
  const keys = clearKeys(mount, 'audit_non_hmac_response_keys');
  const elided = shown && elidesLists && operation === 'list' ? withCounts(shown) : shown;
  return tidy({
    auth: response.issued ? tidy(tokenOf(response.issued, hashing)) : auth && envelopeAuth(auth, hashing),
    data: elided && hashing.data(elided, keys),
    ...mountOf(mount),
    mount_running_plugin_version: mount && pluginVersion(server),
    secret: response.lease?.id ? { lease_id: response.lease.id } : undefined,
    warnings: response.warnings?.length ? response.warnings : undefined,
    wrap_info: response.wrapped && wrapInfoOf(response.wrapped, hashing),
  });
}

/**
 * Returns the `data` and `auth` of a response. For an unwrap, they are those of the wrapped
 * response.
 */
function contentOf(
  path: string,
  { data, raw }: LogicalResponse,
): { readonly data?: JsonObject | undefined; readonly auth?: JsonObject | undefined } {
  if (raw === undefined) return { data: data as JsonObject | undefined };
  const envelope = path === 'sys/wrapping/unwrap' && raw.body !== '' ? parseJson(raw.body) : undefined;
  if (!isJsonObject(envelope)) {
    return {
      data: { http_content_type: raw.contentType, http_raw_body: raw.body, http_status_code: raw.status },
    };
  }
  const { data: held, auth } = envelope;
  return { data: isJsonObject(held) ? held : undefined, auth: isJsonObject(auth) ? auth : undefined };
}

/** Returns the `auth` of an envelope with its secrets hashed. */
function envelopeAuth(auth: JsonObject, hashing: Hashing): JsonObject {
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  return tidy({
    ...auth,
    accessor: hashing.accessor(text(auth['accessor'])),
    client_token: hashing.secret(text(auth['client_token'])),
  });
}

function wrapInfoOf(info: ResponseWrapInfo, hashing: Hashing): JsonObject {
  return tidy({
    accessor: hashing.accessor(info.accessor),
    creation_path: info.creationPath,
    creation_time: timestamp(info.createdAt),
    token: hashing.secret(info.token),
    ttl: info.ttlSeconds,
    wrapped_accessor: hashing.accessor(info.wrappedAccessor),
  });
}

/**
 * Returns the text of an error. A handler's own text may quote the request, so it is only in the
 * response, where it is hashed.
 */
function errorText(error: LogicalError): string {
  if (error.collected) return collect([error.message]);
  return error.status === 400 ? collect(['invalid request']) : error.message;
}

function refusalData(error: LogicalError): JsonObject | undefined {
  return error.collected || error.status !== 400 ? undefined : { error: error.message };
}

function withCounts(data: JsonObject): JsonObject {
  const { keys, key_info: info } = data;
  return {
    ...data,
    ...(Array.isArray(keys) && { keys: keys.length }),
    ...(isJsonObject(info) && { key_info: Object.keys(info).length }),
  };
}

function clearKeys(
  mount: MountEntry | undefined,
  setting: 'audit_non_hmac_request_keys' | 'audit_non_hmac_response_keys',
): readonly string[] {
  const keys = mount?.config[setting];
  return Array.isArray(keys) ? (keys as readonly string[]) : [];
}

/** Returns the members that are set. */
function tidy(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
