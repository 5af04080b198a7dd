import { leastPolicy, renderLeastPolicies, type Purpose } from '../../../src/cli/doctor/least-policy';
import { requirementsOf } from '../../../src/cli/doctor/requirements';
import type { Stack } from '../../../src/cli/stacks/stacks';

function policyFor(json: Stack['json'], namespace?: string, env?: NodeJS.ProcessEnv, purpose?: Purpose) {
  const target = {
    subject: 'cluster "us"',
    settings: { name: 'us', options: { namespace }, usualTokenFile: true, unknown: [] },
    requirements: requirementsOf({ name: 'one', folder: '', json }, env),
    enterprise: [],
  };
  return leastPolicy(target, purpose);
}

const ACL = { vaultadmin_acl_policy: { a: { name: 'a', namespace: 'app' } } };

test('the policy has the paths relative to the namespace of the settings', () => {
  expect(policyFor({ resource: ACL }, 'team')).toEqual({
    subject: 'cluster "us"',
    namespace: 'team',
    policy:
      'path "app/sys/policies/acl/a" {\n  capabilities = ["read", "update", "delete"]\n}\n\n' +
      '# Only to look up what the token may do.\npath "app/sys/capabilities-self" {\n  capabilities = ["update"]\n}\n',
  });
});

test('objects in the root namespace need a policy in the root namespace', () => {
  const filter = { vaultadmin_perf_replication_paths_filter: { f: { cluster: 'us', secondary_id: 'eu' } } };
  const { namespace, policy } = policyFor({ resource: { ...ACL, ...filter } }, 'team');
  expect(namespace).toBe('');
  expect(policy.match(/^path .*/gm)).toEqual([
    'path "team/app/sys/policies/acl/a" {',
    'path "sys/replication/performance/primary/paths-filter/eu" {',
    'path "team/auth/token/lookup-self" {',
    'path "team/sys/capabilities-self" {',
    'path "team/app/sys/capabilities-self" {',
  ]);
});

test('the provider hashicorp/vault may create a child token, unless it is configured without one', () => {
  const child = 'path "auth/token/create" {\n  capabilities = ["update"]\n}\n';
  expect(policyFor({ provider: { vault: [{}] } }).policy).toBe(child);
  expect(policyFor({ provider: { vault: [{ skip_child_token: true }] } }).policy).toBe('');
  for (const [value, skip, policy] of [
    ['true', undefined, ''],
    ['1', undefined, ''],
    ['false', undefined, child],
    ['true', false, child],
  ] as const) {
    const env = { TERRAFORM_VAULT_SKIP_CHILD_TOKEN: value };
    expect(policyFor({ provider: { vault: [{ skip_child_token: skip }] } }, undefined, env).policy).toBe(
      policy,
    );
  }
});

test('permissions that only the join requires are marked by a comment', () => {
  const { policy } = policyFor({
    resource: { vaultadmin_perf_replication_secondary: { s: { cluster: 'us' } } },
  });
  expect(policy).toContain(
    '# Only until the cluster has joined its replication set.\npath "sys/mounts" {\n  capabilities = ["read"]\n}\n',
  );
  expect(policy).toContain(
    '\npath "sys/replication/performance/secondary/disable" {\n  capabilities = ["update"]\n}\n',
  );
});

test('a token that plans reads, and writes only for ephemeral resources and child tokens', () => {
  const { policy } = policyFor(
    {
      resource: {
        vaultadmin_acl_policy: { a: { name: 'a' } },
        vaultadmin_auto_snapshot: { hourly: { name: 'hourly' } },
        vaultadmin_perf_replication_primary: { p: { cluster: 'us' } },
      },
      ephemeral: { vaultadmin_perf_replication_public_key: { key: { cluster: 'us' } } },
    },
    undefined,
    {},
    'plan',
  );
  expect(policy).toBe(
    'path "sys/policies/acl/a" {\n  capabilities = ["read"]\n}\n\n' +
      'path "sys/storage/raft/snapshot-auto/config/hourly" {\n  capabilities = ["read", "sudo"]\n}\n\n' +
      'path "sys/replication/performance/secondary/generate-public-key" {\n  capabilities = ["update"]\n}\n',
  );
  expect(renderLeastPolicies([policyFor({ resource: ACL })], [], 'plan')).toContain(
    '# For the token of cluster "us" that plans, in the root namespace',
  );
});

test('no name in a stack can add a rule', () => {
  const planted = 'x\npath "sys/*" {\r\u2028\u001b[2J';
  const policies = [{ subject: planted, namespace: 'a\u0085b', policy: '' }];
  expect(renderLeastPolicies(policies, [planted])).toBe(
    String.raw`# For the token of x\npath "sys/*" {\r\u2028\u001b[2J, in namespace "a\u0085b", in addition to the policy "default".` +
      '\n\n\n' +
      String.raw`# Not included: what x\npath "sys/*" {\r\u2028\u001b[2J requires could not be determined.` +
      '\n',
  );
});

test('the policy covers what the stack creates in a new namespace, and the list before the deletion of the namespace', () => {
  const team = { cluster: 'us', path: 'team' };
  const app = {
    cluster: 'us',
    path: 'app',
    namespace: '${vaultadmin_namespace.Team.path_fq}',
    force_destroy: true,
  };
  const ops = { cluster: 'us', name: 'ops', namespace: '${vaultadmin_namespace.App.path_fq}' };
  const { policy } = policyFor({
    resource: { vaultadmin_namespace: { Team: team, App: app }, vaultadmin_acl_policy: { ops } },
  });
  expect(policy).toContain(
    'path "sys/namespaces/team" {\n  capabilities = ["create", "read", "update", "patch", "delete"]\n}\n',
  );
  expect(policy).toContain('path "team/sys/namespaces/app" {');
  expect(policy).toContain('path "team/sys/mounts" {\n  capabilities = ["read"]\n}\n');
  expect(policy).not.toContain('path "team/app/sys/mounts" {');
  expect(policy).toContain('path "team/app/sys/policies/acl/ops" {');
});
