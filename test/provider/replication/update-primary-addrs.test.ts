import type { ReplicationSecondaryStatus } from '../../../src/client';
import { newerTerraform, newerTerraformMissing } from '../../support/newer-terraform';
import type { Stack } from '../support';
import { enablePrimary, enableSecondary, startClusters, statusOf } from './support';

const binary = newerTerraform();
if (binary === undefined) console.warn(newerTerraformMissing());
const withNewer = binary === undefined ? test.skip : test;

let stack: Stack;
afterEach(() => stack?.close());

const ACTION = 'action.vaultadmin_perf_replication_update_primary_addrs.it';

withNewer('an action gives a secondary other addresses of its primary, and no other cluster', async () => {
  stack = await startClusters({ binary });
  await enablePrimary(stack);
  await enableSecondary(stack, 'eu');
  const { primary_cluster_addr: address } = (await statusOf(stack, 'eu')) as ReplicationSecondaryStatus;
  const on = (cluster: string) =>
    stack.resources(
      `action "vaultadmin_perf_replication_update_primary_addrs" "it" {\n  config {\n    cluster = "${cluster}"\n` +
        `    addresses = ["${address}"]\n  }\n}\n`,
    );

  on('eu');
  const { stdout } = await stack.workspace.must('apply', '-auto-approve', '-no-color', `-invoke=${ACTION}`);
  expect(stdout).toContain('performance replication secondary on cluster "eu": it follows its primary');
  expect(await statusOf(stack, 'eu')).toMatchObject({ state: 'stream-wals' });

  on('us');
  const { errors } = await stack.run('apply', `-invoke=${ACTION}`);
  expect(errors[0]!.detail).toContain('Received: a cluster in mode "primary".');
});
