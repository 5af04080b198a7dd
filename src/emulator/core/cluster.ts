import { randomBytes } from 'node:crypto';
import { Authorizer } from './authorizer';
import type { MountEntry, Namespace, ServerFlavour } from './backend';
import type { Call, Reply } from './call';
import type { Clock } from './clock';
import { Cubbyholes } from './cubbyholes';
import { uuid } from './identifiers';
import { type BackendTypes, MountTable } from './mounts';
import { NamespaceStore, rootNamespace } from './namespaces';
import type { ClusterParts } from './parts';
import { PolicyStore } from './policies';
import { RequestHandler } from './request-handler';
import type { Storage } from './storage';
import { TokenStore } from './tokens';
import { ResponseWrapping } from './wrapping';
import { WrappingJwt } from './wrapping-jwt';

export interface ClusterOptions {
  readonly name: string;
  readonly server: ServerFlavour;
  readonly clock: Clock;
  /** Empty for a new cluster; what an earlier one left behind makes it go on. */
  readonly storage: Storage;
  /** The root token of a new cluster; one is made where it is left out. */
  readonly rootToken?: string;
  /** What can be mounted. */
  readonly types: (cluster: Cluster) => BackendTypes;
  /** Where clients reach the cluster. */
  readonly address: () => string;
}

/** What is written down when a cluster is new. */
interface Identity {
  readonly id: string;
  readonly createdAt: number;
  readonly rootToken: string;
  readonly unsealKey: string;
}

const identityKey = 'core/identity';

/** One emulated cluster: everything between the HTTP layer and the storage. */
export class Cluster implements ClusterParts {
  readonly name: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly rootToken: string;
  /** In base64: the one key that unseals the cluster. */
  readonly unsealKey: string;
  readonly server: ServerFlavour;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly namespaces: NamespaceStore;
  readonly policies: PolicyStore;
  readonly tokens: TokenStore;
  readonly cubbyholes: Cubbyholes;
  readonly authorizer: Authorizer;
  readonly wrapping: ResponseWrapping;
  readonly mounts: MountTable;
  private readonly requests: RequestHandler;
  private isSealed = false;

  constructor(options: ClusterOptions) {
    const { name, server, clock, storage } = options;
    this.name = name;
    this.server = server;
    this.clock = clock;
    this.storage = storage;
    this.namespaces = new NamespaceStore(storage);
    this.policies = new PolicyStore(storage, server);
    this.mounts = new MountTable(storage, clock, server, options.types(this), (mount) =>
      this.revokeLoginsOf(mount),
    );
    this.cubbyholes = new Cubbyholes(this.mounts, this.namespaces);
    this.tokens = new TokenStore(storage, clock, (token) => this.cubbyholes.destroy(token));
    this.authorizer = new Authorizer(this.policies, this.namespaces, this.mounts, server);
    this.wrapping = new ResponseWrapping(
      this.tokens,
      this.cubbyholes,
      new WrappingJwt(storage, options.address),
      clock,
    );
    this.requests = new RequestHandler(this);
    const known = storage.get(identityKey) as unknown as Identity | undefined;
    if (known !== undefined) this.mounts.load();
    const identity = known ?? this.initialize(options.rootToken);
    this.id = identity.id;
    this.createdAt = identity.createdAt;
    this.rootToken = identity.rootToken;
    this.unsealKey = identity.unsealKey;
  }

  get sealed(): boolean {
    return this.isSealed;
  }

  seal(): void {
    this.isSealed = true;
  }

  /** @returns whether the key is the cluster's. */
  unseal(key: string): boolean {
    const expected = Buffer.from(this.unsealKey, 'base64');
    const fits = [Buffer.from(key, 'hex'), Buffer.from(key, 'base64')].some((given) =>
      given.equals(expected),
    );
    if (fits) this.isSealed = false;
    return fits;
  }

  /** @throws LogicalError where the cluster refuses the call. */
  handle(call: Call): Reply | Promise<Reply> {
    return this.requests.handle(call);
  }

  /** Gives a namespace what each one has from the start. */
  furnish(namespace: Namespace): void {
    const prefix = namespace.path === '' ? '' : 'ns_';
    const { mounts } = this;
    mounts.mount(namespace, 'secret', 'cubbyhole/', `${prefix}cubbyhole`, {
      description: 'per-token private secret storage',
      local: true,
    });
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

  private initialize(chosen: string | undefined): Identity {
    this.furnish(rootNamespace);
    const token = this.tokens.create({
      ...(chosen !== undefined && { id: chosen }),
      namespace: rootNamespace,
      policies: ['root'],
      displayName: 'root',
      path: 'auth/token/root',
      ttlSeconds: 0,
    });
    const identity = {
      id: uuid(),
      createdAt: this.clock.now(),
      rootToken: token.id,
      unsealKey: randomBytes(32).toString('base64'),
    };
    this.storage.put(identityKey, identity);
    return identity;
  }

  private revokeLoginsOf(mount: MountEntry): void {
    if (mount.kind !== 'auth') return;
    this.tokens.revokeWhere(
      (token) => token.namespaceId === mount.namespaceId && token.path.startsWith(mount.path),
    );
  }
}
