import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { formatAcl } from '../../../src/policy/format-acl';
import { temporaryFolder } from '../../support/temporary-folder';
import { ended, startVaultAdmin, vaultAdmin, type Ended } from '../support/cli';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('policy-commands');
});

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const policy = (...args: readonly string[]) => vaultAdmin(['policy', ...args], {}, folder);

function policyWithInput(input: string, ...args: readonly string[]): Promise<Ended> {
  const child = startVaultAdmin(['policy', ...args], {}, folder, 'pipe');
  child.stdin?.end(input);
  return ended(child);
}

describe.each(['check', 'lint'])('the output of %s is limited for', (command) => {
  test.each([
    ['100,000 keys that do not exist', Array.from({ length: 100_000 }, (_, i) => `k${i} = "x"\n`).join('')],
    ['a key of a megabyte', `${'k'.repeat(1 << 20)} = "x"\n`],
  ])('%s', async (_, text) => {
    write('a.hcl', text);
    for (const options of [[], ['--json']]) {
      const { code, stdout } = await policy(command, ...options, 'a.hcl');
      expect(code).toBe(1);
      expect(stdout).toContain('invalid key');
      expect(stdout.length).toBeLessThan(40_000);
    }
  });

  test('2,000 policies with one finding each', async () => {
    for (let i = 0; i < 2_000; i++) write(`p/${i}.hcl`, 'pat "a" {}\n');
    const text = await policy(command, 'p');
    expect(text.stdout.match(/invalid key/g)).toHaveLength(1_000);
    expect(text.stdout).toContain(
      '\n1000 more are not listed: correct these first, or check fewer policies.\n',
    );
    expect(text.stdout).toContain('2000 errors');
    const { stdout } = await policy(command, '--json', 'p');
    expect(JSON.parse(stdout)).toMatchObject({ omitted: 1_000, findings: { length: 1_000 } });
  });
});

describe('check', () => {
  test('check reports faults in policies of each kind, with their places', async () => {
    write('a.sentinel', 'main = rule { request.pth is "a" }\n');
    write('b.sentinel', 'main = rule {\n');
    write('c.hcl', 'path "a" {\n  capabilities = ["raed"]\n}\n');
    write('test/a/mock.hcl', 'not a policy');
    expect(await policy('check')).toEqual({
      code: 1,
      stdout:
        'a.sentinel:1:23: warning: request has no "pth": it is always undefined; did you mean "path"? [unknown-field]\n\n' +
        '1 | main = rule { request.pth is "a" }\n  |                       ^^^\n\n' +
        'b.sentinel:2:1: error: expected an expression, found the end of the text [syntax]\n\n2 | \n  | ^\n\n' +
        'c.hcl:2:19: error: path "a": invalid capability "raed"; to do: write "read" [acl-error]\n\n' +
        '3 policies checked, 2 errors, 1 warning\n',
      stderr: '',
    });
  });

  test('check --json lists findings', async () => {
    write('a.sentinel', 'mian = true\n');
    const { code, stdout } = await policy('check', '--json', 'a.sentinel');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      policies: 1,
      findings: [
        {
          policy: 'a.sentinel',
          id: 'no-main',
          severity: 'warning',
          line: 1,
          column: 1,
          message: 'the policy has no "main"; did you mean "main" instead of "mian"?',
        },
      ],
    });
  });

  test('check requires a rule "main" in all files except those that tests or sentinel.hcl import', async () => {
    const functions = 'double = func(x) { return x * 2 }\n';
    write('hours.sentinel', 'main = true\n');
    write('lib/functions.sentinel', functions);
    write('mocks/day.sentinel', functions);
    write('mocks/unused.sentinel', functions);
    write('sentinel.hcl', 'import "module" "functions" {\n  source = "./lib/functions.sentinel"\n}\n');
    write(
      'test/hours/pass.hcl',
      'mock "day" {\n  module {\n    source = "../../mocks/day.sentinel"\n  }\n}\n',
    );
    write('test/hours/broken.hcl', 'mock "day" {');
    expect((await policy('check')).stdout).toBe(
      'mocks/unused.sentinel:1:1: warning: the policy has no "main"; add: main = rule { … } [no-main]\n\n' +
        '1 | double = func(x) { return x * 2 }\n  | ^\n\n4 policies checked, 0 errors, 1 warning\n',
    );
    write('test_override.hcl', 'import "module" "functions" {\n  source = "./mocks/unused.sentinel"\n}\n');
    expect((await policy('check')).stdout).toBe(
      'lib/functions.sentinel:1:1: warning: the policy has no "main"; add: main = rule { … } [no-main]\n\n' +
        '1 | double = func(x) { return x * 2 }\n  | ^\n\n4 policies checked, 0 errors, 1 warning\n',
    );
  });

  test('check --stacks reads the policies of synthesized stacks', async () => {
    const resource = {
      vault_egp_policy: { hours: { policy: 'main = rule {' }, later: { policy: '${file("x")}' } },
      vaultadmin_acl_policy: { a: { policy: 'path "a" { capabilities = ["read"] }' } },
    };
    write('cdktf.out/stacks/one/cdk.tf.json', JSON.stringify({ resource }));
    const { code, stdout } = await policy('check', '--stacks');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^one\/vault_egp_policy\.hours:1:14: error: expected an expression/);
    expect(stdout).toMatch(/2 policies checked, 1 error, 0 warnings\n$/);
  });
});

