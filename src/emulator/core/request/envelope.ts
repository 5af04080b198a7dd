import type {
  LogicalResponse,
  PoliciesByNamespace,
  ResponseData,
  ServerFlavour,
  TokenEntry,
  ResponseWrapInfo,
} from '../backend';
import { stringifyJson } from '../primitives/json';
import { timestamp } from '../primitives/clock';

const NO_LEASE = '"lease_id":"","renewable":false,"lease_duration":0';

const FROZEN_DATA = new WeakMap<ResponseData, string>();

/** Writes the envelope of an answer. All its members are always present. */
export function renderEnvelope(
  requestId: string,
  response: LogicalResponse,
  mountType: string,
  server: ServerFlavour,
): string {
  const { lease, issued, identityPolicies, warnings } = response;
  const leaseMembers = lease === undefined ? NO_LEASE : renderLease(lease);
  const data = response.data === undefined ? 'null' : renderData(response.data);
  const warningList = warnings === undefined || warnings.length === 0 ? 'null' : JSON.stringify(warnings);
  const auth = issued === undefined ? 'null' : renderAuth(issued, identityPolicies);
  return (
    `{"request_id":"${requestId}",${leaseMembers},"data":${data},"wrap_info":null,"warnings":${warningList},` +
    `"auth":${auth}${mountTypeMember(mountType, server)}}`
  );
}

/** Writes the envelope of a wrapped response, which contains only the reference to it. */
export function renderWrapped(wrapInfo: ResponseWrapInfo, mountType: string, server: ServerFlavour): string {
  const members = JSON.stringify({
    token: wrapInfo.token,
    accessor: wrapInfo.accessor,
    ttl: wrapInfo.ttlSeconds,
    creation_time: timestamp(wrapInfo.createdAt),
    creation_path: wrapInfo.creationPath,
    wrapped_accessor: wrapInfo.wrappedAccessor,
  });
  return (
    `{"request_id":"",${NO_LEASE},"data":null,"wrap_info":${members},"warnings":null,"auth":null` +
    `${mountTypeMember(mountType, server)}}`
  );
}

/** Frozen data never changes, so its JSON is created once. */
function renderData(data: ResponseData): string {
  const known = FROZEN_DATA.get(data);
  if (known !== undefined) return known;
  const json = stringifyJson(data);
  if (Object.isFrozen(data)) FROZEN_DATA.set(data, json);
  return json;
}

function renderLease({ id, renewable, durationSeconds }: NonNullable<LogicalResponse['lease']>): string {
  return `"lease_id":${JSON.stringify(id)},"renewable":${renewable},"lease_duration":${durationSeconds}`;
}

function renderAuth(token: TokenEntry, derived: PoliciesByNamespace = new Map()): string {
  const own = [...(derived.get(token.namespaceId) ?? [])].sort();
  const others = [...derived].filter(([namespaceId]) => namespaceId !== token.namespaceId);
  return JSON.stringify({
    client_token: token.id,
    accessor: token.accessor,
    policies: own.length === 0 ? token.policies : [...new Set([...token.policies, ...own])].sort(),
    token_policies: token.policies.length > 0 ? token.policies : undefined,
    identity_policies: own.length > 0 ? own : undefined,
    external_namespace_policies: others.length > 0 ? Object.fromEntries(others) : undefined,
    metadata: token.metadata,
    lease_duration: leaseDuration(token),
    renewable: token.renewable,
    entity_id: token.entityId ?? '',
    token_type: token.type,
    orphan: token.parent === '',
    mfa_requirement: null,
    num_uses: token.usesLeft,
  });
}

/**
 * Returns the seconds from the creation or the latest renewal to the expiry; 0 for tokens that do
 * not expire.
 */
function leaseDuration({ expiresAt, lastRenewedAt, createdAt }: TokenEntry): number {
  return expiresAt === undefined ? 0 : Math.round((expiresAt - (lastRenewedAt ?? createdAt)) / 1000);
}

function mountTypeMember(mountType: string, server: ServerFlavour): string {
  return server.atLeast(...server.assumed('mountType').since) ? `,"mount_type":"${mountType}"` : '';
}
