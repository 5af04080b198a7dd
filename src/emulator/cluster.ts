import { type PolicyKind, SNAPSHOT_LOAD_SINCE } from '../model';
import { AUDIT_STORAGE_PREFIX, type StoredAuditDevice, AuditDevices } from './core/audit';
import { IdentityStore } from './core/identity/identity-store';
import { MfaMethods } from './core/stores/mfa-methods';
import type { ClusterNode, ClusterNodes } from './nodes/cluster-nodes';
import { restoreSnapshot, type Snapshot, SnapshotAgent } from './auto-snapshots';
import { ClusterReplication } from './replication/cluster-replication';
import type { ReplicationHost } from './replication/site';
import type { ReplicationNetwork } from './replication/network';
import { Authorizer } from './core/request/authorizer';
import type { OperationHandler, LogicalRequest, MountEntry, Namespace, ServerFlavour } from './core/backend';
import type { ApiRequest, Reply } from './core/call';
import type { EmulatorClock } from './core/primitives/clock';
import { Cubbyholes } from './core/stores/cubbyholes';
import { uuid } from './core/primitives/identifiers';
import { type BackendTypes, MountTable } from './core/routing/mounts';
import { NamespaceStore, ROOT_NAMESPACE } from './core/stores/namespace-store';
import type { ClusterParts } from './core/request/parts';
import { PolicyFailures } from './core/stores/policy-failures';
import { PolicyStore } from './core/stores/policy-store';
import { areGroupsForAllNamespaces } from './stored-settings';
import { RequestHandler } from './core/request/request-handler';
import { RootGeneration } from './core/stores/root-generation';
import { SentinelPolicies } from './core/stores/sentinel-policies';
import type { MemoryStorage, Storage } from './core/primitives/storage';
import { TokenStore } from './core/stores/tokens';
import { GivenShares, newSealKeys, type SealKeys, sharesOf } from './core/stores/seal-keys';
import { ResponseWrapping } from './core/stores/wrapping';
import { WrappingJwt } from './core/stores/wrapping-jwt';

interface ClusterOptions {
  readonly name: string;
  readonly server: ServerFlavour;
  readonly clock: EmulatorClock;
  /**
   * The stored data; empty for a new cluster. With the data of an earlier run, the cluster
   * continues from it.
   */
  readonly storage: MemoryStorage;
  /** The root token of a new cluster. Default: a random token. */
  readonly rootToken?: string;
  /** The folder that file audit devices may write to. Default: none. */
  readonly auditFolder?: string;
  /** Whether to leave the trace out of the refusals of RGPs and EGPs. Default: false. */
  readonly disableSentinelTrace?: boolean;
  /** The secrets engines and auth methods that can be mounted. */
  readonly types: (cluster: EmulatedCluster) => BackendTypes;
  /** The address of the cluster for clients. */
  readonly address: () => string;
  readonly nodes: ClusterNodes;
  /** Receives each write that is stored but has no effect. */
  readonly noteWithoutEffect: (path: string, what: string) => void;
  /** The network to the other clusters. */
  readonly network: ReplicationNetwork<ClusterReplication>;
  /** Milliseconds of unavailability after a change of the replication mode. Default: as assumed. */
  readonly unavailableMs?: number;
  /**
   * The seal of a new cluster that clients have to initialize. Default: the cluster is initialized.
   */
  readonly uninitialized?: SealKind;
}

/** How a cluster is unsealed: by the shares of its key, or by a key store of the cloud. */
export type SealKind = 'shamir' | 'auto';

/** The data that is stored when a cluster is created. */
interface Identity {
  readonly id: string;
  readonly createdAt: number;
  /** The first root token. The initialization returns it. */
  readonly rootToken: string;
  readonly unsealKey: string;
  /** The number of shares of the unseal key; absent for one. */
  readonly shares?: number;
  readonly threshold?: number;
  /** The seal; absent for `shamir`. */
  readonly seal?: SealKind;
  /** Whether the cluster is initialized; absent for true. */
  readonly initialized?: boolean;
}

const IDENTITY_KEY = 'core/identity';

