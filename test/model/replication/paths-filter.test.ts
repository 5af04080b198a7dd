import { computingTime } from '../../support/computing-time';
import {
  normalizeFilterPath,
  PATHS_FILTER,
  sameFilterPaths,
  UNFILTERABLE_PATHS,
  type FieldValues,
} from '../../../src/model';
import { validate } from '../support/in-words';

const findings = (values: FieldValues) => validate(PATHS_FILTER, { secondary_id: 'eu', ...values });
const broken = (values: FieldValues) => findings(values).map(({ rule, severity }) => `${severity} ${rule}`);

test.each([
  [['secret/']],
  [['secret']],
  [['auth/approle/', 'team-a/', 'team-a/kv/']],
  [['system/', 'auth/tokens/', 'identity-store/', 'kv.v2/', '.hidden/']],
])('the paths %j are accepted', (paths) => {
  expect(broken({ mode: 'deny', paths })).toEqual([]);
  expect(broken({ paths })).toEqual([]);
});

test.each(UNFILTERABLE_PATHS)('%s cannot be filtered', (path) => {
  for (const spelling of [path, path.slice(0, -1), `${path}below/`]) {
    expect(broken({ mode: 'deny', paths: [spelling] })).toEqual(['error filter-paths-filterable']);
  }
  expect(broken({ mode: 'deny', paths: [`team-a/${path}`] })).toEqual(['warning filter-paths-filterable']);
});

test('a refused path has a finding with the path, the choices and the correction', () => {
  expect(findings({ mode: 'deny', paths: ['secret/', 'sys/policies'] })).toEqual([
    {
      severity: 'error',
      rule: 'filter-paths-filterable',
      field: 'paths',
      problem: 'contains a path that cannot be filtered',
      received: '"sys/policies"',
      allowed: 'any mount except "auth/token/", "cubbyhole/", "identity/", "sys/", and any namespace',
      cure: 'remove it: every secondary receives "sys/"',
    },
  ]);
});

const MOUNTS = 'paths of mounts and namespaces, such as "secret/", "auth/approle/" and "team-a/"';
const SPACES = 'contains a path that begins with a slash, or begins or ends with spaces';
const SEGMENTS = 'contains a path with an empty segment, "." or "..", or control characters';
const AS_LISTED =
  'write the path as `vault secrets list`, `vault auth list` or `vault namespace list` shows it';

test.each([
  ['', 'contains an empty path', MOUNTS, 'remove it'],
  ['/', 'contains an empty path', MOUNTS, 'remove it'],
  ['//', 'contains an empty path', MOUNTS, 'remove it'],
  [' ', 'contains an empty path', MOUNTS, 'remove it'],
  ['/secret/', SPACES, MOUNTS, 'write "secret/"'],
  ['secret/ ', SPACES, MOUNTS, 'write "secret/"'],
  [
    'secret/*',
    'contains a pattern',
    `${MOUNTS}, each in full`,
    'list the mounts and namespaces individually',
  ],
  ['+/kv/', 'contains a pattern', `${MOUNTS}, each in full`, 'list the mounts and namespaces individually'],
  ['a//b', SEGMENTS, MOUNTS, AS_LISTED],
  ['a/./b/', SEGMENTS, MOUNTS, AS_LISTED],
  ['a/../b/', SEGMENTS, MOUNTS, AS_LISTED],
  ['a\u0000/', SEGMENTS, MOUNTS, AS_LISTED],
])('the path %j is refused', (path, problem, allowed, cure) => {
  const [finding] = findings({ mode: 'deny', paths: [path] });
  expect(finding).toMatchObject({
    severity: 'error',
    problem,
    received: JSON.stringify(path),
    allowed,
    cure,
  });
});

test('the path of a mount that is filtered together with its namespace has a warning', () => {
  expect(findings({ mode: 'deny', paths: ['team-a/sys'] })).toEqual([
    {
      severity: 'warning',
      rule: 'filter-paths-filterable',
      field: 'paths',
      problem: 'contains a path that cannot be filtered within a namespace',
      received: '"team-a/sys"',
      allowed:
        'any mount except "auth/token/", "cubbyhole/", "identity/", "sys/", and any namespace; ' +
        'these mounts are always filtered together with their namespace',
      cure: 'if "team-a/" is a namespace, filter that, or remove the path',
    },
  ]);
});

test('a path that is listed twice, in two spellings, is refused', () => {
  expect(findings({ mode: 'deny', paths: ['secret', 'kv/', 'secret/'] })).toEqual([
    {
      severity: 'warning',
      rule: 'filter-paths-once',
      field: 'paths',
      problem: 'contains a path more than once',
      received: '"secret/"',
      cure: 'write "secret/" once',
    },
  ]);
});

test('an allow filter that allows nothing is refused', () => {
  const nothing = {
    severity: 'warning',
    rule: 'filter-allows-something',
    field: 'paths',
    problem: 'is empty in mode "allow": the secondary receives no secret and no auth mount',
    received: '[]',
    cure: 'list the mounts that the secondary should receive, or remove the filter to send all of them',
  };
  expect(findings({ paths: [] })).toEqual([nothing]);
  expect(findings({})).toEqual([nothing]);
  expect(broken({ mode: 'deny', paths: [] })).toEqual([]);
});

test('an unknown mode is refused', () => {
  expect(broken({ mode: 'block', paths: ['secret/'] })).toEqual(['error mode-allowed']);
});

test('sameFilterPaths ignores spelling and order', () => {
  expect(['secret', 'secret/', '/secret//', ' secret '].map(normalizeFilterPath)).toEqual(
    Array(4).fill('secret/'),
  );
  expect(normalizeFilterPath('//secret')).toBe('secret/');
  expect(sameFilterPaths(['a', 'b/'], ['b', 'a/', 'a'])).toBe(true);
  expect(sameFilterPaths(['a'], ['a', 'b'])).toBe(false);
  expect(sameFilterPaths(['a', 'b'], ['a', 'c'])).toBe(false);
  expect(sameFilterPaths([], [])).toBe(true);
});

test('sameFilterPaths compares 100,000 paths in time', async () => {
  const paths = Array.from({ length: 100_000 }, (_, index) => `kv-${index}/`);
  const took = await computingTime(() =>
    expect(broken({ mode: 'deny', paths: [...paths, 'kv-7/'] })).toEqual(['warning filter-paths-once']),
  );
  expect(took).toBeLessThan(15_000);
});
