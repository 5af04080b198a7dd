import { spawn } from 'node:child_process';
import { race, type Medians } from './measure';

/** What Terraform gives a provider to shake hands with, without TLS. */
const HANDSHAKE = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '5,6',
};

/** From the start of the provider's process to its handshake line, against a Node that does nothing. */
export function raceStart(rounds: number, provider: string, clientCertificate: string): Promise<Medians> {
  return race(rounds, [
    { name: 'provider', run: () => firstLine(provider, clientCertificate) },
    { name: 'node -e 0', run: () => wholeRun() },
  ]);
}

function firstLine(provider: string, clientCertificate: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, ...HANDSHAKE, PLUGIN_CLIENT_CERT: clientCertificate };
    const child = spawn(provider, [], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      child.once('close', () => undefined).kill('SIGKILL');
      resolve();
    });
  });
}

function wholeRun(): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ['-e', '0'])
      .once('error', reject)
      .once('close', () => resolve());
  });
}
