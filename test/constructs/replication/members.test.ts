import { App, TerraformStack, TerraformVariable } from 'cdktf';
import {
  Duration,
  PathsFilter,
  PerfReplicationPair,
  PerfReplicationSet,
  Switchover,
  TokenDelivery,
  VaultCluster,
  ResourceProvider,
  type PerfReplicationMember,
} from '../../../constructs';
import { TOKEN_DELIVERIES } from '../../../src/model';
import { onlyResource, synthesize } from '../support/synthesize';

const TYPE = 'vaultadmin_perf_replication_set';

function clustersOf(stack: TerraformStack, ...names: string[]): VaultCluster[] {
  return names.map((name) => new VaultCluster(stack, name, { name }));
}

test('a set and a pair have their primary and their Terraform resource', () => {
  synthesize((scope) => {
    const [us, eu, ap, sa] = clustersOf(scope, 'us', 'eu', 'ap', 'sa') as [
      VaultCluster,
      VaultCluster,
      ...VaultCluster[],
    ];
    const set = new PerfReplicationSet(scope, 'Set', {
      primary: us,
      members: [{ cluster: us }, { cluster: eu }],
    });
    const pair = new PerfReplicationPair(scope, 'Pair', { clusters: [ap!, sa!], primary: sa! });
    expect([set.primary, pair.primary]).toEqual([us, sa]);
    expect([set, pair].map(({ resource }) => resource.terraformResourceType)).toEqual([TYPE, TYPE]);
    expect(pair.resource).toBe(pair.replicationSet.resource);

    const attributes = { primary: us, clusterId: '5c2b0a6e' };
    const imported = PerfReplicationSet.fromPerfReplicationSetAttributes(scope, 'Elsewhere', attributes);
    expect([imported.primary, imported.clusterId]).toEqual([us, '5c2b0a6e']);
  });
});

