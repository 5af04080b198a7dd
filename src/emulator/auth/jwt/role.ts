import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';
import type { TokenParams } from '../token-params';

/** The conditions for a token to log in, beside its signature. Leeways are in seconds. */
interface JwtRole extends JsonObject {
  readonly settings: RoleSettings;
  readonly token: TokenParams;
  /** The old names of token fields that reads show besides the new names. */
  readonly oldNames: readonly string[];
}

/**
 * The settings of a role before they are written, with the field names of requests and responses.
 */
export const NO_SETTINGS = {
  bound_audiences: null as readonly string[] | null,
  bound_subject: '',
  bound_claims: null as JsonObject | null,
  claim_mappings: null as Readonly<Record<string, string>> | null,
  user_claim: '',
  user_claim_json_pointer: false,
  groups_claim: '',
  // For each of the three leeways, 0 means the server's default and a negative number means none.
  expiration_leeway: 0,
  not_before_leeway: 0,
  clock_skew_leeway: 0,
  allowed_redirect_uris: null as readonly string[] | null,
  oidc_scopes: null as readonly string[] | null,
  max_age: 0,
  verbose_oidc_logging: false,
};

export type RoleSettings = Readonly<typeof NO_SETTINGS> & {
  readonly role_type: string;
  readonly bound_claims_type: string;
};

/** The roles of a mount, by their names. */
export function jwtRoles(storage: Storage): Storage {
  return storage.view('role/');
}

export function jwtRole(storage: Storage, name: string): JwtRole | undefined {
  return jwtRoles(storage).get<JwtRole>(name);
}
