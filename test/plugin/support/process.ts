import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { SecureClientSessionOptions } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '../../../src/certificates';
import { createCertificate } from '../../../src/plugin/wire/certificate';
import { bundleFixture } from '../fixture/bundle';
import { World } from '../fixture/world';

/** The variables that Terraform sets for the process of a provider. */
export const GREETING = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '5,6',
};

/** A process of a provider. */
export interface ProviderProcess {
  readonly child: ChildProcess;
  /** The fields of the handshake. Any other first line is split at "|" too. */
  readonly handshake: Promise<string[]>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** A provider as an executable, and its processes. */
export class ProviderPrograms {
  readonly folder = mkdtempSync(join(tmpdir(), 'fx-'));
  readonly executable: string;
  readonly world = new World(join(this.folder, 'world'));
  readonly client: Certificate = createCertificate();
  private readonly running = new Set<ChildProcess>();

  /** @param executable default: the provider of the fixture */
  constructor(executable?: string) {
    this.executable = executable ?? bundleFixture(join(this.folder, 'provider'));
  }

  /** Starts the provider in an environment of a few fixed variables and those of `env`. */
  start(env: Readonly<Record<string, string>>, ...args: string[]): ProviderProcess {
    const child = spawn(this.executable, args, {
      env: { PATH: process.env.PATH, TMPDIR: this.folder, FIXTURE_WORLD: this.world.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.running.add(child);
    const output = { stdout: '', stderr: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    const handshake = new Promise<string[]>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output.stdout += text;
        if (output.stdout.includes('\n')) resolve(output.stdout.trim().split('|'));
      });
      child.once('close', () => reject(new Error(`ended without a handshake: ${output.stderr}`)));
    });
    // Tests that do not wait for the handshake ignore its failure.
    handshake.catch(() => {});
    const ended = once(child, 'close').then(([code]) => {
      this.running.delete(child);
      return { code: code as number | null, ...output };
    });
    return { child, handshake, ended };
  }

  /** Starts the provider as Terraform does. */
  greet(env: Readonly<Record<string, string>> = {}): ProviderProcess {
    return this.start({ ...GREETING, PLUGIN_CLIENT_CERT: this.client.pem, ...env });
  }

  /** Returns the TLS options for a client that trusts the certificate in the handshake. */
  tls([, , , , , der]: readonly string[], as: Certificate = this.client): SecureClientSessionOptions {
    const lines = Buffer.from(der!, 'base64')
      .toString('base64')
      .match(/.{1,64}/g)!;
    const ca = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
    return { ca, cert: as.pem, key: as.key };
  }

  async dispose(): Promise<void> {
    const ended = [...this.running].map((child) => once(child, 'close'));
    for (const child of this.running) child.kill('SIGKILL');
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