describe('a PerfReplicationSet', () => {
  test('the set accepts addresses that only Terraform knows', () => {
    const stack = synthesize((scope) => {
      const [us, eu] = clustersOf(scope, 'us', 'eu') as [VaultCluster, VaultCluster];
      const address = new TerraformVariable(scope, 'address', { type: 'string' });
      new PerfReplicationSet(scope, 'Set', {
        primary: us,
        members: [{ cluster: us }, { cluster: eu }],
        primaryClusterAddrs: { us: address.stringValue, eu: 'https://eu.example.com:8201' },
      });
    });
    expect(onlyResource(stack, TYPE)).toMatchObject({
      primary_cluster_addrs: { us: '${var.address}', eu: 'https://eu.example.com:8201' },
    });
  });

  test('the options of every member are passed to Terraform', () => {
    const stack = synthesize((scope) => {
      const [us, eu, ap, old] = clustersOf(scope, 'us', 'eu', 'ap', 'old') as [
        VaultCluster,
        VaultCluster,
        VaultCluster,
        VaultCluster,
      ];
      new PerfReplicationSet(scope, 'Set', {
        primary: us,
        members: [
          { cluster: us, pathsFilter: PathsFilter.deny(['eu-only/']) },
          {
            cluster: eu,
            secondaryId: 'eu-1',
            pathsFilter: PathsFilter.allow(['secret/']),
            confirmDataLoss: 'eu',
            tokenDelivery: TokenDelivery.WRAPPED,
            primaryApiAddr: 'https://us.example.com:8200',
            caFile: '/etc/ca.pem',
            caPath: '/etc/cas',
          },
          { cluster: ap },
        ],
        primaryClusterAddrs: { us: 'https://us.example.com:8201', eu: 'https://eu.example.com:8201' },
        deletionProtection: false,
        switchover: Switchover.IMMEDIATE,
        forcePromotion: 'us',
        abandonedClusters: [old],
        modeChangeTimeout: Duration.minutes(5),
        takeoverTimeout: Duration.seconds(20),
        syncTimeout: Duration.hours(2),
      });
    });
    expect(onlyResource(stack, TYPE)).toEqual({
      provider: 'vaultadmin',
      primary: 'us',
      primary_cluster_addrs: { us: 'https://us.example.com:8201', eu: 'https://eu.example.com:8201' },
      secondaries: {
        eu: {
          id: 'eu-1',
          paths_filter: { mode: 'allow', paths: ['secret/'] },
          confirm_data_loss: 'eu',
          token_delivery: 'wrapped',
          primary_api_addr: 'https://us.example.com:8200',
          ca_file: '/etc/ca.pem',
          ca_path: '/etc/cas',
        },
        ap: { everything: true },
      },
      deletion_protection: false,
      switchover: 'immediate',
      force_promotion: 'us',
      abandoned_clusters: ['old'],
      timeouts: { mode_change: '5m', takeover: '20s', sync: '2h' },
    });
    expect(stack.provider?.vaultadmin).toEqual([{ clusters: { us: {}, eu: {}, ap: {} } }]);
  });

  test('the set has another primary, and the same members, if the app names another member as the primary', () => {
    const secondaries = (primary: string) => {
      const stack = synthesize((scope) => {
        const clusters = clustersOf(scope, 'us', 'eu');
        new PerfReplicationSet(scope, 'Set', {
          primary: clusters.find(({ name }) => name === primary) as VaultCluster,
          members: clusters.map((cluster) => ({ cluster })),
        });
      });
      const { primary: named, secondaries: others } = onlyResource(stack, TYPE);
      return [named, others];
    };
    expect(secondaries('us')).toEqual(['us', { eu: { everything: true } }]);
    expect(secondaries('eu')).toEqual(['eu', { us: { everything: true } }]);
  });

  test('a former member stays in the configuration', () => {
    const stack = synthesize((scope) => {
      const [us, eu] = clustersOf(scope, 'us', 'eu') as [VaultCluster, VaultCluster];
      new PerfReplicationSet(scope, 'Set', { primary: us, members: [{ cluster: us }], formerMembers: [eu] });
    });
    expect(onlyResource(stack, TYPE)).toMatchObject({ primary: 'us', secondaries: {} });
    expect(stack.provider?.vaultadmin).toEqual([{ clusters: { us: {}, eu: {} } }]);
  });

  test('the resource is that of vaultadmin even if the clusters use hashicorp/vault', () => {
    const stack = synthesize((scope) => {
      const us = new VaultCluster(scope, 'us', { name: 'us', resourceProvider: ResourceProvider.UPSTREAM });
      new PerfReplicationSet(scope, 'Set', { primary: us, members: [{ cluster: us }] });
    });
    expect(Object.keys(stack.provider ?? {})).toEqual(['vaultadmin']);
  });

  type Members = (clusters: {
    us: VaultCluster;
    eu: VaultCluster;
    ap: VaultCluster;
  }) => Partial<ConstructorParameters<typeof PerfReplicationSet>[2]> & { members: PerfReplicationMember[] };

  // Further mistakes are in test/mistakes/constructs.test.ts. The tests of the model cover all
  // conditions.
  test.each<[what: string, props: Members, message: string]>([
    [
      'no members',
      () => ({ members: [] }),
      'primary is "us", which is not among the members; allowed: none, members is empty;',
    ],
    [
      'the primary as its own secondary',
      ({ us }) => ({ members: [{ cluster: us }, { cluster: us }] }),
      'two members have the name "us"; allowed: each cluster once',
    ],
    [
      'an id used twice',
      ({ us, eu, ap }) => ({
        members: [{ cluster: us }, { cluster: eu, secondaryId: 'x' }, { cluster: ap, secondaryId: 'x' }],
      }),
      'secondary of the replication set "ap": secondaryId is also the id of "eu"; received "x"; allowed: a unique id for each secondary',
    ],
    [
      'a forced promotion of another cluster',
      ({ us, eu }) => ({ members: [{ cluster: us }, { cluster: eu }], forcePromotion: 'eu' }),
      'performance replication set: forcePromotion must name the primary; received "eu"; allowed: "us"; remove it, unless the old primary is lost',
    ],
    [
      'a member that is abandoned',
      ({ us, eu }) => ({ members: [{ cluster: us }, { cluster: eu }], abandonedClusters: [eu] }),
      'performance replication set: abandonedClusters must not contain a cluster of the set; received "eu"',
    ],
    [
      'a member that is also a former member',
      ({ us, eu }) => ({ members: [{ cluster: us }, { cluster: eu }], formerMembers: [eu] }),
      '"eu" is in members and in formerMembers; allowed: one of the two',
    ],
  ])('the set refuses %s', (_what, props, message) => {
    const build = (stack: TerraformStack) => {
      const [us, eu, ap] = clustersOf(stack, 'us', 'eu', 'ap') as [VaultCluster, VaultCluster, VaultCluster];
      new PerfReplicationSet(stack, 'Set', { primary: us, ...props({ us, eu, ap }) });
    };
    expect(() => synthesize(build)).toThrow(message);
  });

  test('a cluster that is in another set is refused, across all stacks', () => {
    const app = new App();
    const first = new TerraformStack(app, 'first');
    const second = new TerraformStack(app, 'second');
    const [us, eu, ap] = clustersOf(first, 'us', 'eu', 'ap') as [VaultCluster, VaultCluster, VaultCluster];
    new PerfReplicationSet(first, 'Set', { primary: us, members: [{ cluster: us }, { cluster: eu }] });
    new PerfReplicationSet(second, 'Set', { primary: ap, members: [{ cluster: ap }, { cluster: eu }] });
    expect(() => second.prepareStack()).toThrow(
      '[second/Set] performance replication set: cluster "eu" is in the set [first/Set] already; ' +
        'allowed: one set, with one primary, for each cluster',
    );
  });
});

