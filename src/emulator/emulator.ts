import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../files';
import type { Dialect } from '../model';
import { AUTH_METHODS } from './auth/methods';
import { type Snapshot, restoreSnapshot, SNAPSHOT_ACTIONS } from './auto-snapshots';
import { ControlApi } from './control/control-api';
import { Faults } from './control/faults';
import { RequestLog } from './control/request-log';
import { MovableClock } from './core/primitives/clock';
import { EmulatedCluster, type SealKind } from './cluster';
import { DEFAULT_SERVER_VERSION, serverFlavour } from './core/flavour';
import { MemoryStorage } from './core/primitives/storage';
import { ClusterNodes } from './nodes/cluster-nodes';
import { NODE_ACTIONS } from './nodes/control';
import type { BackendFactory, MountEntry } from './core/backend';
import { SECRETS_ENGINES, silent } from './engines/engines';
import { stored } from './engines/stored';
import { identityBackend } from './identity/identity-backend';
import { type ServerCertificate, makeServerCertificate } from './http/certificates';
import { Responder } from './http/responder';
import { DEFAULT_BIND, ClusterServer } from './http/server';
import { type Assume, Assumed, readReport } from './assume';
import { assumptionActions } from './control/assumption-actions';
import { KeyOperations, KeyStores, managedKeyActions } from './managed-keys';
import { clusterStore, DataFolder, KEY_STORES } from './data-folder';
import { applySeed, readSeed, type Seed, type SeededCluster } from './seed';
import type { ClusterReplication } from './replication/cluster-replication';
import { type ClientKey, newClientKey } from './replication/activation/client-keys';
import { ReplicationControl } from './replication/control';
import { replicationActions } from './replication/control-actions';
import { ReplicationNetwork } from './replication/network';
import { pageActions } from './page-actions';
import { systemBackend } from './system/system-backend';
import { tokenBackend } from './token/token-backend';

/** @typeParam Name the names of the clusters. */
export interface EmulatorOptions<Name extends string = string> {
  /**
   * The ports of the clusters, by name; 0 for any free port. Default: one cluster named `default`.
   */
  readonly clusters?: Readonly<Record<Name, number>>;
  /**
   * The number of standbys of each cluster: performance standbys, or, in the open-source edition,
   * standbys that forward every request. Their ports follow that of the cluster; if that is 0, they
   * are free ports. Default: 0.
   */
  readonly standbys?: number;
  /** The root token of every new cluster. Default: a random token for each cluster. */
  readonly rootToken?: string;
  /**
   * The version of the server, as in `sys/health`. A version without `+ent` is the open-source
   * edition. Default: that of the report that `assume` names, otherwise `1.21.0+ent`.
   */
  readonly serverVersion?: string;
  /** The vendor names in requests and responses. Default: `vault`, Vault's own names. */
  readonly dialect?: Dialect;
  /** Whether to serve TLS, with certificates from a new CA. Default: false. */
  readonly tls?: boolean;
  /**
   * The IP address to listen on; `0.0.0.0` or `::` for all addresses of this machine. Other
   * machines can then reach the clusters by IP address, or by the names in `allowedHosts`. Default:
   * `127.0.0.1`, this machine alone.
   */
  readonly bind?: string;
  /**
   * Additional host names that clients may use, besides `localhost` and loopback addresses.
   * Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * The folder to store the clusters' data in, used by one emulator at a time. A request is
   * answered when its changes are on disk. Default: data is kept in memory.
   */
  readonly dataFolder?: string;
  /**
   * Receives warnings: an interrupted write was removed from the data folder, the folder cannot be
   * written to, or something was stored for the first time that has no effect. Default:
   * `process.emitWarning`.
   */
  readonly onWarning?: (text: string) => void;
  /**
   * The folder that `file` audit devices may write to. Default: `file` audit devices are refused.
   */
  readonly auditFolder?: string;
  /**
   * Whether to leave the trace out of the refusals of RGPs and EGPs, like the server's own setting.
   * Default: false.
   */
  readonly disableSentinelTrace?: boolean;
  /**
   * Snapshots to start clusters from, by cluster name. They replace the data of these clusters in
   * the data folder, including tokens and the unseal key.
   */
  readonly restore?: Readonly<Partial<Record<Name, Snapshot>>>;
  /**
   * The content of new clusters, or a file with it: `{ clusters, sets }`, or the output of
   * `vault-admin adopt --json`. Clusters that are in the data folder do not change. Default: none.
   */
  readonly seed?: Seed | string;
  /**
   * Whether mounts of types that the emulator does not implement, such as `pki`, return what was
   * written below them. Default: they have no paths.
   */
  readonly storedMounts?: boolean;
  /**
   * The seal of new clusters that are not initialized yet: `shamir` is unsealed by shares, `auto`
   * unseals itself once it is initialized. Default: clusters are initialized and unsealed.
   */
  readonly uninitialized?: SealKind;
  /**
   * How long a cluster is unavailable after a change of its replication mode, in milliseconds of
   * the emulator's clock, starting with the response to the change. Default: see the assumption
   * `interruption`, 300.
   */
  readonly unavailableMs?: number;
  /**
   * The alternatives for behaviors that public sources leave open, by assumption, see
   * `docs/emulator-assumptions.md`; or the file of a report of `vault-admin verify`, so that the
   * emulator behaves like that server. Default: the first alternative of each.
   */
  readonly assume?: Assume | string;
}

