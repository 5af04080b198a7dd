/** Tests of ACL policies in files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { startVaultAdmin, vaultAdmin } from '../support/cli';

const APP = `path "secret/data/app/*" {
  capabilities = ["create", "read", "update"]
}
path "secret/data/app/admin" {
  capabilities = ["deny"]
}
path "auth/token/create" {
  capabilities = ["update"]
  allowed_parameters = {
    "ttl" = ["1h"]
  }
}
`;

const TESTS = `token "app" {
  policies = ["app"]

  allowed {
    read   = ["secret/data/app/db", "/v1/secret/data/app/web"]
    update = "secret/data/app/db"
  }
  denied {
    read = "secret/data/app/admin"
    list = ["secret/metadata/app", "sys/mounts"]
  }
  never_allowed {
    delete = ["*"]
    update = ["sys/*"]
  }
  request {
    operation = "update"
    path      = "auth/token/create"
    data      = { ttl = "1h" }
    expect    = "allowed"
  }
  request {
    operation = "update"
    path      = "auth/token/create"
    data      = { ttl = "2h" }
    expect    = "denied"
  }
}
`;

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('acl-tests');
  write('app.hcl', APP);
});

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function policyTest(...args: readonly string[]) {
  const { code, stdout, stderr } = await vaultAdmin(['policy', 'test', ...args], {}, folder);
  return { code, stdout: stdout.replace(/in \d+\.\d\d s/, 'in T s'), stderr };
}

/** Returns a token block of a test file. The token has all policies of the folder. */
const token = (checks: string, settings = '') => `${settings}token "t" {\n${checks}\n}\n`;

test('a test passes if all requests are decided as expected', async () => {
  write('app.test.hcl', TESTS);
  expect(await policyTest()).toEqual({
    code: 0,
    stdout:
      'PASS - app.test.hcl\n  PASS - app (10 requests)\n10 tests of 1 policy: 10 passed, 0 failed, in T s\n',
    stderr: '',
  });
});

test('a test fails if a request is decided in another way, with the line of the request and the deciding rule', async () => {
  write('app.test.hcl', token('  denied {\n    read = ["secret/data/app/db", "sys/mounts"]\n  }'));
  expect(await policyTest('app.test.hcl')).toEqual({
    code: 1,
    stdout: `FAIL - app.test.hcl
  FAIL - t (2 requests)
    app.test.hcl:3: expected read secret/data/app/db to be denied, got: allowed
      read secret/data/app/db is allowed.

      The deciding rule:
        path "secret/data/app/*"  create, read, update  (app)
2 tests of 1 policy: 1 passed, 1 failed, in T s
`,
    stderr: '',
  });
});

test('a never_allowed pattern fails if one of its requests is allowed, and the output names the request', async () => {
  write('app.test.hcl', token('  never_allowed {\n    read = "secret/data/*"\n  }'));
  const { code, stdout } = await policyTest();
  expect(code).toBe(1);
  expect(stdout).toContain(
    'app.test.hcl:3: expected read secret/data/* to be never allowed, got: read secret/data/app/example is allowed\n',
  );
});

test('templates are filled in for the identity of the token', async () => {
  write('own.hcl', 'path "secret/data/{{identity.entity.name}}/*" {\n  capabilities = ["read"]\n}\n');
  write('ids/ann.json', '{"entity": {"id": "1", "name": "ann"}}');
  const checks = '  identity = "ids/ann.json"\n  allowed {\n    read = "secret/data/ann/x"\n  }';
  write('app.test.hcl', token(`${checks}\n  denied {\n    read = "secret/data/bob/x"\n  }`));
  expect(await policyTest()).toMatchObject({ code: 0 });
});

test('the policy default is that of a new server, unless the sources contain one', async () => {
  const checks = '  policies = ["default"]\n  allowed {\n    read = "auth/token/lookup-self"\n  }';
  write('app.test.hcl', token(checks));
  expect(await policyTest()).toMatchObject({ code: 0 });
  write('default.hcl', 'path "kv/x" {\n  capabilities = ["read"]\n}\n');
  expect(await policyTest()).toMatchObject({ code: 1 });
});

