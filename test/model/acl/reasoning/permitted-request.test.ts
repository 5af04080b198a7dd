import {
  aclOptionsFor,
  AclPolicySet,
  explainRequest,
  findPermitted,
  parseAclPolicy,
} from '../../../../src/model';
import { Random } from '../../support/random';
import { PATHS } from './paths';
import { randomOptions, randomPolicy, setOf, withEvaluatorOf } from './random-sets';

const OPERATIONS = ['read', 'list', 'update'] as const;
/** Paths without empty segments, because newer servers do not serve paths with empty segments. */
const TIDY_PATHS = PATHS.filter((path) => !path.includes('//'));
const PATTERNS = ['*', 'a', 'a/', 'a/*', 'a/+', '+/b', 'ab*', 'a/+/*', '+', 'x/a/b'];

describe('findPermitted, for the paths of a pattern,', () => {
  test.each<[string, string, (typeof OPERATIONS)[number] | 'sudo' | 'subscribe', string, object | undefined]>(
    [
      ['a rule', rule('a/*', 'read'), 'read', 'a/b', { operation: 'read', path: 'a/b' }],
      ['no rule', rule('a/*', 'read'), 'read', 'b/*', undefined],
      ['no capability', rule('a/*', 'read'), 'update', '*', undefined],
      ['a deny before it', rules(['a/*', 'read'], ['a/b*', 'deny']), 'read', 'a/b/*', undefined],
      [
        'a deny that leaves a path',
        rules(['a/*', 'read'], ['a/+/c', 'deny']),
        'read',
        'a/b/*',
        { operation: 'read', path: 'a/b/example' },
      ],
      ['leading slashes', rule('a', 'read'), 'read', '//a', { operation: 'read', path: 'a' }],
      ['a list without its slash', rule('a', 'list'), 'list', 'a', { operation: 'list', path: 'a/' }],
      ['a list with its slash', rule('a', 'list'), 'list', 'a/', { operation: 'list', path: 'a/' }],
      ['a list of another folder', rule('a/b', 'list'), 'list', 'a/', undefined],
      ['a path that needs sudo', rule('sys/auth/*', 'read'), 'read', 'sys/auth/*', undefined],
      [
        'a path that needs sudo and has it',
        rule('sys/auth/*', 'read', 'sudo'),
        'read',
        'sys/auth/*',
        { operation: 'read', path: 'sys/auth/example' },
      ],
      [
        'paths that need no sudo beside paths that need it',
        rule('sys/*', 'read'),
        'read',
        'sys/a*',
        { operation: 'read', path: 'sys/aexample' },
      ],
      ['sudo', rule('sys/seal', 'update'), 'sudo', '*', undefined],
      ['sudo', rule('sys/seal', 'sudo'), 'sudo', '*', { operation: 'read', path: 'sys/seal' }],
      ['sudo of a list alone', rule('a/', 'list', 'sudo'), 'sudo', 'a', { operation: 'list', path: 'a/' }],
      ['a list that needs sudo', rule('sys/*', 'list'), 'list', 'sys/auth', undefined],
      [
        'a list that needs sudo and has it',
        rule('sys/*', 'list', 'sudo'),
        'list',
        'sys/auth',
        { operation: 'list', path: 'sys/auth/' },
      ],
      [
        'events of a path with a final slash',
        rules(['a/*', 'deny'], ['a/+/', 'subscribe']),
        'subscribe',
        'a/b/',
        { operation: 'read', path: 'a/b/' },
      ],
      ['events', rule('sys/events/*', 'subscribe'), 'subscribe', 'sys/*', { path: 'sys/events/example' }],
      [
        'a parameter that is required',
        'path "a" { capabilities = ["update"] required_parameters = ["p"] }',
        'update',
        '*',
        { operation: 'update', path: 'a', data: { p: 'example' } },
      ],
    ],
  )('returns a permitted request: %s', (_what, text, operation, pattern, request) => {
    const found = findPermitted(setOf(text), operation, pattern);
    if (request) expect(found).toMatchObject(request);
    else expect(found).toBeUndefined();
  });

  test('returns no request that the evaluator refuses', () => {
    const sets = (['sudo', 'subscribe'] as const).map(
      (capability) => [withEvaluatorOf('', rule('a', capability)), capability] as const,
    );
    for (const [set, capability] of sets) {
      const error = new Error('the request read a could not be confirmed');
      expect(() => findPermitted(set, capability, '*')).toThrow(error);
    }
  });

  test('returns a request without sudo in a namespace where none is needed', () => {
    const policy = parseAclPolicy(rule('sys/*', 'update', 'list'), { namespace: 'team/' });
    const set = new AclPolicySet([{ name: 'policy', policy }]);
    expect(findPermitted(set, 'update', 'team/sys/auth/*')).toBeUndefined();
    expect(findPermitted(set, 'list', 'team/sys/auth')).toBeUndefined();
    expect(findPermitted(set, 'update', 'team/sys/a*')).toEqual({
      operation: 'update',
      path: 'team/sys/aexample',
    });
  });

  test('returns a request exactly if one is permitted, for random policies', () => {
    const random = new Random(2020);
    let found = 0;
    for (let round = 0; round < 150; round++) {
      const set = setOf(randomPolicy(random, false), randomOptions(random));
      for (const pattern of PATTERNS) {
        const asked = setOf(rule(pattern, ...OPERATIONS), aclOptionsFor('1.20'));
        for (const operation of OPERATIONS) {
          const witness = findPermitted(set, operation, pattern);
          if (witness) found += 1;
          const missed = TIDY_PATHS.find((path) => {
            const request = { operation, path };
            return explainRequest(asked, request).allowed && explainRequest(set, request).allowed;
          });
          if (!witness) expect({ round, operation, pattern, missed }).toMatchObject({ missed: undefined });
          else expect(explainRequest(asked, witness).allowed).toBe(true);
        }
      }
    }
    expect(found).toBeGreaterThan(500);
  });
});

function rules(...all: readonly (readonly [string, ...string[]])[]): string {
  return all.map(([path, ...capabilities]) => rule(path, ...capabilities)).join('\n');
}

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }`;
}
