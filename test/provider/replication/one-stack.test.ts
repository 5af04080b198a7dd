import type { Stack } from '../support';
import { startClusters, statusOf } from './support';

const PRIMARY = `
resource "vaultadmin_perf_replication_primary" "us" {
  cluster             = "us"
  deletion_protection = false
}
`;

const FILTER = `
resource "vaultadmin_perf_replication_paths_filter" "eu" {
  cluster      = vaultadmin_perf_replication_primary.us.cluster
  secondary_id = "eu"
  mode         = "deny"
  paths        = ["secret"]
}
`;

const SECONDARY = `
ephemeral "vaultadmin_perf_replication_public_key" "eu" {
  cluster = "eu"
}
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  cluster              = "us"
  cluster_id           = vaultadmin_perf_replication_primary.us.cluster_id
  secondary_id         = vaultadmin_perf_replication_paths_filter.eu.secondary_id
  secondary_public_key = ephemeral.vaultadmin_perf_replication_public_key.eu.secondary_public_key
}
resource "vaultadmin_perf_replication_secondary" "eu" {
  cluster           = "eu"
  token_wo          = ephemeral.vaultadmin_perf_replication_secondary_token.eu.token
  token_wo_version  = 1
  confirm_data_loss = "eu"
}
`;

let stack: Stack;
beforeEach(async () => {
  stack = await startClusters();
});
afterEach(() => stack.close());

test('a pair, from nothing to nothing', async () => {
  await stack.ask('POST', 'sys/mounts/secret', { type: 'kv' });
  stack.resources(PRIMARY + FILTER + SECONDARY);
  const report = await stack.run('apply');
  expect(report).toMatchObject({ code: 0, errors: [] });
  expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary', known_secondaries: ['eu'] });
  expect(await statusOf(stack, 'eu')).toMatchObject({
    mode: 'secondary',
    secondary_id: 'eu',
    state: 'stream-wals',
  });
  console.log(report.warnings, report.requests);
  const again = await stack.run('plan', '-detailed-exitcode');
  console.log(again);
  expect(again.code).toBe(0);
  const gone = await stack.run('destroy');
  console.log(gone);
  expect(await statusOf(stack, 'us')).toEqual({ mode: 'disabled' });
  expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
});