/** A cluster of a running emulator. */
export interface RunningCluster {
  readonly name: string;
  /** `http://127.0.0.1:PORT`, or `https:` with TLS. */
  readonly address: string;
  /** The nodes at this address and, with `standbys`, at others. */
  readonly nodes: ClusterNodes;
  /**
   * The first root token. When the cluster becomes a secondary, it only works for the control API.
   */
  readonly rootToken: string;
  /**
   * The key that unseals the cluster, if it has one share. A secondary has the key of its primary.
   */
  readonly unsealKey: string;
  /**
   * With TLS: the PEM file of the CA to trust. It is new at every start, and deleted on close
   * unless it is in the data folder.
   */
  readonly caCertFile?: string;
}

/**
 * A running emulator. `await using` closes it at the end of the block.
 *
 * @typeParam Name the names of the clusters.
 */
export interface Emulator<Name extends string = string> extends AsyncDisposable {
  readonly clusters: Readonly<Record<Name, RunningCluster>>;
  /** The time in all clusters. */
  readonly clock: MovableClock;
  /** Faults to inject: latency, errors, dropped connections, crashes. */
  readonly faults: Faults;
  /** The requests that the clusters have answered. */
  readonly requests: RequestLog;
  /** The contents of the HSM and the cloud services behind managed keys, for all clusters. */
  readonly keyStores: KeyStores;
  /** The network between the clusters, and crashes to inject. */
  readonly replication: ReplicationControl;
  /**
   * The alternatives for behaviors that public sources leave open. They can be changed while the
   * emulator runs.
   */
  readonly assumed: Assumed;
  /** Stops the clusters, and completes writes to the data folder. */
  close(): Promise<void>;
}

/**
 * Starts an emulated server of one or more clusters in this process, which can only be reached from
 * this machine unless `bind` is set.
 *
 * @throws RangeError for a server version, a port, a number of standbys, an assumption or a report
 *   that the emulator does not know; Error if a port is in use or the data folder cannot be used;
 *   SeedError if the seed cannot be read, or a cluster refuses a part of it.
 */
export function startEmulator<Name extends string = 'default'>(
  options: EmulatorOptions<Name> = {},
): Promise<Emulator<Name>> {
  return emulate(options, async ({ responder, control, certificate, port }) => {
    const { allowedHosts, bind = DEFAULT_BIND } = options;
    const server = new ClusterServer({
      responder,
      control,
      ...(certificate && { certificate }),
      allowedHosts,
      bind,
    });
    await server.listen(port);
    return server;
  });
}

const MOST_STANDBYS = 9;
const HIGHEST_PORT = 65_535;

/** The node that a listener is opened for. */
interface Opening {
  readonly name: string;
  readonly responder: Responder;
  readonly control: ControlApi;
  readonly port: number;
  readonly certificate?: ServerCertificate;
}

