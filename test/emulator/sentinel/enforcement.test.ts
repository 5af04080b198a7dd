import { randomUUID } from 'node:crypto';
import { collected, type Api } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();

const EVERYTHING =
  'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo", "patch"] }';

beforeAll(async () => {
  const { api } = use();
  await api.put('sys/policies/acl/everything', { policy: EVERYTHING });
  await api.put('sys/namespaces/team');
  await api.put('sys/namespaces/other');
  for (const namespace of ['', 'team', 'other']) {
    await api.put('sys/policies/acl/everything', { policy: EVERYTHING }, { namespace });
    await api.post('sys/mounts/kv', { type: 'kv', options: { version: '1' } }, { namespace });
    await api.put('kv/app', { a: 1 }, { namespace });
  }
  await api.post('sys/auth/userpass', { type: 'userpass' });
  await api.put('auth/userpass/users/ann', { password: 'pw', token_policies: 'everything' });
});

interface Policy {
  readonly kind?: 'rgp' | 'egp';
  readonly text: string;
  readonly level?: string;
  readonly paths?: readonly string[];
  readonly namespace?: string;
}

/** Calls `act` while the policies exist. Keys are the names of the policies. */
async function governed(
  policies: Readonly<Record<string, Policy>>,
  act: (api: Api) => Promise<void>,
): Promise<void> {
  const { api } = use();
  const path = (name: string) => `sys/policies/${policies[name]?.kind ?? 'egp'}/${name}`;
  try {
    for (const [
      name,
      { kind = 'egp', text, level = 'hard-mandatory', paths = ['*'], namespace = '' },
    ] of Object.entries(policies)) {
      const body = { policy: text, enforcement_level: level, ...(kind === 'egp' && { paths }) };
      expect((await api.put(path(name), body, { namespace })).status).toBe(204);
    }
    await act(api);
  } finally {
    for (const [name, { namespace = '' }] of Object.entries(policies))
      await api.delete(path(name), { namespace });
  }
}

/** Returns a client with a token that has the policies. */
async function client(policies: readonly string[], more: object = {}): Promise<Api> {
  const { api } = use();
  const { body } = await api.post('auth/token/create', { policies, ...more });
  return api.as(body.auth.client_token as string);
}

const DENY = 'main = rule { false }';
const FORBIDDEN = [collected('permission denied')];

const denied = (kind: string, name: string, rules = `Rule "main" (${name}:1:1) = false`) =>
  `${kind} standard policy "${name}" evaluation resulted in denial.\n\nThe specific error was:\n<nil>\n\n` +
  `A trace of the execution for policy "${name}" is available:\n\nResult: false\n\nDescription: <none>\n\n${rules}`;