test('a test uses the policies in the sources of its file, and the rules of the server version in its file', async () => {
  write(
    'acl/list.hcl',
    'path "secret/ap/*" {\n  capabilities = ["read", "list"]\n}\npath "secret/+" {\n  capabilities = ["read"]\n}\n',
  );
  const codeOf = async (version: string) => {
    const settings = `sources = ["../acl"]\nserver_version = "${version}"\n`;
    write('tests/list.test.hcl', token('  allowed {\n    list = "secret/ap/"\n  }', settings));
    return (await policyTest('tests')).code;
  };
  expect(await codeOf('2.0.3')).toBe(0);
  expect(await codeOf('1.21.0')).toBe(1);
});

test('a server block sets the settings of the server', async () => {
  write('own.hcl', 'path "secret/data/{{identity.entity.name}}/*" {\n  capabilities = ["read"]\n}\n');
  write('ids/ann.json', '{"entity": {"id": "1", "name": "ann/x"}}');
  const codeOf = async (settings: string) => {
    const checks = '  identity = "ids/ann.json"\n  allowed {\n    read = "secret/data/ann/x/y"\n  }';
    write('app.test.hcl', token(checks, settings));
    return (await policyTest()).code;
  };
  expect(await codeOf('')).toBe(0);
  expect(await codeOf('server {\n  deny_slash_in_templated_paths = false\n}\n')).toBe(0);
  expect(await codeOf('server {\n  deny_slash_in_templated_paths = true\n}\n')).toBe(1);
});

test('policies of groups apply in the namespaces of the groups, according to the mode of the server', async () => {
  const rule = 'path "kv/*" {\n  capabilities = ["read"]\n}\n';
  for (const name of ['own', 'below', 'beside']) write(`${name}.hcl`, rule);
  const text = (allowed: string, denied: string, server = '') => `${server}token "kim" {
  policies  = ["own"]
  namespace = "outer"
  group {
    namespace = "outer/inner"
    policies  = ["below"]
  }
  group {
    namespace = "/side/"
    policies  = ["beside"]
  }
  allowed {
    read = [${allowed}]
  }
  denied {
    read = [${denied}]
  }
}
`;
  const codeOf = async (...parts: Parameters<typeof text>) => {
    write('app.test.hcl', text(...parts));
    return (await policyTest()).code;
  };
  const mode = (value: string) => `server {\n  group_policy_application_mode = "${value}"\n}\n`;
  const [own, below, beside] = ['"outer/kv/a"', '"outer/inner/kv/a"', '"side/kv/a"'];
  expect(await codeOf(`${own}, ${below}`, `${beside}, "kv/a"`)).toBe(0);
  expect(await codeOf(`${own}, ${below}`, beside, mode('within_namespace_hierarchy'))).toBe(0);
  expect(await codeOf(`${own}, ${below}, ${beside}`, '"kv/a"', mode('any'))).toBe(0);
  write('app.test.hcl', text(own, beside, mode('all')));
  expect((await policyTest()).stdout).toContain(
    'group_policy_application_mode must be one of "within_namespace_hierarchy", "any"; received "all"',
  );
});

test('--run chooses files, and tokens by their names', async () => {
  const failing = 'token "other" {\n  allowed {\n    read = "x"\n  }\n}\n';
  write('app.test.hcl', TESTS + failing);
  write('b.test.hcl', failing);
  expect(await policyTest('--run', '^app$/^app$')).toMatchObject({ code: 0 });
  expect(await policyTest('--run', '^app$')).toMatchObject({ code: 1 });
  expect(await policyTest('--run', '/app')).toMatchObject({ code: 0 });
});

test('--verbose explains requests that are decided as expected', async () => {
  write('app.test.hcl', token('  denied {\n    read = "sys/mounts"\n  }'));
  expect((await policyTest('--verbose')).stdout).toBe(
    'PASS - app.test.hcl\n  PASS - t (1 request)\n    app.test.hcl:3: as expected\n' +
      '      read sys/mounts is denied.\n      No rule matches the path.\n' +
      '1 test of 1 policy: 1 passed, 0 failed, in T s\n',
  );
});

