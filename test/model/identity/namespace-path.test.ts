import { namespacePathProblem } from '../../../src/model';

test.each(['', '/', 'team', '/team/project/', 'system', 'team/authors', '...', '.a', 'ü'])(
  '%j can be a namespace',
  (namespace) => {
    expect(namespacePathProblem(namespace)).toBeUndefined();
  },
);

test.each([
  ...['a//b', 'sys', 'team/auth', 'a b', 'a/\n', 'root'],
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
