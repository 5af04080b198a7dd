import { parseAclPolicy, renderAclPolicy, type AclRuleSource } from '../../../src/model';

test('a rendered policy has the given order and indentation', () => {
  const text = renderAclPolicy([
    {
      path: 'secret/data/*',
      capabilities: ['read', 'list'],
      comment: 'The application reads.\n\nNothing else.',
    },
    {
      path: 'auth/approle/role/ops/secret-id',
      capabilities: ['update'],
      requiredParameters: ['ttl'],
      allowedParameters: { ttl: ['10m', '1h'], '*': [] },
      deniedParameters: { cidr_list: [] },
      minWrappingTtl: '1s',
      maxWrappingTtl: 90,
      mfaMethods: ['duo'],
      subscribeEventTypes: ['*'],
      controlGroup: {
        ttl: 14_400,
        factors: [
          {
            name: 'ops',
            groupIds: ['i'],
            groupNames: ['managers'],
            approvals: 2,
            controlledCapabilities: ['update'],
          },
        ],
      },
    },
  ]);

  expect(text).toBe(`# The application reads.
#
# Nothing else.
path "secret/data/*" {
  capabilities = ["read", "list"]
}

path "auth/approle/role/ops/secret-id" {
  capabilities = ["update"]
  required_parameters = ["ttl"]
  allowed_parameters = {
    "ttl" = ["10m", "1h"]
    "*" = []
  }
  denied_parameters = {
    "cidr_list" = []
  }
  min_wrapping_ttl = "1s"
  max_wrapping_ttl = 90
  mfa_methods = ["duo"]
  subscribe_event_types = ["*"]
  control_group {
    ttl = 14400
    factor "ops" {
      controlled_capabilities = ["update"]
      identity {
        group_ids = ["i"]
        group_names = ["managers"]
        approvals = 2
      }
    }
  }
}
`);
});

test('a rendered policy has escaped texts and typed values', () => {
  const controlGroup = {
    factors: [{ name: 'ops', groupIds: ['i'], groupNames: [], approvals: 1, controlledCapabilities: [] }],
  };
  const deniedParameters = { p: [{ k: 'v', l: [1] }, null] };
  expect(
    renderAclPolicy([{ path: 'a"b\\c\nd\re\tf\u0001', capabilities: [], deniedParameters, controlGroup }]),
  ).toBe(String.raw`path "a\"b\\c\nd\re\tf\u0001" {
  capabilities = []
  denied_parameters = {
    "p" = [{ "k" = "v", "l" = [1] }, null]
  }
  control_group {
    factor "ops" {
      identity {
        group_ids = ["i"]
        approvals = 1
      }
    }
  }
}
`);
});

test('a policy without rules is an empty text', () => {
  expect(renderAclPolicy([])).toBe('');
});

test.each<[string, AclRuleSource]>([
  ['only a path', { path: 'a', capabilities: [] }],
  ['deny', { path: 'a', capabilities: ['deny'] }],
  ['texts with special characters', { path: 'a"b\\c\nd\te\rf\u0001é😀', capabilities: ['read'] }],
  ['interpolations', { path: 'a/${TfToken[TOKEN.1]}/b', capabilities: ['read'] }],
  ['interpolations that never close', { path: 'a/${b', capabilities: ['read'] }],
  ['interpolations with quotes', { path: 'a/${b["c"]}/$${d}/${{}}', capabilities: ['read'] }],
  [
    'values of all types',
    { path: 'a', capabilities: ['update'], allowedParameters: { p: ['x', true, 5, 1.5, ['y']] } },
  ],
  [
    'objects as values',
    { path: 'a', capabilities: ['update'], deniedParameters: { p: [{ k: 'v', l: [1] }] } },
  ],
  [
    'a control group with names only',
    {
      path: 'a',
      capabilities: ['read'],
      controlGroup: {
        factors: [
          { name: 'f "1"', groupIds: [], groupNames: ['g'], approvals: 1, controlledCapabilities: [] },
        ],
      },
    },
  ],
])('a rendered rule can be parsed to the same rule: %s', (_what, rule) => {
  expect(parseAclPolicy(renderAclPolicy([rule, rule])).rules).toEqual([rule, rule]);
});

test('interpolations stay as written', () => {
  expect(renderAclPolicy([{ path: '${TfToken[TOKEN.1]}/*', capabilities: [] }])).toContain(
    '"${TfToken[TOKEN.1]}/*"',
  );
});
