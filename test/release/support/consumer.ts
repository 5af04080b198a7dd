/** Installs the provider from a registry or a mirror, and applies a configuration with it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { PROVIDER_VERSION } from '../../../src/provider';
import { ENVIRONMENT_IN_ROOT, makeRootFolder, type RootFolderParts } from '../../support/root-folder';
import { actions, Workspace } from '../../support/terraform';
import { startHttps, type HttpsServer } from './https-server';

export class Consumer {
  private constructor(
    readonly workspace: Workspace,
    readonly server: HttpsServer,
    readonly emulator: Emulator,
  ) {}

  /** @param answer answers the requests to the registry or mirror */
  static async start(answer: Parameters<typeof startHttps>[1], binary?: string): Promise<Consumer> {
    return Consumer.startWith(new Workspace({ binary }), answer);
  }

  /** Starts a consumer whose Terraform runs in a root folder with only musl. */
  static async startInRoot(
    parts: RootFolderParts,
    answer: Parameters<typeof startHttps>[1],
  ): Promise<Consumer> {
    const workspace = new Workspace({
      binary: parts.terraform,
      env: { ...ENVIRONMENT_IN_ROOT, SSL_CERT_DIR: '' },
    });
    makeRootFolder(parts, workspace.home);
    writeFileSync(join(workspace.home, 'etc', 'hosts'), '127.0.0.1 localhost\n');
    const consumer = await Consumer.startWith(workspace, answer);
    workspace.env.SSL_CERT_FILE = '/ca.pem';
    return consumer;
  }

  private static async startWith(
    workspace: Workspace,
    answer: Parameters<typeof startHttps>[1],
  ): Promise<Consumer> {
    const authority = join(workspace.home, 'ca.pem');
    const server = await startHttps(authority, answer);
    workspace.env.SSL_CERT_FILE = authority;
    return new Consumer(workspace, server, await startEmulator({ clusters: { us: 0 } }));
  }

  /** Writes a configuration with one policy. */
  configure(source: string, settings = ''): void {
    const { address, rootToken } = this.emulator.clusters.us!;
    writeFileSync(join(this.workspace.home, 'cli.tfrc'), settings);
    this.workspace.write('main.tf.json', {
      terraform: { required_providers: { vaultadmin: { source, version: PROVIDER_VERSION } } },
      provider: { vaultadmin: { clusters: { us: { address, token: rootToken } } } },
      resource: {
        vaultadmin_acl_policy: {
          ops: { name: 'ops', policy: 'path "secret/*" { capabilities = ["read"] }' },
        },
      },
    });
  }

  /** Initializes, plans and applies, and expects that a second plan is empty. */
  async deploys(...init: readonly string[]): Promise<void> {
    await this.workspace.init(...init);
    expect(actions(await this.workspace.plan())).toEqual({ 'vaultadmin_acl_policy.ops': 'create' });
    await this.workspace.apply();
    expect(actions(await this.workspace.plan())).toEqual({ 'vaultadmin_acl_policy.ops': 'no-op' });
  }

  /** Returns the hashes of the lock file. */
  locked(): readonly string[] {
    return hashesIn(this.workspace.read('.terraform.lock.hcl'));
  }

  async close(): Promise<void> {
    await this.workspace.dispose();
    await this.server.close();
    await this.emulator.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export function hashesIn(lockFile: string): readonly string[] {
  return Array.from(lockFile.matchAll(/"((?:h1|zh):[^"]+)"/g), ([, hash]) => hash!).sort();
}

/** Returns settings of Terraform with a network mirror for the usual address of the provider. */
export function mirrorSettings(host: string): string {
  return `provider_installation {
  network_mirror {
    url     = "https://${host}/"
    include = ["vault-admin.internal/*/*"]
  }
  direct {
    exclude = ["vault-admin.internal/*/*"]
  }
}
`;
}
