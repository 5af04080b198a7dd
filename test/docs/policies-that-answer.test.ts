import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { vaultAdmin } from '../cli/support/cli';
import { inFolder } from '../constructs/support/synthesize';
import { Api } from '../emulator/support/api';
import { startEmulator, type Emulator } from '../../src/emulator';
import { temporaryFolder } from '../support/temporary-folder';
import { blocksOf, ROOT } from './support/page';

const BLOCKS = blocksOf('docs/guides/policies-that-answer.md');
const COMMANDS = BLOCKS.filter(({ language }) => language === 'console').map(({ text }) =>
  /^\$ npx cdktf-vault-admin (.+)\n([\s\S]*)$/.exec(text)!,
);

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('policies');
  for (const { language, leadIn, text } of BLOCKS) {
    const [, file] = /`([^`]+\.hcl)`:$/.exec(leadIn) ?? [];
    if (language !== 'hcl' || file === undefined) continue;
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});

test('each question of the page has a command', () => {
  expect(COMMANDS.map(([, command]) => command?.split(' ')[1])).toEqual([
    'can',
    'why',
    'list',
    'diff',
    'test',
    'lint',
    'upgrade',
  ]);
});

test.each(COMMANDS.map(([, command = '', output = '']) => [command, output]))(
  'the command answers: %s',
  async (command, output) => {
    const { stdout, stderr } = await vaultAdmin(command.split(' '), {}, folder);
    const withoutTime = (text: string) => text.replace(/in \d+\.\d\d s/, 'in T s');
    expect({ stdout: withoutTime(stdout), stderr }).toEqual({ stdout: withoutTime(output), stderr: '' });
  },
);

test('templates are filled in with the identity of the page', async () => {
  const { text } = BLOCKS.find(({ language }) => language === 'json')!;
  writeFileSync(join(folder, 'jo.json'), text);
  writeFileSync(
    join(folder, 'templated.hcl'),
    'path "a/{{identity.entity.metadata.team}}/{{identity.groups.names.operators.id}}" { capabilities = ["read"] }',
  );
  const { stdout } = await vaultAdmin(
    ['policy', 'list', 'templated.hcl', '--identity', 'jo.json'],
    {},
    folder,
  );
  expect(stdout).toBe(
    'a/red/c4a5cc4b-0a1b-7c1e-2c6f-5b1d2c0f7a11  read\n\nBy the rules of server version 1.21.0 (the default).\n',
  );
});

describe('guard rails', () => {
  const [{ text: example } = { text: '' }] = BLOCKS.filter(({ language }) => language === 'ts');

  /** The refusals by the synthesis of the example. */
  function refusalOf(code: string): string {
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS };
    const { outputText } = ts.transpileModule(`${code}\napp.synth();\n`, { compilerOptions });
    return inFolder((outdir) => {
      process.env.CDKTF_OUTDIR = outdir;
      try {
        (compileFunction(outputText, ['require', 'exports']) as (...args: unknown[]) => void)(require, {});
        return '';
      } catch (error) {
        return (error as Error).message;
      } finally {
        delete process.env.CDKTF_OUTDIR;
      }
    });
  }

  const SUPPRESSION = /^PolicyGuardRails\.suppress.*\n/m;
  const GRANTED = "paths: ['sys/policies/acl/app-*'], capabilities: [Capability.UPDATE]";

  test('the example is synthesized unchanged', () => {
    expect(refusalOf(example)).toBe('');
  });

  test('the policy breaks a rule of the table if its suppression is removed', () => {
    expect(example).toMatch(SUPPRESSION);
    expect(refusalOf(example.replace(SUPPRESSION, ''))).toContain('(no-policy-writes)');
  });

  test(`the example's own rule finds each pattern that allows to delete the path`, () => {
    expect(example).toContain(GRANTED);
    const deletes = "paths: ['secret/data/*'], capabilities: [Capability.DELETE]";
    const refusal = refusalOf(example.replace(GRANTED, deletes).replace(SUPPRESSION, ''));
    expect(refusal).toContain('allows delete secret/data/prod/');
    expect(refusal).toContain('(no-deletes)');
    expect(refusal).toContain('leave out the capability "delete"');
    const others = "paths: ['secret/data/dev/*'], capabilities: [Capability.DELETE]";
    expect(refusalOf(example.replace(GRANTED, others).replace(SUPPRESSION, ''))).toBe('');
  });
});

