import * as ts from 'typescript';
import * as emulator from '../../src/emulator';
import { blocksOf } from './support/page';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/emulator.md';

test('the commands of the page give the results that it shows', async () => {
  const terminal = new Terminal();
  try {
    await terminal.must('npm install cdktf-vault-admin');
    await follow(PAGE, terminal, { passesOver: ({ language }) => ['ts', 'json'].includes(language) });
  } finally {
    await terminal.close();
  }
});

test('the seed of the page is valid', async () => {
  const [block] = blocksOf(PAGE).filter(({ language }) => language === 'json');
  const seed = JSON.parse(block!.text) as emulator.Seed;
  await using running = await emulator.startEmulator({ clusters: { us: 0, eu: 0 }, rootToken: 'root', seed });
  const read = (path: string) =>
    fetch(`${running.clusters.us.address}/v1/${path}`, { headers: { 'X-Vault-Token': 'root' } });
  expect(await (await read('secret/app')).json()).toMatchObject({ data: { password: 'example' } });
  expect(await (await read('sys/replication/performance/status')).json()).toMatchObject({
    data: { known_secondaries: ['eu'] },
  });
});

test('the program of the page prints the texts of its comments', async () => {
  const [block] = blocksOf(PAGE).filter(({ language }) => language === 'ts');
  const { outputText } = ts.transpileModule(
    block!.text.replace('void retries();', 'module.exports = retries();'),
    {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    },
  );
  const module = { exports: Promise.resolve() };
  const printed: unknown[] = [];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the page's own code
  const run = new Function('require', 'module', 'exports', 'console', outputText) as (
    ...args: readonly unknown[]
  ) => void;
  run(() => emulator, module, {}, { log: (value: unknown) => printed.push(value) });
  await module.exports;
  expect(printed).toEqual([429, 200, { 'GET sys/policies/acl/default': 2 }]);
});
