import { AuthBackend } from '@cdktf/provider-vault/lib/auth-backend';
import { AwsSecretBackend } from '@cdktf/provider-vault/lib/aws-secret-backend';
import { ConsulSecretBackendRole } from '@cdktf/provider-vault/lib/consul-secret-backend-role';
import { DatabaseSecretsMount } from '@cdktf/provider-vault/lib/database-secrets-mount';
import { JwtAuthBackend } from '@cdktf/provider-vault/lib/jwt-auth-backend';
import { LdapAuthBackend } from '@cdktf/provider-vault/lib/ldap-auth-backend';
import { Mount } from '@cdktf/provider-vault/lib/mount';
import { Namespace as UpstreamNamespace } from '@cdktf/provider-vault/lib/namespace';
import { NomadSecretBackend } from '@cdktf/provider-vault/lib/nomad-secret-backend';
import { OktaAuthBackend } from '@cdktf/provider-vault/lib/okta-auth-backend';
import { TerraformCloudSecretBackend } from '@cdktf/provider-vault/lib/terraform-cloud-secret-backend';
import { TerraformVariable, type TerraformStack } from 'cdktf';
import { Namespace, PathsFilter, PerfReplicationPair, VaultCluster } from '../../../constructs';
import { onlyResource, synthesize, warnings } from '../support/synthesize';

const ADDRESSES = { us: 'https://us.example.com:8200', eu: 'https://eu.example.com:8200' };

/**
 * Declares a pair with a paths filter for `eu`. The primary `us` has the mounts `secret/`, `local/`
 * and `auth/approle/`, and the namespace `team-a/`.
 */
function build(
  filter: PathsFilter | ((stack: TerraformStack) => PathsFilter),
): (stack: TerraformStack) => void {
  return (stack) => {
    const [us, eu] = (['us', 'eu'] as const).map(
      (name) => new VaultCluster(stack, name, { name, address: ADDRESSES[name] }),
    ) as [VaultCluster, VaultCluster];
    const pathsFilter = typeof filter === 'function' ? filter(stack) : filter;
    new PerfReplicationPair(stack, 'Pair', {
      clusters: [us, eu],
      primary: us,
      pathsFilters: { eu: pathsFilter },
    });
    // Mounts may be declared after the set.
    const provider = us.providerFor(stack);
    new Mount(stack, 'Secret', { provider, path: 'secret', type: 'kv' });
    new Mount(stack, 'Local', { provider, path: 'local', type: 'kv', local: true });
    new AuthBackend(stack, 'AppRole', { provider, type: 'approle' });
    new UpstreamNamespace(stack, 'TeamA', { provider, path: 'team-a' });
  };
}

const filterOf = (filter: Parameters<typeof build>[0]) => {
  const { secondaries } = onlyResource(synthesize(build(filter)), 'vaultadmin_perf_replication_set');
  return (secondaries as { eu: { paths_filter: unknown } }).eu.paths_filter;
};

test.each([
  [PathsFilter.deny(['secret', 'team-a/'])],
  [PathsFilter.deny(['team-a/private/'])],
  [PathsFilter.deny(['secret/']).sendingWholeNamespaces(['team-a'])],
  [PathsFilter.allow(['secret/', 'auth/approle/'])],
  [PathsFilter.allow(['team-a/secret/'])],
  [PathsFilter.allow(['team-a/']).sendingWholeNamespaces(['team-a/'])],
])('a filter of known mounts has no warning: %j', (filter) => {
  expect(filterOf(filter)).toEqual({ mode: filter._mode, paths: filter._paths });
  expect(warnings(build(filter))).toEqual([]);
});

test.each([
  [
    PathsFilter.deny(['secret/']),
    'paths filter "eu": deny ["secret/"] sends the namespace "team-a/" with all its contents, now and later; deny the ' +
      'namespace, or mounts in it; or, if this is intended, add .sendingWholeNamespaces(["team-a/"])',
  ],
  [
    PathsFilter.allow(['team-a/']),
    'paths filter "eu": allow ["team-a/"] sends the namespace "team-a/" with all its contents, now and later; list the ' +
      'mounts in it one by one; or, if this is intended, add .sendingWholeNamespaces(["team-a/"])',
  ],
])('a filter that sends a whole namespace is refused: %j', (filter, message) => {
  expect(() => synthesize(build(filter))).toThrow(message);
});

test('a filter is refused if it sends the whole of a namespace that the construct Namespace declares', () => {
  const withTeamB = (stack: TerraformStack) => {
    build(PathsFilter.deny(['team-a/']))(stack);
    const us = stack.node.findChild('us') as VaultCluster;
    new Namespace(stack, 'TeamB', { cluster: us, path: 'team-b' });
  };
  expect(() => synthesize(withTeamB)).toThrow(
    'paths filter "eu": deny ["team-a/"] sends the namespace "team-b/" with all its contents, now and later',
  );
});

