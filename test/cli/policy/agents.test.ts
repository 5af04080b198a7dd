/** Limits of agents: ceilings, and authorization details. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder = '';
beforeAll(() => {
  folder = temporaryFolder('agents');
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

const ceiling = ['--ceiling', 'top'];
const details = ['--authorization-details', 'claim.json'];

function asked(command: 'can' | 'why', request: string, ...args: readonly string[]) {
  return vaultAdmin(['policy', command, ...request.split(' '), 'own.hcl', 'top.hcl', ...args], {}, folder);
}

test.each([
  ['read kv/data/app/a', [], 'allowed'],
  ['read kv/data/web', ceiling, 'denied: The ceiling of the agent refuses it: No rule matches the path.'],
  ['read kv/data/app/a', ceiling, 'allowed'],
  [
    'read kv/data/app/key',
    ceiling,
    'denied: The ceiling of the agent refuses it: The rule denies everything.',
  ],
  ['delete kv/data/app/a', ceiling, 'denied: The rule does not grant "delete".'],
  ['read kv/data/app/a', [...ceiling, ...details], 'allowed'],
  [
    'read kv/data/app/other',
    [...ceiling, ...details],
    'denied: The authorization details of the agent refuse it: No rule matches the path.',
  ],
  [
    'update kv/data/app/a',
    details,
    'denied: The authorization details of the agent refuse it: The rule does not grant "update".',
  ],
  ['update kv/data/app/b --data ttl=1h', details, 'allowed'],
  ['update kv/data/app/b --data ttl=2h', details, 'allowed'],
  ['update kv/data/app/c --data ttl=3h', details, 'allowed'],
  [
    'read kv/data/app/a',
    ['--authorization-details', 'none.json'],
    'denied: The authorization details of the agent refuse it: No rule matches the path.',
  ],
])('policy can %s with %j prints: %s', async (request, args, answer) => {
  const { stdout, code } = await asked('can', request, ...args);
  expect(stdout.split('\n')[0]!.replace(/^.*?\s\s/, '')).toBe(answer);
  expect(code).toBe(answer === 'allowed' ? 0 : 1);
});

test('why explains how each limit decides, and --json contains these decisions', async () => {
  const { stdout } = await asked('why', 'read kv/data/web', ...ceiling, ...details);
  expect(stdout).toContain('\nBy the ceiling of the agent:\n');
  expect(stdout).toContain('\nBy the authorization details of the agent:\n');
  const json = await asked('can', 'read kv/data/web', ...ceiling, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    allowed: false,
    refusal: { kind: 'limit', limit: 'ceiling', refusal: { kind: 'no-rule' } },
    policiesThatAllowIt: ['own'],
    ceiling: { allowed: false, refusal: { kind: 'no-rule' } },
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
])('policy can with %j is refused', async (args, message) => {
  const { code, stderr } = await asked('can', 'read kv/data/web', ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('the policy of a ceiling is read although --policy does not choose it', async () => {
  const { stdout } = await asked('can', 'read kv/data/web', '--policy', 'own', ...ceiling);
  expect(stdout).toContain('denied: The ceiling of the agent refuses it');
});

test('list prints what is allowed within the limits', async () => {
  const listed = async (...args: readonly string[]) => {
    const { stdout } = await vaultAdmin(
      ['policy', 'list', 'own.hcl', 'top.hcl', ...args, '--json'],
      {},
      folder,
    );
    const { allowed } = JSON.parse(stdout) as { allowed: { operation: string; pattern: string }[] };
    return allowed.map(({ operation, pattern }) => `${operation} ${pattern}`);
  };
  expect(await listed(...ceiling)).toEqual(['read kv/data/app/*', 'update kv/data/app/*']);
  writeFileSync(
    join(folder, 'one.json'),
    JSON.stringify([{ type: 'vault:path_access', path: 'kv/data/app/a', capabilities: ['read'] }]),
  );
  expect(await listed(...ceiling, '--authorization-details', 'one.json')).toEqual(['read kv/data/app/a']);
});

test('policy can accepts, and policy list refuses, several details of one path with different parameters', async () => {
  const { code, stderr } = await vaultAdmin(['policy', 'list', 'own.hcl', ...details], {}, folder);
  expect(code).toBe(2);
  expect(stderr).toContain('several details are for "kv/data/app/b", and one of them limits parameters');
});

test('diff compares what is allowed within the limits of each side', async () => {
  mkdirSync(join(folder, 'old'));
  mkdirSync(join(folder, 'new'));
  for (const side of ['old', 'new']) {
    writeFileSync(join(folder, side, 'own.hcl'), 'path "kv/*" {\n  capabilities = ["read"]\n}\n');
    writeFileSync(
      join(folder, side, 'top.hcl'),
      `path "kv/${side === 'old' ? 'a' : 'b'}" {\n  capabilities = ["read", "update"]\n}\n`,
    );
  }
  const { stdout } = await vaultAdmin(['policy', 'diff', 'old', 'new', ...ceiling, '--json'], {}, folder);
  const { policies } = JSON.parse(stdout) as {
    policies: { changes: { becomes: string; pattern: string }[] }[];
  };
  expect(
    policies.flatMap(({ changes }) => changes.map(({ becomes, pattern }) => `${becomes} ${pattern}`)),
  ).toEqual(['denied kv/a', 'allowed kv/b']);
});

test('a token of a test file has limits', async () => {
  writeFileSync(
    join(folder, 'agent.test.hcl'),
    `sources = ["own.hcl", "top.hcl"]
token "agent" {
  policies              = ["own"]
  ceiling               = ["top"]
  authorization_details = "agent.json"
  allowed { read = "kv/data/app/a" }
  denied { read = ["kv/data/app/key", "kv/data/web"] }
}
token "ceiling" {
  ceiling = ["top"]
  never_allowed { read = "kv/data/web" }
  allowed { read = "kv/data/app/x" }
}
`,
  );
  const claim = { type: 'vault:path_access', path: 'kv/data/app/a', capabilities: ['read'] };
  writeFileSync(join(folder, 'agent.json'), JSON.stringify([claim]));
  const { stdout, code } = await vaultAdmin(['policy', 'test', 'agent.test.hcl'], {}, folder);
  expect({ stdout, code }).toMatchObject({ code: 0 });
});

test('a failing test of a token with limits says which limit refuses the request', async () => {
  const text =
    'token "agent" {\n  policies = ["own"]\n  ceiling = ["top"]\n  allowed { read = "kv/data/web" }\n}\n';
  writeFileSync(join(folder, 'limit.test.hcl'), `sources = ["own.hcl", "top.hcl"]\n${text}`);
  const { stdout, code } = await vaultAdmin(['policy', 'test', 'limit.test.hcl'], {}, folder);
  expect(code).toBe(1);
  expect(stdout).toContain('The ceiling of the agent refuses it: No rule matches the path.');
});
