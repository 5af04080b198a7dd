import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { specifierFor } from '../../../src/cli/adopt/package-specifier';
import { temporaryFolder } from '../../support/temporary-folder';

let project: string;

beforeEach(() => {
  project = temporaryFolder('specifier');
  mkdirSync(join(project, 'apps', 'one'), { recursive: true });
});

function manifest(folder: string, content: object | string): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(project, folder, 'package.json'), text);
}

const dependingOn = (specifier: string) => ({ dependencies: { 'cdktf-vault-admin': specifier } });

test.each([
  ['file:../cdktf-vault-admin-0.1.0.tgz', 'file:../../cdktf-vault-admin-0.1.0.tgz'],
  ['file:packages/cdktf-vault-admin-0.1.0.tgz', 'file:../packages/cdktf-vault-admin-0.1.0.tgz'],
  ['./packages/cdktf-vault-admin-0.1.0.tgz', 'file:../packages/cdktf-vault-admin-0.1.0.tgz'],
  [
    'file:/srv/cdktf-vault-admin-0.1.0.tgz',
    (folder: string) => `file:${up(folder)}srv/cdktf-vault-admin-0.1.0.tgz`,
  ],
  ['link:../checkout', 'link:../../checkout'],
  ['workspace:*', 'workspace:*'],
  ['^0.1.0', '^0.1.0'],
  ['https://example.com/cdktf-vault-admin-0.1.0.tgz', 'https://example.com/cdktf-vault-admin-0.1.0.tgz'],
])('an app within a project depends on the package as the project does: %s', (given, expected) => {
  manifest('.', dependingOn(given));
  const app = join(project, 'estate');
  expect(specifierFor(app, project)).toBe(typeof expected === 'string' ? expected : expected(app));
});

/** Returns the relative path from a folder to the root of the file system. */
const up = (folder: string) => '../'.repeat(folder.split('/').length - 1);

test('the project is the first folder above whose package.json can be read and depends on the package', () => {
  manifest('.', { devDependencies: { 'cdktf-vault-admin': 'file:a.tgz' } });
  manifest('apps', '{');
  manifest(join('apps', 'one'), { dependencies: { other: '1' } });
  const folder = join(project, 'apps', 'one');
  expect(specifierFor(join(folder, 'estate'), folder)).toBe('file:../../../a.tgz');
});

test('an app outside of a project has no project', () => {
  expect(specifierFor(join(project, 'estate'), project)).toBeUndefined();
});
