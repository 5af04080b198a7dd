import { AclPolicyError, parseAclPolicy, type AclRule } from '../../../src/model';
import { decodeControlGroup } from '../../../src/model/acl/control-group';
import { parseHcl } from '../../../src/model/hcl';
import { readVectors } from '../support/vectors';

/** The result of Vault's own parser (1.21) for a policy: its rules, or its error. */
interface Vector {
  readonly text: string;
  readonly namespace?: string;
  readonly refuseDuplicates?: boolean;
  readonly rules?: unknown;
  readonly error?: string;
}

const vectors = readVectors<Vector>('acl/policy-vectors.json');

describe('the parser of ACL policies, compared with the server', () => {
  test.each(vectors.filter(({ rules }) => rules))(
    'reads $text',
    ({ text, rules, namespace, refuseDuplicates }) => {
      const policy = parseAclPolicy(text, { namespace, refuseDuplicates });
      expect(policy.rules.map((rule) => asServer(rule, policy.namespace))).toEqual(rules);
    },
  );

  test.each(vectors.filter(({ error }) => error))(
    'refuses $text',
    ({ text, error, namespace, refuseDuplicates }) => {
      expect(() => parseAclPolicy(text, { namespace, refuseDuplicates })).toThrow(
        new AclPolicyError(error ?? ''),
      );
    },
  );
});

describe('the error of a refused policy', () => {
  test.each([
    ['a syntax error', 'path "x" {\n  capabilities = ["read"\n}', { line: 3, column: 1 }],
    ['a wrong type', 'path "x" {\n  capabilities = "read"\n}', { line: 2, column: 18 }],
    ['a scan error of the JSON form', '{"path": {"x":\n @}}', { line: 2, column: 2 }],
    ['a block', '\n\n  path "x*" { policy = "read" min_wrapping_ttl = "z" }', { line: 3, column: 8 }],
    ['a block of the JSON form', '{"path":\n {"x": {"policy": "z"}}}', { line: 2, column: 3 }],
  ])('has the position of %s', (_what, text, position) => {
    expect(refusal(text)).toMatchObject(position);
  });

  test.each([
    [
      'control_group = { factor = 1 }',
      'root.control_group.factor: not an object type for map (*ast.LiteralType)',
    ],
    [
      'control_group { factor "f" { identity = 1 } }',
      'root.control_group.factor.f.identity: not an object type for struct (*ast.LiteralType)',
    ],
    [
      'control_group { factor "f" { controlled_capabilities = [[1]] } }',
      'root.control_group.factor.f.controlled_capabilities[0]: unknown type for string *ast.ListType',
    ],
    [
      'control_group { factor "f" { identity { group_ids = [[1]] } } }',
      'root.control_group.factor.f.identity.group_ids[0]: unknown type for string *ast.ListType',
    ],
    [
      'control_group { factor "f" { identity { approvals = [] } } }',
      'root.control_group.factor.f.identity.approvals: unknown type *ast.ListType',
    ],
    ['mfa_methods = [[1]]', 'root.mfa_methods[0]: unknown type for string *ast.ListType'],
    ['denied_parameters = 1', 'root.denied_parameters: not an object type for map (*ast.LiteralType)'],
  ])('names the argument: %s', (argument, problem) => {
    const { name, message } = refusal(`path "a" { ${argument} }`);
    expect(name).toBe('AclPolicyError');
    expect(message).toMatch(/^path "a": At 1:\d+: /);
    expect(message.replace(/^.*?: .*?: /, '')).toBe(problem);
  });

  test('lists the known capabilities for an unknown one', () => {
    expect(refusal('path "x" { capabilities = ["reed"] }')).toMatchObject({
      message: 'path "x": invalid capability "reed"',
      received: 'reed',
      allowed: [
        'deny',
        'create',
        'read',
        'update',
        'delete',
        'list',
        'sudo',
        'patch',
        'subscribe',
        'recover',
      ],
    });
  });

  test('lists the capabilities of an older server', () => {
    const capabilities = ['deny', 'read'] as const;
    expect(refusal('path "x" { capabilities = ["recover"] }', { capabilities })).toMatchObject({
      message: 'path "x": invalid capability "recover"',
      allowed: ['deny', 'read'],
    });
  });

  test('lists the known keys for an unknown one, and all complaints', () => {
    expect(refusal('pat "x" {}\nname = "n"\nfoo = 1')).toMatchObject({
      message: '2 errors occurred:\n\t* invalid key "pat" on line 0\n\t* invalid key "foo" on line 3\n\n',
      line: 1,
      column: 1,
      received: 'pat',
      allowed: ['name', 'path'],
    });
  });

  test('lists the values of the old notation', () => {
    expect(refusal('path "x" { policy = "all" }')).toMatchObject({
      message: 'path "x": invalid policy "all"',
      received: 'all',
      allowed: ['deny', 'read', 'write', 'sudo'],
    });
  });
});

