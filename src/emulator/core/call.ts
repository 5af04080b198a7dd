import type { IncomingHttpHeaders } from 'node:http';
import type { LogicalResponse, Operation, WrapRequest } from './backend';
import type { MfaCredentials } from './stores/mfa-methods';
import type { JsonObject } from './primitives/json';

/** The loaded snapshot that is read, or recovered from. */
export interface SnapshotReference {
  readonly id: string;
  /** The path of the recovered object in the snapshot; empty if it is the path of the call. */
  readonly sourcePath: string;
}

/** A request as the HTTP layer passes it to a cluster. */
export interface ApiRequest {
  readonly id: string;
  readonly operation: Operation | 'help' | 'recover';
  /** The decoded path without `/v1/`. Paths of lists end with a slash. */
  readonly path: string;
  /** The namespace header; empty if none was sent. */
  readonly namespace: string;
  /** The token; empty if none was sent. */
  readonly token: string;
  readonly body: JsonObject;
  /** The body of an upload, which is not JSON. */
  readonly content?: Buffer;
  /** The loaded snapshot that the call reads or recovers from. */
  readonly snapshot?: SnapshotReference;
  readonly wrap?: WrapRequest;
  /** Whether the caller asks to override soft-mandatory Sentinel policies. */
  readonly policyOverride: boolean;
  /** The credentials for MFA methods. */
  readonly mfaCredentials: MfaCredentials;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
}

/** The reply of a cluster to a call that it does not refuse. */
export interface Reply {
  /** The response; absent for a 204. */
  readonly response?: LogicalResponse;
  /** The type of the mount that answered. */
  readonly mountType: string;
}

/**
 * Returns the `X-Vault-Index` of a request: the cluster must have applied these writes to answer
 * it.
 */
export function indexOf({ headers }: ApiRequest): string {
  const index = headers['x-vault-index'];
  return typeof index === 'string' ? index : (index?.join() ?? '');
}