describe('eval', () => {
  const HOURS =
    'import "time"\n\nprint(request.path)\nmain = rule { time.now.hour >= 8 and time.now.hour < 18 }\n';

  test('eval prints the decision and the trace', async () => {
    write('hours.sentinel', HOURS);
    write('request.json', '{"request": {"path": "secret/a"}}');
    const args = ['eval', 'hours.sentinel', '--request', 'request.json', '--time'];
    expect(await policy(...args, '2026-01-31T09:00:00Z')).toEqual({
      code: 0,
      stdout:
        'allow\n\nmain = true\n\nlogs:\n  secret/a\n\ntrace:\n  hours.sentinel:4:1 - Rule "main"\n    Value:\n      true\n',
      stderr: '',
    });
    expect(await policy(...args, '2026-01-31T20:00:00Z')).toMatchObject({ code: 1 });
    expect(await policy(...args, 'tomorrow')).toMatchObject({ code: 2 });
  });

  test('eval --config reads the configuration of the folder', async () => {
    write(
      'a.sentinel',
      'import "limits"\nimport "time"\nparam unit\nmain = rule { request.n <= limits.most * unit and region is "eu" and time.now.zone_string is "+01:00" }\n',
    );
    write('limits.sentinel', 'most = 3\n');
    write(
      'sentinel.hcl',
      'policy "a" {\n  source = "./a.sentinel"\n  params = { unit = 10 }\n}\nimport "module" "limits" {\n  source = "limits.sentinel"\n}\n' +
        'import "plugin" "time" {\n  config = { timezone = "Europe/Berlin" }\n}\nglobal "region" {\n  value = "us"\n}\n',
    );
    write('override.hcl', 'global "region" {\n  value = "eu"\n}\n');
    write('request.json', '{"n": 30}');
    const args = ['eval', 'a.sentinel', '--request', 'request.json', '--time', '2026-01-31T09:00:00Z'];
    expect(await policy(...args, '--config', 'sentinel.hcl')).toMatchObject({ code: 0, stderr: '' });
    expect(await policy(...args, '--config', 'none.hcl')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.hcl cannot be read: it does not exist'),
    });
  });

  test('--global and --param of eval set values in JSON or as texts, and replace those of --config', async () => {
    write(
      'a.sentinel',
      'param most\nmain = rule { request.n <= most and region is "eu" and zones contains "a" and flag }\n',
    );
    write('sentinel.hcl', 'global "region" {\n  value = "us"\n}\nparam "most" {\n  value = 1\n}\n');
    write('request.json', '{"n": 30}');
    const args = ['eval', 'a.sentinel', '--request', 'request.json', '--config', 'sentinel.hcl'];
    const globals = ['--global', 'zones=["a"]', '--global', 'flag=true', '--global', 'region=eu'];
    expect(await policy(...args, ...globals)).toMatchObject({ code: 1 });
    expect(await policy(...args, ...globals, '--param', 'most=30')).toMatchObject({ code: 0, stderr: '' });
    expect(await policy(...args, '--global', 'zones')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Expected NAME=VALUE.'),
    });
  });

  describe('eval without a policy', () => {
    const MAIN = { name: 'main', description: null, line: 1, column: 1, value: false };

    beforeEach(() => {
      write('a.sentinel', 'main = rule { request.n < 30 }\n');
      write('sub/b.sentinel', 'param most default 1\nmain = rule { request.n < most }\n');
      write(
        'sentinel.hcl',
        'policy "a" {\n  enforcement_level = "hard-mandatory"\n}\n' +
          'policy "b" {\n  source = "sub/b.sentinel"\n  params = { most = 10 }\n}\n',
      );
      write('request.json', '{"n": 20}');
    });

    const run = (...args: string[]) =>
      policy('eval', '--request', 'request.json', '--config', 'sentinel.hcl', ...args);

    test('eval evaluates all policies of the configuration, and an advisory one denies nothing', async () => {
      expect(await run()).toEqual({
        code: 0,
        stdout:
          'allow\n\nallow - a (hard-mandatory)\n  main = true\n\n  trace:\n    a.sentinel:1:1 - Rule "main"\n      Value:\n        true\n\n' +
          'deny - b (advisory)\n  main = false\n\n  trace:\n    sub/b.sentinel:2:1 - Rule "main"\n      Value:\n        false\n\n' +
          '2 policies: 1 allow the request, 1 deny it\n',
        stderr: '',
      });
    });

    test('a mandatory policy that denies decides, and --json has the trace and the time of each policy', async () => {
      write('request.json', '{"n": 30}');
      const { code, stdout } = await run('--json');
      const own = { decision: 'deny', main: false, error: null, rules: { main: false }, printed: [] };
      const milliseconds = expect.any(Number) as number;
      expect({ code, report: JSON.parse(stdout) as unknown }).toEqual({
        code: 1,
        report: {
          decision: 'deny',
          milliseconds,
          policies: [
            {
              ...{
                policy: 'a',
                path: 'a.sentinel',
                enforcementLevel: 'hard-mandatory',
                ...own,
                milliseconds,
              },
              trace: [{ ...MAIN, file: 'a.sentinel' }],
            },
            {
              ...{ policy: 'b', path: 'sub/b.sentinel', enforcementLevel: 'advisory', ...own, milliseconds },
              trace: [{ ...MAIN, file: 'sub/b.sentinel', line: 2 }],
            },
          ],
        },
      });
    });

    test('a policy that is given by its name in the configuration has the parameters of its block', async () => {
      write('request.json', '{"n": 9}');
      expect((await policy('eval', 'b', '--request', 'request.json', '--config', 'sentinel.hcl')).code).toBe(
        0,
      );
      expect(await policy('eval', 'sub/b.sentinel', '--request', 'request.json')).toMatchObject({ code: 1 });
    });

    test('eval without a policy requires a configuration with policies', async () => {
      expect(await policy('eval', '--request', 'request.json')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'name a policy, or with --config a file whose policies are all evaluated',
        ),
      });
      write('sentinel.hcl', 'global "x" {\n  value = 1\n}\n');
      expect(await run()).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('sentinel.hcl: there are no blocks "policy"'),
      });
    });
  });

  test('eval sends requests only with --allow-http', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url} ${String(request.headers['x-team'])}`);
      const isBusy = request.url === '/busy' && paths.filter((path) => path.includes('/busy')).length === 1;
      if (request.url === '/old') response.writeHead(302, { location: '/busy' });
      else response.writeHead(isBusy ? 503 : 200);
      response.end('{"team": "red"}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      write(
        'a.sentinel',
        `import "http"\nimport "json"\nanswer = http.get(http.request("http://127.0.0.1:${port}/old").with_header("X-Team", "red"))\n` +
          'main = rule { answer.status_code is 200 and json.unmarshal(answer.body).team is "red" }\n',
      );
      write('request.json', '{}');
      const args = ['eval', 'a.sentinel', '--request', 'request.json'];
      const refused = await policy(...args);
      expect(refused.stdout).toContain(
        `a.sentinel:3:10: http: the request to http://127.0.0.1:${port}/old was refused: policies do not send requests here; mock the import "http"`,
      );
      expect({ paths, code: refused.code }).toEqual({ paths: [], code: 1 });
      expect(await policy(...args, '--allow-http')).toMatchObject({ code: 0, stderr: '' });
      expect(paths).toEqual(['GET /old red', 'GET /busy red', 'GET /old red', 'GET /busy red']);
    } finally {
      server.close();
    }
    write(
      'b.sentinel',
      'import "http"\nmain = rule { http.with_retries(0).get("http://127.0.0.1:1/").status_code is 200 }\n',
    );
    expect(
      (await policy('eval', 'b.sentinel', '--request', 'request.json', '--allow-http')).stdout,
    ).toContain(
      'b.sentinel:2:15: http: the request to http://127.0.0.1:1/ failed: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  test('eval prints where a policy stopped, and where a value became undefined', async () => {
    write('a.sentinel', 'main = rule { token.meta.team is "a" }\n');
    write('none.json', '{"path": "secret/a"}');
    write('empty.json', '{"request": {}, "token": {}}');
    expect((await policy('eval', 'a.sentinel', '--request', 'none.json')).stdout).toContain(
      'Error: a.sentinel:1:15: unknown identifier accessed: token',
    );
    expect((await policy('eval', 'a.sentinel', '--request', 'empty.json')).stdout).toContain(
      'main is undefined: a value became undefined at a.sentinel:1:15',
    );
  });
});

