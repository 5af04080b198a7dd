import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '../..');
const SERVER_COMMAND = pathToFileURL(join(ROOT, 'editors/vscode/src/server-command.mjs')).href;
const SERVER = ['policy', 'language-server', '--stdio'];

let folder: string;
beforeAll(() => (folder = temporaryFolder('vscode')));

test('the packed extension has its code in one file, and all files that its manifest names', () => {
  const file = join(folder, 'extension.vsix');
  const { status, stderr } = spawnSync('node', [join(ROOT, 'scripts/vscode/pack.mjs'), file], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const files = unzipSync(readFileSync(file));
  expect(Object.keys(files).sort()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/dist/extension.js',
    'extension/language-configuration.json',
    'extension/package.json',
    'extension/readme.md',
    'extension/syntaxes/sentinel.json',
    'extension/syntaxes/vault-policy.json',
  ]);
  const read = (name: string) => strFromU8(files[`extension/${name}`]!);
  const manifest = JSON.parse(read('package.json')) as Manifest;
  const { languages, grammars } = manifest.contributes;
  const named = [
    manifest.main,
    ...languages.map((each) => each.configuration),
    ...grammars.map((each) => each.path),
  ];
  expect(named.map((name) => name.replace('./', 'extension/')).filter((name) => !files[name])).toEqual([]);
  const required = Array.from(
    read('dist/extension.js').matchAll(/require\("([^"]+)"\)/g),
    ([, name]) => name!,
  );
  expect([...new Set(required)].filter((name) => !isBuiltin(name))).toEqual(['vscode']);
});

interface Manifest {
  readonly main: string;
  readonly contributes: {
    readonly languages: readonly { readonly configuration: string }[];
    readonly grammars: readonly { readonly path: string }[];
  };
}

/** Returns the command with which the extension starts the language server. */
function commandFor(setting: readonly string[], folders: readonly string[]): unknown {
  const code = `import { serverCommand } from ${JSON.stringify(SERVER_COMMAND)};
    console.log(JSON.stringify(serverCommand(...JSON.parse(process.argv[1]))));`;
  const given = JSON.stringify([setting, folders]);
  const { stdout } = spawnSync('node', ['--input-type=module', '-e', code, given], { encoding: 'utf8' });
  return JSON.parse(stdout);
}

test.each(['cdktf-vault-admin', 'cdktn-vault-admin'])(
  'the extension starts %s of a folder of the workspace',
  (name) => {
    const main = join(folder, name, 'node_modules', name, 'lib/src/cli/main.js');
    mkdirSync(dirname(main), { recursive: true });
    writeFileSync(main, '');
    expect(commandFor([], [join(folder, 'other'), join(folder, name)])).toEqual({
      command: 'node',
      args: [main, ...SERVER],
    });
  },
);

test('the extension starts vault-admin if the workspace does not have the package', () => {
  expect(commandFor([], [join(folder, 'other')])).toEqual({ command: 'vault-admin', args: SERVER });
});

test('the extension starts the program in its setting, with the arguments in the setting first', () => {
  expect(commandFor(['docker', 'run'], [folder])).toEqual({ command: 'docker', args: ['run', ...SERVER] });
});
