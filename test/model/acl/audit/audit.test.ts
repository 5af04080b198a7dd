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

/** Returns an entry as servers write it. */
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

describe('an audited request', () => {
  test('has all facts of its line', () => {
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
      characters: line.length + 6,
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

  test('counts as allowed, without the results of policies, if its line has no error', () => {
    const old = entry();
    const auth = { ...old.auth, policy_results: undefined };
    const denied = { ...old, auth, error: '1 error occurred:\n\t* permission denied\n\n' };
    expect(readAuditLine(JSON.stringify({ ...old, auth }))).toMatchObject({ allowed: true });
    expect(readAuditLine(JSON.stringify(denied))).toMatchObject({ allowed: false });
  });

  test('has empty facts if its line has few', () => {
    const request = { operation: 'read', path: 'kv/a', wrap_ttl: 0, data: null };
    const auth = { policies: ['app', 7], policy_results: {}, metadata: { count: 3 } };
    const line = JSON.stringify({ type: 'request', auth, request });
    expect(readAuditLine(line)).toEqual({
      characters: line.length,
      request: { operation: 'read', path: 'kv/a', data: {} },
      namespace: '',
      hashed: new Set(),
      allowed: true,
      policies: ['app'],
      time: '',
      entityId: '',
      accessor: '',
      metadata: { count: '' },
    });
  });

  test('has a slash after its namespace, no wrapping TTL if that is a text, and hashes at any depth', () => {
    const line = entry({
      namespace: 'team',
      data: { some: ['x', 'hmac-sha256:0'], none: ['x'], nothing: null, deep: { a: { b: 'hmac-sha256:0' } } },
    });
    const found = readAuditLine(
      JSON.stringify({
        ...line,
        request: { ...line.request, wrap_ttl: '60' },
        auth: { ...line.auth, metadata: null },
      }),
    );
    expect(found).toMatchObject({
      request: { path: 'team/kv/a' },
      namespace: 'team/',
      hashed: new Set(['some', 'deep']),
      metadata: {},
    });
    expect(found).not.toHaveProperty('request.wrapTtl');
  });

  test('keeps its path if it quotes a response', () => {
    expect(read({ data: { type: 'response' } }).request.path).toBe('kv/a');
  });

  test('counts as refused if its line has an error and no decision of the policies', () => {
    const { auth, ...rest } = entry();
    const written = { ...rest, auth: { ...auth, policy_results: {} }, error: 'permission denied' };
    expect(readAuditLine(JSON.stringify(written))).toMatchObject({ allowed: false });
  });

  test.each([
    ['unreadable', ''],
    ['unreadable', '7'],
    ['unreadable', JSON.stringify({ ...entry(), type: 'other' })],
    ['unreadable', JSON.stringify({ ...entry(), request: { operation: 'read' } })],
    ['unreadable', JSON.stringify({ ...entry(), request: null })],
    ['no-policy', JSON.stringify({ ...entry(), auth: null })],
    ['no-policy', JSON.stringify({ ...entry(), auth: { policies: 'app' } })],
    // a response that was cut off
    ['response', '{"type":"response","auth":{'],
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
  ])('is not in a line that is %s: %s', (passedOver, line) => {
    expect(readAuditLine(line)).toBe(passedOver);
  });
});

describe('the decision of policies on a logged request', () => {
  const decide = (text: string, written: Written, namespace = '') =>
    new ReplayedPolicies([{ name: 'app', policy: parseAclPolicy(text, { namespace }) }]).decide(
      read(written),
    );
  const hashed = { operation: 'update', data: { p: 'hmac-sha256:00' } };
  const rule = (more: string, path = 'kv/a') =>
    `path "${path}" { capabilities = ["update", "list"]\n${more} }`;

  test.each<[string, string, Written, string]>([
    ['the path of a rule', rule(''), { operation: 'update' }, 'allowed'],
    ['another operation', rule(''), { operation: 'delete' }, 'refused'],
    ['another path', rule(''), { operation: 'update', path: 'kv/b' }, 'refused'],
    ['a list, logged with its slash', rule(''), { operation: 'list', path: 'kv/a/' }, 'allowed'],
    [
      'a wrapped response with too long a TTL',
      rule('max_wrapping_ttl = 60'),
      { operation: 'update', wrapTtl: 61 },
      'refused',
    ],
    ['a token with the policy root', '', { policies: ['root'] }, 'allowed'],
    ['a policy that is not known', rule(''), { policies: ['app', 'other'] }, 'unknown'],
    ['a policy that grants nothing here, for root', rule(''), { policies: ['app', 'root'] }, 'allowed'],
    [
      'a path in a namespace, with a rule for it in the parent',
      rule('', 'sys/seal'),
      { operation: 'update', path: 'sys/seal', namespace: 'team/' },
      'refused',
    ],
    [
      'a root-protected path with sudo',
      'path "sys/seal" { capabilities = ["update", "sudo"] }',
      { operation: 'update', path: 'sys/seal' },
      'allowed',
    ],
    [
      'a hashed parameter beside one that is limited',
      rule('allowed_parameters = { q = ["x"], "*" = [] }'),
      { operation: 'update', data: { p: 'hmac-sha256:00', q: 'x' } },
      'allowed',
    ],
    [
      'a hashed parameter without constraints',
      rule(''),
      { operation: 'update', data: { p: 'hmac-sha256:00', q: 1 } },
      'allowed',
    ],
    [
      'a hashed parameter beside a denied value of another one',
      rule('denied_parameters = { q = ["x"] }'),
      { operation: 'update', data: { P: 'hmac-sha256:00', q: 'y' } },
      'allowed',
    ],
    [
      'a root-protected path without sudo',
      rule('', 'sys/seal'),
      { operation: 'update', path: 'sys/seal' },
      'refused',
    ],
    [
      'a hashed parameter that is allowed with any value',
      rule('allowed_parameters = { p = [] }'),
      hashed,
      'allowed',
    ],
    ['a hashed parameter that is not allowed', rule('allowed_parameters = { q = [] }'), hashed, 'refused'],
    ['a hashed parameter that is denied', rule('denied_parameters = { P = [] }'), hashed, 'refused'],
    ['a required parameter that is missing', rule('required_parameters = ["q"]'), hashed, 'refused'],
    [
      'a hashed value that may be an allowed one',
      rule('allowed_parameters = { p = ["x"] }'),
      hashed,
      'unknown',
    ],
    ['a hashed value that may be a denied one', rule('denied_parameters = { p = ["x"] }'), hashed, 'unknown'],
    [
      'a hashed value in a request that is refused anyway',
      rule('allowed_parameters = { p = ["x"] }\nrequired_parameters = ["q"]'),
      hashed,
      'refused',
    ],
    [
      'a denied value in plain text',
      rule('denied_parameters = { on = [true] }'),
      { operation: 'update', data: { on: true } },
      'refused',
    ],
    [
      "a path with the id of the token's entity",
      rule('', 'kv/{{identity.entity.id}}'),
      { ...hashed, path: 'kv/e-1' },
      'allowed',
    ],
    [
      'a path with the id of another entity',
      rule('', 'kv/{{identity.entity.id}}'),
      { ...hashed, path: 'kv/e-2' },
      'refused',
    ],
    [
      'a template with a name that is not logged',
      rule('', 'kv/{{identity.entity.name}}'),
      { ...hashed, path: 'kv/jo' },
      'unknown',
    ],
    [
      'a path that the template may match',
      rule('', 'kv/{{identity.entity.name}}'),
      { ...hashed, path: 'kv/a/b' },
      'unknown',
    ],
    [
      'a path that the template cannot match',
      rule('', 'kv/{{identity.entity.name}}'),
      { ...hashed, path: 'other' },
      'refused',
    ],
    [
      'a template with a name, for a token without an entity',
      rule('', 'kv/{{identity.entity.name}}'),
      { ...hashed, path: 'kv/jo', entityId: '' },
      'refused',
    ],
  ])("equals the server's in the case of %s", (_what, text, written, expected) => {
    expect(decide(text, written)).toBe(expected);
  });

  test('requires sudo for root-protected paths within a namespace', () => {
    const request = { operation: 'update', path: 'sys/seal', namespace: 'team/' };
    expect(decide(rule('', 'sys/seal'), request, 'team/')).toBe('refused');
    expect(decide('path "sys/seal" { capabilities = ["update", "sudo"] }', request, 'team/')).toBe('allowed');
  });

  test('compares lists in parameters as the version of the server does', () => {
    const policy = parseAclPolicy(rule('denied_parameters = { p = ["x"] }'));
    const audited = read({ operation: 'update', data: { p: ['x', 'y'] } });
    const decideWith = (options?: { perElementLists: boolean }) =>
      new ReplayedPolicies([{ name: 'app', policy }], options).decide(audited);
    expect(decideWith()).toBe('refused');
    expect(decideWith({ perElementLists: true })).toBe('refused');
    expect(decideWith({ perElementLists: false })).toBe('allowed');
  });

  test('uses the policies, namespace and entity of its token', () => {
    const named = (name: string, text: string, namespace = '') => ({
      name,
      policy: parseAclPolicy(text, { namespace }),
    });
    const replayed = new ReplayedPolicies([
      named('app', rule('', 'kv/a')),
      named('other', rule('', 'kv/b')),
      named('own', rule('', 'kv/{{identity.entity.id}}') + rule('', 'kv/c')),
      named('app', rule('', 'kv/ns'), 'team/'),
      named('app', rule('', 'kv/sub'), 'team/sub/'),
      named('wide', rule('', 'team/sub/kv/wide')),
    ]);
    const decideOn = (path: string, policies: readonly string[], more: Written = {}) =>
      replayed.decide(read({ operation: 'update', path, policies, ...more }));
    expect(decideOn('kv/a', ['app'])).toBe('allowed');
    expect(decideOn('kv/b', ['app'])).toBe('refused');
    expect(decideOn('kv/b', ['other'])).toBe('allowed');
    expect(decideOn('kv/b', ['app', 'other'])).toBe('allowed');
    expect(decideOn('kv/e-1', ['own'])).toBe('allowed');
    expect(decideOn('kv/e-1', ['own'], { entityId: 'e-2' })).toBe('refused');
    expect(decideOn('kv/e-2', ['own'], { entityId: 'e-2' })).toBe('allowed');
    expect(decideOn('kv/c', ['own'], { entityId: '' })).toBe('allowed');
    expect(decideOn('kv/ns', ['app'], { namespace: 'team/' })).toBe('allowed');
    expect(decideOn('kv/sub', ['app'], { namespace: 'team/sub/' })).toBe('allowed');
    expect(decideOn('kv/ns', ['app'], { namespace: 'team/sub/' })).toBe('refused');
    expect(decideOn('kv/ns', ['app'], { namespace: 'team/else/' })).toBe('refused');
    expect(decideOn('kv/wide', ['wide'], { namespace: 'team/sub/' })).toBe('allowed');
    // more sets of policies than are kept
    const many = Array.from({ length: 1_001 }, (_, index) => named(`p-${index}`, rule('', `kv/${index}`)));
    const ofMany = new ReplayedPolicies(many);
    const allowed = many.map(({ name }, index) =>
      ofMany.decide(read({ operation: 'update', path: `kv/${index}`, policies: [name] })),
    );
    expect(new Set(allowed)).toEqual(new Set(['allowed']));
  });

  test('has the names of the policies that are not known', () => {
    const replayed = new ReplayedPolicies([
      { name: 'app', policy: parseAclPolicy(rule('')) },
      { name: 'own', policy: parseAclPolicy(rule(''), { namespace: 'team/' }) },
    ]);
    expect(replayed.missing(read({ policies: ['root', 'app', 'other', 'own'] }))).toEqual(['other', 'own']);
    expect(replayed.missing(read({ policies: ['app', 'own'], namespace: 'team/' }))).toEqual([]);
  });

  test('uses a policy in its namespace and below', () => {
    expect(decide(rule(''), { operation: 'update', namespace: 'team/' }, 'team/')).toBe('allowed');
    expect(decide(rule('', 'sub/kv/a'), { operation: 'update', namespace: 'team/sub/' }, 'team/')).toBe(
      'allowed',
    );
    expect(decide(rule(''), { operation: 'update', namespace: 'other/' }, 'team/')).toBe('unknown');
  });
});

describe('the policy that is written from a log', () => {
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

  test('allows the logged operations and nothing else', () => {
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

  test('allows only the logged parameters, with the option for it', () => {
    const sent = { operation: 'update', data: { b: 'hmac-sha256:0', a: 1 } };
    const { rules } = policyFor([sent], { parameters: true });
    expect(rules).toEqual([{ path: 'kv/a', capabilities: ['update'], allowedParameters: { a: [], b: [] } }]);
  });

  test('has relative paths if all requests have the same namespace', () => {
    const requests = [{ namespace: 'team/' }];
    expect(shown(policyFor(requests).rules)).toEqual(['kv/a: read']);
    expect(shown(policyFor([...requests, {}]).rules)).toEqual(['kv/a: read', 'team/kv/a: read']);
  });

  test('has one rule for a given pattern, with the requests for which the pattern has priority', () => {
    const requests = ['kv/a', 'kv/a/b', 'kv/b/c'].map((path) => ({ path }));
    const { rules, general } = policyFor(requests, {}, ['kv/*', 'kv/a/*', 'other/*']);
    expect(shown(rules)).toEqual(['kv/*: read', 'kv/a/*: read']);
    expect(general).toMatchObject([
      { used: 2, of: 'requests' },
      { used: 1, of: 'requests' },
    ]);
  });

  test('has one rule for many similar paths, with the option for it, but never for endpoints', () => {
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

  test('has a rule for a path on which a wider rule would otherwise decide', () => {
    const requests = [
      ...['a', 'b', 'c'].map((name) => ({ path: `kv/${name}/x` })),
      ...['y', 'z', 'w'].map((name) => ({ path: `kv/a/${name}`, operation: 'update' })),
    ];
    const { rules } = policyFor(requests, { mergeFrom: 3 });
    expect(shown(rules)).toEqual(['kv/+/x: read', 'kv/a/+: update', 'kv/a/x: read']);
    const updates = ['a', 'b', 'c'].map((name) => ({ path: `kv/${name}/x`, operation: 'update' }));
    expect(shown(policyFor([...requests, ...updates], { mergeFrom: 3 }).rules)).toEqual([
      'kv/+/x: read update',
      'kv/a/+: update',
      'kv/a/x: read update',
    ]);
  });

  test('has each operation and parameter once, sorted, but no parameters of reads', () => {
    const { rules, text } = policyFor(
      [
        { path: 'kv/z', operation: 'update', data: { c: 1 } },
        { path: 'kv/b' },
        { path: 'kv/a', operation: 'renew', data: { b: 1, a: 1 } },
        { path: 'kv/z', operation: 'update', data: { a: 1 } },
      ],
      { parameters: true },
    );
    expect(rules).toEqual([
      { path: 'kv/a', capabilities: ['update'], allowedParameters: { a: [], b: [] } },
      { path: 'kv/b', capabilities: ['read'] },
      { path: 'kv/z', capabilities: ['update'], allowedParameters: { a: [], c: [] } },
    ]);
    expect(text).toContain('allowed_parameters = {\n    "a" = []\n    "c" = []\n');
    expect(policyFor([{ operation: 'update', data: { a: 1 } }]).rules).toEqual([
      { path: 'kv/a', capabilities: ['update'] },
    ]);
    expect(policyFor([]).uses.namespace).toBe('');
    const uses = new Uses();
    for (const path of ['kv/c', 'kv/a', 'kv/b']) uses.add(read({ path }));
    expect(uses.list().map(({ path }) => path)).toEqual(['kv/a', 'kv/b', 'kv/c']);
    expect(shown(writePolicyFor(uses.list(), []).rules)).toEqual(['kv/a: read', 'kv/b: read', 'kv/c: read']);
  });

  test('has no general rule for a given path without wildcards', () => {
    const { rules, general } = policyFor([{ path: 'kv/a' }, { path: 'kv/b' }], {}, ['kv/a']);
    expect(shown(rules)).toEqual(['kv/a: read', 'kv/b: read']);
    expect(general).toEqual([]);
  });

  test('has one rule for paths that differ in several segments, for each section of a mount', () => {
    const names = ['a', 'b'].flatMap((outer) => ['x', 'y'].map((inner) => `${outer}/${inner}`));
    const requests = [
      ...names.map((name) => ({ path: `kv/data/${name}` })),
      ...['data', 'metadata', 'delete'].map((section) => ({ path: `kv/${section}/one` })),
      ...['one', 'two'].map((name) => ({ path: `kv/x/data/${name}` })),
      ...['one', 'two'].map((name) => ({ path: `kv/${name}/data` })),
      ...['one', 'two'].map((name) => ({ path: `${name}/only` })),
      ...['data', 'delete'].map((name) => ({ path: `q/a/${name}` })),
      ...['one', 'two'].map((name) => ({ path: `kv/${name}//end` })),
    ];
    expect(shown(policyFor(requests, { mergeFrom: 2 }).rules)).toEqual([
      'kv/+//end: read',
      'kv/+/data: read',
      'kv/data/+/+: read',
      'kv/data/one: read',
      'kv/delete/one: read',
      'kv/metadata/one: read',
      'kv/x/data/+: read',
      'one/only: read',
      'q/a/+: read',
      'two/only: read',
    ]);
  });

  test('leaves out paths that no rule can name', () => {
    const paths = ['kv/*', 'kv/+/a', 'kv/{{a}}', 'kv/${a}', 'kv/a\npath "*" {'];
    const { rules, unwritable } = policyFor([{}, ...paths.map((path) => ({ path }))]);
    expect(shown(rules)).toEqual(['kv/a: read']);
    expect([...unwritable].sort()).toEqual([...paths].sort());
  });

  test('leaves out the last paths of a log with too many', () => {
    const uses = new Uses(['kv/many/*']);
    for (let index = 0; index < 100_002; index++) {
      uses.add({ ...read(), request: { operation: 'read', path: `kv/${index}` } });
      uses.add({ ...read(), request: { operation: 'read', path: `kv/many/${index}` } });
    }
    expect(uses.leftOut).toBe(3);
    expect(uses.list()).toHaveLength(100_000);
  });
});