/**
 * The prefixes of the data that remains when a cluster becomes a secondary: its identity, and its
 * role in replication.
 */
const KEPT_BY_WIPE = [IDENTITY_KEY, 'core/replication/', 'core/wrapping/'];

/** One emulated cluster: everything between the HTTP layer and the storage. */
export class EmulatedCluster implements ClusterParts, ReplicationHost {
  readonly name: string;
  /** The time of creation, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly rootToken: string;
  readonly server: ServerFlavour;
  readonly loadsSnapshots: boolean;
  readonly clock: EmulatorClock;
  readonly storage: MemoryStorage;
  readonly address: () => string;
  readonly nodes: ClusterNodes;
  readonly noteWithoutEffect: (path: string, what: string) => void;
  readonly namespaces: NamespaceStore;
  readonly policies: PolicyStore;
  readonly sentinelPolicies: SentinelPolicies;
  readonly disableSentinelTrace: boolean;
  readonly policyFailures = new PolicyFailures();
  readonly tokens: TokenStore;
  readonly cubbyholes: Cubbyholes;
  readonly authorizer: Authorizer;
  readonly wrapping: ResponseWrapping;
  readonly mounts: MountTable;
  readonly identity: IdentityStore;
  readonly mfa: MfaMethods;
  readonly replication: ClusterReplication;
  readonly rootGeneration: RootGeneration;
  readonly snapshots: SnapshotAgent;
  readonly audit: AuditDevices;
  readonly #requests: RequestHandler;
  #identity: Identity;
  #isSealed = false;
  /** The shares that sealed nodes have received. */
  readonly #unsealing = new Map<ClusterNode, GivenShares>();

  constructor(options: ClusterOptions) {
    const { name, server, clock, storage } = options;
    this.name = name;
    this.server = server;
    const [major = 0, minor = 0] = SNAPSHOT_LOAD_SINCE.split('.').map(Number);
    this.loadsSnapshots = server.enterprise && server.atLeast(major, minor);
    this.clock = clock;
    this.storage = storage;
    this.address = options.address;
    this.nodes = options.nodes;
    this.noteWithoutEffect = options.noteWithoutEffect;
    this.namespaces = new NamespaceStore(storage);
    this.policies = new PolicyStore(storage, server);
    this.sentinelPolicies = new SentinelPolicies(this.policies);
    this.disableSentinelTrace = options.disableSentinelTrace ?? false;
    this.mounts = new MountTable(storage, clock, server, options.types(this), (mount) =>
      this.#forgetMount(mount),
    );
    this.identity = new IdentityStore(this.mounts, this.namespaces, clock, () =>
      areGroupsForAllNamespaces(storage),
    );
    this.mfa = new MfaMethods(storage, clock);
    this.cubbyholes = new Cubbyholes(this.mounts, this.namespaces);
    this.tokens = new TokenStore(storage, clock, (token) => this.cubbyholes.destroy(token));
    this.authorizer = new Authorizer(this.policies, this.namespaces, this.identity, server, this.clock);
    this.wrapping = new ResponseWrapping(
      this.tokens,
      this.cubbyholes,
      new WrappingJwt(storage, options.address),
      clock,
    );
    this.audit = new AuditDevices(storage, clock, options.auditFolder);
    this.#requests = new RequestHandler(this);
    this.rootGeneration = new RootGeneration(
      () => this.sealKeys,
      () => this.#newRootToken(),
    );
    this.replication = new ClusterReplication(this, options.network, options.unavailableMs);
    this.snapshots = new SnapshotAgent(this);
    const known = storage.get<Identity>(IDENTITY_KEY);
    if (known !== undefined) this.mounts.load();
    this.#identity = known ?? this.#create(options.rootToken, options.uninitialized);
    this.createdAt = this.#identity.createdAt;
    this.rootToken = this.#identity.rootToken;
  }

  /** The id of the cluster, which does not change when it joins or leaves a set. */
  get id(): string {
    return this.#identity.id;
  }

  /** The unseal key of the cluster, in base64. If the key has one share, the share is the key. */
  get unsealKey(): string {
    return this.#identity.unsealKey;
  }

