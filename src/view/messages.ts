import type { SnapshotHealth } from '../model';
import type { ReplicationSecondaryStatus } from '../model/replication/status';

export const IS_SEALED = 'is sealed';
export const MERKLE_TREE_CORRUPTED = 'its merkle tree is corrupted: check and reindex it';

export function severalPrimaries(set: string, names: readonly string[]): string {
  return `replication set ${set} has more than one primary: ${names.map((name) => JSON.stringify(name)).join(' and ')}`;
}

export function replicationInMode(mode: string): string {
  return `its replication is ${mode}`;
}

export function notStreaming({
  state,
  connection_state: connection = 'unknown',
}: ReplicationSecondaryStatus): string {
  return `is not streaming: ${state}, connection ${connection}`;
}

export function behindPrimary(entries: number): string {
  return `is ${entries} WAL entries behind its primary`;
}

export function secondaryNotConnected(id: string): string {
  return `secondary ${JSON.stringify(id)} is not connected`;
}

/** @param key the key with its type: `pkcs11/pki-signing`. */
export function keyDoesNotSign(key: string, namespace: string, error: string): string {
  const where = namespace === '' ? '' : ` in namespace ${JSON.stringify(namespace)}`;
  return `managed key ${JSON.stringify(key)}${where} does not sign: ${error}`;
}

/** Returns the problem of a snapshot configuration; `undefined` without problems. */
export function snapshotProblem(name: string, { state, reasons }: SnapshotHealth): string | undefined {
  const isUnhealthy = state === 'failing' || state === 'overdue';
  return isUnhealthy ? `automated snapshot ${JSON.stringify(name)}: ${reasons.join('; ')}` : undefined;
}

/**
 * Returns the title of a managed key: its type and name, with its namespace:
 * `team//pkcs11/signing`.
 */
export function keyTitle(key: string, namespace: string): string {
  return namespace === '' ? key : `${namespace}//${key}`;
}
