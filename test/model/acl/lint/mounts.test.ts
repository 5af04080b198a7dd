import { lintAclPolicy } from '../../../../src/model';
import { mountsIn } from '../../../../src/model/acl/lint/mounts';

function kindOf(mount: string, ...paths: readonly string[]): string | undefined {
  return mountsIn(paths).kinds.get(mount);
}

test.each<[string, string, readonly string[]]>([
  ['kv-2', 'team', ['team/data/app', 'team/metadata/app']],
  ['kv-2', 'team', ['team/metadata/*', 'team/undelete/*']],
  ['kv-2', 'team', ['team/data/app', 'team/metadata/app', 'team/web', 'team/+/x', 'team/w*']],
  ['kv-2', 'secret', ['secret/data/app']],
  ['pki', 'ca', ['ca/root/generate/internal']],
  ['pki', 'ca/int', ['ca/int/intermediate/set-signed']],
  ['pki', 'x', ['x/issue/web', 'x/sign/web']],
  ['transit', 'crypt', ['crypt/keys/app/rotate']],
  ['transit', 'crypt', ['crypt/datakey/plaintext/app']],
  ['approle', 'auth/ci', ['auth/ci/role/+/secret-id']],
  ['userpass', 'auth/people/here', ['auth/people/here/users/jo/password']],
  ['jwt', 'auth/sso', ['auth/sso/oidc/auth_url']],
])('a policy shows a mount of %s at %s by the paths %j', (kind, mount, paths) => {
  expect(kindOf(mount, ...paths)).toBe(kind);
});

test.each<[string, readonly string[]]>([
  ['team', ['team/metadata/*', 'team/config']],
  ['team', ['team/data/app']],
  ['team', ['team/data/app', 'team/app', 'team/metadata/app']],
  ['sync', ['sync/data/app', 'sync/metadata/app', 'sync/info', 'sync/status/app']],
  ['+', ['+/root/generate/internal']],
  ['secret', ['secret/data/root/generate/internal']],
  ['secret/data', ['secret/data/root/generate/internal']],
  ['kv', ['kv/encrypt/app', 'kv/decrypt/app']],
  ['auth/ci', ['auth/ci/role/app']],
])('the kind of %s is not known by the paths %j', (mount, paths) => {
  const found = kindOf(mount, ...paths);
  expect(found === undefined || found === 'kv-2' ? found : 'wrong').toBe(
    mount === 'secret' ? 'kv-2' : undefined,
  );
});

test('parameters are checked if other rules show the kind of the mount', () => {
  const rule =
    'path "crypt/encrypt/app" { capabilities = ["update"] allowed_parameters = { plaintxt = [] } }\n';
  const rotate = 'path "crypt/keys/app/rotate" { capabilities = ["update"] }\n';
  const ids = (text: string) => lintAclPolicy(text).map(({ id, line }) => `${line} ${id}`);

  expect(ids(rule)).toEqual([]);
  expect(ids(rule + rotate)).toEqual(['1 unknown-parameter']);
});

test('known kinds of mounts take precedence over kinds that paths show, but not over the mounts of every server', () => {
  const known = new Map([
    ['crypt', 'kv-1'],
    ['sys', 'system'],
  ]);
  const { kinds } = mountsIn(['crypt/keys/app/rotate'], known);
  expect([kinds.get('crypt'), kinds.get('sys')]).toEqual(['kv-1', 'sys']);
});