describe('the order of evaluation', () => {
  it('ACL policies are evaluated first, then RGPs, then EGPs; root tokens are exempt', async () => {
    const plain = await client(['default', 'role']);
    const able = await client(['everything', 'role']);
    await governed({ role: { kind: 'rgp', text: DENY }, guard: { text: DENY } }, async (api) => {
      expect((await plain.get('kv/app')).body.errors).toEqual(FORBIDDEN);
      const byRgp = await able.get('kv/app');
      expect([byRgp.status, byRgp.body.errors]).toEqual([
        403,
        [collected(denied('rgp', 'root/role'), 'permission denied')],
      ]);
      expect((await api.get('kv/app')).status).toBe(200);
    });
    await governed({ guard: { text: DENY } }, async () => {
      const byEgp = await able.get('kv/app');
      expect([byEgp.status, byEgp.body.errors]).toEqual([
        403,
        [collected(denied('egp', 'root/guard'), 'permission denied')],
      ]);
    });
    expect((await able.get('kv/app')).status).toBe(200);
  });

  it('a request that RGP and EGP allow needs an ACL policy nevertheless', async () => {
    const plain = await client(['default', 'role']);
    await governed(
      { role: { kind: 'rgp', text: 'main = true' }, guard: { text: 'main = true' } },
      async () => {
        expect((await plain.get('kv/app')).body.errors).toEqual(FORBIDDEN);
      },
    );
  });

  it('sudo is checked by the ACL before any EGP', async () => {
    const api = await client(['default', 'unsudo']);
    await use().api.put('sys/policies/acl/unsudo', {
      policy:
        'path "sys/raw/*" { capabilities = ["read"] }\npath "auth/token/accessors" { capabilities = ["list"] }',
    });
    await governed({ guard: { text: DENY } }, async () => {
      expect((await api.list('auth/token/accessors')).body.errors).toEqual(FORBIDDEN);
    });
  });

  it('every failing EGP of the path is named, exact and prefix', async () => {
    const api = await client(['everything']);
    const policies = {
      all: { text: DENY, paths: ['*'] },
      exact: { text: DENY, paths: ['kv/app', 'x'] },
      mild: { text: DENY, level: 'advisory' },
      passing: { text: 'main = true' },
      prefix: { text: DENY, paths: ['kv/*'] },
      unrelated: { text: DENY, paths: ['kv/ap', 'kv/app/', 'sys/*'] },
    };
    await governed(policies, async () => {
      expect((await api.get('kv/app')).body.errors).toEqual([
        collected(
          ...['all', 'exact', 'prefix'].map((name) => denied('egp', `root/${name}`)),
          'permission denied',
        ),
      ]);
    });
  });
});

it.each<['with-slash' | 'either', string, number]>([
  ['with-slash', 'kv/team', 200],
  ['with-slash', 'kv/team/', 403],
  ['either', 'kv/team', 403],
])('egpLists=%s: an EGP for %s answers LIST kv/team with %i', async (assumed, path, status) => {
  const { emulator } = use();
  const api = await client(['everything']);
  await use().api.put('kv/team/a', { x: 1 });
  emulator.assumed.choose({ egpLists: assumed });
  try {
    await governed({ guard: { text: DENY, paths: [path] } }, async () => {
      expect((await api.list('kv/team')).status).toBe(status);
    });
  } finally {
    emulator.assumed.choose({ egpLists: 'with-slash' });
  }
});

it.each<['dropped' | 'kept', string]>([
  ['dropped', 'kv/app'],
  ['kept', '/kv/app'],
])('egpSlashes=%s: the path of an EGP with a leading slash is shown as %s', async (assumed, shown) => {
  const { emulator } = use();
  const api = await client(['everything']);
  emulator.assumed.choose({ egpSlashes: assumed });
  try {
    await governed({ guard: { text: DENY, paths: ['/kv/app'] } }, async () => {
      expect((await use().api.get('sys/policies/egp/guard')).body.data.paths).toEqual([shown]);
      expect((await api.get('kv/app')).status).toBe(403);
    });
  } finally {
    emulator.assumed.choose({ egpSlashes: 'dropped' });
  }
});

describe('an unauthenticated path', () => {
  it('the request is checked by EGPs only, and the refusal has status 400 and no trace', async () => {
    const business = 'import "time"\nmain = rule { time.now.year is 1999 }';
    await governed({ hours: { text: business, paths: ['auth/userpass/login/*'] } }, async (api) => {
      const login = await api.as(undefined).put('auth/userpass/login/ann', { password: 'pw' });
      expect([login.status, login.body.errors]).toEqual([
        400,
        [
          collected(
            'egp standard policy "root/hours" evaluation resulted in denial.\n\nThe specific error was:\n<nil>',
            'permission denied',
          ),
        ],
      ]);
    });
    expect((await use().api.as(undefined).put('auth/userpass/login/ann', { password: 'pw' })).status).toBe(
      200,
    );
  });

  it('policies see no token on an unauthenticated path', async () => {
    await governed(
      { guard: { text: 'main = rule { token.type is "service" }', paths: ['auth/*'] } },
      async (api) => {
        const login = await api.as(undefined).put('auth/userpass/login/ann', { password: 'pw' });
        expect(login.body.errors[0]).toContain('root/guard:1:15: unknown identifier accessed: token');
      },
    );
    const text =
      'main = rule { request.unauthenticated and request.operation is "update" and request.data.password is "pw" }';
    await governed({ guard: { text, paths: ['auth/userpass/login/ann'] } }, async (api) => {
      expect((await api.as(undefined).put('auth/userpass/login/ann', { password: 'pw' })).status).toBe(200);
      expect((await api.as(undefined).put('auth/userpass/login/ann', { password: 'p' })).status).toBe(400);
    });
  });

  it('health and the generation of root tokens are exempt from EGPs', async () => {
    await governed({ guard: { text: DENY } }, async (api) => {
      const nobody = api.as(undefined);
      expect((await nobody.get('sys/health')).status).toBe(200);
      expect((await nobody.get('sys/seal-status')).status).toBe(200);
      const attempt = await nobody.put('sys/generate-root/attempt');
      expect(attempt.status).toBe(200);
      expect((await nobody.delete('sys/generate-root/attempt')).status).toBe(204);
    });
  });
});