test('--json prints every request, and --format prints the failed ones with their lines', async () => {
  write('app.test.hcl', token('  denied {\n    read = ["secret/data/app/db", "sys/mounts"]\n  }'));
  const { code, stdout } = await policyTest('--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    cases: [],
    tokens: [
      {
        file: 'app.test.hcl',
        token: 't',
        passed: false,
        requests: [
          { operation: 'read', path: 'secret/data/app/db', expected: 'denied', allowed: true, line: 3 },
          { operation: 'read', path: 'sys/mounts', expected: 'denied', allowed: false, line: 3 },
        ],
        error: null,
      },
    ],
    passed: 1,
    failed: 1,
  });
  expect((await policyTest('--format', 'github')).stdout).toContain(
    '::error file=app.test.hcl,line=3,title=t%3A failed::expected read secret/data/app/db to be denied, got: allowed',
  );
});

describe('the coverage of rules', () => {
  beforeEach(() => write('app.test.hcl', token('  allowed {\n    read = "secret/data/app/db"\n  }')));

  test('--coverage lists the rules that decide on no request of a test', async () => {
    expect((await policyTest('--coverage')).stdout).toBe(
      'PASS - app.test.hcl\n  PASS - t (1 request)\n' +
        'not tested: app.hcl:4: path "secret/data/app/admin"\n' +
        'not tested: app.hcl:7: path "auth/token/create"\n' +
        '1 of 3 rules tested (33 %)\n1 test of 1 policy: 1 passed, 0 failed, in T s\n',
    );
  });

  test('--min-coverage fails below the given percentage, but not at it', async () => {
    expect(await policyTest('--min-coverage', '33')).toMatchObject({ code: 0 });
    const { code, stdout } = await policyTest('--min-coverage', '34');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('1 of 3 rules tested (33 %, at least 34 % demanded)') as string,
    });
  });

  test('the coverage counts rules of Sentinel policies that no test evaluates', async () => {
    write('hours.sentinel', 'a = rule { true }\nb = rule { false }\nmain = rule { a or b }\n');
    write('test/hours/pass.hcl', 'test {\n  rules = { main = true }\n}\n');
    const { stdout } = await policyTest('hours.sentinel', '--coverage');
    expect(stdout).toContain('not tested: hours.sentinel:2: rule b\n2 of 3 rules tested (66 %)\n');
  });

  test('the coverage in --min-coverage is a percentage', async () => {
    const { code, stderr } = await policyTest('--min-coverage', '110');
    expect(code).toBe(2);
    expect(stderr).toContain('Expected a whole number from 0 to 100.');
  });
});

