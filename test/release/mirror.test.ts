/** Tests the network mirror of a release, on a web server with TLS. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { bothEngines } from '../support/open-tofu';
import { platform } from '../support/terraform';
import { Consumer, hashesIn, mirrorSettings } from './support/consumer';
import { filesOf } from './support/https-server';
import { PLATFORMS, release, smallRelease } from './support/release';

const ENGINES = bothEngines('the network mirror of a release');

test.each(ENGINES)('%s locks all platforms, plans and applies from the mirror', async (_name, binary) => {
  const output = await release();
  await using consumer = await Consumer.start(filesOf(join(output, 'mirror')), binary);
  const { workspace, server } = consumer;
  consumer.configure(PROVIDER_ADDRESS, mirrorSettings(server.host));
  const platforms = PLATFORMS.map((each) => `-platform=${each}`);
  await workspace.must('providers', 'lock', `-net-mirror=https://${server.host}/`, ...platforms);
  const locked = consumer.locked();
  const published = hashesIn(readFileSync(join(output, `terraform_${PROVIDER_VERSION}.lock.hcl`), 'utf8'));
  const { archives } = JSON.parse(
    readFileSync(join(output, 'mirror', PROVIDER_ADDRESS, `${PROVIDER_VERSION}.json`), 'utf8'),
  ) as { archives: Record<string, { hashes: string[] }> };
  expect(Object.keys(archives).sort()).toEqual(PLATFORMS);
  for (const { hashes } of Object.values(archives)) expect(locked).toContain(hashes[0]);
  expect(locked.filter((hash) => !published.includes(hash))).toEqual([]);

  await consumer.deploys('-lockfile=readonly');
  expect(server.paths).toContain(
    `/${PROVIDER_ADDRESS}/terraform-provider-vaultadmin_${PROVIDER_VERSION}_${platform()}.zip`,
  );
});

test('the published entry of the lock file makes "providers lock" unnecessary', async () => {
  const output = smallRelease();
  await using consumer = await Consumer.start(filesOf(join(output, 'mirror')));
  consumer.configure(PROVIDER_ADDRESS, mirrorSettings(consumer.server.host));
  const entry = readFileSync(join(output, `terraform_${PROVIDER_VERSION}.lock.hcl`), 'utf8');
  consumer.workspace.write('.terraform.lock.hcl', entry);
  await consumer.workspace.init('-lockfile=readonly');

  consumer.workspace.remove('.terraform');
  consumer.workspace.write(
    '.terraform.lock.hcl',
    entry.replaceAll(/"h1:./g, '"h1:_').replaceAll('"zh:', '"zh:0'),
  );
  const { code, stderr } = await consumer.workspace.run('init', '-input=false', '-no-color');
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/does(?:n't| not) match any of the checksums/);
});
