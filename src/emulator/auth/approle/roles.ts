import { codedError } from '../../core/errors';
import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';
import type { TokenParams } from '../token-params';

/**
 * A role. A login with the role id and a secret id of the role gets a token with the properties in
 * `token`. TTLs are in seconds; 0 means no limit.
 */
export interface Role extends JsonObject {
  /** The name in lower case. */
  readonly name: string;
  readonly roleId: string;
  readonly bindSecretId: boolean;
  readonly secretIdBoundCidrs: readonly string[] | null;
  readonly secretIdNumUses: number;
  readonly secretIdTtl: number;
  readonly localSecretIds: boolean;
  readonly token: TokenParams;
  /** The old names of token fields that reads show besides the new names. */
  readonly oldNames: readonly string[];
}

/** The roles of one mount, by name and by role id. */
export class Roles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get(name: string): Role | undefined {
    return this.#storage.get<Role>(roleKey(name));
  }

  /**
   * Returns the role.
   *
   * @throws LogicalError 500 if it does not exist.
   */
  require(name: string): Role {
    const role = this.get(name);
    if (role === undefined) throw codedError(500, `role "${name}" does not exist`);
    return role;
  }

  byRoleId(roleId: string): Role | undefined {
    const name = this.#storage.get<string>(indexKey(roleId));
    return name === undefined ? undefined : this.get(name);
  }

  names(): string[] {
    return this.#storage.list('role/');
  }

  /**
   * @throws LogicalError if the role has no condition for logins, or another role has its role id.
   */
  put(role: Role): void {
    const restricted = [role.secretIdBoundCidrs ?? [], role.token.token_bound_cidrs].some(
      (c) => c.length > 0,
    );
    if (!role.bindSecretId && !restricted) {
      throw codedError(500, 'at least one constraint should be enabled on the role');
    }
    const owner = this.byRoleId(role.roleId);
    if (owner !== undefined && owner.name !== role.name) throw codedError(500, 'role_id already in use');
    const before = this.get(role.name);
    if (before !== undefined) this.#storage.delete(indexKey(before.roleId));
    this.#storage.put(roleKey(role.name), role);
    this.#storage.put(indexKey(role.roleId), role.name);
  }

  delete(role: Role): void {
    this.#storage.delete(indexKey(role.roleId));
    this.#storage.delete(roleKey(role.name));
  }
}

function roleKey(name: string): string {
  return `role/${name.toLowerCase()}`;
}

function indexKey(roleId: string): string {
  return `role-id/${roleId}`;
}
