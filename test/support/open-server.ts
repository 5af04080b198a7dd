/** A real server of the open editions, OpenBao or Vault, in its development mode. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

/** Returns the error message for tests that require it. */
export function openServerMissing(): string {
  const line = '!'.repeat(100);
  return (
    `${line}\nNOT TRIED: a real open-source server. Neither "bao" nor "vault" is in the PATH; ` +
    `OPEN_SERVER_BINARY names one elsewhere.\n${line}`
  );
}

/**
 * Starts a server.
 *
 * @param config more settings, as in a configuration file.
 */
export async function startOpenServer(binary: string, config = ''): Promise<OpenServer> {
  const home = mkdtempSync(join(tmpdir(), 'open-server-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const rootToken = 'open-server-root';
  writeFileSync(join(home, 'config.hcl'), config);
  const server = spawn(
    binary,
    [
      'server',
      '-dev',
      '-dev-no-store-token',
      `-config=${join(home, 'config.hcl')}`,
      `-dev-root-token-id=${rootToken}`,
      `-dev-listen-address=127.0.0.1:${port}`,
    ],
    { env: { PATH: process.env.PATH, HOME: home }, stdio: 'ignore' },
  );
  const close = async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    rmSync(home, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT;
  while (!(await isReady(address))) {
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

async function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/v1/sys/health`).then(
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
