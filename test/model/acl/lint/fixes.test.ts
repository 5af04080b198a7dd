import {
  Acl,
  lintAclPolicy,
  parseAclPolicy,
  SHIPPED_DEFAULT_POLICY,
  type LintFix,
} from '../../../../src/model';
import { Random } from '../../support/random';

interface Rule {
  readonly path: string;
  readonly capabilities: readonly string[];
}

const textOf = (rules: readonly Rule[]): string =>
  rules
    .map(
      ({ path, capabilities }) =>
        `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }\n`,
    )
    .join('');

/** The paths that exist on servers. */
const REAL = [
  ...['', 'ns1/'].flatMap((namespace) =>
    [
      ...['sys/mounts', 'sys/auth', 'sys/audit', 'sys/seal', 'sys/raw/x', 'sys/policies/acl/app'],
      ...['sys/leases/renew', 'auth/token/create', 'auth/token/lookup-self', 'identity/entity/name/jo'],
    ].map((path) => namespace + path),
  ),
  ...['secret/data/app', 'secret/data/app/db', 'secret/metadata/app', 'secret/metadata', 'secret/config'],
  ...['secret/delete/app', 'secret/undelete/app', 'kv/app', 'kv/app/db', 'pki/issue/web', 'pki/roles/web'],
  ...['transit/decrypt/key', 'transit/keys/key'],
];
const OPERATIONS = ['create', 'read', 'update', 'patch', 'delete', 'list'] as const;
/**
 * Requests for these paths that servers do not support, so that a permission for them never worked.
 */
const NEVER = [
  /^read .*\/$/,
  /^list (ns1\/)?(sys\/(mounts|auth|audit|seal|leases\/renew|raw\/x)|auth\/token\/create)/,
  /^(create|read|patch|delete|list) (ns1\/)?(auth\/token\/create|sys\/leases\/renew|sys\/seal)/,
  /^(create|read|patch|delete|list) (pki\/issue|transit\/decrypt)\//,
  /^list secret\/(data|config|delete|undelete)/,
];

/** Returns the requests that work under a policy. */
function working(text: string): readonly string[] {
  const acl = new Acl([parseAclPolicy(text)], { templates: 'literal' });
  const requests = REAL.flatMap((path) => OPERATIONS.map((operation) => ({ operation, path })));
  return requests
    .filter((request) => acl.allow(request).allowed)
    .map(({ operation, path }) => `${operation} ${path}`)
    .filter((request) => !NEVER.some((never) => never.test(request)));
}

function fixed(rules: readonly Rule[], index: number, fix: LintFix): readonly Rule[] {
  switch (fix.kind) {
    case 'remove':
      return rules.filter((_, at) => at !== index);
    case 'path':
      return rules.map((rule, at) => (at === index ? { ...rule, path: fix.path } : rule));
    case 'grant': {
      const target = rules.findIndex(({ path }) => path === fix.path);
      if (target < 0) return [...rules, { path: fix.path, capabilities: [fix.capability] }];
      return rules.map((rule, at) =>
        at === target ? { ...rule, capabilities: [...rule.capabilities, fix.capability] } : rule,
      );
    }
  }
}

/** Returns the faults of the fixes that lint offers for a policy. */
function faultsOf(rules: readonly Rule[]): readonly string[] {
  const text = textOf(rules);
  return lintAclPolicy(text).flatMap(({ id, line = 0, fix }): readonly string[] => {
    if (!fix) return [];
    offered.add(id);
    const after = fixed(rules, line - 1, fix);
    const result = textOf(after);
    const own = (each: { readonly id: string; readonly line?: number }) =>
      each.id === id && (fix.kind === 'remove' ? false : each.line === line);
    const stays = lintAclPolicy(result).some(own);
    const lost = working(text).filter((request) => !working(result).includes(request));
    return [
      ...(stays ? [`${id} stays: ${text} by ${JSON.stringify(fix)}`] : []),
      ...(lost.length > 0 ? [`${id} takes ${lost.join(', ')}: ${text} by ${JSON.stringify(fix)}`] : []),
    ];
  });
}

const offered = new Set<string>();
const FIRST = [
  'sys',
  'sys/mounts',
  'sys/health',
  'auth',
  'identity',
  'secret',
  'kv',
  'pki',
  'transit',
  '+',
  'ns1',
  'v1/secret',
  'secret/',
];
const NEXT = [
  ...[
    'mounts',
    'mount',
    'auth',
    'audit',
    'seal',
    'raw',
    'policies',
    'acl',
    'leases',
    'renew',
    'token',
    'create',
  ],
  ...[
    'data',
    'meta',
    'metadata',
    'datta',
    'config',
    'app',
    'db',
    'issue',
    'web',
    'decrypt',
    'key',
    'sys',
    '+',
    'a*',
  ],
  '{{identity.entity.alias.x.name}}',
];
const ENDS = ['', '', '', '/', '/*', '*', '/**', '/+', ' '];
const CAPABILITIES = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'];

function randomRules(random: Random): readonly Rule[] {
  return Array.from({ length: 1 + random.below(6) }, () => {
    const names = Array.from({ length: random.below(4) }, () => random.pick(NEXT));
    const path = [random.pick(FIRST), ...names].join('/') + random.pick(ENDS);
    return {
      path: path.includes('+*') ? 'secret/data/x' : path,
      capabilities: [
        ...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(CAPABILITIES))),
      ],
    };
  });
}

test('a fix of lint removes its finding and takes no permission that worked, for random policies', () => {
  const random = new Random(37);
  for (let round = 0; round < 2_000; round++) expect(faultsOf(randomRules(random))).toEqual([]);
  expect([...offered].sort()).toEqual([
    'api-prefix',
    'double-slash',
    'final-slash',
    'kv2-list-on-data',
    'kv2-without-data',
    'literal-wildcard',
    'misspelt-endpoint',
    'never-decides',
    'open-path',
    'outer-blanks',
    'read-missing',
    'redundant',
    'sudo-missing',
    'unknown-system-path',
    'update-missing',
  ]);
});

test('lint offers no fix for the default policy of servers, and has no finding on paths in any namespace', () => {
  const rules = parseAclPolicy(SHIPPED_DEFAULT_POLICY).rules;
  expect(faultsOf(rules)).toEqual([]);
  for (const folder of ['data', 'metadata', 'issue']) {
    expect(
      lintAclPolicy(
        textOf([
          { path: '+/sys/mounts', capabilities: ['read'] },
          { path: `+/${folder}/app`, capabilities: ['read'] },
          { path: '+/sign/app', capabilities: ['list'] },
        ]),
      ),
    ).toEqual([]);
  }
});
