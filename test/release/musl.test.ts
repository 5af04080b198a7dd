/**
 * Tests Terraform on a system with musl and without Node.js. It installs the executable from a
 * mirror and from a registry.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_ADDRESS } from '../../src/provider';
import { executableFolder, warnNotTried } from '../support/executable';
import { ROOT_FOLDER_NEEDS, rootFolderParts } from '../support/root-folder';
import { temporaryFolder } from '../support/temporary-folder';
import { Consumer, mirrorSettings } from './support/consumer';
import { filesOf } from './support/https-server';
import { release } from './support/release';

const folder = temporaryFolder('musl');
const parts = rootFolderParts(folder);
if (parts === undefined) warnNotTried('releases on a system with musl alone', ROOT_FOLDER_NEEDS);

test.each<[served: string, configure: (consumer: Consumer) => void]>([
  ['mirror', (consumer) => consumer.configure(PROVIDER_ADDRESS, mirrorSettings(consumer.server.host))],
  ['registry', (consumer) => consumer.configure(`${consumer.server.host}/cdktf/vaultadmin`)],
])('the executable from the %s plans and applies on a system with only musl', async (served, configure) => {
  if (parts === undefined || !(await canBeBuilt())) return;
  await using consumer = await Consumer.startInRoot(parts, filesOf(join(await release(), served)));
  configure(consumer);
  expect(readdirSync(join(consumer.workspace.home, 'bin')).sort()).toEqual(['sh', 'terraform']);
  await consumer.deploys();
});

async function canBeBuilt(): Promise<boolean> {
  try {
    await executableFolder();
    return true;
  } catch (error) {
    warnNotTried('releases on a system with musl alone', String(error));
    return false;
  }
}