describe('the enforcement levels of a policy', () => {
  const soft = { guard: { text: DENY, level: 'soft-mandatory' } };
  const ask = (value: string) => ({ headers: { 'X-Vault-Policy-Override': value } });

  it('the refusal of a soft-mandatory policy mentions the header that overrides it', async () => {
    const api = await client(['everything']);
    await governed(soft, async () => {
      const refused = await api.get('kv/app');
      expect(refused.body.errors).toEqual([
        collected(
          `${denied('egp', 'root/guard')}\n\nNote: specifying an override of the operation would have succeeded.`,
          'permission denied',
        ),
      ]);
      for (const value of ['true', '1', 'T']) expect((await api.get('kv/app', ask(value))).status).toBe(200);
      for (const value of ['false', '0']) expect((await api.get('kv/app', ask(value))).status).toBe(403);
    });
  });

  it('the override has no effect on hard-mandatory policies, or after a refusal by the ACL', async () => {
    const api = await client(['everything']);
    const plain = await client(['default']);
    await governed({ guard: { text: DENY } }, async () => {
      expect((await api.get('kv/app', ask('true'))).status).toBe(403);
    });
    await governed(soft, async () => {
      expect((await plain.get('kv/app', ask('true'))).body.errors).toEqual(FORBIDDEN);
    });
  });

  it('the override affects RGPs, and policies can read it', async () => {
    const api = await client(['everything', 'role']);
    await governed({ role: { kind: 'rgp', text: DENY, level: 'soft-mandatory' } }, async () => {
      expect((await api.get('kv/app')).status).toBe(403);
      expect((await api.get('kv/app', ask('true'))).status).toBe(200);
    });
    await governed({ guard: { text: 'main = rule { not request.policy_override }' } }, async () => {
      expect((await api.get('kv/app')).status).toBe(200);
      expect((await api.get('kv/app', ask('true'))).status).toBe(403);
    });
  });

  it('a header that is not a boolean is refused', async () => {
    const refused = await use().api.get('kv/app', ask('maybe'));
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      ['failed to parse X-Vault-Policy-Override header: not a boolean'],
    ]);
  });

  it('failures that do not deny are listed only by the control API', async () => {
    const api = await client(['everything']);
    const policies = {
      mild: { text: DENY, level: 'advisory', paths: ['kv/app'] },
      soft: { ...soft.guard, paths: ['kv/app'] },
    };
    await governed(policies, async (root) => {
      const answer = await api.get('kv/app', ask('true'));
      expect([answer.status, answer.body.warnings]).toEqual([200, null]);
      await api.get('kv/app');
      const { body } = await root.send('GET', '/emulator/v1/policy-failures');
      const { failures } = body as { failures: readonly unknown[] };
      const shared = {
        kind: 'egp',
        namespace: '',
        path: 'kv/app',
        operation: 'read',
        error: '',
        time: expect.any(Number),
      };
      const mild = { ...shared, policy: 'root/mild', level: 'advisory', effect: 'advisory' };
      const hard = { ...shared, policy: 'root/soft', level: 'soft-mandatory' };
      expect(failures.slice(-4)).toEqual([
        mild,
        { ...hard, effect: 'overridden' },
        mild,
        { ...hard, effect: 'denied' },
      ]);
    });
  });
});