/** The listener that receives the requests of a cluster. */
interface Listener {
  readonly address: string;
  /** Closes all connections, as a crash of the cluster does. */
  dropConnections(): void;
  close(): Promise<void>;
}

/**
 * Starts clusters.
 *
 * @param open creates the listener of a node.
 * @param newKey generates the client keys with which secondaries authenticate to their primary.
 */
export async function emulate<Name extends string>(
  options: EmulatorOptions<Name>,
  open: (opening: Opening) => Promise<Listener>,
  newKey: () => ClientKey = newClientKey,
): Promise<Emulator<Name>> {
  const checked = checkOptions(options);
  const warn = options.onWarning ?? ((text: string) => process.emitWarning(text));
  const data = options.dataFolder === undefined ? undefined : await DataFolder.open(options.dataFolder, warn);
  const emulation = new Emulation(options, { ...checked, warn, data, open, newKey });
  try {
    const clusters = await emulation.start(checked.seed);
    const { clock, faults, log: requests, keyStores, replication } = emulation;
    const close = () => emulation.close();
    const { assumed } = checked;
    return {
      clusters,
      clock,
      faults,
      requests,
      keyStores,
      replication,
      assumed,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await emulation.close();
    throw error;
  }
}

/** @throws RangeError and SeedError for options that are not valid. */
function checkOptions({
  clusters = {},
  standbys = 0,
  assume,
  serverVersion,
  dialect,
  seed,
}: EmulatorOptions) {
  for (const [name, port] of Object.entries<unknown>(clusters))
    if (!Number.isInteger(port) || Number(port) < 0 || Number(port) > HIGHEST_PORT)
      throw new RangeError(
        `clusters: the port of ${JSON.stringify(name)}, ${JSON.stringify(port)}, is not valid; allowed are 1 to ${HIGHEST_PORT}, ` +
          'and 0 for any free port',
      );
  if (!Number.isInteger(standbys) || standbys < 0 || standbys > MOST_STANDBYS)
    throw new RangeError(`standbys: ${standbys} is not valid; allowed are 0 to ${MOST_STANDBYS}`);
  const report = typeof assume === 'string' ? readReport(assume) : undefined;
  const assumed = new Assumed(report?.assume ?? (assume as Assume | undefined));
  const version = serverVersion ?? report?.serverVersion ?? DEFAULT_SERVER_VERSION;
  return {
    standbys,
    assumed,
    server: serverFlavour(version, dialect, assumed),
    seed: typeof seed === 'string' ? readSeed(seed) : seed,
  };
}

interface EmulationSettings extends Omit<ReturnType<typeof checkOptions>, 'seed'> {
  readonly warn: (text: string) => void;
  readonly data: DataFolder | undefined;
  readonly open: (opening: Opening) => Promise<Listener>;
  readonly newKey: () => ClientKey;
}

/** The clusters of one emulator, and all that they share. */
class Emulation {
  readonly clock = new MovableClock();
  readonly faults = new Faults();
  readonly log = new RequestLog();
  readonly keyStores: KeyStores;
  readonly replication: ReplicationControl;
  readonly control: ControlApi;
  readonly managedKeys: KeyOperations;
  readonly network: ReplicationNetwork<ClusterReplication>;
  readonly tls: Tls | undefined;
  readonly noteWithoutEffect: (path: string, what: string) => void;
  readonly #runs = new Map<string, ClusterRun>();
  readonly #listeners: Listener[] = [];

  constructor(
    readonly options: EmulatorOptions,
    readonly settings: EmulationSettings,
  ) {
    const { assumed, warn, data, newKey } = settings;
    this.noteWithoutEffect = oncePerPath((path, what) =>
      warn(`a write to ${path} was stored and has no effect in the emulator (${what})`),
    );
    this.tls = options.tls === true ? makeTls(options) : undefined;
    this.keyStores = new KeyStores(data?.storage(KEY_STORES) ?? new MemoryStorage());
    this.managedKeys = new KeyOperations(this.keyStores);
    this.network = new ReplicationNetwork((name) => this.#runs.get(name)?.restart(), newKey);
    this.replication = new ReplicationControl(this.network);
    const { clock, faults, log, replication, managedKeys } = this;
    const clusters = this.#runs;
    this.control = new ControlApi(clock, faults, log, clusters, {
      ...pageActions({ clusters, replication, faults, log, clock, keyTests: managedKeys.tests }),
      ...managedKeyActions(managedKeys),
      ...replicationActions(replication),
      ...assumptionActions(assumed),
      ...NODE_ACTIONS,
      ...SNAPSHOT_ACTIONS,
    });
  }

  /** Starts all clusters, and fills them. */
  async start(seed: Seed | undefined): Promise<Readonly<Record<string, RunningCluster>>> {
    const ports: Readonly<Record<string, number>> = this.options.clusters ?? { default: 0 };
    this.#reserve(Object.values(ports).filter((port) => port !== 0));
    const started: Record<string, RunningCluster> = {};
    for (const [name, port] of Object.entries(ports)) {
      const run = new ClusterRun(name, this);
      started[name] = await run.start(port);
      this.#runs.set(name, run);
    }
    if (seed !== undefined) {
      await applySeed(seed, this.#runs);
      this.log.clear();
    }
    return started;
  }

  /** Opens a listener, which is closed with the emulator. */
  async listen(opening: Omit<Opening, 'control' | 'certificate'>): Promise<Listener> {
    const certificate = this.tls?.certificate;
    const listener = await this.settings.open({
      ...opening,
      control: this.control,
      ...(certificate && { certificate }),
    });
    this.#listeners.push(listener);
    return listener;
  }

  async close(): Promise<void> {
    this.clock.stop();
    await Promise.all(this.#listeners.map((each) => each.close()));
    await this.clock.settled();
    await this.settings.data?.close();
    this.tls?.remove();
  }

  /** Keeps the ports of clusters and their standbys free of the listeners of replication. */
  #reserve(ports: readonly number[]): void {
    const { standbys } = this.settings;
    this.network.reserve(
      ports.flatMap((port) => Array.from({ length: standbys + 1 }, (_, index) => port + index)),
    );
  }
}

/** One cluster of an emulator: its nodes, and the object that a crash replaces. */
class ClusterRun implements SeededCluster {
  readonly isNew: boolean;
  readonly #name: string;
  readonly #emulation: Emulation;
  readonly #storage: MemoryStorage;
  readonly #nodes = new ClusterNodes();
  readonly #opened: { readonly responder: Responder; readonly listener: Listener }[] = [];
  #cluster: EmulatedCluster;

  constructor(name: string, emulation: Emulation) {
    this.#name = name;
    this.#emulation = emulation;
    const { options, settings } = emulation;
    this.#storage = settings.data?.storage(clusterStore(name)) ?? new MemoryStorage();
    const snapshot = options.restore?.[name];
    if (snapshot !== undefined) restoreSnapshot(this.#storage, snapshot);
    this.isNew = this.#storage.keys('').length === 0;
    this.#cluster = this.#build();
  }

  get cluster(): EmulatedCluster {
    return this.#cluster;
  }

  /** Opens the nodes: the active one at a port, and the standbys at the next ones. */
  async start(port: number): Promise<RunningCluster> {
    const { settings, tls } = this.#emulation;
    for (let number = 0; number <= settings.standbys; number += 1)
      await this.#openNode(port === 0 ? 0 : port + number);
    this.#resume({ afterCrash: false });
    const { cluster } = this;
    const sealed = () => this.#cluster.unsealKey;
    return {
      name: this.#name,
      address: this.#opened[0]!.listener.address,
      nodes: this.#nodes,
      rootToken: cluster.rootToken,
      get unsealKey() {
        return sealed();
      },
      ...(tls && { caCertFile: tls.caCertFile }),
    };
  }

  /** Replaces the cluster, as a crash does. The new one has the same storage. */
  restart(): void {
    this.#cluster.replication.stop();
    this.#cluster.snapshots.stop();
    this.#cluster = this.#build();
    this.#nodes.standbysBehind = false;
    this.#nodes.unseal(this.#nodes.all);
    for (const { responder, listener } of this.#opened) {
      responder.restart(this.#cluster);
      listener.dropConnections();
    }
    this.#resume({ afterCrash: true });
  }

  ask(request: Parameters<SeededCluster['ask']>[0]): ReturnType<SeededCluster['ask']> {
    return this.#opened[0]!.responder.respond(request);
  }

  #build(): EmulatedCluster {
    const { options, settings, managedKeys, clock, network, noteWithoutEffect } = this.#emulation;
    const { rootToken, disableSentinelTrace, auditFolder, unavailableMs, uninitialized } = options;
    return new EmulatedCluster({
      name: this.#name,
      server: settings.server,
      clock,
      storage: this.#storage,
      ...(rootToken !== undefined && { rootToken }),
      ...(disableSentinelTrace !== undefined && { disableSentinelTrace }),
      ...(auditFolder !== undefined && { auditFolder }),
      types: (itself) => mountableTypes(itself, managedKeys, options.storedMounts),
      address: () => this.#nodes.all[0]!.address,
      nodes: this.#nodes,
      noteWithoutEffect,
      network,
      ...(unavailableMs !== undefined && { unavailableMs }),
      ...(uninitialized !== undefined && { uninitialized }),
    });
  }

  async #openNode(port: number): Promise<void> {
    const { control, faults, log, replication, settings } = this.#emulation;
    const node = this.#nodes.add(() => listener.address);
    const responder = new Responder({
      cluster: this.#cluster,
      node,
      control,
      faults,
      log,
      crash: () => replication.crash(this.#name),
      ...(settings.data && { data: settings.data }),
    });
    const listener = await this.#emulation.listen({ name: this.#name, responder, port });
    this.#opened.push({ responder, listener });
  }

  #resume(start: { readonly afterCrash: boolean }): void {
    if (!this.#cluster.initialized) this.#cluster.seal();
    this.#cluster.replication.start(start);
    this.#cluster.snapshots.start();
  }
}

/** Returns a function that calls `report` for the first write to each path only. */
function oncePerPath(report: (path: string, what: string) => void): (path: string, what: string) => void {
  const reported = new Set<string>();
  return (path, what) => {
    if (reported.has(path)) return;
    reported.add(path);
    report(path, what);
  };
}

/**
 * Returns everything that can be mounted in a cluster. The server's own mounts are also listed
 * under their names in child namespaces.
 */
function mountableTypes(cluster: EmulatedCluster, managedKeys: KeyOperations, storedMounts = false) {
  const system = systemBackend(cluster, managedKeys);
  const token = tokenBackend(cluster);
  const identity = identityBackend(cluster);
  const note = ({ path, type }: MountEntry) => cluster.noteWithoutEffect(path, `${type} is not implemented`);
  const mountable = ([type, factory]: readonly [string, BackendFactory]) =>
    [type, storedMounts && factory === silent ? stored(note) : factory] as const;
  return {
    secret: new Map([
      ...[...SECRETS_ENGINES].map(mountable),
      ['system', system],
      ['ns_system', system],
      ['identity', identity],
      ['ns_identity', identity],
    ]),
    auth: new Map([...[...AUTH_METHODS].map(mountable), ['token', token], ['ns_token', token]]),
  };
}

interface Tls {
  readonly certificate: ServerCertificate;
  readonly caCertFile: string;
  remove(): void;
}

/**
 * Creates certificates. The CA's file is in the data folder, or in a temporary folder that is
 * deleted when the emulator is closed.
 */
function makeTls({ dataFolder, bind = DEFAULT_BIND, allowedHosts = [] }: EmulatorOptions): Tls {
  const certificate = makeServerCertificate([bind, ...allowedHosts]);
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'vault-emulator-'));
  makeFolder(folder, 0o700);
  const caCertFile = join(folder, 'ca.pem');
  writeFileSync(caCertFile, certificate.caCertificate);
  const remove = () => {
    if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return { certificate, caCertFile, remove };
}
