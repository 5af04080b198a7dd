import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';
import type { TokenParams } from '../token-params';

/** The conditions for a token to log in, beside its signature. Leeways are in seconds. */
interface JwtRole extends JsonObject {
  readonly settings: RoleSettings;
  readonly token: TokenParams;
  /** Old names of token fields that reads show as well. */
  readonly oldNames: readonly string[];
}

/** The settings of a role, with the field names of requests and responses. */
export interface RoleSettings extends JsonObject {
  readonly role_type: string;
  readonly bound_audiences: readonly string[] | null;
  readonly bound_subject: string;
  readonly bound_claims: JsonObject | null;
  readonly bound_claims_type: string;
  readonly claim_mappings: Readonly<Record<string, string>> | null;
  readonly user_claim: string;
  readonly user_claim_json_pointer: boolean;
  readonly groups_claim: string;
  /**
   * For each of the three leeways, 0 means the server's default and a negative number means none.
   */
  readonly expiration_leeway: number;
  readonly not_before_leeway: number;
  readonly clock_skew_leeway: number;
  readonly allowed_redirect_uris: readonly string[] | null;
  readonly oidc_scopes: readonly string[] | null;
  readonly max_age: number;
  readonly verbose_oidc_logging: boolean;
}

const PREFIX = 'role/';

export function jwtRole(storage: Storage, name: string): JwtRole | undefined {
  return storage.get<JwtRole>(PREFIX + name);
}

export function jwtRoleNames(storage: Storage): string[] {
  return storage.list(PREFIX);
}

export function saveJwtRole(storage: Storage, name: string, role: JwtRole): void {
  storage.put(PREFIX + name, role);
}

export function deleteJwtRole(storage: Storage, name: string): void {
  storage.delete(PREFIX + name);
}
