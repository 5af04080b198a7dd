import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../model';
import { AUTH_METHODS } from './auth/methods';
import { type Snapshot, restoreSnapshot, SNAPSHOT_ACTIONS } from './auto-snapshots';
import { ControlApi } from './control/control-api';
import { Faults } from './control/faults';
import { RequestLog } from './control/request-log';
import { MovableClock } from './core/primitives/clock';
import { Cluster } from './core/cluster';
import { DEFAULT_SERVER_VERSION, serverFlavour } from './core/flavour';
import { MemoryStorage } from './core/stores/storage';
import { SECRETS_ENGINES } from './engines/engines';
import { type ServerCertificate, makeServerCertificate } from './http/certificates';
import { ClusterServer } from './http/server';
import { KeyOperations, KeyStores, managedKeyActions } from './managed-keys';
import { PersistentStorage } from './persistence';
import type { ClusterReplication } from './replication/cluster-replication';
import { ReplicationControl } from './replication/control';
import { replicationActions } from './replication/control-actions';
import { ReplicationNetwork } from './replication/network';
import { systemBackend } from './system/backend';
import { tokenBackend } from './token/backend';

export interface EmulatorOptions {
  /** Names of the clusters, with their ports; 0 for any that is free. Default: one cluster `default`. */
  readonly clusters?: Readonly<Record<string, number>>;
  /** Of every new cluster. Default: each makes its own. */
  readonly rootToken?: string;
  /** As in `sys/health`; without `+ent` the open-source server. Default: `1.21.0+ent`. */
  readonly serverVersion?: string;
  /** The names of vendors in requests and answers. Default: `vault`, the product's. */
  readonly dialect?: Dialect;
  /** Answers over TLS, with certificates of a CA made for the occasion. Default: false. */
  readonly tls?: boolean;
  /** A folder that keeps the clusters' data from one start to the next. Default: memory only. */
  readonly dataFolder?: string;
  /** The folder that `file` audit devices may write their logs to. Default: none, they are refused. */
  readonly auditFolder?: string;
  /**
   * Snapshots to start clusters from, by the clusters' names. They take the place of what the data folder holds of
   * them: tokens and the unseal key are those of the snapshot.
   */
  readonly restore?: Readonly<Record<string, Snapshot>>;
  /**
   * How long a cluster is without service after a change of its replication mode: milliseconds by the emulator's clock,
   * beginning when the change is answered. Default: 300.
   */
  readonly unavailableMs?: number;
}

const DEFAULT_UNAVAILABLE_MS = 300;

/** A cluster that answers. */
export interface RunningCluster {
  readonly name: string;
  /** `http://127.0.0.1:PORT`, or `https:` with TLS. */
  readonly address: string;
  /** As the cluster was made: it dies when the cluster becomes a secondary, but for the control API. */
  readonly rootToken: string;
  /** The one key that unseals the cluster: the primary's, once it is a secondary. */
  readonly unsealKey: string;
  /** With TLS: the CA to trust, in PEM; made anew at every start. In the data folder, or gone when the emulator is closed. */
  readonly caCertFile?: string;
}

export interface Emulator {
  readonly clusters: Readonly<Record<string, RunningCluster>>;
  /** The time in all clusters. */
  readonly clock: MovableClock;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** What was asked. */
  readonly requests: RequestLog;
  /** What is in the HSM and the cloud services behind managed keys, of all clusters. */
  readonly keyStores: KeyStores;
  /** What is between the clusters, and when they crash. */
  readonly replication: ReplicationControl;
  /** Stops answering, and writes what is to be kept. */
  close(): Promise<void>;
}

