import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createProgram, ModuleKind, sys } from 'typescript';
import { blocksOf } from '../docs/support/page';
import { temporaryFolder } from '../support/temporary-folder';
import { install, pack, packed, ROOT, type Tarball } from './support/tarball';

/**
 * The expected files: compiled code, the types of its entries, their description for jsii, the
 * provider, the pages, and the files that npm always packs.
 */
const PACKED =
  /^(lib\/(src|constructs)\/.+\.(js|d\.ts)|lib\/provider\/(package\.json|(answers|cluster|handshake|meaning|objects|provider|replication|sentinel|undici)\.js|terraform-provider-vaultadmin_v[\d.]+)|lib\/src\/view\/page\/static\/(page|emulator)\.html|lib\/src\/view\/page\/static\/page\.css|lib\/sbom\.cdx\.json|docs\/.+\.(md|tf|hcl|json)|examples\/(container|gitops)\/[\w./-]+|(README|CHANGELOG|SECURITY)\.md|LICENSE|package\.json|\.jsii)$/;
/**
 * The maximum size in bytes. It includes 75,000 bytes for the description for jsii, which only
 * exists after `npm run check:jsii`.
 */
const LARGEST_TARBALL = 2_400_000;

let folder: string;
let tarball: Tarball;

beforeAll(async () => {
  folder = temporaryFolder('package');
  tarball = await packed();
});

test('the tarball has the files that users need, and no others', () => {
  const { paths } = tarball;
  expect(paths.filter((path) => !PACKED.test(path))).toEqual([]);
  for (const needed of [
    'lib/constructs/index.js',
    'lib/constructs/index.d.ts',
    'lib/constructs/generated/providers/vaultadmin/acl-policy/index.js',
    'lib/src/cli/main.js',
    'lib/src/client/index.d.ts',
    'lib/src/emulator/index.d.ts',
    'lib/src/policy/jest.d.ts',
    'docs/resources/acl_policy.md',
    'CHANGELOG.md',
    'lib/sbom.cdx.json',
  ]) {
    expect(paths).toContain(needed);
  }
  expect(tarball.size).toBeLessThan(LARGEST_TARBALL);
});

test('the tarball has the types to which its entries refer, and no others', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string } | null>;
  };
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'object' && entry ? [entry.types] : [],
  );
  const program = createProgram({
    rootNames: sys.readDirectory(ROOT, ['.d.ts'], ['node_modules'], entries),
    options: { module: ModuleKind.Node16, noLib: true, types: [] },
  });
  const read = program.getSourceFiles().map(({ fileName }) => relative(ROOT, fileName));
  const packed = tarball.paths.filter((path) => path.endsWith('.d.ts'));
  expect(packed.sort()).toEqual(read.filter((path) => path.startsWith('lib/')).sort());
  expect(packed).not.toContain('lib/src/cli/main.d.ts');
});

test('the tarball has the same bytes for the same files, wherever and whenever they are packed', () => {
  const elsewhere = join(folder, 'another-name');
  for (const path of tarball.paths) {
    const copy = join(elsewhere, path);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, path), copy);
    utimesSync(copy, 1, 1_000_000_000);
  }
  const places = mkdtempSync(join(folder, 'again-'));
  expect(readFileSync(pack(places, elsewhere).file).equals(readFileSync(tarball.file))).toBe(true);
});

test('the first app of the README compiles under `strict` in an empty project, and runs unchanged', () => {
  const project = join(folder, 'project');
  install(tarball, project);
  writeFileSync(join(project, 'main.ts'), firstApp());
  const options = { strict: true, module: 'node16', target: 'es2022', types: ['node'] };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['main.ts'] }),
  );

  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], { cwd: project });
  execFileSync(process.execPath, ['main.js'], { cwd: project });

  const stack = JSON.parse(readFileSync(join(project, 'cdktf.out/stacks/policies/cdk.tf.json'), 'utf8')) as {
    resource: { vaultadmin_acl_policy: { AppReader: { name: string } } };
  };
  expect(stack.resource.vaultadmin_acl_policy.AppReader.name).toBe('app-reader');
});

function firstApp(): string {
  const app = blocksOf('README.md').find(
    ({ heading, language }) => heading === 'Quick start' && language === 'js',
  );
  return app!.text;
}
