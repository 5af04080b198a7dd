import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate } from '../src/plugin/wire/certificate';
import { upstreamExecutable } from '../test/support/upstream-mirror';
import { race, type Medians } from './measure';
import { PROVIDER_FILE, PROVIDER_FOLDER } from './provider';

/**
 * Measures the time from the start of each provider to its handshake line, and the run of a Node
 * that does nothing.
 *
 * @param executable the folder of the executable.
 */
export async function raceStart(rounds: number, executable: string): Promise<Medians> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const asTerraform = {
    PATH: process.env.PATH,
    TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
    PLUGIN_PROTOCOL_VERSIONS: '5,6',
    PLUGIN_UNIX_SOCKET_DIR: folder,
    PLUGIN_CLIENT_CERT: createCertificate().pem,
  };
  const upstream = upstreamExecutable();
  try {
    return await race(rounds, [
      { name: 'executable', run: () => untilHandshake(join(executable, PROVIDER_FILE), asTerraform) },
      { name: 'on Node.js', run: () => untilHandshake(join(PROVIDER_FOLDER, PROVIDER_FILE), asTerraform) },
      { name: 'node -e 0', run: () => untilEnd() },
      ...(upstream ? [{ name: 'hashicorp/vault', run: () => untilHandshake(upstream, asTerraform) }] : []),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function untilHandshake(file: string, environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      child.kill('SIGKILL');
      resolve();
    });
  });
}

function untilEnd(): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ['-e', '0'], { env: {} })
      .once('error', reject)
      .once('close', () => resolve());
  });
}
