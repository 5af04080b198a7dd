import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const MAIN = join(__dirname, '../../lib/src/cli/main.js');

let folder: string;
beforeAll(() => (folder = temporaryFolder('language-server')));

test('the command without its optional packages fails with an error that says how to install them', () => {
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `const Module = require('module');
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) =>
  resolve.call(Module, name.startsWith('vscode-languageserver') ? 'absent-' + name : name, ...rest);
`,
  );
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['-r', hook, MAIN, 'policy', 'language-server'],
    { encoding: 'utf8', input: '' },
  );
  expect({ status, stderr, stdout }).toEqual({
    status: 2,
    stderr:
      'vault-admin: the language server requires two packages: run npm install --save-dev vscode-languageserver vscode-languageserver-textdocument\n',
    stdout: '',
  });
});
