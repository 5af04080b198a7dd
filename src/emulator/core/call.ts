import type { IncomingHttpHeaders } from 'node:http';
import type { LogicalResponse, Operation, WrapRequest } from './backend';
import type { MfaCredentials } from './stores/mfa-methods';
import type { JsonObject } from './primitives/json';

/** Which loaded snapshot is read, or recovered from. */
export interface SnapshotReference {
  readonly id: string;
  /** Where in the snapshot to find what is recovered; empty for the path of the call. */
  readonly sourcePath: string;
}

/** A request as the HTTP layer hands it to a cluster. */
export interface Call {
  readonly id: string;
  readonly operation: Operation | 'help' | 'recover';
  /** Decoded, without `/v1/`. Lists end with a slash. */
  readonly path: string;
  /** The header's namespace; empty if none was sent. */
  readonly namespace: string;
  /** Empty if none was sent. */
  readonly token: string;
  readonly body: JsonObject;
  /** The body of an upload, which is not JSON. */
  readonly content?: Buffer;
  /** The loaded snapshot that the call is about. */
  readonly snapshot?: SnapshotReference;
  readonly wrap?: WrapRequest;
  /** Whether the caller asks to override soft-mandatory Sentinel policies. */
  readonly policyOverride: boolean;
  /** What was sent for MFA methods. */
  readonly mfaCredentials: MfaCredentials;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
}

/** What a cluster answers to a call that it does not refuse. */
export interface Reply {
  /** Absent if there is nothing to say: a 204. */
  readonly response?: LogicalResponse;
  /** The type of the mount that answered. */
  readonly mountType: string;
}

/** The writes that the answer of a request has to include. */
export function indexOf({ headers }: Call): string {
  const index = headers['x-vault-index'];
  return typeof index === 'string' ? index : (index?.join() ?? '');
}
