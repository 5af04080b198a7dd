import type { BackendFactory } from '../core/backend';
import { silent } from '../engines/engines';
import { approle } from './approle/approle-backend';
import { jwt } from './jwt/jwt-backend';
import { userpass } from './userpass/userpass-backend';

/**
 * Auth methods that the emulator only mounts, without paths of their own, so that mounts can be
 * managed and tuned.
 */
const SILENT_METHODS = [
  ...['alicloud', 'aws', 'azure', 'cert', 'cf', 'gcp', 'github', 'kerberos', 'kubernetes', 'ldap'],
  ...['oci', 'okta', 'radius', 'saml', 'scep', 'spiffe'],
];

/** The auth methods, by type. */
export const AUTH_METHODS: ReadonlyMap<string, BackendFactory> = new Map([
  ...SILENT_METHODS.map((type) => [type, silent] as const),
  ['approle', approle],
  ['jwt', jwt],
  // In Vault, `oidc` is the same method under another name.
  ['oidc', jwt],
  ['userpass', userpass],
]);