/**
 * Starts an emulated server of one or more clusters, in this process, on 127.0.0.1.
 *
 * @throws RangeError for a server version that the emulator does not know, Error where a port is taken or the data
 *   folder cannot be used.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const server = serverFlavour(options.serverVersion ?? DEFAULT_SERVER_VERSION, options.dialect);
  const clock = new MovableClock();
  const faults = new Faults();
  const log = new RequestLog();
  const tls = options.tls === true ? await makeTls(options.dataFolder) : undefined;
  const servers: ClusterServer[] = [];
  const restarts = new Map<string, () => void>();
  const stores: PersistentStorage[] = [];
  const openStorage = (folder: string | undefined, name: string): MemoryStorage => {
    if (folder === undefined) return new MemoryStorage();
    const store = new PersistentStorage(folder, name);
    stores.push(store);
    return store.storage;
  };
  const keyStores = new KeyStores(
    openStorage(options.dataFolder && join(options.dataFolder, 'key-stores'), 'keys'),
  );
  const managedKeys = new KeyOperations(keyStores);
  const network = new ReplicationNetwork<ClusterReplication>((name) => restarts.get(name)?.());
  const replication = new ReplicationControl(network);
  const control = new ControlApi(clock, faults, log, {
    ...managedKeyActions(managedKeys),
    ...replicationActions(replication),
    ...SNAPSHOT_ACTIONS,
  });
  const close = async () => {
    clock.stop();
    await Promise.all(servers.map((each) => each.close()));
    await clock.settled();
    for (const store of stores) store.flush();
    tls?.remove();
  };

  const start = async (name: string, port: number): Promise<RunningCluster> => {
    const storage = openStorage(options.dataFolder, name);
    const snapshot = options.restore?.[name];
    if (snapshot !== undefined) restoreSnapshot(storage, snapshot);
    const build = () =>
      new Cluster({
        name,
        server,
        clock,
        storage,
        ...(options.rootToken !== undefined && { rootToken: options.rootToken }),
        ...(options.auditFolder !== undefined && { auditFolder: options.auditFolder }),
        types: (itself) => mountableTypes(itself, managedKeys),
        address: () => listener.address,
        network,
        unavailableMs: options.unavailableMs ?? DEFAULT_UNAVAILABLE_MS,
      });
    let cluster = build();
    const listener: ClusterServer = new ClusterServer({
      cluster,
      control,
      faults,
      log,
      crash: () => replication.crash(name),
      ...(tls && { certificate: tls.certificate }),
    });
    await listener.listen(port);
    servers.push(listener);
    restarts.set(name, () => {
      cluster.replication.stop();
      cluster.snapshots.stop();
      cluster = build();
      listener.restart(cluster);
      cluster.replication.start({ afterCrash: true });
      cluster.snapshots.start();
    });
    cluster.replication.start({ afterCrash: false });
    cluster.snapshots.start();
    return {
      name,
      address: listener.address,
      rootToken: cluster.rootToken,
      get unsealKey() {
        return cluster.unsealKey;
      },
      ...(tls && { caCertFile: tls.caCertFile }),
    };
  };

  try {
    const clusters: Record<string, RunningCluster> = {};
    for (const [name, port] of Object.entries(options.clusters ?? { default: 0 })) {
      clusters[name] = await start(name, port);
    }
    return { clusters, clock, faults, requests: log, keyStores, replication, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** All that can be mounted in a cluster; what belongs to the server itself also under its name in child namespaces. */
function mountableTypes(cluster: Cluster, managedKeys: KeyOperations) {
  const system = systemBackend(cluster, managedKeys);
  const token = tokenBackend(cluster);
  return {
    secret: new Map([...SECRETS_ENGINES, ['system', system], ['ns_system', system]]),
    auth: new Map([...AUTH_METHODS, ['token', token], ['ns_token', token]]),
  };
}

interface Tls {
  readonly certificate: ServerCertificate;
  readonly caCertFile: string;
  remove(): void;
}

/** @param dataFolder keeps the CA's file; without it a folder of its own does, until the emulator is closed. */
async function makeTls(dataFolder: string | undefined): Promise<Tls> {
  const certificate = await makeServerCertificate();
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'vault-emulator-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const caCertFile = join(folder, 'ca.pem');
  writeFileSync(caCertFile, certificate.caCertificate);
  const remove = () => {
    if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return { certificate, caCertFile, remove };
}
