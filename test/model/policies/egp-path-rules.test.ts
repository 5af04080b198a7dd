import { describeFinding, EGP_POLICY } from '../../../src/model';
import { findingsOf, rulesBroken } from './support';

const values = (paths: unknown) => ({
  name: 'a',
  policy: 'main = rule { true }',
  enforcement_level: 'advisory',
  paths,
});
const linesOf = (rule: string, paths: unknown) =>
  findingsOf(EGP_POLICY, rule, values(paths)).map(
    (finding) => `${finding.severity}: ${describeFinding(EGP_POLICY, 'a', finding).line}`,
  );

test.each([[['secret/data/app']], [['secret/*', 'auth/userpass/login/*']], ['secret/*, sys/raw'], [['a*']]])(
  'the EGP path %j has no findings',
  (paths) => {
    expect(rulesBroken(EGP_POLICY, values(paths))).toEqual([]);
  },
);

test.each([[[]], ['']])('an EGP without a path is refused: %j', (paths) => {
  expect(linesOf('paths-not-empty', paths)).toEqual([
    'error: EGP policy "a": paths must contain at least one path; received []; add the paths that the policy applies to',
  ]);
});

test.each([
  [[''], 'contains an empty path; received ""; remove it'],
  [['a '], 'contains a path that begins or ends with spaces; received "a "; write "a"'],
  [
    ['/sys/raw'],
    'contains a path with a leading slash; received "/sys/raw"; ' +
      'allowed: paths without "/v1/" and without a leading slash; write "sys/raw"',
  ],
  [
    ['/v1/sys/raw'],
    'contains a path with a leading slash; received "/v1/sys/raw"; ' +
      'allowed: paths without "/v1/" and without a leading slash; write "sys/raw"',
  ],
  [
    ['secret/*/app'],
    'contains a path with a "*" before its end; received "secret/*/app"; allowed: one "*", as the last character; ' +
      'write "secret/*", or list the paths individually',
  ],
  [
    ['a**'],
    'contains a path with a "*" before its end; received "a**"; allowed: one "*", as the last character; ' +
      'write "a*", or list the paths individually',
  ],
])('the paths %j are refused', (paths, text) => {
  expect(linesOf('paths-well-formed', paths)).toEqual([`error: EGP policy "a": paths ${text}`]);
});

test('an EGP with several faulty paths has a finding for each', () => {
  expect(linesOf('paths-well-formed', ['/a', 'b', '/c'])).toHaveLength(2);
});

test('an EGP on the path for everything has a warning', () => {
  expect(rulesBroken(EGP_POLICY, values(['*', 'a']))).toEqual(['paths-not-everything']);
  expect(linesOf('paths-not-everything', '*')).toEqual([
    'warning: EGP policy "a": paths contains "*", which matches every request, including logins; received "*"; ' +
      'use narrower paths unless this is intended; a faulty policy locks out everyone except root tokens',
  ]);
});
