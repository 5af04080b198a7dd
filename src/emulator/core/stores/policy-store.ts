import {
  type AclPolicy,
  HIDDEN_POLICIES,
  parseAclPolicy,
  type PolicyKind,
  SHIPPED_DEFAULT_POLICY,
} from '../../../model';
import type { Namespace, ResponseData, ServerFlavour } from '../backend';
import { invalidRequest } from '../errors';
import type { Storage } from '../primitives/storage';

const POLICY_KINDS: readonly PolicyKind[] = ['acl', 'rgp', 'egp'];

type PolicyListener = (kind: PolicyKind, namespaceId: string, name: string) => void;

/** A stored policy, as reads show it. RGPs and EGPs have a level, EGPs also paths. */
interface StoredPolicy extends ResponseData {
  readonly name: string;
  readonly policy: string;
  readonly enforcement_level?: string;
  readonly paths?: readonly string[];
}

/**
 * The policies of all namespaces. Names are in lower case; callers convert them with `policyName`.
 */
export class PolicyStore {
  readonly #parsed = new Map<string, AclPolicy>();
  readonly #listeners: PolicyListener[] = [];

  readonly #storage: Storage;
  readonly #server: ServerFlavour;

  constructor(storage: Storage, server: ServerFlavour) {
    this.#storage = storage;
    this.#server = server;
  }

  /** Adds a listener, which is called for every change of a policy. */
  onChange(listener: PolicyListener): void {
    this.#listeners.push(listener);
  }

  /** Creates the policies that every namespace has. */
  initialize(namespace: Namespace): void {
    if (this.get(namespace, 'acl', 'default') === undefined)
      this.put(namespace, 'acl', { name: 'default', policy: SHIPPED_DEFAULT_POLICY });
  }

  list(namespace: Namespace, kind: PolicyKind): string[] {
    return this.#storage.keys(prefix(namespace, kind));
  }

  get(namespace: Namespace, kind: PolicyKind, name: string): StoredPolicy | undefined {
    return this.#storage.get<StoredPolicy>(prefix(namespace, kind) + name);
  }

  put(namespace: Namespace, kind: PolicyKind, policy: StoredPolicy): void {
    this.#storage.put(prefix(namespace, kind) + policy.name, Object.freeze({ ...policy }));
    this.refresh(namespace.id, kind, policy.name);
  }

  delete(namespace: Namespace, kind: PolicyKind, name: string): void {
    this.#storage.delete(prefix(namespace, kind) + name);
    this.refresh(namespace.id, kind, name);
  }

  deleteAll(namespace: Namespace): void {
    for (const kind of POLICY_KINDS) {
      for (const name of this.list(namespace, kind)) this.delete(namespace, kind, name);
    }
  }

  /** Whether a policy exists that a token can have by this name. */
  exists(namespace: Namespace, name: string): boolean {
    return (
      name === 'root' ||
      HIDDEN_POLICIES.includes(name) ||
      this.get(namespace, 'acl', name) !== undefined ||
      this.get(namespace, 'rgp', name) !== undefined
    );
  }

  /** Returns an ACL policy ready for evaluation; `undefined` if it does not exist. */
  compiled(namespace: Namespace, name: string): AclPolicy | undefined {
    const key = `${namespace.id}/${name}`;
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const text =
      name === WRAPPING_POLICY_NAME ? WRAPPING_POLICY_TEXT : this.get(namespace, 'acl', name)?.policy;
    if (text === undefined) return undefined;
    const policy = this.parse(namespace, text);
    this.#parsed.set(key, policy);
    return policy;
  }

  /** @throws AclPolicyError with the server's text. */
  parse(namespace: Namespace, text: string): AclPolicy {
    return parseAclPolicy(text, { namespace: namespace.path, refuseDuplicates: this.#server.atLeast(1, 21) });
  }

  /** Discards parsed policies; called after the whole storage was replaced. */
  load(): void {
    this.#parsed.clear();
  }

  /** Handles a policy that replication wrote or deleted in the storage. */
  refresh(namespaceId: string, kind: PolicyKind, name: string): void {
    if (kind === 'acl') this.#parsed.delete(`${namespaceId}/${name}`);
    for (const listener of this.#listeners) listener(kind, namespaceId, name);
  }
}

/** @throws LogicalError for policies that cannot be assigned to tokens. */
export function refuseInternalPolicies(names: readonly string[]): void {
  const refused = names.find((name) => HIDDEN_POLICIES.includes(name));
  if (refused !== undefined) throw invalidRequest(`cannot assign policy "${refused}"`);
}

/** Returns a policy's name in the form that the server stores. */
export function policyName(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Returns the names of a token's policies: in lower case, sorted, without duplicates; with `root`,
 * only `root`.
 */
export function sanitizePolicies(names: readonly string[], addDefault = false): string[] {
  const folded = new Set(names.map(policyName).filter((name) => name !== ''));
  if (folded.has('root')) return ['root'];
  if (addDefault) folded.add('default');
  return [...folded].sort();
}

function prefix(namespace: Namespace, kind: PolicyKind): string {
  return `core/policies/${namespace.id}/${kind}/`;
}

/** The only policy of wrapping tokens. */
export const WRAPPING_POLICY_NAME = 'response-wrapping';

/** The text of the policy for wrapping tokens. */
export const WRAPPING_POLICY_TEXT = `
path "cubbyhole/response" {
    capabilities = ["create", "read"]
}

path "sys/wrapping/unwrap" {
    capabilities = ["update"]
}
`;
