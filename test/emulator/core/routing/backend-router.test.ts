import type { MountBackend } from '../../../../src/emulator/core/backend';
import { BackendRouter } from '../../../../src/emulator/core/routing/backend-router';
import { PathSet } from '../../../../src/emulator/core/routing/path-set';

const backend: MountBackend = {
  type: 'test',
  routes: [
    '',
    'policies/acl',
    'policies/acl/*name',
    'mounts/*path',
    'mounts/*path/tune',
    'users/:username',
    'users/:username/password',
  ].map((pattern) => ({ pattern, operations: pattern === 'policies/acl' ? { list: () => undefined } : {} })),
};
const router = new BackendRouter(backend);

it.each([
  ['', '', {}],
  ['policies/acl', 'policies/acl', {}],
  ['policies/acl/', 'policies/acl', {}],
  ['policies/acl/a', 'policies/acl/*name', { name: 'a' }],
  ['policies/acl/team/app.v1', 'policies/acl/*name', { name: 'team/app.v1' }],
  ['policies/acl/what?;#100%25', 'policies/acl/*name', { name: 'what?;#100%25' }],
  ['policies/acl/grüße', 'policies/acl/*name', { name: 'grüße' }],
  ['mounts/kv/team', 'mounts/*path', { path: 'kv/team' }],
  ['mounts/kv/team/tune', 'mounts/*path/tune', { path: 'kv/team' }],
  ['mounts/tune', 'mounts/*path', { path: 'tune' }],
  ['users/ann', 'users/:username', { username: 'ann' }],
  ['users/ann.b-c', 'users/:username', { username: 'ann.b-c' }],
  ['users/ann/password', 'users/:username/password', { username: 'ann' }],
])('the router finds the route of %j', (path, pattern, captures) => {
  const found = router.find(path);
  expect(found?.route.pattern).toBe(pattern);
  expect(found?.captures).toMatchObject(captures);
});

it.each([
  'users',
  'users/ann.',
  'users/-ann',
  'users/a b',
  'users/ann/other',
  'policies',
  'mounts/',
  'Policies/acl',
])('the router finds no route for %j', (path) => expect(router.find(path)).toBeUndefined());

describe('a set of paths', () => {
  const set = new PathSet(['exact', 'auth/*', 'replication/+/status', 'oidc/+/keys/*']);

  it.each(['exact', 'auth/', 'auth/a/b', 'replication/dr/status', 'oidc/x/keys/', 'oidc/x/keys/1'])(
    'the set contains %s',
    (path) => {
      expect(set.has(path)).toBe(true);
    },
  );

  it.each([
    'exact/',
    'ex',
    'auth',
    'replication/status',
    'replication/a/b/status',
    'replication/dr/status/x',
    'oidc/x/keys',
  ])('the set does not contain %s', (path) => expect(set.has(path)).toBe(false));
});