describe('policies of namespaces', () => {
  it.each([
    ['', ['*'], '', true],
    ['', ['*'], 'team', true],
    ['', ['kv/*'], 'team', true],
    ['', ['team/kv/*'], 'team', true],
    ['', ['other/kv/*'], 'team', false],
    ['team', ['kv/app'], 'team', true],
    ['team', ['kv/app'], '', false],
    ['team', ['*'], 'other', false],
  ])('an EGP in "%s" on %j denies a request in "%s": %s', async (namespace, paths, where, isDenied) => {
    const api = await client(['everything']);
    await use().api.put('sys/policies/acl/everything', {
      policy: `${EVERYTHING}\npath "+/*" { capabilities = ["read"] }`,
    });
    await governed({ guard: { text: DENY, namespace, paths } }, async () => {
      const answer = await api.get('kv/app', { namespace: where });
      expect(answer.status).toBe(isDenied ? 403 : 200);
      if (isDenied) expect(answer.body.errors[0]).toContain(`"${namespace || 'root'}/guard"`);
    });
  });

  it('policies see the path without the namespace, and the id of the namespace', async () => {
    const api = await client(['everything']);
    const text =
      'main = rule { namespace.path is "team/" and request.path is "kv/app" and token.namespace.path is "" }';
    await governed({ guard: { text } }, async () => {
      expect((await api.get('kv/app', { namespace: 'team' })).status).toBe(200);
      expect((await api.get('team/kv/app')).status).toBe(200);
      expect((await api.get('kv/app')).status).toBe(403);
    });
  });
});

describe('the properties that policies can read', () => {
  it.each([
    ['a read', 'read', (api: Api) => api.get('kv/app'), 'request.path is "kv/app" and request.data is empty'],
    ['a read with a query', 'read', (api: Api) => api.get('kv/app?x=1'), 'request.data.x is "1"'],
    ['a list', 'list', (api: Api) => api.list('kv'), 'request.path is "kv/"'],
    [
      'a list by GET',
      'list',
      (api: Api) => api.get('kv/?list=true'),
      'request.path is "kv/" and request.data is empty',
    ],
    [
      'a create',
      'create',
      (api: Api) => api.put(`kv/${randomUUID()}`, { n: 1, s: '1', l: [1.5, null] }),
      'request.data is {"n": 1, "s": "1", "l": [1.5, null]}',
    ],
    ['an update', 'update', (api: Api) => api.put('kv/app', { a: true }), 'request.data.a is true'],
    ['a delete', 'delete', (api: Api) => api.delete('kv/new'), 'request.path is "kv/new"'],
    [
      'a write without an existence check',
      'update',
      (api: Api) => api.put('auth/token/renew-self', {}),
      'request.path is "auth/token/renew-self"',
    ],
    [
      'a wrapped read',
      'read',
      (api: Api) => api.get('kv/app', { headers: { 'X-Vault-Wrap-TTL': '2m' } }),
      'request.wrapping.ttl_seconds is 120 and request.wrap_info.ttl is 120000000000',
    ],
    [
      'an address',
      'read',
      (api: Api) => api.get('kv/app'),
      'request.connection.remote_addr is "127.0.0.1" and not request.unauthenticated',
    ],
    [
      'replication',
      'read',
      (api: Api) => api.get('kv/app'),
      'replication.performance.mode is "disabled" and replication.dr.mode is "disabled"',
    ],
  ])('policies can read the properties of %s', async (_, operation, act, condition) => {
    const api = await client(['everything']);
    await governed(
      { guard: { text: `main = rule { request.operation is "${operation}" and ${condition} }` } },
      async () => {
        expect((await act(api)).status).toBeLessThan(300);
      },
    );
    await governed(
      { guard: { text: `main = rule { not (request.operation is "${operation}" and ${condition}) }` } },
      async () => {
        expect((await act(api)).status).toBe(403);
      },
    );
  });

  it.each([
    [
      'a service token',
      { ttl: '1h', meta: { a: 'b' }, display_name: 'x' },
      'token.type is "service" and token.creation_ttl_seconds is 3600 and token.meta.a is "b" and token.display_name is "token-x" and token.policies is ["default", "everything"] and token.path is "auth/token/create"',
    ],
    ['a batch token', { type: 'batch', ttl: '1h' }, 'token.type is "batch" and token.period_seconds is 0'],
    ['a periodic token', { period: '30m' }, 'token.period_seconds is 1800 and token.period is 1800000000000'],
    [
      'an orphan',
      { no_parent: true, explicit_max_ttl: '2h' },
      'token.explicit_max_ttl_seconds is 7200 and token.role is "" and token.entity_id is ""',
    ],
    ['a token of three uses', { num_uses: 3 }, 'token.num_uses is 3'],
  ])('policies can read the properties of the token: %s', async (_, options, condition) => {
    const api = await client(['everything'], options);
    await governed({ guard: { text: `main = rule { ${condition} }` } }, async () => {
      const answer = await api.get('kv/app');
      expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    });
  });

  it('a policy sees no identity if the token has no entity', async () => {
    const api = await client(['everything']);
    await governed({ guard: { text: 'main = rule { identity else true }' } }, async () => {
      expect((await api.get('kv/app')).body.errors[0]).toContain('unknown identifier accessed: identity');
    });
  });

  it('a policy sees no MFA methods if there are none', async () => {
    const api = await client(['everything']);
    await governed({ guard: { text: 'import "mfa"\nmain = rule { mfa.methods.duo.valid }' } }, async () => {
      expect((await api.get('kv/app')).status).toBe(403);
    });
    await governed({ guard: { text: 'main = rule { mfa.methods is empty }' } }, async () => {
      expect((await api.get('kv/app')).status).toBe(200);
    });
  });
});

