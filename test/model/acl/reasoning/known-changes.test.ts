import { diffPolicySets, type AclChange } from '../../../../src/model/acl/reasoning';
import { setOf } from './random-sets';

/** Returns a rule with capabilities, separated by commas, and further arguments. */
function rule(path: string, capabilities: string, more = ''): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities.split(','))} ${more} }\n`;
}

const SIGNS: Readonly<Record<AclChange['becomes'], string>> = {
  allowed: '+',
  denied: '-',
  'less-checked': '~-',
  'more-checked': '~+',
};

function shown({ becomes, operation, pattern, except, partly }: AclChange): string {
  const exceptions = except.length > 0 ? ` except ${except.join(', ')}` : '';
  return `${SIGNS[becomes]} ${operation} ${pattern}${exceptions}${partly ? ' partly' : ''}`;
}

const OWN = 'secret/data/{{identity.entity.name}}';
const ROLE = 'auth/approle/role/app/secret-id';
const APPROVED = 'control_group = { factor "ops" { identity { group_names = ["ops"] approvals = 1 } } }';
const FOR_UPDATES =
  'control_group = { factor "ops" { controlled_capabilities = ["update"] identity { group_names = ["ops"] approvals = 1 } } }';

// The expected differences were derived by hand from the server's rules, before the first
// comparison.
test.each<[string, string, string, readonly string[]]>([
  [
    'a new capability',
    rule('secret/data/app/*', 'read'),
    rule('secret/data/app/*', 'read,update'),
    ['+ update secret/data/app/*'],
  ],
  ['create without update', rule('kv/a', 'create,update'), rule('kv/a', 'update'), ['- create kv/a']],
  [
    'patch, recover and subscribe',
    rule('kv/a', 'read'),
    rule('kv/a', 'read,patch,recover,subscribe'),
    ['+ patch kv/a', '+ recover kv/a', '+ subscribe kv/a'],
  ],
  [
    'a deny for one path of a prefix',
    rule('secret/data/*', 'read'),
    rule('secret/data/*', 'read') + rule('secret/data/prod', 'deny'),
    ['- read secret/data/prod'],
  ],
  [
    'a deny with a plus that a longer prefix beats',
    rule('secret/data/team/*', 'read'),
    rule('secret/data/team/*', 'read') + rule('secret/data/+/prod', 'deny'),
    [],
  ],
  [
    'a deny with a plus that beats a shorter prefix',
    rule('secret/*', 'read'),
    rule('secret/*', 'read') + rule('secret/data/+/prod', 'deny'),
    ['- read secret/data/+/prod'],
  ],
  [
    'a deny with a plus that a prefix overrides in part',
    rule('secret/*', 'read') + rule('secret/data/web*', 'read'),
    rule('secret/*', 'read') + rule('secret/data/web*', 'read') + rule('secret/data/+/prod', 'deny'),
    ['- read secret/data/+/prod except secret/data/web<any but "/">/prod'],
  ],
  [
    'a rule for one path removes what the prefix allows',
    rule('kv/*', 'read,update'),
    rule('kv/*', 'read,update') + rule('kv/app', 'read'),
    ['- update kv/app'],
  ],
  [
    'a rule for one path is removed',
    rule('kv/*', 'read,update') + rule('kv/app', 'read'),
    rule('kv/*', 'read,update'),
    ['+ update kv/app'],
  ],
  [
    'a pattern without a final star beats a prefix',
    rule('a/+/c', 'read'),
    rule('a/+/c', 'read') + rule('a/+/*', 'deny'),
    [],
  ],
  [
    'fewer plus signs win',
    rule('a/+/+', 'read'),
    rule('a/+/+', 'read') + rule('a/+/b', 'deny'),
    ['- read a/+/b'],
  ],
  [
    'the longer pattern wins',
    rule('a/+/b*', 'read'),
    rule('a/+/b*', 'read') + rule('a/+/bc*', 'deny'),
    ['- read a/+/bc*'],
  ],
  [
    'a prefix of a name becomes one of a folder',
    rule('kv/app*', 'read'),
    rule('kv/app/*', 'read'),
    ['- read kv/app* except kv/app/*'],
  ],
  ['everything becomes one mount', rule('*', 'read'), rule('secret/*', 'read'), ['- read * except secret/*']],
  [
    'parameters denied for one of two paths',
    rule('kv/a', 'update') + rule('kv/b', 'update'),
    rule('kv/a', 'update') + rule('kv/b', 'update', 'denied_parameters = { "p" = ["x"] }'),
    ['- update kv/b partly'],
  ],
  [
    'parameters allowed for one of two paths',
    rule('kv/a', 'update') + rule('kv/b', 'update'),
    rule('kv/a', 'update') + rule('kv/b', 'update', 'allowed_parameters = { "p" = [] }'),
    ['- update kv/b partly'],
  ],
  [
    'sudo of a path and of its list, reported once',
    rule('kv/*', 'sudo'),
    rule('kv/*', 'sudo') + rule('kv/team', 'read'),
    ['+ read kv/team', '- sudo kv/team'],
  ],
  ['prefixes of one another', '', rule('a/bc*', 'read') + rule('a/b*', 'read'), ['+ read a/b*']],
  ['a segment that may be empty', '', rule('a/', 'read') + rule('a/+', 'read'), ['+ read a/+']],
  [
    'a part within an exception',
    '',
    rule('a/*', 'read') + rule('a/b/*', 'update') + rule('a/b/c', 'read'),
    ['+ read a/* except a/b/*', '+ update a/b/* except a/b/c', '+ read a/b/c'],
  ],
  [
    'exceptions within exceptions',
    '',
    rule('a/*', 'read') + rule('a/b/*', 'update') + rule('a/b/c', 'delete'),
    ['+ read a/* except a/b/*', '+ update a/b/* except a/b/c', '+ delete a/b/c'],
  ],
  ['one rule becomes two', rule('kv/*', 'read'), rule('kv/*', 'read') + rule('kv/a*', 'read'), []],
  [
    'two rules for a path become one',
    rule('kv/a', 'read') + rule('kv/a', 'update'),
    rule('kv/a', 'read,update'),
    [],
  ],
  [
    'another policy denies the same path',
    rule('kv/a', 'read'),
    rule('kv/a', 'read') + rule('kv/a', 'deny'),
    ['- read kv/a'],
  ],
  ['a deny where nothing was granted', '', rule('kv/a', 'deny'), []],
  ['another path', rule('kv/old', 'read'), rule('kv/new', 'read'), ['+ read kv/new', '- read kv/old']],
  [
    'from KV 1 to KV 2',
    rule('secret/app', 'read,list'),
    rule('secret/data/app', 'read') + rule('secret/metadata/app', 'list'),
    ['- read secret/app', '- list secret/app/', '+ read secret/data/app', '+ list secret/metadata/app/'],
  ],
  ['the list of a folder', rule('secret/metadata/', 'list'), '', ['- list secret/metadata/']],
  [
    'lists below a folder only',
    rule('kv/*', 'list'),
    rule('kv/app/*', 'list'),
    ['- list kv/* except kv/app/*'],
  ],
  [
    'a "*" in the name of a folder is literal',
    rule('github-*/*', 'list'),
    rule('github-*/*', 'list') + rule('gitlab-*/', 'list'),
    ['+ list gitlab-*/'],
  ],
  [
    'a deny without a slash denies the list of the folder',
    rule('kv/*', 'list'),
    rule('kv/*', 'list') + rule('kv/team', 'deny'),
    ['- list kv/team/'],
  ],
  [
    'a deny with a slash denies the list, and reads with a slash',
    rule('kv/*', 'read,list'),
    rule('kv/*', 'read,list') + rule('kv/team/', 'deny'),
    ['- read kv/team/', '- list kv/team/'],
  ],
  [
    'a deny with a plus denies the lists of folders',
    rule('kv/*', 'list'),
    rule('kv/*', 'list') + rule('kv/team/+', 'deny'),
    ['- list kv/team/+/'],
  ],
  ['sudo', rule('sys/seal', 'update'), rule('sys/seal', 'update,sudo'), ['+ sudo sys/seal']],
  ['a root-protected path', '', rule('sys/raw/*', 'read,sudo'), ['+ read sys/raw/*', '+ sudo sys/raw/*']],
  [
    'some parameters only',
    rule(ROLE, 'update'),
    rule(ROLE, 'update', 'allowed_parameters = { "metadata" = [] }'),
    [`- update ${ROLE} partly`],
  ],
  [
    'one more allowed value',
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["dev"] }'),
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["dev", "prod"] }'),
    [`+ update ${ROLE} partly`],
  ],
  [
    'values in another order',
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["a", "b*"] }'),
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["b*", "a"] }'),
    [],
  ],
  [
    'a value that a glob already includes',
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["dev*"] }'),
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["dev*", "dev-1"] }'),
    [],
  ],
  [
    'all parameters by name',
    rule(ROLE, 'update'),
    rule(ROLE, 'update', 'allowed_parameters = { "*" = [] }'),
    [],
  ],
  [
    'one value denied',
    rule('auth/token/create', 'update'),
    rule('auth/token/create', 'update', 'denied_parameters = { "policies" = ["root"] }'),
    ['- update auth/token/create partly'],
  ],
  [
    'more values denied',
    rule('auth/token/create', 'update', 'denied_parameters = { "policies" = ["root"] }'),
    rule('auth/token/create', 'update', 'denied_parameters = { "policies" = ["root", "admin-*"] }'),
    ['- update auth/token/create partly'],
  ],
  [
    'one allowed value replaces another',
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["dev"] }'),
    rule(ROLE, 'update', 'allowed_parameters = { "env" = ["prod"] }'),
    [`+ update ${ROLE} partly`, `- update ${ROLE} partly`],
  ],
  [
    'a parameter becomes required',
    rule('kv/a', 'update'),
    rule('kv/a', 'update', 'required_parameters = ["ttl"]'),
    ['- update kv/a partly'],
  ],
  [
    'parameters are ignored for deletes',
    rule('kv/a', 'delete'),
    rule('kv/a', 'delete', 'required_parameters = ["ttl"]'),
    [],
  ],
  [
    'all parameters denied',
    rule('kv/a', 'update'),
    rule('kv/a', 'update', 'denied_parameters = { "*" = [] }'),
    ['- update kv/a partly'],
  ],
  [
    'wrapping becomes required',
    rule(ROLE, 'update'),
    rule(ROLE, 'update', 'min_wrapping_ttl = "60s"'),
    [`- update ${ROLE} partly`],
  ],
  [
    'wrapping for longer',
    rule(ROLE, 'update', 'max_wrapping_ttl = "1h"'),
    rule(ROLE, 'update', 'max_wrapping_ttl = "2h"'),
    [`+ update ${ROLE} partly`],
  ],
  [
    'the same TTL in another unit',
    rule(ROLE, 'update', 'max_wrapping_ttl = "1h"'),
    rule(ROLE, 'update', 'max_wrapping_ttl = 3600'),
    [],
  ],
  ['a new approval', rule('kv/prod/*', 'read'), rule('kv/prod/*', 'read', APPROVED), ['~+ read kv/prod/*']],
  [
    'a removed approval',
    rule('kv/prod/*', 'read', APPROVED),
    rule('kv/prod/*', 'read'),
    ['~- read kv/prod/*'],
  ],
  [
    'an approval of updates only',
    rule('kv/prod/*', 'read,update', APPROVED),
    rule('kv/prod/*', 'read,update', FOR_UPDATES),
    ['~- read kv/prod/*'],
  ],
  [
    'another MFA method',
    rule('kv/a', 'read', 'mfa_methods = ["okta"]'),
    rule('kv/a', 'read', 'mfa_methods = ["duo"]'),
    ['~- read kv/a'],
  ],
  [
    'a capability on a templated path',
    rule(`${OWN}/*`, 'read'),
    rule(`${OWN}/*`, 'read,update'),
    [`+ update ${OWN}/*`],
  ],
  [
    "everybody's secrets in place of one's own",
    rule(`${OWN}/*`, 'read'),
    rule('secret/data/+/*', 'read'),
    [`+ read secret/data/+/* except ${OWN}/*`],
  ],
  [
    "a deny around one's own secrets",
    rule(`${OWN}/*`, 'read') + rule('secret/*', 'read'),
    rule(`${OWN}/*`, 'read') + rule('secret/*', 'deny'),
    [`- read secret/* except ${OWN}/*`],
  ],
])('diffPolicySets finds a change of known meaning: %s', (_what, before, after, expected) => {
  const changes = diffPolicySets(setOf(before), setOf(after)).filter(({ untidy }) => !untidy);
  expect(changes.map(shown)).toEqual(expected);
});
