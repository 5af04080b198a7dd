import { createHmac } from 'node:crypto';
import { LogicalError } from '../core/errors';

/**
 * The position of a cluster when it answered. Clients receive it as `X-Vault-Index`, and send it
 * with later requests.
 */
interface IndexState {
  /** The id of the replication set, or of the cluster without replication. */
  readonly clusterId: string;
  /** The number of writes to the cluster's storage. */
  readonly local: number;
  /** The number of the last write that was replicated. */
  readonly replicated: number;
}

/** @param key the key of the signature, which all clusters of a set have. */
export function encodeIndex({ clusterId, local, replicated }: IndexState, key: string): string {
  const state = `v1:${clusterId}:${local}:${replicated}`;
  return Buffer.from(`${state}:${hmac(state, key)}`).toString('base64');
}

/**
 * Reads the header, which can occur several times.
 *
 * @throws LogicalError 400 for a value that was not created by a server of the set.
 */
export function decodeIndexes(header: string, key: string): readonly IndexState[] {
  return header
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => decodeIndex(text, key));
}

function decodeIndex(text: string, key: string): IndexState {
  const whole = Buffer.from(text, 'base64').toString();
  const [, state, sum] = /^(.*):([^:]*)$/s.exec(whole) ?? [];
  if (state === undefined) throw new LogicalError(400, 'invalid full state header format');
  if (sum !== hmac(state, key)) throw new LogicalError(400, 'invalid HMAC in state header');
  const [version, clusterId = '', local, replicated, ...more] = state.split(':');
  if (version !== 'v1' || clusterId === '' || replicated === undefined || more.length > 0) {
    throw new LogicalError(400, 'invalid state header format');
  }
  return { clusterId, local: Number(local), replicated: Number(replicated) };
}

function hmac(state: string, key: string): string {
  return createHmac('sha256', key).update(state).digest('hex');
}
