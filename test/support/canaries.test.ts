import { zipSync } from 'fflate';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Canaries } from './canaries';
import { Workspace } from './terraform';
import { until } from './until';

/**
 * The secret that each test puts somewhere. Other tests rely on searches without a result, so these
 * tests prove that a search finds a secret.
 */
const SECRET = 'canary-secret-4711';

let workspace: Workspace;
let canaries: Canaries;
beforeEach(() => {
  workspace = new Workspace();
  canaries = new Canaries(workspace, { secret: SECRET });
});
afterEach(() => workspace.dispose());

test('a run without the secret has no sightings', async () => {
  workspace.write('main.tf', canaries.variables);
  await canaries.run('plan', '-input=false', '-out=tfplan');
  expect(canaries.sightings()).toEqual([]);
});

test('the secret is found in state, plan and output of a run that stores it', async () => {
  workspace.write(
    'main.tf',
    `variable "secret" {}\nresource "terraform_data" "it" {\n  input = var.secret\n}\n`,
  );
  await canaries.run('init', '-input=false');
  await canaries.run('plan', '-input=false', '-out=tfplan');
  await canaries.run('show', '-json', 'tfplan');
  await canaries.run('apply', '-input=false', 'tfplan');
  expect(canaries.sightings()).toEqual(
    expect.arrayContaining([
      'secret in stack/terraform.tfstate',
      'secret in stack/tfplan, tfplan',
      'secret in stdout of plan -input=false -out=tfplan',
      'secret in stdout of show -json tfplan',
    ]),
  );
});

test('the secret is found in the arguments of a process', async () => {
  // On a busy machine, such a short process can end between two looks.
  await until(async () => {
    await canaries.run('version', `-${SECRET}`);
    return canaries.sightings().includes('secret in the arguments of a process');
  });
});

test.each([0, 1, 2])('the secret is found in a file with base64, at offset %i', (offset) => {
  const text = Buffer.from(`${'x'.repeat(offset)}${SECRET}, and more`).toString('base64');
  writeFileSync(join(workspace.home, 'private'), text);
  expect(canaries.sightings()).toEqual(['secret in private']);
});

test('the secret is found in a file of an archive', () => {
  writeFileSync(join(workspace.home, 'plan'), zipSync({ inside: Buffer.from(SECRET) }));
  expect(canaries.sightings()).toEqual(['secret in plan, inside']);
});

test('an earlier secret is found after others are planted', () => {
  workspace.write('old.txt', SECRET);
  canaries.plant({ secret: 'canary-other-4712' });
  workspace.remove('old.txt');
  expect(canaries.sightings()).toEqual(['secret in stack/old.txt']);
});

test('the secret is found in a text that is passed to search()', () => {
  canaries.search('the synthesized stack', `{"pin": "${SECRET}"}`);
  expect(canaries.sightings()).toEqual(['secret in the synthesized stack']);
});
