import type { AclPolicy } from './policy';

/** What a request does, as the server sees it. A write is `create` where the server can tell that nothing is there yet. */
export type AclOperation =
  'create' | 'read' | 'update' | 'delete' | 'list' | 'patch' | 'recover' | 'help' | 'revoke' | 'renew';

export interface AclRequest {
  readonly operation: AclOperation;
  /** Full path with the request's namespace, without `/v1/`: `ns1/secret/data/app`. */
  readonly path: string;
  /** The request's parameters. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Seconds; absent when no response wrapping is asked for. */
  readonly wrapTtl?: number;
}

export interface AclDecision {
  readonly allowed: boolean;
  /** The path's rule holds `sudo`; needed for root-protected paths. */
  readonly sudo: boolean;
}

/** What a token with certain policies may do. */
export class Acl {
  constructor(_policies: readonly AclPolicy[]) {}

  /** Everything, in `namespace` and below: what the policy `root` gives. */
  static root(_namespace = ''): Acl {
    return new Acl([]);
  }

  allow(_request: AclRequest): AclDecision {
    return { allowed: false, sudo: false };
  }

  /** The capabilities on a full path in the server's order; `["root"]` for root, `["deny"]` for none. */
  capabilities(_path: string): readonly string[] {
    return ['deny'];
  }
}
