import type { ClientOptions, TlsOptions } from '../../client';
import type { Dialect } from '../../model';

/** How to log in for a token. */
export interface LoginSettings {
  /** Below `/v1/`: `auth/approle/login`. */
  readonly path: string;
  /** Full path; empty for the root namespace. Absent: that of the cluster. */
  readonly namespace?: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * What one place (the configuration, a set of environment variables) says on a cluster. Members that only make sense
 * together are one setting, so that they always come from one place.
 */
export interface Layer {
  readonly address?: string;
  readonly credential?: { readonly token?: string; readonly login?: LoginSettings };
  readonly namespace?: string;
  readonly authorities?: Pick<TlsOptions, 'caCertFile' | 'caCertPem' | 'caCertDir'>;
  readonly clientCertificate?: Pick<TlsOptions, 'clientCertFile' | 'clientKeyFile'>;
  readonly skipVerify?: boolean;
  readonly serverName?: string;
  readonly timeout?: number;
  readonly maxRetries?: number;
  readonly dialect?: Dialect;
}

/** All that is known of one cluster before it is used. */
export interface ClusterSettings {
  readonly name: string;
  readonly options: ClientOptions;
  readonly login?: LoginSettings;
  /** Whether a token may come from the file that the product's command line leaves it in. */
  readonly usualTokenFile: boolean;
  /** Attributes that Terraform knows only after an apply. With any of them the cluster cannot be used yet. */
  readonly unknown: readonly string[];
}

/** Tells what is wrong with the settings of one cluster. */
export type Report = (problem: string, detail: string) => void;