describe('fmt', () => {
  test('fmt writes the canonical layout, and only reports with --check', async () => {
    write('a.sentinel', 'main=rule{true} # yes\n');
    write('b.hcl', 'path "a" {\ncapabilities = ["read","list"]\n}\n');
    write('c.sentinel', 'main = true\n');
    expect(await policy('fmt', '--check')).toEqual({ code: 1, stdout: 'a.sentinel\nb.hcl\n', stderr: '' });
    expect(await policy('fmt')).toEqual({ code: 0, stdout: 'a.sentinel\nb.hcl\n', stderr: '' });
    expect(readFileSync(join(folder, 'a.sentinel'), 'utf8')).toBe('main = rule { true } # yes\n');
    expect(readFileSync(join(folder, 'b.hcl'), 'utf8')).toBe(
      'path "a" {\n  capabilities = ["read", "list"]\n}\n',
    );
    expect(await policy('fmt', '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each([
    [
      'an ACL policy',
      '# of a\npath "a" {\ncapabilities=["read"]\n}\n',
      '# of a\npath "a" {\n  capabilities = ["read"]\n}\n',
    ],
    ['one with a name', 'name = "a"\npath "a" {\n}\n', 'name = "a"\npath "a" {\n}\n'],
    ['one in JSON', '{"path": {}}\n', '{"path": {}}\n'],
    ['a Sentinel policy', 'path="a"\nmain=rule{true}\n', 'path = "a"\nmain = rule { true }\n'],
  ])('fmt formats %s from standard input', async (_what, text, expected) => {
    expect(await policyWithInput(text, 'fmt', '-')).toEqual({ code: 0, stdout: expected, stderr: '' });
    const isFormatted = text === expected;
    expect(await policyWithInput(text, 'fmt', '--check', '-')).toEqual({
      code: isFormatted ? 0 : 1,
      stdout: isFormatted ? '' : 'stdin\n',
      stderr: '',
    });
  });

  test('the error of fmt names standard input if the text does not parse', async () => {
    expect(await policyWithInput('path "a" {', 'fmt', '-')).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'vault-admin: stdin:1:1: "}" is missing at the end of the block\nTo do: close the block with "}".\n',
    });
  });

  test('fmt does not change a policy that does not parse', async () => {
    write('a.sentinel', 'main = rule {\n');
    const { code, stderr } = await policy('fmt', 'a.sentinel');
    expect(code).toBe(2);
    expect(stderr).toContain('a.sentinel:2:1: expected an expression');
  });
});