describe('test files with errors', () => {
  test.each([
    ['token {}\n', '1:1: a token has one name: token "app" { … }'],
    ['sources = ["."]\n', '1:1: there is no block token "NAME"'],
    ['token "a" {}\ntoken "a" {}\n', '2:1: there are two tokens "a"'],
    ['tokens "a" {}\n', '1:1: the file has no block tokens; allowed: token, server'],
    [
      'server {\n  deny_slash_in_templated_paths = 1\n}\n',
      '2:3: deny_slash_in_templated_paths must be true or false; received 1',
    ],
    [
      'server {\n  deny_slash = true\n}\n',
      '2:3: server has no attribute deny_slash; allowed: legacy_exact_matching_on_list, new_per_element_matching_on_list, deny_slash_in_templated_paths, allow_wildcards_in_identity_templates',
    ],
    ['path = "x"\n', '1:1: the file has no attribute path; allowed: sources, server_version'],
    [
      token('  allow {}'),
      '2:3: token has no block allow; allowed: allowed, denied, never_allowed, request, group',
    ],
    [
      token('  allowed {\n    reed = "x"\n  }'),
      '3:5: allowed has no attribute reed; allowed: create, read, update, patch, delete, list, recover',
    ],
    [token('  allowed {\n    read = 1\n  }'), '3:5: read must be a text or a list of texts; received 1'],
    [token('  request {\n    path = "x"\n  }'), '2:3: request needs the attribute operation'],
    [
      token('  request {\n    operation = "raed"\n  }'),
      '3:5: operation must be one of "create", "read", "update", "patch", "delete", "list", "recover"; received "raed"',
    ],
    [
      token(
        '  request {\n    operation = "read"\n    path = "x"\n    expect = "denied"\n    wrap_ttl = "soon"\n  }',
      ),
      '6:5: "soon" is not a duration; write for example "5m"',
    ],
    [token('  policies = ["ops"]'), '1:1: there is no policy "ops" in the sources of the file'],
    [token('', 'sources = ["nowhere"]\n'), '1:1: nowhere does not exist'],
    ['token "a" {', '1:12: '],
  ])('the error has its place in the file: %j', async (text, message) => {
    write('app.test.hcl', text);
    write('good.test.hcl', TESTS);
    const { code, stdout } = await policyTest();
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringContaining(`app.test.hcl:${message}`) as string,
    });
    expect(stdout).toContain('PASS - good.test.hcl');
  });

  test('a policy that does not parse is an error only if it may decide on a request', async () => {
    write('broken.hcl', 'path "kv/*" { capabilities = ["raed"] }\n');
    write('app.test.hcl', token('  allowed {\n    read = "secret/data/app/db"\n  }'));
    expect(await policyTest()).toMatchObject({ code: 0 });
    write('app.test.hcl', token('  denied {\n    read = "kv/x"\n  }'));
    const { code, stdout } = await policyTest();
    expect(code).toBe(2);
    expect(stdout).toContain('broken.hcl:1:');
  });

  test('a test file that does not exist, and a folder without tests, are errors', async () => {
    expect(await policyTest('nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere was not found') as string,
    });
    expect((await policyTest()).stderr).toContain('there are no tests and no Sentinel policies');
  });
});

test('the other commands do not read test files as policies', async () => {
  write('app.test.hcl', TESTS);
  const { code, stdout } = await vaultAdmin(['policy', 'lint', '.', '--json'], {}, folder);
  expect(code).toBeLessThan(2);
  expect(stdout).not.toContain('test.hcl');
  expect(await vaultAdmin(['policy', 'check', '.'], {}, folder)).toMatchObject({ code: 0 });
});

test('--watch runs the tests again after a change of a test, and of a policy elsewhere', async () => {
  write('acl/app.hcl', APP);
  const tests = (path: string) => token(`  allowed {\n    read = "${path}"\n  }`, 'sources = ["../acl"]\n');
  write('tests/app.test.hcl', tests('secret/data/app/db'));
  const child = startVaultAdmin(['policy', 'test', 'tests', '--watch'], {}, folder);
  try {
    const printed = printedBy(child.stdout!);
    await printed('1 passed, 0 failed');
    write('tests/app.test.hcl', tests('kv/x'));
    await printed('0 passed, 1 failed');
    write('acl/kv.hcl', 'path "kv/x" {\n  capabilities = ["read"]\n}\n');
    await printed('1 passed, 0 failed');
    write('tests/app.test.hcl', 'token {');
    await printed('ERROR - tests/app.test.hcl');
  } finally {
    child.kill();
  }
});

/** Returns a function that waits until a run whose output contains a text has ended. */
function printedBy(stdout: NodeJS.ReadableStream): (text: string) => Promise<void> {
  const chunks = stdout[Symbol.asyncIterator]();
  let rest = '';
  return async (text) => {
    for (;;) {
      const [run = '', ...others] = rest.split(/(?<=Waiting for changes.*\n)/);
      if (run.includes('Waiting for changes')) {
        rest = others.join('');
        if (run.includes(text)) return;
      } else {
        const { done, value } = await chunks.next();
        if (done) throw new Error(`the command ended; it printed ${rest}`);
        rest += String(value);
      }
    }
  };
}
