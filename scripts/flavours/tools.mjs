/**
 * Installs the packages that the project itself does not need: CDK Terrain with its bindings of
 * hashicorp/vault, and the tools for packages in other languages.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run, unlessDone, WORK } from './files.mjs';

const HERE = join(ROOT, 'scripts', 'flavours');
const BINDINGS = {
  name: '@cdktn/provider-vault',
  version: '18.3.0',
  integrity: 'ntdvLFq2ZjKpTvhEEfIiJvoVE2qI7Z0Pdal1dtudjaPIdMZ25RQXPX1jSd446NTx5Ivtxord8kEyad7EvMGoEg==',
};

export async function installTools() {
  const modules = join(WORK, 'node_modules');
  const inputs = ['package.json', 'package-lock.json', '.npmrc', 'tools.mjs'].map((name) => join(HERE, name));
  await unlessDone(modules, inputs, () => {
    for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
      copyFileSync(join(HERE, name), join(WORK, name));
    }
    run('npm', ['ci'], { cwd: WORK });
    installBindings(join(modules, ...BINDINGS.name.split('/')));
  });
}

function installBindings(target) {
  const folder = mkdtempSync(join(tmpdir(), 'bindings-'));
  try {
    const file = tarballOf(BINDINGS, folder);
    const integrity = createHash('sha512').update(readFileSync(file)).digest('base64');
    if (integrity !== BINDINGS.integrity) {
      throw new Error(
        `${BINDINGS.name} ${BINDINGS.version} has other bytes than expected: sha512-${integrity}`,
      );
    }
    mkdirSync(target, { recursive: true });
    run('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the tarball of a package with jsii, from npm or from pip: the package for Python contains
 * the bytes of the package for npm. Registries of npm may lack packages of CDK Terrain and its
 * pre-releases.
 *
 * @throws AggregateError if neither has it.
 */
export function tarballOf({ name, version }, folder) {
  try {
    const [{ filename }] = JSON.parse(
      run('npm', ['pack', '--json', '--pack-destination', folder, `${name}@${version}`]),
    );
    return join(folder, filename);
  } catch (notWithNpm) {
    const distribution = name.replace('@', '').replace('/', '-');
    try {
      const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder];
      run('python3', [...args, `${distribution}==${version.replace('-pre.', '.dev')}`]);
    } catch (notWithPip) {
      throw new AggregateError([notWithNpm, notWithPip], `neither npm nor pip has ${name} ${version}`);
    }
    const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'));
    run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    const file = `${name.split('/').at(-1)}@${version}.jsii.tgz`;
    return join(folder, distribution.replaceAll('-', '_'), '_jsii', file);
  }
}
