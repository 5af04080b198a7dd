/** The executable for Windows, started by Terraform through Wine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_VERSION } from '../../src/provider';
import { temporaryFolder } from '../support/temporary-folder';
import { disposeWine, prepareWine } from '../support/wine';
import { aclPolicy, startStack } from './support';

const NAME = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
const folder = temporaryFolder('windows');
const wine = prepareWine(folder, 'provider');
afterAll(() => disposeWine(wine, folder));
const ifWine = wine === undefined ? test.skip : test;

ifWine('on Wine, the executable gives its schema, plans and applies', async () => {
  const { command, env, folder: providerFolder } = wine!;
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(
    join(providerFolder, NAME),
    `#!/bin/sh\nexport ${variables.join(' ')}\nexec '${command}' "\${0%/*}/${NAME}.exe" "$@"\n`,
    { mode: 0o755 },
  );
  await using stack = await startStack({ executable: true, providerFolder });
  const { stdout } = await stack.workspace.must('providers', 'schema', '-json');
  const { provider_schemas: schemas } = JSON.parse(stdout) as {
    provider_schemas: Record<string, { resource_schemas: object }>;
  };
  const [{ resource_schemas: resources }] = Object.values(schemas) as [{ resource_schemas: object }];
  expect(Object.keys(resources)).toContain('vaultadmin_acl_policy');
  stack.resources(aclPolicy({ name: 'ops' }));
  expect((await stack.must('apply')).planned).toEqual({ 'vaultadmin_acl_policy.it': 'create' });
  expect((await stack.must('plan')).planned).toEqual({});
});
