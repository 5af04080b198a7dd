import type { FilterMode } from '../../model';
import type { Seconds } from '../transport/clock';

/** The fields of `primary/enable`. */
export interface EnablePrimaryFields {
  /** Cluster address given to secondaries. Empty: that of the server's configuration. */
  readonly primary_cluster_addr?: string;
}

/** The fields of `primary/secondary-token`. */
export interface SecondaryTokenFields {
  /** The secondary's id: unique, chosen here. */
  readonly id: string;
  /**
   * Seconds, or text such as `30m`.
   *
   * @default 30m
   */
  readonly ttl?: Seconds | string;
  /** From `generatePublicKey` on the secondary: the token is encrypted with it. Needs server version 1.3. */
  readonly secondary_public_key?: string;
}

/** An activation token. */
export type SecondaryToken = WrappedSecondaryToken | EncryptedSecondaryToken;

/** A readable JWT, which the secondary unwraps at the primary: once, within the TTL. */
export interface WrappedSecondaryToken {
  readonly kind: 'wrapped';
  readonly token: string;
  readonly accessor: string;
  readonly ttl: Seconds;
  /** RFC 3339. */
  readonly creation_time: string;
}

/** Encrypted with the secondary's public key: only that secondary can use it, and needs no call to the primary. */
export interface EncryptedSecondaryToken {
  readonly kind: 'encrypted';
  readonly token: string;
}

/** Where and how a secondary unwraps its token. */
export interface PrimaryContact {
  /** In place of the address in the token. */
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
   * Promotes although the safety checks do not pass: data that has not arrived yet may be lost.
   *
   * @default false
   */
  readonly force?: boolean;
}

/** The fields of `secondary/update-primary`: a token (empty to forget the primary), or addresses of the primary. */
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

/** A paths filter as it is read. */
export interface StoredPathsFilter {
  readonly mode: string;
  readonly paths: readonly string[];
}

/** What a secondary does not receive, as computed by the server. Paths include their namespace. */
export interface DynamicFilter {
  readonly dynamic_filtered_mounts: readonly string[];
  readonly dynamic_filtered_namespaces: readonly string[];
}
