/**
 * Policies whose comparison takes as long as the limits allow. Terraform plans them all at once.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { providerPackage } from '../../../constructs/placement/provider-package';
import { complete, contentOf, contentType } from '../../../src/plugin/server/content';
import { NULL_VALUE, valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { PROVIDER, PROVIDER_VERSION } from '../../../src/provider';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { ProtocolClient } from '../../plugin/support/client';
import { GREETING } from '../../plugin/support/process';
import { temporaryFolder } from '../../support/temporary-folder';

const POLICIES = 200;

const POLICY = contentOf(PROVIDER.resources!.find(({ name }) => name === 'acl_policy')!.schema);
const CONFIGURATION = contentOf(PROVIDER.schema);
const policies = valueCodec(contentType(POLICY));
const configurations = valueCodec(contentType(CONFIGURATION));

/**
 * Returns rules with "+" at all places, so that each has paths in common with nearly all others.
 */
function hostile(): string {
  return Array.from({ length: 512 }, (_, index) => {
    const path = index.toString(2).padStart(9, '0').replaceAll('1', '+/').replaceAll('0', 'a/');
    return `path "${path}*" { capabilities = ["${index % 2 === 0 ? 'update' : 'list'}"] }\n`;
  }).join('');
}

let folder: string;
let emulator: Emulator;
let child: ChildProcessByStdio<null, Readable, null>;
let ended: Promise<unknown>;
let client: ProtocolClient;

beforeEach(async () => {
  folder = temporaryFolder('hostile-plan');
  emulator = await startEmulator({});
  const [cluster] = Object.values(emulator.clusters);
  const env = {
    ...{ PATH: process.env.PATH, CI: 'true', PLUGIN_UNIX_SOCKET_DIR: folder, ...GREETING },
    ...{ VAULT_ADDR: cluster!.address, VAULT_TOKEN: cluster!.rootToken },
  };
  const executable = join(providerPackage().folder, `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`);
  child = spawn(executable, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  ended = once(child, 'close');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  client = await ProtocolClient.connect(line.toString().split('|')[3]!);
  const config = configurations.encode(complete(CONFIGURATION, {}));
  const { diagnostics } = await client.call('configureProvider', { terraformVersion: '1.11.4', config });
  expect(diagnostics).toEqual([]);
});
afterEach(async () => {
  client.close();
  child.kill('SIGKILL');
  await ended;
  await emulator.close();
});

/** Plans the creation of a policy, and returns the answer of the provider. */
async function planned(index: number): Promise<string> {
  const wanted = policies.encode(complete(POLICY, { name: `p${index}`, policy: hostile() }));
  const { diagnostics } = await client.call('planResourceChange', {
    typeName: 'vaultadmin_acl_policy',
    priorState: NULL_VALUE,
    proposedNewState: wanted,
    config: wanted,
  });
  return diagnostics.map(({ summary }) => summary).join('\n');
}

test('SIGTERM ends a plan of hostile policies at the next policy', async () => {
  const plans = Array.from({ length: POLICIES }, (_, index) => planned(index));
  const first = await Promise.race(plans);
  expect(first).toContain('the effect of the change could not be determined');
  child.kill('SIGTERM');
  const said = await Promise.all(plans);
  const stopped = said.filter((text) => text.endsWith(': stopped'));
  expect(stopped.length).toBeGreaterThan(POLICIES / 2);
});
