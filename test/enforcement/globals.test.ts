import { globalsOf, type GroupFacts, type RequestFacts } from '../../src/enforcement';
import { MapValue, namesReadIn, parse, toHost } from '../../src/sentinel';
import { READ, ROOT, TOKEN } from './support';

const given = (facts: RequestFacts) =>
  Object.fromEntries([...globalsOf(facts)].map(([name, value]) => [name, toHost(value)]));

test('a request without a token has no token and no identity', () => {
  expect(given({ ...READ, unauthenticated: true })).toEqual({
    request: {
      path: 'secret/data/app',
      operation: 'read',
      data: {},
      connection: { remote_addr: '127.0.0.1' },
      policy_override: false,
      unauthenticated: true,
      wrapping: { ttl: 0, ttl_seconds: 0 },
      wrap_info: { ttl: 0, ttl_seconds: 0 },
    },
    namespace: { id: 'root', path: '' },
    replication: {
      dr: { mode: 'disabled' },
      performance: { mode: 'disabled' },
      mode: { dr: 'disabled', replication: 'disabled' },
    },
    mfa: { methods: {} },
  });
});

test('a request with all facts has all globals', () => {
  const times = { createdAt: 1_769_851_800_120, updatedAt: 1_769_851_800_000 };
  const group: GroupFacts = {
    id: 'g1',
    name: 'ops',
    metadata: { org: 'x' },
    policies: ['p'],
    memberEntityIds: ['e1'],
    parentGroupIds: [],
    ...times,
  };
  const entity = {
    id: 'e1',
    name: 'ann',
    metadata: { team: 'a' },
    policies: ['q'],
    mergedEntityIds: ['e0'],
    aliases: [
      {
        id: 'a1',
        name: 'ann@x',
        mountAccessor: 'auth_userpass_1',
        mountPath: 'auth/userpass/',
        mountType: 'userpass',
        metadata: { username: 'ann' },
        customMetadata: { desk: '7' },
        mergedFromEntityIds: [],
        ...times,
      },
    ],
    ...times,
  };
  const shownTimes = { creation_time: '2026-01-31T09:30:00.12Z', last_update_time: '2026-01-31T09:30:00Z' };
  const shownGroup = {
    id: 'g1',
    name: 'ops',
    metadata: { org: 'x' },
    meta: { org: 'x' },
    policies: ['p'],
    member_entity_ids: ['e1'],
    parent_group_ids: [],
    ...shownTimes,
  };
  const shownIdentity = {
    entity: {
      id: 'e1',
      name: 'ann',
      metadata: { team: 'a' },
      meta: { team: 'a' },
      policies: ['q'],
      merged_entity_ids: ['e0'],
      aliases: [
        {
          id: 'a1',
          name: 'ann@x',
          mount_accessor: 'auth_userpass_1',
          mount_path: 'auth/userpass/',
          mount_type: 'userpass',
          metadata: { username: 'ann' },
          meta: { username: 'ann' },
          custom_metadata: { desk: '7' },
          merged_from_entity_ids: [],
          ...shownTimes,
        },
      ],
      ...shownTimes,
    },
    groups: { by_id: { g1: shownGroup }, by_name: { ops: shownGroup }, names: ['ops'] },
  };
  expect(
    given({
      ...READ,
      operation: 'create',
      data: { ttl: '5m', count: 3, share: 0.5, flag: true, none: null, list: ['a', 1] },
      policyOverride: true,
      wrapTtl: 90,
      token: {
        policies: ['default', 'p'],
        path: 'auth/userpass/login/ann',
        displayName: 'userpass-ann',
        numUses: 3,
        role: 'r',
        entityId: 'e1',
        period: 60,
        explicitMaxTtl: 7200,
        creationTtl: 3600,
        createdAt: 1_769_851_800_123,
        metadata: { username: 'ann' },
        type: 'service',
        namespace: ROOT,
      },
      identity: { entity, groups: [group] },
      mfaMethods: { duo: { valid: true, type: 'duo', mountAccessor: 'auth_userpass_1' } },
      controlGroup: {
        requestedAt: 1_769_851_800_000,
        authorizations: [{ time: 1_769_851_800_500, identity: { entity, groups: [] } }],
      },
    }),
  ).toEqual({
    request: {
      path: 'secret/data/app',
      operation: 'create',
      data: { ttl: '5m', count: 3, share: 0.5, flag: true, none: null, list: ['a', 1] },
      connection: { remote_addr: '127.0.0.1' },
      policy_override: true,
      unauthenticated: false,
      wrapping: { ttl: 90_000_000_000, ttl_seconds: 90 },
      wrap_info: { ttl: 90_000_000_000, ttl_seconds: 90 },
    },
    namespace: { id: 'root', path: '' },
    token: {
      policies: ['default', 'p'],
      path: 'auth/userpass/login/ann',
      display_name: 'userpass-ann',
      num_uses: 3,
      role: 'r',
      entity_id: 'e1',
      period: 60_000_000_000,
      period_seconds: 60,
      explicit_max_ttl: 7_200_000_000_000,
      explicit_max_ttl_seconds: 7200,
      creation_ttl: 3_600_000_000_000,
      creation_ttl_seconds: 3600,
      creation_time: '2026-01-31T09:30:00Z',
      creation_time_unix: 1_769_851_800,
      metadata: { username: 'ann' },
      meta: { username: 'ann' },
      type: 'service',
      namespace: { id: 'root', path: '' },
    },
    identity: shownIdentity,
    replication: {
      dr: { mode: 'disabled' },
      performance: { mode: 'disabled' },
      mode: { dr: 'disabled', replication: 'disabled' },
    },
    mfa: { methods: { duo: { valid: true, type: 'duo', name: 'duo', mount_accessor: 'auth_userpass_1' } } },
    controlgroup: {
      time: '2026-01-31T09:30:00Z',
      request_time: '2026-01-31T09:30:00Z',
      authorizations: [
        {
          time: '2026-01-31T09:30:00.5Z',
          entity: shownIdentity.entity,
          groups: { by_id: {}, by_name: {}, names: [] },
        },
      ],
    },
  });
});

test('globals are created only if they are needed', () => {
  const facts = {
    ...READ,
    get identity(): never {
      throw new Error('read');
    },
  };
  expect([
    ...globalsOf(
      facts,
      new Map([
        ['request', 'all'],
        ['main', 'all'],
      ] as const),
    ).keys(),
  ]).toEqual(['request']);
});

test('keys of a global are created only if they are needed', () => {
  const reads = (text: string) => namesReadIn(parse(text, 'p'));
  const made = (text: string) => {
    const globals = globalsOf({ ...READ, token: TOKEN }, reads(text));
    return Object.fromEntries(
      [...globals].map(([name, value]) => [
        name,
        value instanceof MapValue ? [...value.entries.keys()].sort() : value,
      ]),
    );
  };
  expect(made('main = request.path is token.path and request.operation is "read"')).toEqual({
    request: ['operation', 'path'],
    token: ['path'],
  });
  expect(made('main = request.no is 1')).toEqual({ request: [] });
  const all = made('main = length(token) > 0').token;
  expect(all).toContain('creation_time');
  for (const whole of [
    't = token\nmain = t.path',
    'main = token["path"]',
    'main = (token).path',
    'main = all token as k { true }',
  ])
    expect(made(`${whole} is token.path`).token).toEqual(all);
});
