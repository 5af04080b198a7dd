import { namespacePathProblem } from '../../../src/model';

test.each([
  '',
  '/',
  'team',
  '/team/project/',
  'system',
  'team/authors',
  '...',
  '.a',
  'ü',
  'v1',
  '/v1/',
  'v1/team',
])('%j can be a namespace', (namespace) => {
  expect(namespacePathProblem(namespace)).toBeUndefined();
});

test.each([
  ...['sys', 'team/auth', 'a b', 'a/\n'],
  ...['.', '..', '../x', 'a/./b', 'a/..', 'a*', '+/b', 'a\u200bb', 'a\u202e', '\ud800'],
])('a namespace cannot have the path %j', (namespace) => {
  expect(namespacePathProblem(namespace)).toEqual({
    problem: 'cannot be the path of a namespace',
    received: JSON.stringify(namespace),
    allowed:
      'names separated by slashes, without white space, "+" or "*", other than ., .., root, sys, audit, auth, cubbyhole, identity',
    cure: 'write a path such as "team/project", or leave it out',
  });
});

test.each([
  ['root', 'leave it out for the root namespace'],
  ['/v1/team/a/', 'write "team/a"; for a namespace that is called v1, "v1/team/a"'],
  [
    'us//team',
    'write the path of the namespace (path_fq), which does not begin with a cluster as its id does',
  ],
])('%j in place of the path of a namespace has a correction of its own', (namespace, cure) => {
  expect(namespacePathProblem(namespace)).toMatchObject({ cure });
});
