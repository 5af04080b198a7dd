import { type AclPolicyError, describeFault, lintAclPolicy, parseAclPolicy } from '../../../../src/model';

/** Returns the findings on a text, one line each. */
function findings(text: string): readonly string[] {
  return lintAclPolicy(text).map(
    ({ line, column, severity, id, path, problem, cure }) =>
      `${line}:${column} ${severity} ${id} "${path}": ${problem}. To do: ${cure}`,
  );
}

test.each<[string, string, readonly string[]]>([
  [
    'an empty path',
    `path "" { capabilities = ["read"] }
`,
    ['1:6 error empty-path "": no request has an empty path. To do: write the mount and the path below it'],
  ],
  [
    'a path that begins with two slashes',
    `path "//a" { capabilities = ["read"] }
`,
    ['1:6 error empty-path "/a": no request has an empty path. To do: write the mount and the path below it'],
  ],
  [
    'a rule without a path',
    `path { capabilities = ["read"] }
path "path" { capabilities = ["list"] }
`,
    [
      '1:1 error no-path "path": the block has no path: the server applies it to the path "path". To do: write the path in front of the "{": path "…" {',
      '2:6 warning repeated-path "path": the path "path" already has a rule: the server merges both. To do: merge the rules',
    ],
  ],
  [
    'a path without quotes, with the name of the block',
    `path path { capabilities = ["read"] }
`,
    [],
  ],
  [
    'templates in the form of Terraform expressions',
    `path "kv/\${identity.entity.name}/*" { capabilities = ["read"] }
path "kv/$\${ identity.groups.names.a.id }/*" { capabilities = ["read"] }
path "kv/%{time.now}" { capabilities = ["read"] }
`,
    [
      '1:6 error literal-template "kv/${identity.entity.name}/*": ${identity.entity.name} is not a template: the server does not fill it in. To do: write {{identity.entity.name}}',
      '2:6 error literal-template "kv/$${ identity.groups.names.a.id }/*": ${ identity.groups.names.a.id } is not a template: the server does not fill it in. To do: write {{identity.groups.names.a.id}}',
      '3:6 error literal-template "kv/%{time.now}": %{time.now} is not a template: the server does not fill it in. To do: write {{time.now}}',
    ],
  ],
  [
    'expressions of Terraform',
    `path "kv/\${identity.nothing}/*" { capabilities = ["read"] }
path "kv/\${var.identity}" { capabilities = ["read"] }
path \${var.path} { capabilities = ["read"] }
path "kv/\${vault_identity_entity.app.name}" { capabilities = ["read"] }
path "kv/{{identity.entity.aliases.\${var.accessor}.name}}" { capabilities = ["read"] }
`,
    [],
  ],
  [
    'nothing granted',
    `path "a" {}
`,
    [
      '1:6 error no-capabilities "a": the rule grants nothing. To do: add capabilities, or "deny" to refuse requests regardless of other policies',
    ],
  ],
  [
    'nothing granted, twice',
    `path "a" {}
path "a" {}
`,
    [
      '1:6 error no-capabilities "a": the rule grants nothing. To do: add capabilities, or "deny" to refuse requests regardless of other policies',
      '2:6 warning repeated-path "a": the path "a" already has a rule: the server merges both. To do: merge the rules',
    ],
  ],
  [
    'nothing granted, beside another rule for the path',
    `path "a" {}
path "a" { capabilities = ["read"] }
`,
    [
      '1:6 error no-capabilities "a": the rule grants nothing. To do: add capabilities, or "deny" to refuse requests regardless of other policies',
      '2:6 warning repeated-path "a": the path "a" already has a rule: the server merges both. To do: merge the rules',
    ],
  ],
  [
    'a misspelt system path',
    `path "sys/mount/kv" { capabilities = ["update"] }
`,
    [
      '1:6 error unknown-system-path "sys/mount/kv": the path "sys/mount" does not exist. To do: write "sys/mounts/kv"',
    ],
  ],
  [
    'system paths that are spelled correctly',
    `path "sys/" { capabilities = ["list"] }
path "sys/something-else" { capabilities = ["read"] }
path "kv/mount" { capabilities = ["read"] }
path "sys" { capabilities = ["read"] }
`,
    [],
  ],
  [
    'misspelt names at any depth below known mounts',
    `path "sys/MOUNTS" { capabilities = ["read"] }
path "sys/xmounts9" { capabilities = ["read"] }
path "auth/token/lokup-self" { capabilities = ["read"] }
path "identity/entities/id/+" { capabilities = ["read"] }
path "auth/approle/roles/app/secret-id" { capabilities = ["update"] }
path "sys/replication/performance/primry/*" { capabilities = ["update"] }
path "transit/key/+/rotat" { capabilities = ["update"] }
path "sys/storage/raft/snapshots" { capabilities = ["read"] }
path "sys/auth/team/jwt/tunes" { capabilities = ["sudo", "update"] }
path "sys/mounts/+/tuen" { capabilities = ["update"] }
`,
    [
      ...[
        ['1:6', 'sys/MOUNTS', 'sys/mounts'],
        ['2:6', 'sys/xmounts9', 'sys/mounts'],
        ['3:6', 'auth/token/lokup-self', 'auth/token/lookup-self'],
        ['4:6', 'identity/entities/id/+', 'identity/entity/id/+'],
        ['5:6', 'auth/approle/roles/app/secret-id', 'auth/approle/role/app/secret-id'],
        ['6:6', 'sys/replication/performance/primry/*', 'sys/replication/performance/primary/*'],
        ['8:6', 'sys/storage/raft/snapshots', 'sys/storage/raft/snapshot'],
        ['9:6', 'sys/auth/team/jwt/tunes', 'sys/auth/team/jwt/tune'],
        ['10:6', 'sys/mounts/+/tuen', 'sys/mounts/+/tune'],
      ].map(
        ([place, wrong, right]) =>
          `${place} warning misspelt-endpoint "${wrong}": the description of the API has no such endpoint, but one that is spelled like it. To do: write "${right}"`,
      ),
    ],
  ],
  [
    'names that only look like endpoints, below mounts of unknown kinds and in place of parameters',
    `path "team/lokup-self" { capabilities = ["read"] }
path "auth/ci/roles/app" { capabilities = ["read"] }
path "auth/approle/role/rolle" { capabilities = ["read"] }
path "sys/policies/acl/polices" { capabilities = ["read"] }
path "sys/{{identity.entity.name}}/mounst" { capabilities = ["read"] }
path "sys/sync/destination" { capabilities = ["read"] }
path "sys/mounts/tunes" { capabilities = ["read"] }
path "sys/mounts/team/tunnel" { capabilities = ["read"] }
path "sys/mounts/team/tune" { capabilities = ["read"] }
path "sys/*" { capabilities = ["patch", "read"] }
`,
    [],
  ],
  [
    'names in another case, with another dash, or of another endpoint',
    `path "Sys/mounts" { capabilities = ["read"] }
path "pki/cert/ca-chain" { capabilities = ["read"] }
path "pki/cert/my-serial" { capabilities = ["read"] }
path "sys/policy/acl/ops" { capabilities = ["read"] }
path "transit/datakey/app" { capabilities = ["update"] }
path "database/cred/app" { capabilities = ["read"] }
path "aws/creds/app" { capabilities = ["read"] }
path "sys/mounts/kv" { capabilities = ["create"] }
path "sys/raw/a" { capabilities = ["create", "sudo"] }
path "transit/encryption/app" { capabilities = ["update"] }
path "transit/encrypt-all/app" { capabilities = ["update"] }`,
    [
      '1:6 warning misspelt-endpoint "Sys/mounts": paths are compared with upper and lower case, and no server has "Sys/". To do: write "sys/mounts"',
      '2:6 warning misspelt-endpoint "pki/cert/ca-chain": the description of the API has no such endpoint, but one that is spelled like it. To do: write "pki/cert/ca_chain"',
      '4:6 error unknown-system-path "sys/policy/acl/ops": "sys/policy" has policies by their names, and no kinds of them. To do: write "sys/policies/acl/ops"',
      '5:6 warning misspelt-endpoint "transit/datakey/app": the path has no endpoint, only those below it. To do: write "transit/datakey/app/+"',
      '6:6 warning misspelt-endpoint "database/cred/app": the description of the API has no such endpoint, but one that is spelled like it. To do: write "database/creds/app"',
      '8:6 warning other-operation "sys/mounts/kv": no operation of the endpoint needs "create". To do: grant what the intended operation needs, of "delete", "read", "update"',
      '10:6 warning misspelt-endpoint "transit/encryption/app": the description of the API has no such endpoint, but one that is spelled like it. To do: write "transit/encrypt/app"',
    ],
  ],
  [
    'a denial beside other capabilities in one rule',
    `path "a/b" { capabilities = ["read", "deny", "list"] }
path "a/c" { capabilities = ["deny"] }
path "a/d" { policy = "deny" }`,
    [
      '1:6 warning denied-beside "a/b": "deny" refuses all requests, so the other capabilities of the rule have no effect. To do: remove "deny", or the others',
    ],
  ],
  [
    'capabilities that no operation of an endpoint needs',
    `path "sys/policies/acl/app" { capabilities = ["list"] }
path "sys/policies/acl/*" { capabilities = ["list"] }
path "auth/approle/role/+/role-id" { capabilities = ["list", "delete"] }
path "auth/approle/role/+" { capabilities = ["create"] }
path "identity/entity/id/+" { capabilities = ["patch"] }
path "auth/userpass/users/+" { capabilities = ["deny"] }
`,
    [
      '1:6 warning other-operation "sys/policies/acl/app": no operation of the endpoint needs "list". To do: grant what the intended operation needs, of "delete", "read", "update"',
      '3:6 warning other-operation "auth/approle/role/+/role-id": no operation of the endpoint needs "list", "delete". To do: grant what the intended operation needs, of "read", "update"',
      '5:6 warning other-operation "identity/entity/id/+": no operation of the endpoint needs "patch". To do: grant what the intended operation needs, of "list", "delete", "read", "update"',
    ],
  ],
  [
    'system paths that are folders of endpoints',
    `path "sys/policies" { capabilities = ["read"] }
path "sys/config/" { capabilities = ["list"] }
path "sys/policies/acl" { capabilities = ["list"] }
path "sys/policies*" { capabilities = ["list"] }
path "sys/sealwrap" { capabilities = ["read"] }
path "sys/raw" { capabilities = ["list", "sudo"] }
path "sys/leases/lookup" { capabilities = ["list", "sudo"] }
path "sys/license" { capabilities = ["read"] }
path "sys/well-known" { capabilities = ["list"] }
path "sys/meta" { capabilities = ["read"] }
path "pki/config" { capabilities = ["read"] }
`,
    [
      '1:6 error unknown-system-path "sys/policies": the path "sys/policies" has no endpoint, only those below it. To do: write "sys/policies/acl", "sys/policies/egp", "sys/policies/password" or "sys/policies/rgp"',
      '2:6 error unknown-system-path "sys/config/": the path "sys/config/" has no endpoint, only those below it. To do: write the intended path, such as "sys/config/auditing/request-headers"',
      '3:6 note redundant "sys/policies/acl": without this rule, all requests would be decided in the same way, by "sys/policies*". To do: remove this rule, unless other policies of the same tokens have rules for some of its paths',
      '5:6 error unknown-system-path "sys/sealwrap": the path "sys/sealwrap" has no endpoint, only those below it. To do: write "sys/sealwrap/rewrap"',
      '10:6 error unknown-system-path "sys/meta": the path "sys/meta" does not exist. To do: write "sys/mfa/method" or "sys/mfa/validate"',
      '11:6 warning misspelt-endpoint "pki/config": the path has no endpoint, only those below it. To do: write the intended path, such as "pki/config/acme"',
    ],
  ],
  [
    'an accessor with a star',
    `path "kv/{{identity.entity.aliases.auth_kubernetes_*.metadata.team}}/*" { capabilities = ["read"] }
`,
    [
      '1:6 error unknown-template "kv/{{identity.entity.aliases.auth_kubernetes_*.metadata.team}}/*": {{identity.entity.aliases.auth_kubernetes_*.metadata.team}} selects nothing, so the rule is ignored. To do: use an existing selector',
    ],
  ],
  [
    'sudo missing for the export of activities',
    `path "sys/internal/counters/activity/export" { capabilities = ["read"] }
path "sys/internal/counters/activity" { capabilities = ["read"] }
`,
    [
      '1:6 error sudo-missing "sys/internal/counters/activity/export": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
    ],
  ],
  [
    'the findings of one line in the order of their positions',
    `path "b" { capabilities = ["read"] } path "b" { capabilities = ["deny"] } path "sys/seal" { capabilities = ["update"] }
`,
    [
      '1:6 error denied-beside "b": another rule for the same path denies everything. To do: remove one of the two',
      '1:43 warning repeated-path "b": the path "b" already has a rule: the server merges both. To do: merge the rules',
      '1:80 error sudo-missing "sys/seal": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
    ],
  ],
  [
    'a template that resembles no selector',
    `path "kv/{{identity.nothing}}" { capabilities = ["read"] }
`,
    [
      '1:6 error unknown-template "kv/{{identity.nothing}}": {{identity.nothing}} selects nothing, so the rule is ignored. To do: use an existing selector',
    ],
  ],
  [
    'a template that is nearly right',
    `path "kv/{{ entity.name }}" { capabilities = ["read"] }
path "kv/{{identity.group.names.a.id}}" { capabilities = ["read"] }
path "kv/{{identity.groups.name.a.id}}" { capabilities = ["read"] }
path "kv/{{identity.groups.id.a.name}}" { capabilities = ["read"] }
`,
    [
      '1:6 error unknown-template "kv/{{ entity.name }}": {{entity.name}} selects nothing, so the rule is ignored. To do: write {{identity.entity.name}}',
      '2:6 error unknown-template "kv/{{identity.group.names.a.id}}": {{identity.group.names.a.id}} selects nothing, so the rule is ignored. To do: write {{identity.groups.names.a.id}}',
      '3:6 error unknown-template "kv/{{identity.groups.name.a.id}}": {{identity.groups.name.a.id}} selects nothing, so the rule is ignored. To do: write {{identity.groups.names.a.id}}',
      '4:6 error unknown-template "kv/{{identity.groups.id.a.name}}": {{identity.groups.id.a.name}} selects nothing, so the rule is ignored. To do: write {{identity.groups.ids.a.name}}',
    ],
  ],
  [
    'a template without a correction that selects something',
    `path "kv/{{entity.nothing}}" { capabilities = ["read"] }
`,
    [
      '1:6 error unknown-template "kv/{{entity.nothing}}": {{entity.nothing}} selects nothing, so the rule is ignored. To do: use an existing selector',
    ],
  ],
  [
    'sudo missing',
    `path "sys/seal" { capabilities = ["update"] }
path "sys/rotate" { capabilities = [] }
path "sys/step-down" { capabilities = ["deny"] }
path "sys/raw/a" { capabilities = ["read","sudo"] }
path "sys/audit/+" { capabilities = ["read"] }
`,
    [
      '1:6 error sudo-missing "sys/seal": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
      '2:6 error no-capabilities "sys/rotate": the rule grants nothing. To do: add capabilities, or "deny" to refuse requests regardless of other policies',
      '5:6 error sudo-missing "sys/audit/+": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
      '5:6 warning other-operation "sys/audit/+": no operation of the endpoint needs "read". To do: grant what the intended operation needs, of "delete", "update"',
    ],
  ],
  [
    'lists below data/',
    `path "secret/data" { capabilities = ["list"] }
path "secret/data/a" { capabilities = ["list"] }
path "secret/data/+/b/*" { capabilities = ["list"] }
path "secret/database" { capabilities = ["list"] }
`,
    [
      '1:6 error kv2-list-on-data "secret/data": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "secret/metadata"',
      '2:6 error kv2-list-on-data "secret/data/a": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "secret/metadata/a"',
      '3:6 error kv2-list-on-data "secret/data/+/b/*": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "secret/metadata/+/b/*"',
      '4:6 error kv2-without-data "secret/database": "secret" is KV version 2, which has no path "database/". To do: write "secret/metadata/database"',
    ],
  ],
  [
    'lists below data/, of which metadata/ allows some',
    `path "secret/data/a/*" { capabilities = ["list"] }
path "secret/data/b" { capabilities = ["list"] }
path "secret/metadata/a/*" { capabilities = ["list"] }
`,
    [
      '2:6 error kv2-list-on-data "secret/data/b": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "secret/metadata/b"',
    ],
  ],
  [
    'lists below data/ with a plus, and metadata/ for one name',
    `path "secret/data/+/b" { capabilities = ["list"] }
path "secret/metadata/example/b" { capabilities = ["list"] }
`,
    [],
  ],
  [
    'lists and more without data/',
    `path "secret/data/a" { capabilities = ["read"] }
path "secret/b" { capabilities = ["list","read"] }
path "secret/e/" { capabilities = ["list"] }
path "secret/c*/d" { capabilities = ["list"] }
`,
    [
      '2:6 error kv2-without-data "secret/b": "secret" is KV version 2, which has no path "b/". To do: write "secret/data/b"',
      '3:6 error kv2-without-data "secret/e/": "secret" is KV version 2, which has no path "e/". To do: write "secret/metadata/e/"',
      '4:6 warning literal-wildcard "secret/c*/d": the "*" in "c*" is literal: only a "*" at the end of the path is a wildcard. To do: write "+" for any one segment',
    ],
  ],
  [
    'lists below data/, of which metadata/ allows one folder',
    `path "secret/data/a" { capabilities = ["list"] }
path "secret/data/b*" { capabilities = ["list"] }
path "secret/metadata/a/" { capabilities = ["list"] }
path "secret/metadata/b/" { capabilities = ["list"] }
`,
    [],
  ],
  [
    'lists below data/ of all',
    `path "secret/data/*" { capabilities = ["list"] }
path "secret/metadata/a*" { capabilities = ["list"] }
`,
    [
      '1:6 error kv2-list-on-data "secret/data/*": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "secret/metadata/*"',
    ],
  ],
  [
    'lists below data/ of a star in a name',
    `path "secret/data/a*b" { capabilities = ["list"] }
path "secret/metadata/a*b" { capabilities = ["list"] }
`,
    [
      '1:6 warning literal-wildcard "secret/data/a*b": the "*" in "a*b" is literal: only a "*" at the end of the path is a wildcard. To do: write "+" for any one segment',
      '2:6 warning literal-wildcard "secret/metadata/a*b": the "*" in "a*b" is literal: only a "*" at the end of the path is a wildcard. To do: write "+" for any one segment',
    ],
  ],
  [
    'a star that is no wildcard',
    `path "github-*/*" { capabilities = ["read"] }
path "sys/leases/revoke-*/*" { capabilities = ["update", "sudo"] }
path "kv/**" { capabilities = ["read"] }
path "kv/*/+/x" { capabilities = ["read"] }
path "kv/+/x*" { capabilities = ["read"] }
path "kv/{{identity.groups.names.a*b.id}}/\${a * b}" { capabilities = ["read"] }
`,
    [
      '1:6 warning literal-wildcard "github-*/*": the "*" in "github-*" is literal: only a "*" at the end of the path is a wildcard. To do: write "+" for any one segment',
      '2:6 warning literal-wildcard "sys/leases/revoke-*/*": the "*" in "revoke-*" is literal: only a "*" at the end of the path is a wildcard. To do: write "+" for any one segment',
      '3:6 warning literal-wildcard "kv/**": the "*" in "*" is literal: only a "*" at the end of the path is a wildcard. To do: write "kv/*"',
      '4:6 warning literal-wildcard "kv/*/+/x": the "*" in "*" is literal: only a "*" at the end of the path is a wildcard. To do: write "kv/+/+/x"',
    ],
  ],
  [
    'a final slash before a star, or in a pattern',
    `path "kv/+/" { capabilities = ["update"] }
path "kv/+/*" { capabilities = ["update"] }
`,
    [
      '1:6 error final-slash "kv/+/": the path ends with a slash, which is only valid for lists: update cannot be used. To do: write "kv/+", or "kv/+/*" for everything below it',
    ],
  ],
  [
    'paths that resemble open paths',
    `path "sys/health/x" { capabilities = ["list"] }
path "sys/health*" { capabilities = ["read"] }
path "auth/a/login*" { capabilities = ["update"] }
`,
    [],
  ],
  [
    'paths of KV 2 without data/',
    `path "secret/data/a" { capabilities = ["read"] }
path "secret/b" { capabilities = ["read"] }
path "secret/c/" { capabilities = ["list"] }
path "secret/" { capabilities = ["list"] }
path "secret/d" { capabilities = ["deny"] }
path "secret/e" { capabilities = [] }
path "secret/f+" { capabilities = ["read"] }
path "secret/g*" { capabilities = ["read"] }
path "secret/config" { capabilities = ["read"] }
`,
    [
      '2:6 error kv2-without-data "secret/b": "secret" is KV version 2, which has no path "b/". To do: write "secret/data/b"',
      '3:6 error kv2-without-data "secret/c/": "secret" is KV version 2, which has no path "c/". To do: write "secret/metadata/c/"',
      '6:6 error no-capabilities "secret/e": the rule grants nothing. To do: add capabilities, or "deny" to refuse requests regardless of other policies',
      '7:6 warning literal-plus "secret/f+": the "+" in "f+" is literal: only a whole segment "+" is a wildcard. To do: write "+" for the whole segment, or a "*" at the end of the path',
    ],
  ],
  [
    'final slashes',
    `path "kv/a/" { capabilities = ["read","update"] }
path "kv/b/*" { capabilities = ["read"] }
path "/" { capabilities = ["read"] }
path "sys/policies/acl/" { capabilities = ["read","delete"] }
path "auth/token/accessors/" { capabilities = ["read","list","sudo"] }
path "identity/entity/id/" { capabilities = ["read","create"] }
path "kv/c/" { capabilities = ["list"] }
`,
    [
      '1:6 error final-slash "kv/a/": the path ends with a slash, which is only valid for lists: read, update cannot be used. To do: write "kv/a", or "kv/a/*" for everything below it',
      '3:6 error empty-path "": no request has an empty path. To do: write the mount and the path below it',
      '4:6 error final-slash "sys/policies/acl/": the path ends with a slash, which is only valid for lists: delete cannot be used. To do: write "sys/policies/acl", or "sys/policies/acl/*" for everything below it',
      '6:6 error final-slash "identity/entity/id/": the path ends with a slash, which is only valid for lists: create cannot be used. To do: write "identity/entity/id", or "identity/entity/id/*" for everything below it',
    ],
  ],
  [
    'lists of endpoints that are read',
    `path "sys/mounts" { capabilities = ["list"] }
path "sys/auth/" { capabilities = ["list"] }
path "sys/audit" { capabilities = ["list","sudo"] }
path "sys/mounts/kv" { capabilities = ["read"] }
path "sys/config/auditing/request-headers" { capabilities = ["list","sudo"] }
path "sys/replication/status" { capabilities = ["list"] }
`,
    [
      '1:6 error read-missing "sys/mounts": the path can be read, but not listed. To do: grant "read" on "sys/mounts"',
      '2:6 error read-missing "sys/auth/": the path can be read, but not listed. To do: grant "read" on "sys/auth"',
      '3:6 error read-missing "sys/audit": the path can be read, but not listed. To do: grant "read" on "sys/audit"',
      '5:6 error read-missing "sys/config/auditing/request-headers": the path can be read, but not listed. To do: grant "read" on "sys/config/auditing/request-headers"',
      '6:6 warning other-operation "sys/replication/status": no operation of the endpoint needs "list". To do: grant what the intended operation needs, of "read"',
    ],
  ],
  [
    'creates on endpoints that need update',
    `path "auth/token/create" { capabilities = ["create"] }
path "auth/token/create/web" { capabilities = ["read"] }
path "auth/token/revoke" { capabilities = ["delete"] }
path "auth/token/renew" { capabilities = ["patch"] }
path "sys/wrapping/wrap" { capabilities = ["deny"] }
path "sys/remount" { capabilities = ["create","update","sudo"] }
path "sys/tools/random" { capabilities = ["read"] }
path "identity/lookup/+" { capabilities = ["create"] }
path "auth/approle/login" { capabilities = ["create"] }
path "secret/data/a" { capabilities = ["create"] }
path "secret/undelete/a" { capabilities = ["create"] }
`,
    [
      '1:6 error update-missing "auth/token/create": requests for this path are updates. To do: grant "update"',
      '2:6 error update-missing "auth/token/create/web": requests for this path are updates. To do: grant "update"',
      '3:6 error update-missing "auth/token/revoke": requests for this path are updates. To do: grant "update"',
      '4:6 error update-missing "auth/token/renew": requests for this path are updates. To do: grant "update"',
      '7:6 error update-missing "sys/tools/random": requests for this path are updates. To do: grant "update"',
      '9:6 note open-path "auth/approle/login": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
      '11:6 error update-missing "secret/undelete/a": requests for this path are updates. To do: grant "update"',
    ],
  ],
  [
    'creates on endpoints of engines that need update',
    `path "pki/issue/+" { capabilities = ["create"] }
path "pki-int/sign/web" { capabilities = ["read"] }
path "transit/decrypt/a" { capabilities = ["create"] }
path "transit/encrypt/a" { capabilities = ["create"] }
path "pki/roles/a" { capabilities = ["create"] }
path "other/issue/a" { capabilities = ["create"] }
`,
    [
      '1:6 error update-missing "pki/issue/+": requests for this path are updates. To do: grant "update"',
      '2:6 error update-missing "pki-int/sign/web": requests for this path are updates. To do: grant "update"',
      '3:6 error update-missing "transit/decrypt/a": requests for this path are updates. To do: grant "update"',
    ],
  ],
  [
    'mounts of certificates, by their name or by their other paths',
    `path "demo-pki-root/issue/a" { capabilities = ["create"] }
path "ca/intermediate/issue/a" { capabilities = ["create"] }
path "ca/intermediate/sign/a" { capabilities = ["create", "update"] }
path "papi/issue/a" { capabilities = ["create"] }
path "tracker/issue/a" { capabilities = ["create"] }
path "tracker/issues/a" { capabilities = ["create"] }
path "letters/sign" { capabilities = ["create"] }
path "letters/issue/a" { capabilities = ["create"] }
`,
    [
      '1:6 error update-missing "demo-pki-root/issue/a": requests for this path are updates. To do: grant "update"',
      '2:6 error update-missing "ca/intermediate/issue/a": requests for this path are updates. To do: grant "update"',
    ],
  ],
  [
    'a pattern that is wider than the endpoints that need update',
    `path "auth/token/*" { capabilities = ["create"] }
path "pki/*" { capabilities = ["create"] }
`,
    [],
  ],
  [
    'repeated paths',
    `path "a" { capabilities = ["read"] }
path "b" { capabilities = ["read"] }
path "a" { capabilities = ["list"] }
path "a" { capabilities = ["update"] }
`,
    [
      '3:6 warning repeated-path "a": the path "a" already has a rule: the server merges both. To do: merge the rules',
      '4:6 warning repeated-path "a": the path "a" already has a rule: the server merges both. To do: merge the rules',
    ],
  ],
  [
    'rules for everything',
    `path "*" { capabilities = ["read"] }
path "*" { capabilities = ["list"] }
`,
    [
      '1:6 warning everything "*": the rule applies to every path. To do: list the intended mounts',
      '2:6 warning repeated-path "*": the path "*" already has a rule: the server merges both. To do: merge the rules',
      '2:6 warning everything "*": the rule applies to every path. To do: list the intended mounts',
    ],
  ],
  [
    'other patterns for everything, and for nearly everything',
    `path "+/*" { capabilities = ["read"] }
path "+/b/*" { capabilities = ["list"] }
path "+/a" { capabilities = ["list"] }
`,
    ['1:6 warning everything "+/*": the rule applies to every path. To do: list the intended mounts'],
  ],
  [
    'everything denied, or nothing of it granted',
    `path "*" { capabilities = ["deny"] }
`,
    [],
  ],
  [
    'a rule for everything that grants nothing',
    `path "*" { capabilities = [] }
`,
    [
      '1:6 error no-capabilities "*": the rule grants nothing. To do: add capabilities, or "deny" to refuse requests regardless of other policies',
    ],
  ],
  [
    'open paths',
    `path "sys/health" { capabilities = ["read"] }
path "sys/unseal" { capabilities = ["update"] }
path "auth/ldap/login/jo" { capabilities = ["update"] }
path "auth/login" { capabilities = ["read"] }
path "auth/+/login" { capabilities = ["update"] }
`,
    [
      '1:6 note open-path "sys/health": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
      '2:6 note open-path "sys/unseal": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
      '3:6 note open-path "auth/ldap/login/jo": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
      '5:6 note open-path "auth/+/login": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
    ],
  ],
  [
    'placeholders',
    `path "kv/<team>/a" { capabilities = ["read"] }
path "kv/CHANGEME" { capabilities = ["read"] }
path "kv/CHANGE_ME/a" { capabilities = ["read"] }
path "kv/REPLACEME" { capabilities = ["read"] }
path "kv/replace_me" { capabilities = ["read"] }
path "kv/YOUR_TEAM/a" { capabilities = ["read"] }
path "kv/your-team" { capabilities = ["read"] }
path "kv/a<b" { capabilities = ["read"] }
path "kv/$ENV/a" { capabilities = ["read"] }
path "kv/$5/$" { capabilities = ["read"] }
`,
    [
      '1:6 note placeholder "kv/<team>/a": the path contains the placeholder "<team>". To do: replace the placeholder',
      '2:6 note placeholder "kv/CHANGEME": the path contains the placeholder "CHANGEME". To do: replace the placeholder',
      '3:6 note placeholder "kv/CHANGE_ME/a": the path contains the placeholder "CHANGE_ME". To do: replace the placeholder',
      '4:6 note placeholder "kv/REPLACEME": the path contains the placeholder "REPLACEME". To do: replace the placeholder',
      '5:6 note placeholder "kv/replace_me": the path contains the placeholder "replace_me". To do: replace the placeholder',
      '6:6 note placeholder "kv/YOUR_TEAM/a": the path contains the placeholder "YOUR_TEAM". To do: replace the placeholder',
      '9:6 note placeholder "kv/$ENV/a": the path contains the placeholder "$ENV". To do: replace the placeholder',
    ],
  ],
  [
    'placeholders of other tools',
    `path "{{ .Values.mount }}/a" { capabilities = ["read"] }
path "kv/{{team}}" { capabilities = ["read"] }
`,
    [
      '1:6 note placeholder "{{ .Values.mount }}/a": the path contains the placeholder "{{ .Values.mount }}". To do: replace the placeholder',
      '2:6 note placeholder "kv/{{team}}": the path contains the placeholder "{{ team }}". To do: replace the placeholder',
    ],
  ],
  [
    'rules that never decide',
    `path "*" { capabilities = ["deny"] }
path "+/*" { capabilities = ["read"] }
path "+/a" { capabilities = ["list"] }
`,
    [
      '2:6 warning everything "+/*": the rule applies to every path. To do: list the intended mounts',
      '2:6 error never-decides "+/*": other rules decide on all paths of this rule: "+/a", "*". To do: remove this rule, or change the others',
    ],
  ],
  [
    'rules with a deny for the same path',
    `path "b" { capabilities = ["list"] }
path "a" { capabilities = ["read"] }
path "a" { capabilities = ["deny"] }
`,
    [
      '2:6 error denied-beside "a": another rule for the same path denies everything. To do: remove one of the two',
      '3:6 warning repeated-path "a": the path "a" already has a rule: the server merges both. To do: merge the rules',
    ],
  ],
  [
    'capabilities that no request can use',
    `path "a" {
  capabilities = ["update", "list"]
  required_parameters = ["p"]
  denied_parameters = { p = [] }
}
`,
    [
      '1:6 error unusable-capability "a": no request can use "update": its parameters or wrapping TTLs cannot be used together. To do: correct the constraints',
    ],
  ],
  [
    'several findings in a line, and in several',
    `path "b" { capabilities = ["deny"] } path "sys/seal" { capabilities = ["update"] } path "*" { capabilities = ["read"] }
path "b" { capabilities = ["read"] }
path "sys/health" { capabilities = ["read"] }
`,
    [
      '1:43 error sudo-missing "sys/seal": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
      '1:89 warning everything "*": the rule applies to every path. To do: list the intended mounts',
      '2:6 warning repeated-path "b": the path "b" already has a rule: the server merges both. To do: merge the rules',
      '2:6 error denied-beside "b": another rule for the same path denies everything. To do: remove one of the two',
      '3:6 note open-path "sys/health": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
    ],
  ],
  [
    'a path of slashes',
    `path "//" { capabilities = ["read"] }
`,
    ['1:6 error empty-path "/": no request has an empty path. To do: write the mount and the path below it'],
  ],
  [
    'a rule that is about no request',
    `path "/" { capabilities = ["read"] }
`,
    ['1:6 error empty-path "": no request has an empty path. To do: write the mount and the path below it'],
  ],
])('a policy has exactly the expected findings: %s', (_what, text, expected) => {
  expect(findings(text)).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  [
    'two kinds of paths show the kind of a mount',
    `path "team/data/a" { capabilities = ["list"] }
path "team/metadata/b" { capabilities = ["list"] }
`,
    [
      '1:6 error kv2-list-on-data "team/data/a": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "team/metadata/a"',
    ],
  ],
  [
    'one kind of paths does not show it',
    `path "team/data/a" { capabilities = ["list"] }
path "team/data/b" { capabilities = ["list"] }
`,
    [],
  ],
  [
    'one kind of paths beside other paths does not show it',
    `path "team/data/a" { capabilities = ["list"] }
path "team/x" { capabilities = ["read"] }
`,
    [],
  ],
  [
    'a path of another mount does not count',
    `path "team/data/x" { capabilities = ["list"] }
path "team/metadata/y" { capabilities = ["list"] }
path "team/q" { capabilities = ["read"] }
path "aaaaa/bbb/q" { capabilities = ["read"] }
`,
    [
      '1:6 error kv2-list-on-data "team/data/x": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "team/metadata/x"',
      '3:6 error kv2-without-data "team/q": "team" is KV version 2, which has no path "q/". To do: write "team/data/q"',
    ],
  ],
  [
    'paths that end with data or metadata do not show it',
    `path "team/data" { capabilities = ["list"] }
path "team/metadata" { capabilities = ["list"] }
path "team/x" { capabilities = ["read"] }
`,
    [],
  ],
  [
    'a mount in folders',
    `path "a/b/kv/data/x" { capabilities = ["list"] }
path "a/b/x" { capabilities = ["read"] }
path "a/b/kv/y" { capabilities = ["read"] }
`,
    [
      '1:6 error kv2-list-on-data "a/b/kv/data/x": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "a/b/kv/metadata/x"',
      '3:6 error kv2-without-data "a/b/kv/y": "a/b/kv" is KV version 2, which has no path "y/". To do: write "a/b/kv/data/y"',
    ],
  ],
  [
    'a section that is the name of a mount',
    `path "metadata/data/x" { capabilities = ["list"] }
path "metadata/metadata/y" { capabilities = ["list"] }
path "metadata/z" { capabilities = ["read"] }
`,
    [
      '1:6 error kv2-list-on-data "metadata/data/x": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "metadata/metadata/x"',
      '3:6 error kv2-without-data "metadata/z": "metadata" is KV version 2, which has no path "z/". To do: write "metadata/data/z"',
    ],
  ],
  [
    'a secret that has the name of a section',
    `path "team/data/data" { capabilities = ["list"] }
path "team/metadata/x" { capabilities = ["list"] }
`,
    [
      '1:6 error kv2-list-on-data "team/data/data": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "team/metadata/data"',
    ],
  ],
  [
    'two mounts, one within the other',
    `path "kv/data/x" { capabilities = ["read"] }
path "kv/metadata/y" { capabilities = ["read"] }
path "kv/b/data/x" { capabilities = ["read"] }
path "kv/b/metadata/x" { capabilities = ["read"] }
path "kv/b/z" { capabilities = ["read"] }
`,
    [
      '5:6 error kv2-without-data "kv/b/z": "kv/b" is KV version 2, which has no path "z/". To do: write "kv/b/data/z"',
    ],
  ],
  [
    'a mount in four folders',
    `path "a/b/c/kv/data/x" { capabilities = ["list"] }
`,
    [
      '1:6 error kv2-list-on-data "a/b/c/kv/data/x": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "a/b/c/kv/metadata/x"',
    ],
  ],
  [
    'a mount in five folders',
    `path "a/b/c/d/kv/data/x" { capabilities = ["list"] }
`,
    [],
  ],
  [
    'a name that begins with data',
    `path "data/metadata/x" { capabilities = ["list"] }
path "data/data/x" { capabilities = ["list"] }
`,
    [],
  ],
  [
    'the mounts that every server has',
    `path "sys/data/x" { capabilities = ["list"] }
path "sys/metadata/y" { capabilities = ["list"] }
path "auth/kv/data/x" { capabilities = ["list"] }
path "identity/data/x" { capabilities = ["list"] }
path "identity/metadata/y" { capabilities = ["list"] }
path "cubbyhole/data/x" { capabilities = ["list"] }
path "cubbyhole/metadata/y" { capabilities = ["list"] }
`,
    [],
  ],
  [
    'secrets with paths of both versions',
    `path "kv/data/a" { capabilities = ["read","list"] }
path "kv/a" { capabilities = ["read","list"] }
path "kv/b" { capabilities = ["read"] }
`,
    [],
  ],
  [
    'all secrets that are named as both versions do',
    `path "kv/data/*" { capabilities = ["read","list"] }
path "kv/*" { capabilities = ["read"] }
`,
    [
      '1:6 warning kv2-list-on-data "kv/data/*": KV version 2 lists secrets below metadata/, not below data/. To do: grant "list" on "kv/metadata/*"; it decides in place of "kv/*" then, so add the capabilities needed there',
    ],
  ],
])('the kinds of mounts follow from the paths of a policy: %s', (_what, text, expected) => {
  expect(findings(text)).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  [
    'an unknown value of the old argument policy',
    `path "a" {
  policy = "reed"
}`,
    ['2:12 error refused "a": the server refuses the policy: invalid policy "reed". To do: write "read"'],
  ],
  [
    'a capability that resembles no other',
    'path "a" { capabilities = ["xyzzy"] }',
    [
      '1:28 error refused "a": the server refuses the policy: invalid capability "xyzzy". To do: write one of deny, create, read, update, delete, list, sudo, patch, subscribe, recover',
    ],
  ],
  [
    'words for capabilities that have other names',
    'path "a" { capabilities = ["GET"] }',
    ['1:28 error refused "a": the server refuses the policy: invalid capability "GET". To do: write "read"'],
  ],
  [
    'a path in single quotes',
    "  path 'a' {}",
    ['1:8 error refused "": the server refuses the policy: At 1:8: illegal char. To do: write double quotes'],
  ],
  [
    'ten keys',
    `path "a" {
  k0 = 1
  k1 = 1
  k2 = 1
  k3 = 1
  k4 = 1
  k5 = 1
  k6 = 1
  k7 = 1
  k8 = 1
  k9 = 1
}`,
    [
      '2:3 error refused "a": the server refuses the policy: invalid key "k0" on line 2; invalid key "k1" on line 3; invalid key "k2" on line 4; invalid key "k3" on line 5; invalid key "k4" on line 6; invalid key "k5" on line 7; invalid key "k6" on line 8; invalid key "k7" on line 9; invalid key "k8" on line 10; invalid key "k9" on line 11. To do: write one of comment, policy, capabilities, allowed_parameters, denied_parameters, required_parameters, min_wrapping_ttl, max_wrapping_ttl, mfa_methods, control_group, subscribe_event_types',
    ],
  ],
  [
    'a word that is not in quotes',
    `path "a" { policy = <<E
reed
E
}`,
    ['1:6 error refused "a": the server refuses the policy: invalid policy "reed\\n". To do: write "read"'],
  ],
  [
    'an empty word',
    'path "a" { capabilities = [""] }',
    [
      '1:28 error refused "a": the server refuses the policy: invalid capability "". To do: write one of deny, create, read, update, delete, list, sudo, patch, subscribe, recover',
    ],
  ],
  [
    'a rule that is a number, or a list',
    'path "a" {}\n path = 5',
    [
      '2:2 error refused "path": the server refuses the policy: the rule must be a block, and is a number. To do: write a block: path "…" { … }',
    ],
  ],
  [
    'rules that are a list, in JSON',
    '{"path": [5]}',
    [
      '1:2 error refused "path": the server refuses the policy: "path" must be an object, and is a list. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'a list in place of the policy, in JSON',
    '[{"path": "a", "capabilities": ["read"]}]',
    [
      '1:1 error refused "": the server refuses the policy: the policy must be an object, and is a list. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'a policy in the quotes of JSON',
    JSON.stringify('path "a" { capabilities = ["read"] }'),
    [
      '1:1 error refused "": the server refuses the policy: it is a text within the quotes of JSON. To do: give the text itself, without encoding it as JSON',
    ],
  ],
  [
    'nothing, in JSON',
    'null',
    [
      '1:1 error refused "": the server refuses the policy: the policy must be an object, and is null. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'a path beside its capabilities, in JSON',
    '{"path": "a/*", "capabilities": ["read"]}',
    [
      '1:17 error refused "": the server refuses the policy: "path" must be an object, and is a text. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'a number among the rules, in JSON',
    '{"path": [{"a/*": {"capabilities": ["read"]}}, 5]}',
    [
      '1:2 error refused "path": the server refuses the policy: "path" must be an object, and is a list. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'rules without "path", in JSON',
    '{"name": "x", "a/*": {"capabilities": ["read"]}, "b/*": {"capabilities": ["list"]}}',
    [
      '1:15 error refused "": the server refuses the policy: "path" is missing around the rules. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'a rule that is a list, in JSON',
    '{"path": {"a/*": {"capabilities": ["read"]}, "b/*": ["read"]}}',
    [
      '1:11 error refused "path": the server refuses the policy: the rule for "b/*" must be an object, and is a list. To do: write "b/*": {"capabilities": ["read"]}',
    ],
  ],
  [
    'an argument of a rule that does not exist, in JSON',
    '{"path": {"a/*": {"capability": ["read"]}}}',
    [
      '1:19 error refused "a/*": the server refuses the policy: invalid key "capability" on line 1. To do: write capabilities',
    ],
  ],
  [
    'a list within a list',
    'path "a" { capabilities = [["read"]] }',
    [
      '1:28 error refused "a": the server refuses the policy: capabilities[0] must be a text, and is a list. To do: write a text in double quotes',
    ],
  ],
  [
    'true in place of a number',
    'path "a" {\n capabilities = ["read"]\n control_group = { factor "f" { identity { group_names = ["g"]\n approvals = true } } }\n}',
    [
      '4:14 error refused "a": the server refuses the policy: control_group.factor.f.identity.approvals must be a number, and is true. To do: write a whole number',
    ],
  ],
  [
    'a boolean in place of a name',
    'true',
    [
      '1:1 error refused "": the server refuses the policy: the policy must be an object, and is true. To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  [
    'a number in place of a name',
    'path "a" { 5 }',
    [
      '1:12 error refused "": the server refuses the policy: the name of an argument or of a block is missing. To do: write the name of an argument or block, such as path "…"',
    ],
  ],
  [
    'a value of another type, in JSON',
    '{"name": "x",\n "path": {"a": {"capabilities": ["read"]}, "b": {"capabilities": 5}}}',
    [
      '2:44 error refused "b": the server refuses the policy: capabilities must be a list, and is a number. To do: write the value as a list: ["…"]',
    ],
  ],
  [
    'a block that is not closed, in a text with enough braces',
    'path "z" {}\npath "a" {\n capabilities = ["read"]\npath "b" {\n}\npath "c" {\n}\n}\n',
    [
      '2:1 error refused "a": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a name of another type, in JSON',
    '{"name": ["x"]}',
    [
      'undefined:undefined error refused "": the server refuses the policy: name must be a text, and is a list. To do: write a text in double quotes',
    ],
  ],
  [
    'a block that is not closed, but for a brace in a text',
    'path "a" {\n comment = <<E\n}\nE\n',
    [
      '5:2 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a control group that is a number',
    'path "a" { control_group = 5 }',
    [
      '1:28 error refused "a": the server refuses the policy: control_group must be a block, and is a number. To do: write a block: { … }',
    ],
  ],
  [
    'a factor without an identity',
    'path "a" { control_group = { factor "x" { } } }',
    [
      '1:6 error refused "": the server refuses the policy: no control_group factor provided. To do: add a factor with an identity and its approvals',
    ],
  ],
  [
    'a factor without approvals',
    'path "a" { control_group = { factor "x" { identity { group_names = ["a"] } } } }',
    [
      '1:6 error refused "": the server refuses the policy: must provide more than one identity group and approvals > 0. To do: name a group, and write "approvals = 1" or more',
    ],
  ],
  [
    'a factor for a capability that the rule does not have',
    'path "a" { capabilities = ["read"] control_group = { factor "x" { controlled_capabilities = ["update"] identity { group_names = ["a"] approvals = 1 } } } }',
    [
      '1:6 error refused "": the server refuses the policy: control group factor capabilities must be a subset of the policy\'s capabilities. To do: add the controlled capabilities to those of the rule',
    ],
  ],
  [
    'a time of a control group',
    'path "a" { control_group = { ttl = "x" factor "x" { identity { approvals = 1 group_names = ["a"] } } } }',
    [
      '1:6 error refused "": the server refuses the policy: error parsing control group max ttl: time: invalid duration "x". To do: write a duration such as "5m"',
    ],
  ],
  [
    'a block that is not closed, behind braces in quotes and comments',
    'path "a{b{" {\n}\n/* { x\n { */\n# {\npath "b" {\n',
    [
      '6:1 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a key in the first line',
    'paths "a" {}',
    ['1:1 error refused "": the server refuses the policy: invalid key "paths". To do: write path'],
  ],
  [
    'a rule with an assignment',
    `path "a" = {
  capabilities = ["read"]
}`,
    [
      '1:10 error refused "": the server refuses the policy: "=" is not allowed between a path and its "{". To do: remove the "=" after the path',
    ],
  ],
  [
    'a second rule that is not a block',
    `path "aa" { capabilities = ["read"] }
path "a" = 5`,
    [
      '2:10 error refused "": the server refuses the policy: "=" is not allowed between a path and its "{". To do: remove the "=" after the path',
    ],
  ],
  [
    'a fault at the first character',
    '! path "a" {}',
    [
      '1:1 error refused "": the server refuses the policy: At 1:1: illegal char. To do: correct the policy document',
    ],
  ],
  [
    'a text of several lines with a brace',
    `path "a" {
  # "
  capabilities = ["read"] # }
`,
    [
      '1:1 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a block in a comment of slashes',
    `path "a" {
} // {
path "b" {
`,
    [
      '3:1 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a comment that does not end',
    `path "a" {
 /* {
`,
    [
      '2:2 error refused "": the server refuses the policy: "*/" is missing at the end of the comment. To do: close the comment with "*/"',
    ],
  ],
  [
    'a path without quotes that begins a comment',
    `path "a" { capabilities = ["read"] } /* "closed" */
path secret/data/* {
  capabilities = ["read"]
}`,
    [
      '2:17 error refused "": the server refuses the policy: double quotes are missing around a text with "/". To do: write the path in double quotes',
    ],
  ],
  [
    'a path without quotes that has a character of patterns',
    'path secret* {\n  capabilities = ["read"]\n}',
    [
      '1:12 error refused "": the server refuses the policy: At 1:12: illegal char. To do: write the path in double quotes',
    ],
  ],
  [
    'JSON whose rule names its path beside its capabilities',
    '{"path": [{"path": "secret/*", "capabilities": ["read"]}]}',
    [
      '1:12 error refused "path": the server refuses the policy: "path" is not an argument of a rule. To do: write the path as the name of its rule: {"path": {"secret/*": {"capabilities": ["read"]}}}',
    ],
  ],
  ['JSON with a list of rules by their paths', '{"path": [{"kv/a": {"capabilities": ["read"]}}]}', []],
  [
    'a word that another rule of the same line has',
    'path "raed" { capabilities = ["read"] } path "b" { capabilities = ["raed"] }',
    ['1:68 error refused "b": the server refuses the policy: invalid capability "raed". To do: write "read"'],
  ],
  [
    'a word that also stands many lines before',
    `path "a" { capabilities = ["read"] } # "raed"



















path "b" { capabilities = ["raed"] }`,
    [
      '21:28 error refused "b": the server refuses the policy: invalid capability "raed". To do: write "read"',
    ],
  ],
  [
    'several keys',
    `path "a" {
  capability = ["read"]
  foo = 1
}`,
    [
      '2:3 error refused "a": the server refuses the policy: invalid key "capability" on line 2; invalid key "foo" on line 3. To do: write capabilities',
    ],
  ],
  [
    'a top-level key that resembles no other',
    'something "a" {}',
    [
      '1:1 error refused "": the server refuses the policy: invalid key "something". To do: write one of name, path',
    ],
  ],
  [
    'a path with quotes in it',
    'path "a\\"b" { capabilities = ["raed"] }',
    [
      '1:31 error refused "a\\"b": the server refuses the policy: invalid capability "raed". To do: write "read"',
    ],
  ],
  [
    'the capability of another rule before it',
    `path "raed" { capabilities = ["read"] }
path "b" {
  # "raed"
  capabilities = ["raed"]
}`,
    ['3:5 error refused "b": the server refuses the policy: invalid capability "raed". To do: write "read"'],
  ],
  [
    'a path with an assignment',
    'path="x" {}',
    [
      '1:10 error refused "": the server refuses the policy: "=" is not allowed after path. To do: remove the "=" after path',
    ],
  ],
  [
    'an indented path with an assignment',
    '  path  =  "x" {}',
    [
      '1:16 error refused "": the server refuses the policy: "=" is not allowed after path. To do: remove the "=" after path',
    ],
  ],
  [
    'another word with an assignment',
    'xpath = "x" {}',
    [
      '1:13 error refused "": the server refuses the policy: a name is missing before "{" or "=". To do: write the name of an argument or block, such as path "…"',
    ],
  ],
  [
    'a bracket in the wrong place',
    'path "a" { capabilities ["read"] }',
    [
      '1:25 error refused "": the server refuses the policy: "=" is missing before the list. To do: write "=" before the list',
    ],
  ],
  [
    'a brace too many',
    `path "a" { capabilities = ["read"] }
}`,
    [
      '2:1 error refused "": the server refuses the policy: "{" is missing before "}". To do: remove the "}", or open the block that it closes',
    ],
  ],
  [
    'a list that is not closed',
    `path "a" {
  capabilities = ["read"
}`,
    [
      '3:1 error refused "": the server refuses the policy: "]" is missing at the end of the list. To do: close the list with "]"',
    ],
  ],
  [
    'a text that is not closed',
    `path "a" {
  capabilities = ["read]
}`,
    [
      '2:25 error refused "": the server refuses the policy: double quotes are missing at the end of the text. To do: close the double quotes',
    ],
  ],
  [
    'a path without quotes that begins with a slash',
    'path /a {}',
    [
      '1:6 error refused "": the server refuses the policy: double quotes are missing around a text with "/". To do: write the path in double quotes',
    ],
  ],
  [
    'a value without quotes',
    `path "a" {
  capabilities = read
}`,
    [
      '2:18 error refused "": the server refuses the policy: double quotes are missing around a value. To do: put the value in double quotes',
    ],
  ],
  [
    'an argument without a value',
    `path "a" {
  capabilities =
}`,
    [
      '3:1 error refused "": the server refuses the policy: a value is missing after "=". To do: write a value',
    ],
  ],
  [
    'a name without anything after it',
    `path "a" {
  capabilities
}`,
    [
      '3:1 error refused "": the server refuses the policy: "=" or "{" is missing after a name. To do: write "=" and a value, or a block: { … }',
    ],
  ],
  [
    'an assignment without a name',
    `path "a" {
  = ["read"]
}`,
    [
      '2:3 error refused "": the server refuses the policy: a name is missing before "{" or "=". To do: write the name of an argument or block, such as path "…"',
    ],
  ],
  [
    'a list without commas',
    `path "a" {
  capabilities = ["read" "list"]
}`,
    [
      '2:26 error refused "": the server refuses the policy: "," is missing between two values of a list. To do: separate the values of the list with commas',
    ],
  ],
  [
    'a list with words without quotes',
    `path "a" {
  capabilities = [read]
}`,
    [
      '2:19 error refused "": the server refuses the policy: double quotes are missing around a word of the list. To do: put each word of the list in double quotes',
    ],
  ],
  [
    'templates that do not close',
    'path "{{a" { capabilities = ["read"] }',
    [
      '1:6 error refused "": the server refuses the policy: "{{" or "}}" is missing in a template. To do: close each "{{" with "}}"',
    ],
  ],
  [
    'constraints that are not a block',
    `path "a" {
  capabilities = ["update"]
  allowed_parameters = "x"
}`,
    [
      '3:24 error refused "a": the server refuses the policy: allowed_parameters must be a block, and is a text. To do: write a block: { "name" = ["value"] }',
    ],
  ],
  [
    'an invalid time',
    `path "a" {
  capabilities = ["read"]
  min_wrapping_ttl = "soon"
}`,
    [
      '1:6 error refused "": the server refuses the policy: error parsing min_wrapping_ttl: time: invalid duration "soon". To do: write a duration such as "5m"',
    ],
  ],
  [
    'times in the wrong order',
    `path "a" {
  capabilities = ["read"]
  min_wrapping_ttl = "5m"
  max_wrapping_ttl = "1m"
}`,
    [
      '1:6 error refused "": the server refuses the policy: max_wrapping_ttl cannot be less than min_wrapping_ttl. To do: make max_wrapping_ttl at least as long as min_wrapping_ttl',
    ],
  ],
  [
    'a block that is not closed, among comments and texts',
    `# path "x" {
path "a" { # {
  capabilities = ["}"] // }
}
/* {
 { */
  path  "b" {
  capabilities = ["read"]

path "c" {
}
`,
    [
      '7:3 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a block that is not closed, with quotes in texts',
    `path "a\\"{" {
}
path "b" {
  capabilities = ["read", "{"]
`,
    [
      '3:1 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'an inner block that is not closed',
    `path "a" {
  allowed_parameters = {
    "x" = []
`,
    [
      '1:1 error refused "": the server refuses the policy: "}" is missing at the end of the block. To do: close the block with "}"',
    ],
  ],
  [
    'a capability that only OpenBao has',
    `path "a" {
  capabilities = ["scan"]
}`,
    [
      '2:19 error refused "a": the server refuses the policy: invalid capability "scan". To do: remove "scan": OpenBao has it, Vault does not',
    ],
  ],
  [
    'an argument that only OpenBao has',
    `path "a" {
  pagination_limit = 5
}`,
    [
      '2:3 error refused "a": the server refuses the policy: invalid key "pagination_limit" on line 2. To do: remove "pagination_limit": OpenBao has it, Vault does not',
    ],
  ],
  [
    'an illegal character',
    'path "a" ; {}',
    [
      '1:10 error refused "": the server refuses the policy: At 1:10: illegal char. To do: correct the policy document',
    ],
  ],
  [
    'a fault in JSON',
    `{
  "path": {
    "a": { "capabilities": ["raed"] }
  }
}`,
    ['3:29 error refused "a": the server refuses the policy: invalid capability "raed". To do: write "read"'],
  ],
  [
    'JSON that is not closed',
    '{"path": {"a": {"capabilities": ["read"]}}\n',
    [
      '1:43 warning invalid-json "": the JSON is not valid from here on, and the server ignores what it cannot read. To do: correct the JSON',
    ],
  ],
  [
    'JSON with a text after it',
    '{"path": {"a": {"capabilities": ["read"]}}}\n{"path": {"b": {"capabilities": ["read"]}}}\n',
    [
      '2:1 warning invalid-json "": the JSON is not valid from here on, and the server ignores what it cannot read. To do: correct the JSON',
    ],
  ],
  [
    'a control group without factors',
    `path "a" {
  capabilities = ["read"]
  control_group = {}
}`,
    [
      '1:6 error refused "": the server refuses the policy: no control group factors provided. To do: add a factor with an identity and its approvals',
    ],
  ],
])('a policy that the server refuses has one finding: %s', (_what, text, expected) => {
  expect(findings(text)).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  [
    'an expression in quotes, after an escaped quote',
    'path "a\\"${x}" { capabilities = ["raed"] }',
    [
      '1:34 error refused "a\\"${x}": the server refuses the policy: invalid capability "raed". To do: write "read"',
    ],
  ],
  [
    'an expression in quotes, with braces',
    'path "${{a = {}}["b"]}" { capabilities = ["raed"] }',
    [
      '1:43 error refused "${{a = {}}[\\"b\\"]}": the server refuses the policy: invalid capability "raed". To do: write "read"',
    ],
  ],
  [
    'a dollar sign that opens nothing',
    'path "a$b{c}" { capabilities = ["raed"] }',
    [
      '1:33 error refused "a$b{c}": the server refuses the policy: invalid capability "raed". To do: write "read"',
    ],
  ],
  [
    'a value in several lines',
    `path "sys/seal" {
  capabilities = \${concat(
    var.a,
    var.b
  )}
}
path "sys/mount" { capabilities = ["read"] }
`,
    [
      '7:6 error unknown-system-path "sys/mount": the path "sys/mount" does not exist. To do: write "sys/mounts"',
    ],
  ],
  [
    'an expression beside rules',
    `path "sys/mount" { capabilities = ["read"] }
\${var.more}
path "sys/mount" { capabilities = ["read"] }
path "sys/health" { capabilities = ["read"] }
`,
    [
      '3:6 error unknown-system-path "sys/mount": the path "sys/mount" does not exist. To do: write "sys/mounts"',
      '3:6 warning repeated-path "sys/mount": the path "sys/mount" already has a rule: the server merges both. To do: merge the rules',
      '4:6 note open-path "sys/health": requests for the path require no token, so policies do not apply to them. To do: remove the rule',
    ],
  ],
  [
    'an expression in a rule between others',
    `path "sys/mount" { capabilities = ["read"] }
path "sys/seal" {
  capabilities = ["update"]
  \${var.more}
}
path "sys/rotate" { capabilities = ["update"] }
`,
    [
      '1:6 error unknown-system-path "sys/mount": the path "sys/mount" does not exist. To do: write "sys/mounts"',
      '6:6 error sudo-missing "sys/rotate": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
    ],
  ],
  [
    'directives',
    `%{if x}
path "sys/mount" { capabilities = ["raed"] }
%{endif}
`,
    [
      '2:36 error refused "sys/mount": the server refuses the policy: invalid capability "raed". To do: write "read"',
    ],
  ],
  ['an expression without its end', 'path "a" { capabilities = ${var.x', []],
  [
    'a fault that is independent of expressions',
    `path "a" {
  capabilities = \${var.x}
  capabilitis = 1
}
`,
    [
      '3:3 error refused "a": the server refuses the policy: invalid key "capabilitis" on line 3. To do: write capabilities',
    ],
  ],
  [
    'a fault that may depend on an expression',
    `path "a" {
  capabilities = ["read"]
\${var.x}
`,
    [],
  ],
  [
    'a quote that is left open ends with its line',
    `path "a {}
\${var.x}
`,
    [],
  ],
  [
    'a value without blanks',
    `path "a" {
  capabilities=\${var.x}
}
`,
    [],
  ],
  [
    'a dollar sign beside words',
    `path "a" { # 5 $ a day
  capabilities = ["raed"] # {
}
`,
    ['2:19 error refused "a": the server refuses the policy: invalid capability "raed". To do: write "read"'],
  ],
  [
    'an expression directly after a brace',
    `path "a" {\${var.more}
  capabilities = ["raed"]
}
`,
    ['2:19 error refused "a": the server refuses the policy: invalid capability "raed". To do: write "read"'],
  ],
  [
    'two expressions, the first in several lines',
    `path "sys/seal" {
  capabilities = \${concat(
    var.a,
    var.b
  )}
}
path "sys/rotate" {
  capabilities = \${var.a}
}
path "sys/raw" { capabilities = ["read"] }
`,
    [
      '10:6 error sudo-missing "sys/raw": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
    ],
  ],
  [
    'a value, before a text that is not an expression',
    `path "sys/raw" {
  capabilities = ["read"]
}
path "b" {
  capabilities = \${var.a} \${var.b}
}
`,
    [
      '1:6 error sudo-missing "sys/raw": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
    ],
  ],
  [
    'an expression in JSON',
    '{"path": {"sys/seal": {"capabilities": ["update"]}, "sys/rotate": {"capabilities": ${var.x}}}}',
    [],
  ],
  [
    'an expression beside a rule in the same line',
    `path "sys/seal" { capabilities = \${var.x} }
path "sys/rotate" { capabilities = ["update"] }
path "sys/raw" { capabilities = \${var.y} }`,
    [
      '2:6 error sudo-missing "sys/rotate": requests for the path also require the capability "sudo". To do: add "sudo", or remove the rule',
    ],
  ],
  [
    'an illegal character before and after expressions',
    `path 'a' {}
\${var.x}
`,
    ['1:6 error refused "": the server refuses the policy: At 1:6: illegal char. To do: write double quotes'],
  ],
  [
    'an illegal character after an expression',
    `\${var.x}
path 'a' {}
`,
    [],
  ],
  [
    'an illegal character in the line of an expression',
    `\${var.x} path 'a' {}
`,
    [],
  ],
  [
    'a directive in front of a value',
    `path "a" {
  capabilities = %{ if x }["raed"]%{ endif }
}
`,
    ['2:28 error refused "a": the server refuses the policy: invalid capability "raed". To do: write "read"'],
  ],
  [
    'an expression with braces, outside of quotes',
    `path "a" {
  capabilities = \${concat({a = 1}, x)}
}
path "sys/mount" { capabilities = ["read"] }
`,
    [
      '4:6 error unknown-system-path "sys/mount": the path "sys/mount" does not exist. To do: write "sys/mounts"',
    ],
  ],
  [
    'directives as values',
    `path "a" {
  capabilities = ["read", %{if x}"list"%{endif}]
}
path "sys/mount" { capabilities = ["read"] }
`,
    [
      '4:6 error unknown-system-path "sys/mount": the path "sys/mount" does not exist. To do: write "sys/mounts"',
    ],
  ],
])('Terraform expressions hide the findings that depend on them: %s', (_what, text, expected) => {
  expect(findings(text)).toEqual(expected);
});

test.each<[string, boolean | undefined]>([
  ['path "a" { capabilities = ["xyzzy"] }', true],
  ['path "a" { capabilities = ["raed"] }', false],
  ['path "a" {', undefined],
])('describeFault reports whether the correction names all allowed words: %s', (text, expected) => {
  let fault: unknown;
  try {
    parseAclPolicy(text);
  } catch (error) {
    fault = error;
  }
  expect(describeFault(fault as AclPolicyError, text).namesAllowed).toBe(expected);
});
