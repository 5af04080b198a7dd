/** Starts a real server of an open edition, OpenBao or Vault. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT = 120_000;
const POLL_INTERVAL = 50;

export interface OpenServer {
  readonly address: string;
  readonly rootToken: string;
  /** The version that the binary prints: `OpenBao v2.5.5`. */
  readonly version: string;
  close(): Promise<void>;
}

/** Returns the binary to run: `OPEN_SERVER_BINARY`, else `bao` or `vault` in the PATH. */
export function openServerBinary(): string | undefined {
  const candidates = [process.env.OPEN_SERVER_BINARY || undefined, 'bao', 'vault'].filter(
    (each) => each !== undefined,
  );
  return candidates.find((binary) => spawnSync(binary, ['version']).status === 0);
}

/** Returns the warning that tests print if this machine has no open server. */
export function openServerMissing(): string {
  const line = '!'.repeat(100);
  return (
    `${line}\nNOT TRIED: a real open-source server. Neither "bao" nor "vault" is in the PATH; ` +
    `OPEN_SERVER_BINARY names one elsewhere.\n${line}`
  );
}

/**
 * Starts a server in its development mode.
 *
 * @param config more settings, as in a configuration file.
 */
export function startOpenServer(binary: string, config = ''): Promise<OpenServer> {
  const rootToken = 'open-server-root';
  return start(binary, rootToken, (home, port) => {
    writeFileSync(join(home, 'config.hcl'), config);
    return [
      '-dev',
      '-dev-no-store-token',
      `-config=${join(home, 'config.hcl')}`,
      `-dev-root-token-id=${rootToken}`,
      `-dev-listen-address=127.0.0.1:${port}`,
    ];
  });
}

/** Starts a server with Raft storage that is not initialized. */
export function startNewOpenServer(binary: string): Promise<OpenServer> {
  return start(binary, '', (home, port, clusterPort) => {
    mkdirSync(join(home, 'raft'));
    writeFileSync(
      join(home, 'config.hcl'),
      `storage "raft" {
  path    = "${join(home, 'raft')}"
  node_id = "one"
}
listener "tcp" {
  address         = "127.0.0.1:${port}"
  cluster_address = "127.0.0.1:${clusterPort}"
  tls_disable     = true
}
api_addr      = "http://127.0.0.1:${port}"
cluster_addr  = "https://127.0.0.1:${clusterPort}"
disable_mlock = true
`,
    );
    return [`-config=${join(home, 'config.hcl')}`];
  });
}

async function start(
  binary: string,
  rootToken: string,
  argumentsFor: (home: string, port: number, clusterPort: number) => readonly string[],
): Promise<OpenServer> {
  const home = mkdtempSync(join(tmpdir(), 'open-server-'));
  const [port, clusterPort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const server = spawn(binary, ['server', ...argumentsFor(home, port, clusterPort)], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: 'ignore',
  });
  const close = async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    rmSync(home, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT;
  while (!(await isReady(`${address}/v1/sys/health${rootToken === '' ? '?uninitcode=200' : ''}`))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error(`${binary} does not serve at ${address}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
  const version =
    spawnSync(binary, ['version'], { encoding: 'utf8' })
      .stdout.split(/[(,\n]/)[0]
      ?.trim() ?? '';
  return { address, rootToken, version, close };
}

async function isReady(health: string): Promise<boolean> {
  return fetch(health).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