describe('requests with wrapping tokens', () => {
  it('EGPs are evaluated for requests with wrapping tokens', async () => {
    const { api } = use();
    const wrapped = await api.get('kv/app', { headers: { 'X-Vault-Wrap-TTL': '2m' } });
    const bearer = api.as(wrapped.body.wrap_info.token as string);
    await governed(
      { guard: { text: 'main = rule { token.policies is not ["response-wrapping"] }' } },
      async () => {
        expect((await bearer.put('sys/wrapping/unwrap')).status).toBe(403);
      },
    );
  });
});

describe('a policy whose evaluation fails', () => {
  it.each([
    [
      'runs forever',
      'main = rule { f() }\nf = func() { for range(100000) as _ { for range(100000) as _ { x = 1 } }\n return true }',
      /stopped after/,
    ],
    ['calls itself', 'f = func() { return f() }\nmain = rule { f() }', /levels deep|nested too deeply/],
    ['imports http', 'import "http"\nmain = rule { true }', /the import "http" is not enabled/],
    [
      'has no parameter',
      'param p\nmain = rule { p }\n# vault-admin: unchecked',
      /requires value for parameter p/,
    ],
    ['does not parse', '# vault-admin: unchecked\nmain = rule {', /root\/guard:2:14: /],
    [
      'takes up all memory',
      'main = rule { f() }\nf = func() { s = "x"\n for range(64) as _ { s += s }\n return true }',
      /stopped/,
    ],
  ])('the request is denied if the policy %s', async (_, text, message) => {
    const api = await client(['everything']);
    await governed({ guard: { text } }, async (root) => {
      const refused = await api.get('kv/app');
      expect(refused.status).toBe(403);
      expect(refused.body.errors[0]).toMatch(message);
      expect((await root.get('kv/app')).status).toBe(200);
    });
  });
});

