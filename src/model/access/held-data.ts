import { MANAGED_KEY_TYPES, type ManagedKeyTypeName } from '../managed-keys';
import { DEFAULT_POLICY, IMMUTABLE_POLICIES } from '../policies';
import type { ApiCall } from './api-call';
import {
  ACL_POLICY_CALLS,
  AUTO_SNAPSHOT_CALLS,
  EGP_POLICY_CALLS,
  MANAGED_KEY_CALLS,
  RGP_POLICY_CALLS,
} from './object-calls';

/** A kind of object that a cluster may hold, and loses when it joins a replication set. */
export interface HeldKind {
  /** In sentences: `secrets engine`. */
  readonly title: string;
  /** `GET` answers with an object whose keys are the names, `LIST` with the names. */
  readonly call: ApiCall;
  /** The names that every cluster has, a new one included. */
  readonly always: readonly string[];
  /** The type of managed keys that the call lists. */
  readonly keyType?: ManagedKeyTypeName;
  /** The names mean nothing to people: their number is shown, after this word. */
  readonly counted?: string;
}

/** Everything that is looked for before a cluster may be erased. All of it is in the root namespace. */
export const HELD_KINDS: readonly HeldKind[] = [
  {
    title: 'secrets engine',
    call: { method: 'GET', path: 'sys/mounts' },
    always: ['cubbyhole/', 'identity/', 'sys/'],
  },
  { title: 'auth method', call: { method: 'GET', path: 'sys/auth' }, always: ['token/'] },
  {
    title: 'policy',
    call: ACL_POLICY_CALLS.list,
    always: [DEFAULT_POLICY, ...IMMUTABLE_POLICIES],
  },
  { title: 'policy', call: RGP_POLICY_CALLS.list, always: [] },
  { title: 'policy', call: EGP_POLICY_CALLS.list, always: [] },
  { title: 'namespace', call: { method: 'LIST', path: 'sys/namespaces' }, always: [] },
  ...MANAGED_KEY_TYPES.map((keyType) => ({
    title: 'managed key',
    call: { method: 'LIST', path: MANAGED_KEY_CALLS.list.path.replace(':type', keyType) } as const,
    always: [],
    keyType,
  })),
  { title: 'automated snapshot', call: AUTO_SNAPSHOT_CALLS.list, always: [] },
  {
    title: 'identity',
    call: { method: 'LIST', path: 'identity/entity/id' },
    always: [],
    counted: 'identities',
  },
];
