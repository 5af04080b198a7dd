import {
  parseAclPolicy,
  readAuditLine,
  ReplayedPolicies,
  Uses,
  writePolicyFor,
  type AuditedRequest,
  type WritingOptions,
} from '../../../../src/model';

interface Written {
  readonly operation?: string;
  readonly path?: string;
  readonly data?: object;
  readonly policies?: readonly string[];
  readonly namespace?: string;
  readonly wrapTtl?: number;
  readonly entityId?: string;
  readonly allowed?: boolean;
}

/** An entry as servers write it. */
function entry({
  operation = 'read',
  path = 'kv/a',
  data,
  policies = ['app'],
  namespace,
  wrapTtl,
  entityId = 'e-1',
  allowed = true,
}: Written = {}) {
  return {
    time: '2026-01-02T03:04:05Z',
    type: 'request',
    auth: {
      accessor: 'hmac-sha256:aa',
      policies,
      entity_id: entityId,
      metadata: { role: 'builder' },
      policy_results: { allowed },
    },
    request: { operation, path, data, wrap_ttl: wrapTtl, namespace: { id: 'x', path: namespace } },
  };
}

function read(written: Written = {}): AuditedRequest {
  const found = readAuditLine(JSON.stringify(entry(written)));
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('a line of an audit log', () => {
  test('of a request by a token', () => {
    const hash = 'hmac-sha256:00';
    const line = JSON.stringify(
      entry({
        operation: 'update',
        namespace: 'team/',
        data: { name: hash, list: [{ deep: hash }], count: 3, on: true },
        wrapTtl: 60,
        allowed: false,
      }),
    );
    expect(readAuditLine(`@cee: ${line}`)).toEqual({
      request: {
        operation: 'update',
        path: 'team/kv/a',
        data: { name: hash, list: [{ deep: hash }], count: 3, on: true },
        wrapTtl: 60,
      },
      namespace: 'team/',
      hashed: new Set(['name', 'list']),
      allowed: false,
      policies: ['app'],
      time: '2026-01-02T03:04:05Z',
      entityId: 'e-1',
      accessor: 'hmac-sha256:aa',
      metadata: { role: 'builder' },
    });
  });

  test('of a server that does not log the results of policies', () => {
    const old = entry();
    const auth = { ...old.auth, policy_results: undefined };
    const denied = { ...old, auth, error: '1 error occurred:\n\t* permission denied\n\n' };
    expect(readAuditLine(JSON.stringify({ ...old, auth }))).toMatchObject({ allowed: true });
    expect(readAuditLine(JSON.stringify(denied))).toMatchObject({ allowed: false });
  });

  test.each([
    ['unreadable', ''],
    ['unreadable', 'text'],
    ['unreadable', '{"type":"request",'],
    ['unreadable', '{"type":"request"}'],
    ['unreadable', '[]'],
    ['response', JSON.stringify({ ...entry(), type: 'response' })],
    // a response that quotes a request
    ['response', JSON.stringify({ ...entry(), type: 'response', note: { type: 'request' } })],
    ['no-policy', JSON.stringify(entry({ policies: [] }))],
    ['no-policy', JSON.stringify(entry({ operation: 'alias-lookahead' }))],
    ['no-policy', JSON.stringify(entry({ path: 'auth/userpass/login/jo', operation: 'update' }))],
  ])('%s: %s', (passedOver, line) => {
    expect(readAuditLine(line)).toBe(passedOver);
  });
});

describe('decided again', () => {
  const decide = (text: string, written: Written, namespace = '') =>
    new ReplayedPolicies([{ name: 'app', policy: parseAclPolicy(text, { namespace }) }]).decide(
      read(written),
    );
  const hashed = { operation: 'update', data: { p: 'hmac-sha256:00' } };
  const rule = (more: string, path = 'kv/a') =>
    `path "${path}" { capabilities = ["update", "list"]\n${more} }`;

  test.each<[string, string, Written, string]>([
    ['a path', rule(''), { operation: 'update' }, 'allowed'],
    ['another operation', rule(''), { operation: 'delete' }, 'refused'],
    ['another path', rule(''), { operation: 'update', path: 'kv/b' }, 'refused'],
    ['a list, logged with its slash', rule(''), { operation: 'list', path: 'kv/a/' }, 'allowed'],
    ['a wrapped response', rule('max_wrapping_ttl = 60'), { operation: 'update', wrapTtl: 61 }, 'refused'],
    ['root', '', { policies: ['root'] }, 'allowed'],
    ['a policy that is not known', rule(''), { policies: ['app', 'other'] }, 'unknown'],
    ['sudo missing', rule('', 'sys/seal'), { operation: 'update', path: 'sys/seal' }, 'refused'],
    ['a parameter by its name', rule('allowed_parameters = { p = [] }'), hashed, 'allowed'],
    ['a parameter that is not allowed', rule('allowed_parameters = { q = [] }'), hashed, 'refused'],
    ['a parameter that is denied', rule('denied_parameters = { P = [] }'), hashed, 'refused'],
    ['a parameter that is missing', rule('required_parameters = ["q"]'), hashed, 'refused'],
    ['a value of which the hash is known', rule('allowed_parameters = { p = ["x"] }'), hashed, 'unknown'],
    ['a value that may be denied', rule('denied_parameters = { p = ["x"] }'), hashed, 'unknown'],
    [
      'a value that is refused whatever it is',
      rule('allowed_parameters = { p = ["x"] }\nrequired_parameters = ["q"]'),
      hashed,
      'refused',
    ],
    [
      'a value in clear',
      rule('denied_parameters = { on = [true] }'),
      { operation: 'update', data: { on: true } },
      'refused',
    ],
    ['the id of the entity', rule('', 'kv/{{identity.entity.id}}'), { ...hashed, path: 'kv/e-1' }, 'allowed'],
    ["another entity's", rule('', 'kv/{{identity.entity.id}}'), { ...hashed, path: 'kv/e-2' }, 'refused'],
    [
      'a name that is not logged',
      rule('', 'kv/{{identity.entity.name}}'),
      { ...hashed, path: 'kv/jo' },
      'unknown',
    ],
    ['beside it', rule('', 'kv/{{identity.entity.name}}'), { ...hashed, path: 'kv/a/b' }, 'unknown'],
    ['elsewhere', rule('', 'kv/{{identity.entity.name}}'), { ...hashed, path: 'other' }, 'refused'],
    [
      'a name of which there is none',
      rule('', 'kv/{{identity.entity.name}}'),
      { ...hashed, path: 'kv/jo', entityId: '' },
      'refused',
    ],
  ])('%s', (_what, text, written, expected) => {
    expect(decide(text, written)).toBe(expected);
  });

  test('a policy counts in its namespace and below', () => {
    expect(decide(rule(''), { operation: 'update', namespace: 'team/' }, 'team/')).toBe('allowed');
    expect(decide(rule('', 'sub/kv/a'), { operation: 'update', namespace: 'team/sub/' }, 'team/')).toBe(
      'allowed',
    );
    expect(decide(rule(''), { operation: 'update', namespace: 'other/' }, 'team/')).toBe('unknown');
  });
});

describe('the policy for what was done', () => {
  function policyFor(
    requests: readonly Written[],
    options: WritingOptions = {},
    patterns: readonly string[] = [],
  ) {
    const uses = new Uses(patterns);
    for (const each of requests) uses.add(read(each));
    return { uses, ...writePolicyFor(uses.list(), patterns, { namespace: uses.namespace, ...options }) };
  }
  const shown = (rules: readonly { path: string; capabilities: readonly string[] }[]) =>
    rules.map(({ path, capabilities }) => `${path}: ${capabilities.join(' ')}`);

  test('names what was done, and nothing else', () => {
    const { text, general } = policyFor([
      { path: 'kv/b', operation: 'list' },
      { path: 'kv/a' },
      { path: 'kv/a', operation: 'update' },
      { path: 'sys/seal', operation: 'update' },
    ]);
    expect(text).toBe(
      'path "kv/a" {\n  capabilities = ["read", "update"]\n}\n\npath "kv/b" {\n  capabilities = ["list"]\n}\n\n' +
        'path "sys/seal" {\n  capabilities = ["update", "sudo"]\n}\n',
    );
    expect(general).toEqual([]);
  });

  test('with the parameters that were sent, if asked', () => {
    const sent = { operation: 'update', data: { b: 'hmac-sha256:0', a: 1 } };
    const { rules } = policyFor([sent], { parameters: true });
    expect(rules).toEqual([{ path: 'kv/a', capabilities: ['update'], allowedParameters: { a: [], b: [] } }]);
  });

  test('relative to the only namespace', () => {
    const requests = [{ namespace: 'team/' }];
    expect(shown(policyFor(requests).rules)).toEqual(['kv/a: read']);
    expect(shown(policyFor([...requests, {}]).rules)).toEqual(['kv/a: read', 'team/kv/a: read']);
  });

  test('with one rule for a pattern that was asked for: the one that the server would choose', () => {
    const requests = ['kv/a', 'kv/a/b', 'kv/b/c'].map((path) => ({ path }));
    const { rules, general } = policyFor(requests, {}, ['kv/*', 'kv/a/*', 'other/*']);
    expect(shown(rules)).toEqual(['kv/*: read', 'kv/a/*: read']);
    expect(general).toMatchObject([
      { used: 2, of: 'requests' },
      { used: 1, of: 'requests' },
    ]);
  });

  test('with one rule for many paths, if asked; never for endpoints', () => {
    const requests = [
      ...['a', 'b', 'c'].map((name) => ({ path: `kv/data/${name}/x` })),
      { path: 'kv/data/c/y' },
      { path: 'kv/metadata/c/x', operation: 'list' },
      ...['a', 'b', 'c'].map((name) => ({ path: `sys/mounts/${name}`, operation: 'update' })),
    ];
    const { rules, general } = policyFor(requests, { mergeFrom: 3 });
    expect(shown(rules)).toEqual([
      'kv/data/+/x: read',
      'kv/data/c/y: read',
      'kv/metadata/c/x: list',
      'sys/mounts/a: update',
      'sys/mounts/b: update',
      'sys/mounts/c: update',
    ]);
    expect(general).toEqual([
      { rule: { path: 'kv/data/+/x', capabilities: ['read'] }, used: 3, of: 'paths' },
    ]);
    expect(shown(policyFor(requests, { mergeFrom: 4 }).rules)).toHaveLength(8);
  });

  test('with a rule for a path that a wider one would take over', () => {
    const requests = [
      ...['a', 'b', 'c'].map((name) => ({ path: `kv/${name}/x` })),
      ...['y', 'z', 'w'].map((name) => ({ path: `kv/a/${name}`, operation: 'update' })),
    ];
    const { rules } = policyFor(requests, { mergeFrom: 3 });
    expect(shown(rules)).toEqual(['kv/+/x: read', 'kv/a/+: update', 'kv/a/x: read']);
  });

  test('without paths that no rule can name', () => {
    const paths = ['kv/*', 'kv/+/a', 'kv/{{a}}', 'kv/${a}', 'kv/a\npath "*" {'];
    const { rules, unwritable } = policyFor([{}, ...paths.map((path) => ({ path }))]);
    expect(shown(rules)).toEqual(['kv/a: read']);
    expect([...unwritable].sort()).toEqual([...paths].sort());
  });

  test('of a log with more paths than fit', () => {
    const uses = new Uses(['kv/many/*']);
    for (let index = 0; index < 100_002; index++) {
      uses.add({ ...read(), request: { operation: 'read', path: `kv/${index}` } });
      uses.add({ ...read(), request: { operation: 'read', path: `kv/many/${index}` } });
    }
    expect(uses.leftOut).toBe(3);
    expect(uses.list()).toHaveLength(100_000);
  });
});