describe('an argument that is set twice', () => {
  const text = 'path "x" {\n  capabilities = ["read"]\n  capabilities = ["list"]\n}';
  const message =
    'The argument "capabilities" at 3:3 was already set. Each argument can only be defined once';

  test('has both values, and a recorded error', () => {
    const policy = parseAclPolicy(text);
    expect(policy.rules).toEqual([{ path: 'x', capabilities: ['read', 'list'] }]);
    expect(policy.duplicateArgument).toMatchObject({ message, line: 3, column: 3 });
  });

  test('is refused with the option for it', () => {
    expect(refusal(text, { refuseDuplicates: true })).toMatchObject({ message, line: 3, column: 3 });
  });

  test('is not recorded for a policy without one', () => {
    expect(parseAclPolicy('path "x" {}')).toEqual({
      namespace: '',
      rules: [{ path: 'x', capabilities: [] }],
    });
  });
});

test('parameter names are converted to lower case', () => {
  const [rule] = parseAclPolicy('path "x" { allowed_parameters = { "Ttl" = [] } }').rules;
  expect(rule?.allowedParameters).toEqual({ ttl: [] });
});

function refusal(text: string, options?: Parameters<typeof parseAclPolicy>[1]): AclPolicyError {
  try {
    parseAclPolicy(text, options);
  } catch (error) {
    if (error instanceof AclPolicyError) return error;
  }
  throw new Error('was not refused');
}

/** Returns a rule in the form in which the server keeps it. */
function asServer(rule: AclRule, namespace: string): unknown {
  const path = namespace + rule.path;
  const wildcards = path === '+' || path.startsWith('+/') || path.includes('/+');
  const prefix = !wildcards && path.endsWith('*');
  return {
    path: prefix ? path.slice(0, -1) : path,
    prefix,
    wildcards,
    capabilities: [...rule.capabilities].sort(),
    ...(rule.allowedParameters && { allowed: rule.allowedParameters }),
    ...(rule.deniedParameters && { denied: rule.deniedParameters }),
    ...(rule.requiredParameters && { required: rule.requiredParameters }),
    ...(rule.mfaMethods && { mfa: rule.mfaMethods }),
    ...(rule.subscribeEventTypes && { events: rule.subscribeEventTypes }),
    ...(rule.minWrappingTtl !== undefined && { min: rule.minWrappingTtl }),
    ...(rule.maxWrappingTtl !== undefined && { max: rule.maxWrappingTtl }),
    ...(rule.controlGroup && {
      group: {
        ttl: rule.controlGroup.ttl ?? 0,
        factors: rule.controlGroup.factors.map((factor) => ({
          name: factor.name,
          ids: nullIfEmpty(factor.groupIds),
          names: nullIfEmpty(factor.groupNames),
          approvals: factor.approvals,
          controlled: nullIfEmpty(factor.controlledCapabilities),
        })),
      },
    }),
  };
}

function nullIfEmpty(texts: readonly string[]): readonly string[] | null {
  return texts.length > 0 ? texts : null;
}

test('the error of many unknown keys lists some of them, shortened', () => {
  const text = Array.from({ length: 150 }, (_, i) => `${'k'.repeat(300)}${i} = 1\n`).join('');
  const { message } = refusal(text);
  expect(message).toMatch(/^150 errors occurred:\n\t\* invalid key "k{256}…" on line 1\n/);
  expect(message).toMatch(/ on line 100\n\t\* and 50 more\n\n$/);
});

test('a further control group of a rule extends the result of the previous ones, and copies nothing', () => {
  const block = (name: string) =>
    parseHcl(`factor = { ${name} = { identity = { group_names = ["${name}"] } } }`).root;
  const first = decodeControlGroup('group', block('a'));
  const factor = first.factors.get('a');
  const second = decodeControlGroup('group', block('b'), first);
  const third = decodeControlGroup('group', block('a'), second);
  expect(third.factors).toBe(first.factors);
  expect(third.factors.get('a')!.identity!.groupNames).toBe(factor!.identity!.groupNames);
  expect([...third.factors].map(([name, { identity }]) => [name, identity!.groupNames])).toEqual([
    ['a', ['a', 'a']],
    ['b', ['b']],
  ]);
});