  get sealKeys(): SealKeys {
    const { unsealKey, shares = 1, threshold = 1 } = this.#identity;
    return { unsealKey, shares, threshold };
  }

  set sealKeys(keys: SealKeys) {
    this.#identify(keys);
  }

  get sealKind(): SealKind {
    return this.#identity.seal ?? 'shamir';
  }

  get initialized(): boolean {
    return this.#identity.initialized ?? true;
  }

  get sealed(): boolean {
    return this.#isSealed;
  }

  loadedSnapshot(id: string): Storage {
    return this.snapshots.loaded.contentsOf(id);
  }

  /**
   * Seals the given nodes, by default all. If the active node is among them, a standby becomes
   * active.
   */
  seal(nodes: readonly ClusterNode[] = this.nodes.all): void {
    const wasActive = nodes.includes(this.nodes.active);
    if (!this.nodes.seal(nodes)) {
      this.#isSealed = true;
      this.replication.sealChanged();
    } else if (wasActive) {
      this.nodes.stepDown();
      this.replication.interrupt();
    }
  }

  /** Unseals the given nodes, by default all. */
  unseal(nodes: readonly ClusterNode[] = this.nodes.all): void {
    this.#unsealing.clear();
    this.nodes.unseal(nodes);
    if (!this.#isSealed) return;
    this.#isSealed = false;
    this.replication.sealChanged();
  }

  /** The number of shares that a sealed node has received. */
  unsealProgress(node: ClusterNode): number {
    return this.#unsealing.get(node)?.count ?? 0;
  }

  /** Discards the shares that a sealed node has received. */
  resetUnsealing(node: ClusterNode): void {
    this.#unsealing.delete(node);
  }

  /**
   * Takes a share for a node. The last required share unseals the node.
   *
   * @returns false if all required shares were given, and one of them is wrong.
   */
  takeShare(text: string, node: ClusterNode): boolean {
    const given = this.#unsealing.get(node) ?? new GivenShares();
    this.#unsealing.set(node, given);
    const isRight = given.add(this.sealKeys, text);
    if (isRight) this.unseal([node]);
    return isRight !== false;
  }

  /**
   * Initializes the cluster. It stays sealed if shares unseal it.
   *
   * @returns the root token and the shares of the unseal key.
   */
  initialize(shares: number, threshold: number): { rootToken: string; shares: readonly Buffer[] } {
    this.#identify({ shares, threshold, initialized: true });
    if (this.sealKind === 'auto') this.unseal();
    return { rootToken: this.rootToken, shares: sharesOf(this.sealKeys) };
  }

  /** @throws LogicalError if the cluster refuses the call. */
  handle(call: ApiRequest): Reply | Promise<Reply> {
    return this.#requests.handle(call);
  }

  /** @throws LogicalError if the cluster refuses the call, whatever its body is. */
  checkHead(call: ApiRequest): void {
    this.#requests.checkHead(call);
  }

  execute(request: LogicalRequest): ReturnType<OperationHandler> {
    return this.#requests.execute(request);
  }

  refresh(key: string): void {
    const [area, table = '', id = '', ...rest] = key.split('/');
    if (area === 'logical') this.identity.refresh(table, [id, ...rest].join('/'));
    if (area !== 'core') return;
    if (table === 'namespaces') this.#refreshNamespace(id);
    else if (table === 'mounts') this.mounts.refresh(id, rest.join('/'));
    else if (table === 'audit') this.audit.refresh(id);
    else if (table === 'policies') this.#refreshPolicy(id, rest);
  }

  #refreshPolicy(namespaceId: string, [kind, ...name]: readonly string[]): void {
    // The storage has only the folders of these three kinds.
    this.policies.refresh(namespaceId, kind as PolicyKind, name.join('/'));
  }