test('a PerfReplicationSet fails for a cluster that the app does not have', () => {
  const stack = new TerraformStack(new App(), 'stack');
  const clusters: Record<string, VaultCluster> = { us: new VaultCluster(stack, 'us', { name: 'us' }) };
  const us = clusters.us as VaultCluster;
  const ue = clusters.ue as VaultCluster;
  const set = (id: string, primary: VaultCluster, member: VaultCluster, ...formerMembers: VaultCluster[]) =>
    new PerfReplicationSet(stack, id, {
      primary,
      members: [{ cluster: us }, { cluster: member }],
      formerMembers,
    });
  const missing =
    'is missing; allowed: a VaultCluster; write new VaultCluster(...), or check the name by which it was looked up';
  const subject = (id: string) => `[stack/${id}] PerfReplicationSet`;
  set('Primary', ue, us);
  set('Member', us, ue);
  set('Former', us, us, ue);
  new PerfReplicationPair(stack, 'Pair', { clusters: [us, ue], primary: us });
  let text = '';
  try {
    stack.prepareStack();
  } catch (error) {
    text = (error as Error).message;
  }
  expect(text.split('\n').map((line) => line.replace(/^[^[]*/, ''))).toEqual([
    `${subject('Primary')}: primary ${missing}`,
    `${subject('Member')}: members[1]: cluster ${missing}`,
    `${subject('Former')}: formerMembers[0] ${missing}`,
    `[stack/Pair] PerfReplicationPair: clusters[1] ${missing}`,
  ]);
});

describe('a PerfReplicationPair', () => {
  test.each([
    ['us', { eu: { paths_filter: { mode: 'deny', paths: ['us-only/'] }, confirm_data_loss: 'eu' } }],
    ['eu', { us: { everything: true } }],
  ])('the options are those of the secondary if the primary is %s', (primary, secondaries) => {
    const stack = synthesize((scope) => {
      const clusters = clustersOf(scope, 'us', 'eu');
      new PerfReplicationPair(scope, 'Pair', {
        clusters,
        primary: clusters.find(({ name }) => name === primary) as VaultCluster,
        pathsFilters: { eu: PathsFilter.deny(['us-only/']) },
        confirmDataLoss: 'eu',
      });
    });
    expect(onlyResource(stack, TYPE)).toEqual({ provider: 'vaultadmin', primary, secondaries });
    expect(Object.keys(stack.resource?.[TYPE] ?? {})).toEqual(['Pair']);
  });

  test.each([
    [['us'], {}, 'clusters are "us"; allowed: two; for more write a PerfReplicationSet'],
    [['us', 'eu', 'ap'], {}, 'clusters are "us", "eu", "ap"; allowed: two'],
    [
      ['us', 'eu'],
      { pathsFilters: { ue: PathsFilter.deny(['a/']) } },
      'pathsFilters names "ue"; allowed: "us", "eu"; write one of these, or remove it',
    ],
    [
      ['us', 'eu'],
      { confirmDataLoss: 'ap' },
      'confirmDataLoss names "ap"; allowed: "us", "eu"; write one of these, or remove it',
    ],
  ])('the clusters %j are refused: %j', (names, props, message) => {
    const stack = new TerraformStack(new App(), 'stack');
    const clusters = clustersOf(stack, ...names);
    const [primary] = clusters as [VaultCluster];
    new PerfReplicationPair(stack, 'Pair', { clusters, primary, ...props });
    expect(() => stack.prepareStack()).toThrow(message);
  });
});

test('the token deliveries are those of the model', () => {
  expect(Object.values(TokenDelivery)).toEqual(TOKEN_DELIVERIES);
});
