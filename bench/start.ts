import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate } from '../src/plugin/wire/certificate';
import { race, type Medians } from './measure';
import { PROVIDER_EXECUTABLE } from './provider';

/**
 * Measures from the start of the provider's process to its handshake line, against a Node that does
 * nothing.
 */
export async function raceStart(rounds: number): Promise<Medians> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const asTerraform = {
    PATH: process.env.PATH,
    TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
    PLUGIN_PROTOCOL_VERSIONS: '5,6',
    PLUGIN_UNIX_SOCKET_DIR: folder,
    PLUGIN_CLIENT_CERT: createCertificate().pem,
  };
  try {
    return await race(rounds, [
      { name: 'provider', run: () => untilHandshake(asTerraform) },
      { name: 'node -e 0', run: () => untilEnd() },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function untilHandshake(environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(PROVIDER_EXECUTABLE, [], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
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
