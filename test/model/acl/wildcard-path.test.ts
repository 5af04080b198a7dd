import { Acl } from '../../../src/model/acl/acl';
import { permissionsOf } from '../../../src/model/acl/permissions';
import { beats, compileWildcardPath, reachesBelow } from '../../../src/model/acl/wildcard-path';

const PERMISSIONS = permissionsOf({ path: 'a', capabilities: ['read'] });
const compiled = (path: string) => compileWildcardPath(path, PERMISSIONS);

test.each([
  ['a/+/c', { text: 'a/+/c', firstWildcard: 2, isPrefix: false, segments: ['a', '+', 'c'], wildcards: 1 }],
  ['+/+/c*', { text: '+/+/c', firstWildcard: 0, isPrefix: true, segments: ['+', '+', 'c'], wildcards: 2 }],
  ['a/+x/+', { text: 'a/+x/+', firstWildcard: 2, isPrefix: false, segments: ['a', '+x', '+'], wildcards: 1 }],
])('the pattern %s is parsed', (path, expected) => {
  expect(compiled(path)).toEqual({ ...expected, path, permissions: PERMISSIONS });
});

test.each([
  ['a/+/c', 'a/b/c', true],
  ['a/+/c', 'a/b/d', false],
  ['a/+/c', 'a/b/cc', false],
  ['a/+/c', 'a/b', false],
  ['a/+/c', 'a/b/c/d', false],
  ['a/+/c*', 'a/b/c', true],
  ['a/+/c*', 'a/b/cd', true],
  ['a/+/c*', 'a/b/cd/e', true],
  ['a/+/c*', 'a/b', false],
  ['a/+/c*', 'ax/b/c', false],
  ['a/+/c*', 'a/b/d', false],
  ['+/+', 'a/', true],
])('the pattern %s matches the path %s: %s', (pattern, path, expected) => {
  const acl = new Acl([{ namespace: '', rules: [{ path: pattern, capabilities: ['read'] }] }]);
  expect(acl.allow({ operation: 'read', path }).allowed).toBe(expected);
});

test.each([
  ['+/data/a', 'x/', true],
  ['a/x/+', 'a/b/', false],
  ['a/b/+', 'a/b/', true],
  ['+/data', 'x/data/', true],
  ['+/data/*', 'x/other/', false],
  ['+/da*', 'x/data/', true],
  ['+/da', 'x/data/', false],
  ['d*/+', 'data/', false],
  ['+/a', 'x/a/b/', false],
  ['+/a*', 'x/abc/d/', false],
])('the pattern %s may match a path below %s: %s', (pattern, folder, expected) => {
  expect(reachesBelow(compiled(pattern), folder)).toBe(expected);
});

test.each([
  ['the later first wildcard', 'a/b/+', 'a/+/ccc'],
  ['a whole path over a prefix', 'a/+/c', 'a/+/ccc*'],
  ['fewer wildcards, whatever their number of segments', 'a/+/b/c/d', 'a/+/+'],
  ['fewer wildcards, whatever their length', 'a/+/b*', 'a/+/+/c/d*'],
  ['fewer wildcards, whatever their order', 'a/+/#', 'a/+/+'],
  ['the longer text, whatever its order', 'a/+/aa*', 'a/+/b*'],
  ['the later in the alphabet', 'a/+/b*', 'a/+/a*'],
])('the more specific of two patterns has priority: %s', (_what, winner, loser) => {
  expect(beats(compiled(winner), compiled(loser))).toBe(true);
  expect(beats(compiled(loser), compiled(winner))).toBe(false);
  expect(beats(compiled(winner), compiled(winner))).toBe(false);
});