describe('policies of a running cluster', () => {
  const PAGE = readFileSync(join(ROOT, 'docs/guides/policies-that-answer.md'), 'utf8').replace(/\s+/g, ' ');
  let emulator: Emulator;
  let accessor: string;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    emulator = await startEmulator();
    const [cluster] = Object.values(emulator.clusters);
    const api = new Api(cluster!.address, cluster!.rootToken);
    env = { VAULTADMIN_US_ADDR: cluster!.address, VAULTADMIN_US_TOKEN: cluster!.rootToken };
    await api.put('sys/policies/acl/app', { policy: readFileSync(join(folder, 'main', 'app.hcl'), 'utf8') });
    await api.put('sys/policies/acl/own', {
      policy: 'path "secret/data/{{identity.entity.name}}" { capabilities = ["update"] }',
    });
    await api.put('sys/policies/acl/other', { policy: 'path "other" { capabilities = ["read"] }' });
    await api.put('sys/auth/approle', { type: 'approle' });
    await api.put('auth/approle/role/app', { token_policies: ['other'] });
    await api.post('identity/entity', { name: 'jo', policies: ['own'] });
    const created = await api.post('auth/token/create', { policies: ['app'] });
    ({ accessor } = (created.body as { auth: { accessor: string } }).auth);
    const stack = join(folder, 'cdktf.out', 'stacks', 'policies');
    mkdirSync(stack, { recursive: true });
    const policy = (name: string, text: string) => ({ [name]: { name, policy: text } });
    writeFileSync(
      join(stack, 'cdk.tf.json'),
      JSON.stringify({
        resource: {
          vault_policy: {
            ...policy('own', 'path "secret/data/{{identity.entity.name}}" { capabilities = ["read"] }'),
            ...policy('other', 'path "other" { capabilities = ["list"] }'),
          },
        },
      }),
    );
  });
  afterAll(() => emulator?.close());

  /** The paths that the policies allow. */
  async function listed(...args: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await vaultAdmin(['policy', 'list', ...args], env, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.split('\n').filter((line) => /^(secret|other)/.test(line));
  }

  test('the page shows all policies, and those of a token, an entity and a role', async () => {
    for (const form of ['`--cluster us`', '`--token-accessor`', '`--cluster us --entity jo`', '`--role`'])
      expect(PAGE).toContain(form);
    const cluster = ['--cluster', 'us'];
    const ofApp = 'secret/data/*  read (app)  except secret/data/team/+';
    const [all, ofToken, ofEntity, ofRole] = await Promise.all([
      listed(...cluster),
      listed(...cluster, '--token-accessor', accessor),
      listed(...cluster, '--entity', 'jo'),
      listed(...cluster, '--role', 'auth/approle/role/app'),
    ]);
    expect(all).toContain('other  read (other)');
    expect(all.some((line) => line.startsWith('secret/data/*  read'))).toBe(true);
    expect(ofToken).toEqual([ofApp]);
    expect(ofEntity).toEqual(['secret/data/jo  update']);
    expect(ofRole).toEqual(['other  read (other)']);
  });

  test('policies of a running cluster are compared with those of an app: all, and those of one entity', async () => {
    const [, command = ''] =
      /`cdktf-vault-admin (policy diff --from-cluster us cdktf\.out)`/.exec(PAGE) ?? [];
    const [all, ofEntity] = await Promise.all(
      [[], ['--entity', 'jo']].map((more) => vaultAdmin([...command.split(' '), ...more], env, folder)),
    );
    const changes = ({ stdout }: { readonly stdout: string }) => stdout.match(/^[+-] .*(?=secret|other).*/gm);
    expect(changes(all!)).toContain('+ list  other/');
    expect(changes(all!)).toContain('- read  other');
    expect(changes(ofEntity!)).toEqual(['+ read  secret/data/jo', '- update  secret/data/jo']);
  });
});
