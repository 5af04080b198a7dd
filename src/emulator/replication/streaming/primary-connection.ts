import type { SealKeys } from '../../core/stores/seal-keys';
import type { OperationHandler, LogicalRequest } from '../../core/backend';
import type { Json } from '../../core/primitives/json';
import type { ClientKey } from '../activation/client-keys';
import type { Activation } from '../activation/activation-token';
import type { Link, LinkTarget } from './link';

/** The identity that a secondary presents when it connects. */
export interface Introduction {
  readonly clusterId: string;
  readonly secondaryId: string;
  readonly clientKey: ClientKey;
  readonly name: string;
  readonly apiAddress: string;
  readonly clusterAddress: string;
}

/** The interface of a primary for its secondaries. */
export interface ReachablePrimary {
  readonly name: string;
  readonly apiAddress: string;
  readonly clusterAddress: string;
  /** The addresses of all nodes, the active one included. */
  readonly clusterAddresses: readonly string[];
  readonly sealKeys: () => SealKeys;
  readonly lastWal: () => number;
  /** Whether it accepts a secondary with this activation token. */
  admits(activation: Activation): boolean;
  /** @returns `undefined` if the secondary is refused. */
  accept(
    introduction: Introduction,
    target: LinkTarget,
    onEnd: (complete: boolean) => void,
  ): Link | undefined;
  /** Ends a connection from the secondary's side. */
  hangUp(secondaryId: string): void;
  /** Handles a request that a secondary has authorized. */
  handle(request: LogicalRequest): ReturnType<OperationHandler>;
  /** Writes an entity that a login on a secondary has created or changed. */
  write(key: string, value: Json): void;
}

/** Returns the primary of the set at a cluster address; `undefined` if it cannot be reached. */
export type Reach = (address: string, clusterId: string) => ReachablePrimary | undefined;

/** A secondary's connection to its primary. */
export interface PrimaryConnection {
  readonly primary: ReachablePrimary;
  readonly link: Link;
}
