/** Limits of agents: ceilings, and details of authorization. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vaultAdmin } from '../support/cli';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agents-'));
  const rule = (path: string, ...capabilities: readonly string[]) =>
    `path ${JSON.stringify(path)} {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;
  writeFileSync(join(folder, 'own.hcl'), rule('kv/data/*', 'read', 'update'));
  writeFileSync(
    join(folder, 'top.hcl'),
    rule('kv/data/app/*', 'read', 'update') + rule('kv/data/app/key', 'deny'),
  );
  const detail = (path: string, more: object) => ({ type: 'vault:path_access', path, ...more });
  const details = [
    detail('kv/data/app/a', { capabilities: ['read'] }),
    { type: 'other', path: 'kv/data/app/other', capabilities: ['read'] },
    detail('kv/data/app/b', { capabilities: ['update'], allowed_parameters: { ttl: ['1h'] } }),
    detail('kv/data/app/b', { capabilities: ['update'], allowed_parameters: { ttl: ['2h'] } }),
    detail('kv/data/app/c', {
      capabilities: ['update'],
      allowed_parameters: { TTL: [] },
      required_parameters: ['ttl'],
    }),
  ];
  writeFileSync(join(folder, 'claim.json'), JSON.stringify({ authorization_details: details }));
  writeFileSync(join(folder, 'none.json'), '[]');
  writeFileSync(join(folder, 'pattern.json'), JSON.stringify([detail('kv/*', { capabilities: ['read'] })]));
  writeFileSync(join(folder, 'word.json'), JSON.stringify([detail('kv/a', { capabilities: ['raed'] })]));
  const wrong = (more: object) => JSON.stringify([detail('kv/a', { capabilities: ['read'], ...more })]);
  writeFileSync(join(folder, 'values.json'), wrong({ denied_parameters: { a: 1 } }));
  writeFileSync(join(folder, 'names.json'), wrong({ required_parameters: 'a' }));
  writeFileSync(join(folder, 'text.json'), '"read"');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ceiling = ['--ceiling', 'top'];
const details = ['--authorization-details', 'claim.json'];

function asked(command: 'can' | 'why', request: string, ...args: readonly string[]) {
  return vaultAdmin(['policy', command, ...request.split(' '), 'own.hcl', 'top.hcl', ...args], {}, folder);
}

test.each([
  ['read kv/data/app/a', [], 'allowed'],
  ['read kv/data/web', ceiling, 'denied: the ceiling does not allow it: No rule matches the path.'],
  ['read kv/data/app/a', ceiling, 'allowed'],
  ['read kv/data/app/key', ceiling, 'denied: the ceiling does not allow it: The rule denies everything.'],
  ['delete kv/data/app/a', ceiling, 'denied: The rule does not grant "delete".'],
  ['read kv/data/app/a', [...ceiling, ...details], 'allowed'],
  [
    'read kv/data/app/other',
    [...ceiling, ...details],
    'denied: the authorization details do not allow it: No rule matches the path.',
  ],
  [
    'update kv/data/app/a',
    details,
    'denied: the authorization details do not allow it: The rule does not grant "update".',
  ],
  ['update kv/data/app/b --data ttl=1h', details, 'allowed'],
  ['update kv/data/app/b --data ttl=2h', details, 'allowed'],
  ['update kv/data/app/c --data ttl=3h', details, 'allowed'],
  [
    'read kv/data/app/a',
    ['--authorization-details', 'none.json'],
    'denied: the authorization details do not allow it: No rule matches the path.',
  ],
])('can %s with %j answers: %s', async (request, args, answer) => {
  const { stdout, code } = await asked('can', request, ...args);
  expect(stdout.split('\n')[0]!.replace(/^.*?\s\s/, '')).toBe(answer);
  expect(code).toBe(answer === 'allowed' ? 0 : 1);
});

test('why explains how each limit decides, and --json has them', async () => {
  const { stdout } = await asked('why', 'read kv/data/web', ...ceiling, ...details);
  expect(stdout).toContain('\nBy the ceiling of the agent:\n');
  expect(stdout).toContain('\nBy the authorization details of the agent:\n');
  const json = await asked('can', 'read kv/data/web', ...ceiling, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    allowed: false,
    policiesThatAllowIt: ['own'],
    ceiling: { allowed: false },
  });
});

test.each([
  [['--ceiling', 'missing'], 'policy "missing" not found'],
  [['--authorization-details', 'pattern.json'], 'the path of detail 1 is a pattern'],
  [['--authorization-details', 'word.json'], 'detail 1 needs a list of capabilities, of deny, create, read'],
  [['--authorization-details', 'text.json'], 'it is not a list'],
  [
    ['--authorization-details', 'values.json'],
    'detail 1 has denied_parameters that are no lists of values by name',
  ],
  [['--authorization-details', 'names.json'], 'detail 1 has required_parameters that are no list of names'],
  [['--authorization-details', 'missing.json'], 'missing.json cannot be read'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await asked('can', 'read kv/data/web', ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('a ceiling is read beside the policies that are chosen', async () => {
  const { stdout } = await asked('can', 'read kv/data/web', '--policy', 'own', ...ceiling);
  expect(stdout).toContain('denied: the ceiling does not allow it');
});
