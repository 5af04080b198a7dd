import { Policy } from '@cdktf/provider-vault/lib/policy';
import type { TerraformStack } from 'cdktf';
import {
  AclPolicy,
  AutoSnapshot,
  Capability,
  Duration,
  ManagedKey,
  ManagedKeyType,
  PolicyStatement,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
} from '../../../constructs';
import { resources, synthesize } from '../support/synthesize';

function clusterIn(stack: TerraformStack): VaultCluster {
  return new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
}

test('every grant returns the policy and the added statements', () => {
  synthesize((stack) => {
    const cluster = clusterIn(stack);
    const policy = new AclPolicy(stack, 'P', { cluster });
    const key = ManagedKey.fromManagedKeyAttributes(stack, 'Key', {
      cluster,
      backendType: ManagedKeyType.PKCS11,
      keyName: 'signing',
    });
    const snapshot = AutoSnapshot.fromAutoSnapshotAttributes(stack, 'S', { cluster, snapshotName: 's' });
    const grants = [
      key.grantRead(policy),
      key.grantManage(policy),
      key.grantTestSign(policy),
      snapshot.grantRead(policy),
      snapshot.grantManage(policy),
      snapshot.grantReadStatus(policy),
    ];
    expect(grants.map((grant) => grant.policy)).toEqual(grants.map(() => policy));
    expect(grants.map(({ statements }) => statements.length)).toEqual([1, 2, 1, 1, 1, 1]);
    expect(grants.flatMap(({ statements }) => statements)).toEqual(
      grants.flatMap(({ statements }) => statements.map(() => expect.any(PolicyStatement))),
    );
  });
});

test('a resource that uses a grant can depend on its policy, whichever of the two was declared first', () => {
  const stack = synthesize((scope) => {
    const cluster = clusterIn(scope);
    const policy = new AclPolicy(scope, 'Granted', { cluster });
    const attributes = { cluster, snapshotName: 's', interval: Duration.hours(1) };
    const grant = AutoSnapshot.fromAutoSnapshotAttributes(scope, 'S', attributes).grantRead(policy);

    const ours = new AclPolicy(scope, 'Ours', {
      cluster,
      statements: [new PolicyStatement({ paths: ['a'], capabilities: [Capability.READ] })],
    });
    const provider = cluster.providerFor(scope, ResourceProvider.UPSTREAM);
    const theirs = new Policy(scope, 'Theirs', {
      provider,
      name: 'theirs',
      policy: '# none',
      dependsOn: [ours.resource],
    });
    grant.applyBefore(ours, theirs);

    const later = new AclPolicy(scope, 'Later', {
      cluster,
      statements: [new PolicyStatement({ paths: ['a'], capabilities: [Capability.READ] })],
    });
    later.node.addDependency(grant);
  });
  const granted = 'vaultadmin_acl_policy.Granted';
  expect(resources(stack, 'vaultadmin_acl_policy').Ours?.depends_on).toEqual([granted]);
  expect(resources(stack, 'vaultadmin_acl_policy').Later?.depends_on).toEqual([granted]);
  expect(resources(stack, 'vault_policy').Theirs?.depends_on).toEqual([
    'vaultadmin_acl_policy.Ours',
    granted,
  ]);
});

test('a snapshot is applied after the dependencies of its construct and of the parents of that construct', () => {
  const stack = synthesize((scope) => {
    const cluster = clusterIn(scope);
    const statements = [new PolicyStatement({ paths: ['a'], capabilities: [Capability.READ] })];
    const [first, second, third] = ['First', 'Second', 'Third'].map(
      (id) => new AclPolicy(scope, id, { cluster, statements }),
    ) as [AclPolicy, AclPolicy, AclPolicy];
    const snapshot = new AutoSnapshot(scope, 'S', {
      cluster,
      interval: Duration.hours(1),
      pathPrefix: '/opt',
      storage: SnapshotStorage.local({ maxSpace: Size.bytes(1) }),
    });
    snapshot.addHealthCheck();
    snapshot.resource.dependsOn = [first.resource.fqn];
    snapshot.node.addDependency(second, cluster);
    snapshot.resource.node.addDependency(second, third);
    first.node.addDependency(snapshot.node.scope!.node.findChild('Cluster'));
  });
  expect(resources(stack, 'vaultadmin_auto_snapshot').S?.depends_on).toEqual(
    ['First', 'Second', 'Third'].map((id) => expect.stringContaining(`vaultadmin_acl_policy.${id}`)),
  );
  expect(resources(stack, 'vaultadmin_acl_policy').First).not.toHaveProperty('depends_on');
});