test('a filter accepts paths that only Terraform knows', () => {
  expect(
    filterOf((stack) => {
      const path = new TerraformVariable(stack, 'path', { type: 'string' });
      return PathsFilter.deny([path.stringValue]);
    }),
  ).toEqual({ mode: 'deny', paths: ['${var.path}'] });
});

test.each([
  [
    PathsFilter.deny(['team-a/', 'secrets/']),
    'paths contains "secrets/", which is neither a mount nor a namespace that this app declares: "secret/", "local/", ' +
      '"auth/approle/", "team-a/"',
  ],
  [
    PathsFilter.deny(['team-a/', 'local/']),
    'paths contains "local/", a local mount, which secondaries never receive',
  ],
])('a filter of unknown or local mounts has a warning: %j', (filter, doubt) => {
  expect(warnings(build(filter))).toEqual([`stack/Pair/Resource: paths filter "eu": ${doubt}`]);
});

test('a filter of unknown mounts has no warning in an app that declares namespaces and no mounts', () => {
  const namespacesOnly = (stack: TerraformStack) => {
    const [us, eu] = (['us', 'eu'] as const).map(
      (name) => new VaultCluster(stack, name, { name, address: ADDRESSES[name] }),
    ) as [VaultCluster, VaultCluster];
    const pathsFilters = { eu: PathsFilter.deny(['secret/', 'team-b/']) };
    new PerfReplicationPair(stack, 'Pair', { clusters: [us, eu], primary: us, pathsFilters });
    new Namespace(stack, 'TeamB', { cluster: us, path: 'team-b' });
  };
  expect(warnings(namespacesOnly)).toEqual([]);
});

test.each([
  [PathsFilter.deny(['sys/']), 'contains a path that cannot be filtered'],
  [PathsFilter.deny(['secret/*']), 'contains a pattern'],
  [PathsFilter.allow(['/secret']), 'begins with a slash'],
])('a filter with invalid paths is refused: %j', (filter, message) => {
  expect(() => synthesize(build(filter))).toThrow(message);
});

test('every resource of hashicorp/vault that mounts an engine counts as a mount, at its path or the default', () => {
  const engines = (stack: TerraformStack) => {
    build(
      PathsFilter.allow([
        'aws/',
        'nomad-eu/',
        'terraform/',
        'db/',
        'auth/jwt/',
        'auth/okta/',
        'auth/corp/',
        'elsewhere/',
      ]),
    )(stack);
    const provider = (stack.node.findChild('us') as VaultCluster).providerFor(stack);
    new AwsSecretBackend(stack, 'Aws', { provider });
    new NomadSecretBackend(stack, 'Nomad', { provider, backend: 'nomad-eu', address: 'https://nomad' });
    new TerraformCloudSecretBackend(stack, 'Cloud', { provider });
    new DatabaseSecretsMount(stack, 'Database', { provider, path: 'db' });
    new JwtAuthBackend(stack, 'Oidc', { provider, type: 'oidc' });
    new OktaAuthBackend(stack, 'Okta', { provider, organization: 'o' });
    new LdapAuthBackend(stack, 'Ldap', { provider, path: 'corp', url: 'ldaps://ldap' });
    // This resource is a role, and has a member `local` as well.
    new ConsulSecretBackendRole(stack, 'Role', { provider, name: 'elsewhere', backend: 'elsewhere' });
  };
  expect(warnings(engines)).toEqual([
    'stack/Pair/Resource: paths filter "eu": paths contains "elsewhere/", which is neither a mount nor a namespace that ' +
      'this app declares: "secret/", "local/", "auth/approle/", "team-a/", "aws/", "nomad-eu/", "terraform/", "db/", ' +
      '"auth/jwt/", "auth/okta/", "auth/corp/"',
  ]);
});

test('mounts of other clusters do not count as mounts of the primary', () => {
  const twoApps = (stack: TerraformStack) => {
    build(PathsFilter.deny(['team-a/', 'elsewhere/']))(stack);
    const other = new VaultCluster(stack, 'other', { name: 'other', address: 'https://other.example.com' });
    new Namespace(stack, 'TeamC', { cluster: other, path: 'team-c' });
    new Mount(stack, 'Elsewhere', { provider: other.providerFor(stack), path: 'elsewhere', type: 'kv' });
    new UpstreamNamespace(stack, 'TeamB', { provider: other.providerFor(stack), path: 'team-b' });
  };
  expect(warnings(twoApps)).toHaveLength(1);
});
