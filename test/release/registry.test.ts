/**
 * Tests the private registry of a release, on a web server with TLS, signed with a key of the test.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_VERSION } from '../../src/provider';
import { bothEngines } from '../support/open-tofu';
import { temporaryFolder } from '../support/temporary-folder';
import { platform } from '../support/terraform';
import { Consumer } from './support/consumer';
import { filesOf } from './support/https-server';
import { release, smallRelease } from './support/release';

const BELOW = '/v1/providers/cdktf/vaultadmin';

const ENGINES = bothEngines('the private registry of a release');

test.each(ENGINES)('%s checks the signature of the registry, plans and applies', async (_name, binary) => {
  await using consumer = await Consumer.start(filesOf(join(await release(), 'registry')), binary);
  const { server, workspace } = consumer;
  consumer.configure(`${server.host}/cdktf/vaultadmin`);
  const { stdout } = await workspace.init();
  expect(stdout).toMatch(/\((?:self-)?signed, key ID [0-9A-F]{16}\)/);
  await consumer.deploys();
  const [os, arch] = platform().split('_');
  const base = `${BELOW}/${PROVIDER_VERSION}/terraform-provider-vaultadmin_${PROVIDER_VERSION}`;
  expect([...new Set(server.paths)]).toEqual([
    '/.well-known/terraform.json',
    `${BELOW}/versions`,
    `${BELOW}/${PROVIDER_VERSION}/download/${os}/${arch}`,
    `${base}_SHA256SUMS`,
    `${base}_SHA256SUMS.sig`,
    `${base}_${platform()}.zip`,
  ]);
});

test('terraform refuses checksums that were changed after they were signed', async () => {
  const folder = temporaryFolder('registry');
  cpSync(join(smallRelease(), 'registry'), folder, { recursive: true });
  const sums = join(
    folder,
    BELOW,
    PROVIDER_VERSION,
    `terraform-provider-vaultadmin_${PROVIDER_VERSION}_SHA256SUMS`,
  );
  const changed = `${readFileSync(sums, 'utf8')}${'0'.repeat(64)}  another\n`;
  rmSync(sums);
  writeFileSync(sums, changed);
  const consumer = await Consumer.start(filesOf(folder));
  try {
    consumer.configure(`${consumer.server.host}/cdktf/vaultadmin`);
    const { code, stderr } = await consumer.workspace.run('init', '-input=false', '-no-color');
    expect(code).toBe(1);
    expect(stderr).toMatch(/authentication|signature/);
  } finally {
    await consumer.close();
  }
});
