import type { Stack } from '../support';
import { asOperator, CALLS, startClusters, statusOf, withoutLogout } from './support';

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

test('one run creates a primary, its filter and its secondary, and one run destroys them', async () => {
  await stack.ask('POST', 'sys/mounts/secret', { type: 'kv' });
  await stack.ask('POST', 'sys/mounts/shared', { type: 'kv' });
  stack.resources(PRIMARY + FILTER + SECONDARY);
  const { requests } = await stack.must('apply');
  const posted = requests.filter((request) => request.startsWith(`POST ${CALLS}`));
  expect(new Set(posted)).toEqual(
    new Set([
      `POST ${CALLS}/primary/enable`,
      `POST ${CALLS}/primary/paths-filter/eu`,
      `POST ${CALLS}/primary/secondary-token`,
      `POST ${CALLS}/secondary/enable`,
      `POST ${CALLS}/secondary/generate-public-key`,
    ]),
  );
  expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary', known_secondaries: ['eu'] });
  expect(await statusOf(stack, 'eu')).toMatchObject({
    mode: 'secondary',
    secondary_id: 'eu',
    state: 'stream-wals',
  });
  const mounts = await asOperator(stack, 'eu', (client) => client.read('sys/mounts'));
  expect(mounts!.data).toHaveProperty('shared/');
  expect(mounts!.data).not.toHaveProperty('secret/');

  // No token is issued for a cluster that has joined.
  const again = await stack.must('plan');
  expect(again.planned).toEqual({});
  expect(withoutLogout(again.requests).filter((request) => request.startsWith('POST'))).toEqual([
    'POST auth/people/login/operator',
  ]);

  expect(await stack.run('destroy')).toMatchObject({ code: 0, errors: [] });
  for (const cluster of ['us', 'eu']) expect(await statusOf(stack, cluster)).toEqual({ mode: 'disabled' });
});