  wipe(): void {
    this.snapshots.stop();
    if (this.server.assumed('clusterIdAfterJoin').renewed) this.#identify({ id: uuid() });
    for (const key of this.storage.keys('')) {
      if (!this.#isKeptByWipe(key)) this.storage.delete(key);
    }
    this.#reload();
    this.furnish(ROOT_NAMESPACE);
    if (this.server.assumed('standbysAfterJoin').sealed)
      this.seal(this.nodes.all.filter(({ isStandby }) => isStandby));
  }

  /** Replaces all data by that of a snapshot. */
  restore(snapshot: Snapshot): void {
    this.snapshots.stop();
    this.replication.replaceData(() => {
      restoreSnapshot(this.storage, snapshot);
      this.#identity = this.storage.get<Identity>(IDENTITY_KEY) ?? this.#identity;
      this.#reload();
    });
    this.snapshots.start();
  }

  /** Loads the objects that are cached in memory from the storage again. */
  #reload(): void {
    this.namespaces.load();
    this.mounts.load();
    this.policies.load();
    this.identity.clear();
    this.sentinelPolicies.clear();
    this.audit.load();
    this.authorizer.clear();
    this.tokens.load();
  }

  #isKeptByWipe(key: string): boolean {
    if (key.startsWith(AUDIT_STORAGE_PREFIX)) return this.storage.get<StoredAuditDevice>(key)?.local === true;
    return KEPT_BY_WIPE.some((prefix) => key.startsWith(prefix));
  }

  /** Creates the mounts and policies that every namespace has from the start. */
  furnish(namespace: Namespace): void {
    const prefix = namespace.path === '' ? '' : 'ns_';
    const { mounts } = this;
    this.#mountCubbyhole(namespace);
    mounts.mount(namespace, 'secret', 'identity/', `${prefix}identity`, {
      description: 'identity store',
      config: { passthrough_request_headers: ['Authorization'] },
    });
    mounts.mount(namespace, 'secret', 'sys/', `${prefix}system`, {
      description: 'system endpoints used for control, policy and debugging',
      sealWrap: true,
      config: { passthrough_request_headers: ['Accept'] },
    });
    mounts.mount(namespace, 'auth', 'auth/token/', `${prefix}token`, {
      description: 'token based credentials',
    });
    this.policies.initialize(namespace);
  }

  #mountCubbyhole(namespace: Namespace): void {
    const type = namespace.path === '' ? 'cubbyhole' : 'ns_cubbyhole';
    this.mounts.mount(namespace, 'secret', 'cubbyhole/', type, {
      description: 'per-token private secret storage',
      local: true,
    });
  }

  /**
   * Reads a namespace again after its record was replicated. A new namespace gets a mount for
   * cubbyholes, which are local to each cluster.
   */
  #refreshNamespace(id: string): void {
    const before = this.namespaces.byId(id);
    const now = this.namespaces.refresh(id);
    if (now === undefined && before !== undefined) {
      this.tokens.revokeWhere((token) => token.namespaceId === id);
      this.mounts.unmountAll(before);
    } else if (now !== undefined && this.mounts.get(now, 'cubbyhole/') === undefined) {
      this.#mountCubbyhole(now);
    }
  }

  #create(chosen: string | undefined, uninitialized: SealKind | undefined): Identity {
    this.furnish(ROOT_NAMESPACE);
    const identity = {
      id: uuid(),
      createdAt: this.clock.now(),
      rootToken: this.#newRootToken(chosen),
      ...newSealKeys(),
      ...(uninitialized && { seal: uninitialized, initialized: false }),
    };
    this.storage.put(IDENTITY_KEY, identity);
    return identity;
  }

  #identify(changes: Partial<Identity>): void {
    this.#identity = { ...this.#identity, ...changes };
    this.storage.put(IDENTITY_KEY, this.#identity);
  }

  #newRootToken(chosen?: string): string {
    const token = this.tokens.create({
      ...(chosen !== undefined && { id: chosen }),
      namespace: ROOT_NAMESPACE,
      policies: ['root'],
      displayName: 'root',
      path: 'auth/token/root',
      ttlSeconds: 0,
    });
    return token.id;
  }

  #forgetMount(mount: MountEntry): void {
    if (mount.path === 'identity/') this.identity.clear();
    if (mount.kind !== 'auth') return;
    this.tokens.revokeWhere(
      (token) => token.namespaceId === mount.namespaceId && token.path.startsWith(mount.path),
    );
  }
}
