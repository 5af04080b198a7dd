import { isThisMachine } from '../model/clusters';
import { DEFAULT_BIND } from './http/server';
import { clustersOf, readSeed, type Seed } from './seed';
import { type Emulator, type EmulatorOptions, type RunningCluster, startEmulator } from './emulator';

interface CommandOptions extends EmulatorOptions {
  /** Prints one line of JSON instead of text. */
  readonly json?: boolean;
}

/**
 * Runs the emulator until the process receives SIGINT or SIGTERM. Prints the addresses of the
 * clusters.
 *
 * @throws Error with what to do, if the emulator cannot start.
 */
export async function runEmulator(options: CommandOptions, print: (text: string) => void): Promise<void> {
  const stopped = stopSignal();
  const seed = options.seed === undefined ? undefined : seedOf(options.seed);
  const clusters =
    options.clusters ?? (seed && Object.fromEntries(clustersOf(seed).map((name) => [name, 0])));
  const emulator = await startEmulator({ ...options, seed, clusters }).catch((error: unknown) => {
    throw withCure(error);
  });
  print(options.json === true ? asJson(emulator) : asText(emulator, options));
  await stopped;
  await emulator.close();
}

function seedOf(seed: NonNullable<EmulatorOptions['seed']>): Seed {
  return typeof seed === 'string' ? readSeed(seed) : seed;
}

/** Resolves at the first signal. A second signal ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    if (process.env.npm_command !== undefined) whenOrphaned(resolve);
  });
}

const ORPHAN_CHECK_MS = 250;

/**
 * Calls `then` when the parent process has ended. npm runs commands in a shell that ends without
 * passing the signal on; then the process has another parent.
 */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    then();
  }, ORPHAN_CHECK_MS);
  check.unref();
}

function withCure(error: unknown): unknown {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return new Error(`port ${port} is in use; choose another with --cluster NAME=PORT`);
  if (code === 'EADDRNOTAVAIL')
    return new Error('the address does not belong to this machine; choose another with --bind');
  if (code === 'EACCES' && port !== undefined) {
    return new Error(
      `port ${port} requires privileges that you do not have; choose a port above 1023 with --cluster NAME=PORT`,
    );
  }
  return error;
}

/** The JSON that `emulator` prints. @public */
export interface EmulatorReport {
  /** The clusters by name. */
  readonly clusters: Readonly<Record<string, ClusterJson>>;
}

interface ClusterJson {
  readonly address: string;
  /** The addresses of the standbys; absent without standbys. */
  readonly standbys?: readonly string[];
  readonly root_token: string;
  readonly unseal_key: string;
  /** The file of the CA certificate; absent without TLS. */
  readonly ca_cert_file?: string | undefined;
}

function asJson({ clusters }: Emulator): string {
  const shown = Object.values(clusters).map((cluster): [string, ClusterJson] => {
    const { name, address, rootToken, unsealKey, caCertFile } = cluster;
    const standbys = standbysOf(cluster);
    return [
      name,
      {
        address,
        ...(standbys.length > 0 && { standbys }),
        root_token: rootToken,
        unseal_key: unsealKey,
        ca_cert_file: caCertFile,
      },
    ];
  });
  const report: EmulatorReport = { clusters: Object.fromEntries(shown) };
  return JSON.stringify(report);
}

function standbysOf({ nodes }: RunningCluster): readonly string[] {
  return nodes.all.slice(1).map(({ address }) => address);
}

function asText({ clusters }: Emulator, { bind = DEFAULT_BIND, uninitialized }: CommandOptions): string {
  const shown = Object.values(clusters).map(
    (cluster) =>
      `cluster ${cluster.name}\n` +
      `  address     ${cluster.address}\n` +
      standbysOf(cluster)
        .map((address) => `  standby     ${address}\n`)
        .join('') +
      `  root token  ${cluster.rootToken}\n` +
      (uninitialized === undefined ? `  unseal key  ${cluster.unsealKey}\n` : '') +
      (cluster.caCertFile === undefined ? '' : `  CA          ${cluster.caCertFile}\n`),
  );
  const reach = isThisMachine(bind)
    ? ''
    : `Other machines can reach them on ${bind}: use their tokens only for tests.\n`;
  const [first] = Object.values<RunningCluster>(clusters);
  const page = first ? `page: ${first.address}/emulator/#${encodeURIComponent(first.rootToken)}\n` : '';
  return `${shown.join('\n')}\n${page}${reach}The clusters are ready. Ctrl-C stops them.`;
}
