/** The executable for Windows, started by Terraform through Wine. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROVIDER_VERSION } from '../../src/provider';
import { buildExecutable, buildIfAvailable, warnNotTried } from '../support/executable';
import { findProgram } from '../support/programs';
import { aclPolicy, startStack } from './support';

const NAME = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
const wine = findProgram('wine');
const folder = mkdtempSync(join(tmpdir(), 'windows-'));
afterAll(() => {
  if (wine !== undefined) spawnSync('wineserver', ['--kill'], { env: environment() });
  rmSync(folder, { recursive: true, force: true });
});

const canBeBuilt = wine !== undefined && buildIfAvailable(join(folder, 'own')) !== undefined;
const ifWine = canBeBuilt ? test : test.skip;
if (!canBeBuilt)
  warnNotTried(
    'the executable for Windows',
    'It needs wine, with the library bcryptprimitives.dll, and package registries that have the runtime.',
  );

ifWine('on Wine, the executable answers the handshake, gives its schema, and plans', async () => {
  buildExecutable(folder, ['windows_amd64']);
  const providerFolder = join(folder, 'windows_amd64');
  writeFileSync(
    join(providerFolder, NAME),
    `#!/bin/sh\nexport WINEPREFIX='${join(folder, 'wine')}' WINEDEBUG=-all\nexec '${wine}' "\${0%/*}/${NAME}.exe" "$@"\n`,
    { mode: 0o755 },
  );
  // Wine writes its files when it first starts, which takes longer than Terraform waits.
  expect(spawnSync(wine!, ['cmd', '/c', 'exit 0'], { env: environment() }).status).toBe(0);
  const stack = await startStack({ executable: true, providerFolder });
  try {
    const { stdout } = await stack.workspace.must('providers', 'schema', '-json');
    const { provider_schemas: schemas } = JSON.parse(stdout) as {
      provider_schemas: Record<string, { resource_schemas: object }>;
    };
    const [{ resource_schemas: resources }] = Object.values(schemas) as [{ resource_schemas: object }];
    expect(Object.keys(resources)).toContain('vaultadmin_acl_policy');
    stack.resources(aclPolicy({ name: 'ops' }));
    expect((await stack.must('plan')).planned).toEqual({ 'vaultadmin_acl_policy.it': 'create' });
  } finally {
    await stack.close();
  }
});

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, WINEPREFIX: join(folder, 'wine'), WINEDEBUG: '-all' };
}
