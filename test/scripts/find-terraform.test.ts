import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OLDEST_TERRAFORM } from '../../src/model/versions';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'find-terraform.mjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-terraform-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a program into the PATH that says that it is this version. */
function have(name: string, version: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho 'Warning: settings'\necho '{"terraform_version": "${version}"}'\n`);
  chmodSync(file, 0o755);
}

function find(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the first of terraform and tofu that is there', () => {
  have('tofu', '1.11.0');
  expect(find()).toEqual({ status: 0, stdout: 'tofu\n', stderr: '' });
  have('terraform', '1.15.9');
  expect(find()).toEqual({ status: 0, stdout: 'terraform\n', stderr: '' });
  expect(find('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('there is none', () => {
  expect(find('--check')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('neither terraform nor tofu was found (looked for: terraform, tofu). '),
  });
});

test('one that is too old for the provider is too old here', () => {
  const [major, minor] = OLDEST_TERRAFORM.split('.').map(Number);
  have('terraform', `${major}.${minor}.0`);
  expect(find().status).toBe(0);

  have('terraform', `${major}.${minor! - 1}.9`);
  const { status, stderr } = find();
  expect(status).toBe(1);
  expect(stderr).toContain(`terraform ${major}.${minor! - 1}.9 is too old. `);
  expect(stderr).toContain(`Install Terraform ${OLDEST_TERRAFORM} or newer`);
  expect(stderr).toContain(`OpenTofu ${OLDEST_TERRAFORM} or newer`);
});