test.each([
  [
    '# head\n\n\npath "a"   {\n capabilities=["read"]   # why\n\n\n  min_wrapping_ttl = "1s"\nmax_wrapping_ttl="2s"\n}\n\n\n',
    '# head\n\npath "a" {\n  capabilities = ["read"] # why\n\n  min_wrapping_ttl = "1s"\n  max_wrapping_ttl = "2s"\n}\n',
  ],
  [
    'path "a" {\nallowed_parameters = {\n"a" = []\n"long" = ["x # y"]\n}\n/* kept\n   as is */\n}\n',
    'path "a" {\n  allowed_parameters = {\n    "a"    = []\n    "long" = ["x # y"]\n  }\n  /* kept\n   as is */\n}\n',
  ],
  ['path "a" { capabilities = ["read"] }', 'path "a" { capabilities = ["read"] }\n'],
  ['path "a" {}#\r # {\u2028 # b\n', 'path "a" { } #\r # {\u2028 # b\n'],
])('fmt formats an ACL policy: %j', (text, expected) => {
  expect(formatAcl(text)).toBe(expected);
  expect(formatAcl(expected)).toBe(expected);
});

test('check, test and eval refuse what the version of Sentinel on a server does not have', async () => {
  write('a.sentinel', 'main = rule { request.data.x is defined }\n');
  write('test/a/1.hcl', 'global "request" {\n  value = { data = { x = 1 } }\n}\n');
  write('request.json', '{"data": {"x": 1}}');
  const refusal = '"is defined" requires Sentinel 0.21, and Vault 1.13 has 0.20 at most';
  const commands = [['check', 'a.sentinel'], ['test'], ['eval', 'a.sentinel', '--request', 'request.json']];
  for (const command of commands) {
    const [too, fine] = await Promise.all(
      ['1.13', '1.16'].map((version) => policy(...command, '--server-version', version)),
    );
    expect(too!.stdout).toContain(refusal);
    expect([too!.code, fine!.code]).toEqual([command[0] === 'test' ? 2 : 1, 0]);
  }
  expect((await policy('check', 'a.sentinel', '--server-version', '1.16')).stdout).toContain(
    'a.sentinel:1:15: warning: "is defined" requires Sentinel 0.21, and Vault 1.16 may be older: it has at least 0.18.5, and 0.24.4 at most',
  );
  expect(await policy('check', '--server-version', '1.3')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'vault-admin: --server-version: "1.3" is not a known version of Vault; allowed: 1.11 or later\n',
  });
  expect((await policy('check', '--server-version', '1.16', '--sentinel-version', '0.2')).stderr).toContain(
    "option '--server-version <VERSION>' cannot be used with option '--sentinel-version <VERSION>'",
  );
});