describe('traces of refusals', () => {
  const text = '# Nobody.\n\nprint("path", request.path)\nmain = rule { false }';

  it('a trace shows printed texts and the description of the rule', async () => {
    const api = await client(['everything']);
    await governed({ guard: { text } }, async () => {
      expect((await api.get('kv/app')).body.errors[0]).toContain(
        'Description: Nobody.\n\nprint() output:\n\npath kv/app\n\n\nRule "main" (root/guard:4:1) = false',
      );
    });
  });

  it('a trace shows only the data of the request that the policy prints', async () => {
    const api = await client(['everything']);
    const secret = 'request.data.pin is not "4711-secret" and length(request.data.pin) < 3';
    await governed({ guard: { text: `short = rule { ${secret} }\nmain = rule { short }` } }, async () => {
      const refused = await api.put('kv/pin', { pin: '4711-secret' });
      expect(refused.status).toBe(403);
      expect(refused.text).not.toContain('4711');
    });
  });

  it('a trace is left out if the server is configured so', async () => {
    const { api } = await startTestEmulator({ disableSentinelTrace: true });
    await api.put('sys/policies/acl/everything', { policy: EVERYTHING });
    await api.put('sys/policies/egp/guard', {
      policy: text,
      enforcement_level: 'hard-mandatory',
      paths: '*',
    });
    const { body } = await api.post('auth/token/create', { policies: ['everything'] });
    expect((await api.as(body.auth.client_token as string).get('sys/mounts')).body.errors).toEqual([
      collected(
        'egp standard policy "root/guard" evaluation resulted in denial.\n\nThe specific error was:\n<nil>',
        'permission denied',
      ),
    ]);
  });
});

describe('changes of policies', () => {
  it('changes of text, level and paths, and deletions, take effect immediately', async () => {
    const api = await client(['everything']);
    const { api: root } = use();
    const write = (policy: string, level: string, paths: string) =>
      root.put('sys/policies/egp/changing', { policy, enforcement_level: level, paths });
    const status = async () => (await api.get('kv/app')).status;
    await write(DENY, 'hard-mandatory', 'kv/*');
    expect(await status()).toBe(403);
    await write('main = true', 'hard-mandatory', 'kv/*');
    expect(await status()).toBe(200);
    await write(DENY, 'advisory', 'kv/*');
    expect(await status()).toBe(200);
    await write(DENY, 'hard-mandatory', '/kv/app');
    expect(await status()).toBe(403);
    expect((await root.get('sys/policies/egp/changing')).body.data.paths).toEqual(['kv/app']);
    await root.delete('sys/policies/egp/changing');
    expect(await status()).toBe(200);
  });

  it('a policy may have the name of an RGP or of an ACL policy, not of both', async () => {
    const { api } = use();
    const body = { policy: DENY, enforcement_level: 'advisory' };
    expect((await api.put('sys/policies/rgp/everything', body)).body.errors).toEqual([
      'cannot reuse policy names between ACLs and RGPs',
    ]);
    await governed({ shared: { kind: 'rgp', text: DENY } }, async () => {
      expect((await api.put('sys/policies/acl/shared', { policy: EVERYTHING })).body.errors).toEqual([
        'cannot reuse policy names between ACLs and RGPs',
      ]);
      const created = await api.post('auth/token/create', { policies: ['shared'] });
      expect(created.body.warnings).toBeNull();
    });
  });
});

test('a server refuses texts that its version of Sentinel does not support', async () => {
  const { api } = await startTestEmulator({ serverVersion: '1.13.0+ent' });
  const body = { enforcement_level: 'advisory', policy: 'main = rule { request.data.x is defined }' };
  expect(await api.put('sys/policies/rgp/p', body)).toMatchObject({
    status: 400,
    body: {
      errors: [
        expect.stringContaining('"is defined" requires Sentinel 0.21, and Vault 1.13 has 0.20 at most'),
      ],
    },
  });
  const older = { ...body, policy: 'main = rule { (request.data.x else "") is not empty }' };
  expect((await api.put('sys/policies/rgp/p', older)).status).toBe(204);
});
