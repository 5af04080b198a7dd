import {
  normalizeFilterPath,
  PATHS_FILTER,
  sameFilterPaths,
  UNFILTERABLE_PATHS,
  validate,
  type FieldValues,
} from '../../../src/model';

const findings = (values: FieldValues) => validate(PATHS_FILTER, { secondary_id: 'eu', ...values });
const broken = (values: FieldValues) => findings(values).map(({ rule, severity }) => `${severity} ${rule}`);

test.each([
  [['secret/']],
  [['secret']],
  [['auth/approle/', 'team-a/', 'team-a/kv/']],
  [['system/', 'auth/tokens/', 'identity-store/']],
])('paths %j', (paths) => {
  expect(broken({ mode: 'deny', paths })).toEqual([]);
  expect(broken({ paths })).toEqual([]);
});

test.each(UNFILTERABLE_PATHS)('%s cannot be filtered', (path) => {
  for (const spelling of [path, path.slice(0, -1), `${path}below/`]) {
    expect(broken({ mode: 'deny', paths: [spelling] })).toEqual(['error filter-paths-filterable']);
  }
  expect(broken({ mode: 'deny', paths: [`team-a/${path}`] })).toEqual(['warning filter-paths-filterable']);
});

test('a refusal names path, choices and cure', () => {
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

test.each([
  ['', 'contains an empty path'],
  ['/', 'contains an empty path'],
  [' ', 'contains an empty path'],
  ['/secret/', 'contains a path that begins with a slash, or begins or ends with spaces'],
  ['secret/ ', 'contains a path that begins with a slash, or begins or ends with spaces'],
  ['secret/*', 'contains a pattern'],
  ['+/kv/', 'contains a pattern'],
  ['a//b', 'contains a path with an empty segment, "." or "..", or control characters'],
  ['a/../b/', 'contains a path with an empty segment, "." or "..", or control characters'],
  ['a\u0000/', 'contains a path with an empty segment, "." or "..", or control characters'],
])('no path %j', (path, problem) => {
  const [finding] = findings({ mode: 'deny', paths: [path] });
  expect(finding).toMatchObject({ severity: 'error', problem, received: JSON.stringify(path) });
});

test('a path twice, in two spellings', () => {
  expect(broken({ mode: 'deny', paths: ['secret', 'kv/', 'secret/'] })).toEqual([
    'warning filter-paths-once',
  ]);
});

test('an allow filter that allows nothing', () => {
  expect(broken({ paths: [] })).toEqual(['warning filter-allows-something']);
  expect(broken({})).toEqual(['warning filter-allows-something']);
  expect(broken({ mode: 'deny', paths: [] })).toEqual([]);
});

test('a mode that does not exist', () => {
  expect(broken({ mode: 'block', paths: ['secret/'] })).toEqual(['error mode-allowed']);
});

test('spelling and order of paths', () => {
  expect(['secret', 'secret/', '/secret//', ' secret '].map(normalizeFilterPath)).toEqual(
    Array(4).fill('secret/'),
  );
  expect(sameFilterPaths(['a', 'b/'], ['b', 'a/', 'a'])).toBe(true);
  expect(sameFilterPaths(['a'], ['a', 'b'])).toBe(false);
  expect(sameFilterPaths(['a', 'b'], ['a', 'c'])).toBe(false);
  expect(sameFilterPaths([], [])).toBe(true);
});
