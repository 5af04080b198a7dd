import type { FilterMode } from '../../model';
import type { Seconds } from '../transport/clock';

/** The fields of `primary/enable`. */
export interface EnablePrimaryFields {
  /** The cluster address for secondaries. Empty: that of the server's configuration. */
  readonly primary_cluster_addr?: string;
}

/** The fields of `primary/secondary-token`. */
export interface SecondaryTokenFields {
  /** The id of the secondary, which the caller chooses. It must be unique. */
  readonly id: string;
  /**
   * The TTL in seconds, or text such as `30m`.
   *
   * @default 30m
   */
  readonly ttl?: Seconds | string;
  /**
   * The result of `generatePublicKey` on the secondary, with which the token is encrypted. Needs
   * server version 1.3.
   */
  readonly secondary_public_key?: string;
}

/** An activation token. */
export type SecondaryToken = WrappedSecondaryToken | EncryptedSecondaryToken;

/** A readable JWT, which the secondary unwraps at the primary, once within the TTL. */
export interface WrappedSecondaryToken {
  readonly kind: 'wrapped';
  readonly token: string;
  readonly accessor: string;
  readonly ttl: Seconds;
  /** The time in the format of RFC 3339. */
  readonly creation_time: string;
}

/**
 * A token that is encrypted with the secondary's public key: only that secondary can use it,
 * without a call to the primary.
 */
export interface EncryptedSecondaryToken {
  readonly kind: 'encrypted';
  readonly token: string;
}

/** The address and CAs with which a secondary unwraps its token. */
export interface PrimaryContact {
  /** The address to use in place of the one in the token. */
  readonly primary_api_addr?: string;
  /** Path of a PEM file, on the machine of the secondary. */
  readonly ca_file?: string;
  /** Path of a directory of PEM files, on the machine of the secondary. */
  readonly ca_path?: string;
}

/** The fields of `secondary/enable`. */
export interface EnableSecondaryFields extends PrimaryContact {
  readonly token: string;
}

/** The fields of `secondary/promote`. */
export interface PromoteSecondaryFields extends EnablePrimaryFields {
  /**
   * Whether to promote the cluster even if the safety checks fail: data that has not arrived yet
   * can be lost.
   *
   * @default false
   */
  readonly force?: boolean;
}

/**
 * The fields of `secondary/update-primary`: a token (empty to remove the primary), or addresses of
 * the primary.
 */
export type UpdatePrimaryFields = PrimaryContact &
  (
    | { readonly token: string; readonly update_primary_addrs?: undefined }
    | { readonly update_primary_addrs: readonly string[]; readonly token?: undefined }
  );

/** A paths filter. */
export interface PathsFilterFields {
  /** @default allow */
  readonly mode?: FilterMode;
  readonly paths: readonly string[];
}

/** A paths filter as the server returns it. */
export interface StoredPathsFilter {
  readonly mode: string;
  readonly paths: readonly string[];
}

/**
 * The mounts and namespaces that a secondary does not receive, as computed by the server. Paths
 * include their namespace.
 */
export interface DynamicFilter {
  readonly dynamic_filtered_mounts: readonly string[];
  readonly dynamic_filtered_namespaces: readonly string[];
}
