import { isRecord } from '../../text';
import { type ServerAnswer } from './answer';
import type { Data, Lease, TokenGrant, VaultResponse, WrapInfo } from './responses';

const NO_WARNINGS: readonly string[] = [];
const NO_DATA: Data = {};

/** Returns the response in the envelope of an answer. */
export function openEnvelope({ status, payload = NO_DATA }: ServerAnswer): VaultResponse {
  return {
    status,
    requestId: text(payload.request_id),
    data: payloadData(payload),
    warnings: Array.isArray(payload.warnings) ? payload.warnings.map(text) : NO_WARNINGS,
    ...(payload.lease_id ? { lease: lease(payload) } : undefined),
    ...(isRecord(payload.auth) ? { auth: tokenGrant(payload.auth) } : undefined),
    ...(isRecord(payload.wrap_info) ? { wrapInfo: wrapInfo(payload.wrap_info) } : undefined),
  };
}

/** A few old endpoints, such as sys/seal-status, answer without an envelope. */
function payloadData(payload: Data): Data {
  if (isRecord(payload.data)) return payload.data;
  return 'request_id' in payload || 'errors' in payload ? NO_DATA : payload;
}

function lease(payload: Data): Lease {
  return {
    id: text(payload.lease_id),
    duration: seconds(payload.lease_duration),
    renewable: payload.renewable === true,
  };
}

function tokenGrant(auth: Data): TokenGrant {
  return {
    token: text(auth.client_token),
    accessor: text(auth.accessor),
    ttl: seconds(auth.lease_duration),
    renewable: auth.renewable === true,
    policies: Array.isArray(auth.policies) ? auth.policies.map(text) : [],
    metadata: isRecord(auth.metadata) ? (auth.metadata as Record<string, string>) : {},
  };
}

function wrapInfo(info: Data): WrapInfo {
  return {
    token: text(info.token),
    accessor: text(info.accessor),
    ttl: seconds(info.ttl),
    creationTime: text(info.creation_time),
    creationPath: text(info.creation_path),
    ...(info.wrapped_accessor ? { wrappedAccessor: text(info.wrapped_accessor) } : undefined),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function seconds(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
