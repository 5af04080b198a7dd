import { MANAGED_KEY_TYPES, type ManagedKeyTypeName } from '../managed-keys';
import { DEFAULT_POLICY, IMMUTABLE_POLICIES } from '../policies';
import { MOUNTS_PATH } from '../paths';
import type { ApiCall } from './api-call';
import {
  ACL_POLICY_CALLS,
  AUDIT_DEVICE_CALLS,
  AUTO_SNAPSHOT_CALLS,
  EGP_POLICY_CALLS,
  MANAGED_KEY_CALLS,
  NAMESPACE_CALLS,
  RGP_POLICY_CALLS,
} from './object-calls';

/** A kind of object that a cluster may hold, and loses when it joins a replication set. */
export interface HeldKind {
  /** The name of the kind in messages: `secrets engine`. */
  readonly title: string;
  /**
   * The call that finds the objects: `GET` returns an object with their names as keys, `LIST`
   * returns the names.
   */
  readonly call: ApiCall;
  /** Whether objects of this kind exist only in the root namespace. */
  readonly rootOnly?: true;
  /** The names that every cluster has, even a new one. */
  readonly always: readonly string[];
  /** The type of managed keys that the call lists. */
  readonly keyType?: ManagedKeyTypeName;
  /**
   * The word for these objects if people do not know their names: messages show their number and
   * this word, instead of the names.
   */
  readonly counted?: string;
}

/**
 * The kinds of objects that are looked for before a cluster may be erased. Only the root namespace
 * is read, because a cluster with another namespace always holds data. Cubbyholes are left out:
 * each belongs to one token, can only be read with it, and is deleted with it.
 */
export const HELD_KINDS: readonly HeldKind[] = [
  {
    title: 'secrets engine',
    call: { method: 'GET', path: MOUNTS_PATH },
    always: ['cubbyhole/', 'identity/', 'sys/'],
  },
  { title: 'auth method', call: { method: 'GET', path: 'sys/auth' }, always: ['token/'] },
  { title: 'policy', call: ACL_POLICY_CALLS.list, always: [DEFAULT_POLICY, ...IMMUTABLE_POLICIES] },
  { title: 'policy', call: RGP_POLICY_CALLS.list, always: [] },
  { title: 'policy', call: EGP_POLICY_CALLS.list, always: [] },
  { title: 'namespace', call: NAMESPACE_CALLS.list, always: [] },
  ...MANAGED_KEY_TYPES.map((keyType) => ({
    title: 'managed key',
    call: { method: 'LIST', path: MANAGED_KEY_CALLS.list.path.replace(':type', keyType) } as const,
    always: [],
    keyType,
  })),
  { title: 'automated snapshot', call: AUTO_SNAPSHOT_CALLS.list, always: [], rootOnly: true },
  { title: 'audit device', call: AUDIT_DEVICE_CALLS.list, always: [], rootOnly: true },
  listed('password policy', 'sys/policies/password'),
  listed('rate limit quota', 'sys/quotas/rate-limit'),
  listed('lease count quota', 'sys/quotas/lease-count'),
  listed('token role', 'auth/token/roles'),
  // Servers return the origins only if some are allowed.
  {
    title: 'CORS setting',
    call: { method: 'GET', path: 'sys/config/cors', sudo: true },
    always: ['enabled', 'allowed_headers'],
    rootOnly: true,
  },
  { ...listed('identity', 'identity/entity/id'), counted: 'identities' },
  { ...listed('identity group', 'identity/group/id'), counted: 'identity groups' },
  { ...listed('MFA method', 'identity/mfa/method'), counted: 'MFA methods' },
  listed('MFA login enforcement', 'identity/mfa/login-enforcement'),
  // A new server has one key, one provider and one assignment.
  listed('OIDC key', 'identity/oidc/key', ['default']),
  listed('OIDC role', 'identity/oidc/role'),
  listed('OIDC provider', 'identity/oidc/provider', ['default']),
  listed('OIDC scope', 'identity/oidc/scope'),
  listed('OIDC client', 'identity/oidc/client'),
  listed('OIDC assignment', 'identity/oidc/assignment', ['allow_all']),
];

/** The kinds of objects that are looked for in a namespace before it is deleted. */
export const KINDS_IN_NAMESPACES = HELD_KINDS.filter(({ rootOnly }) => !rootOnly);

function listed(title: string, path: string, always: readonly string[] = []): HeldKind {
  return { title, call: { method: 'LIST', path }, always };
}
