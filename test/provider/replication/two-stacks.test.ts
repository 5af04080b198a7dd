/** The primary in one stack, the secondary in another: only the activation token is passed on. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace, Stack } from '../support';
import { asOperator, CALLS, operatorOn, startClusters, statusOf } from './support';

const PRIMARY = `
variable "hand_over" {
  type    = bool
  default = false
}
resource "vaultadmin_perf_replication_primary" "us" {
  deletion_protection = false
}
resource "vaultadmin_perf_replication_paths_filter" "eu" {
  cluster      = vaultadmin_perf_replication_primary.us.cluster
  secondary_id = "eu"
  mode         = "deny"
  paths        = ["secret/"]
}
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  count         = var.hand_over ? 1 : 0
  cluster_id    = vaultadmin_perf_replication_primary.us.cluster_id
  secondary_id  = vaultadmin_perf_replication_paths_filter.eu.secondary_id
  ttl           = "10m"
  revoke_unused = false
}
resource "terraform_data" "hand_over" {
  count = var.hand_over ? 1 : 0
  provisioner "local-exec" {
    command     = "printf %s \\"$TOKEN\\" > token"
    environment = { TOKEN = ephemeral.vaultadmin_perf_replication_secondary_token.eu[0].token }
  }
}
`;

const SECONDARY = `
resource "vaultadmin_perf_replication_secondary" "eu" {
  token_wo          = file("token")
  token_wo_version  = 1
  confirm_data_loss = "eu"
}
`;

let first: Stack;
let second: Stack;
beforeEach(async () => {
  first = await startClusters({ provider: (emulator) => operatorOn(emulator, ['us']) });
  const { workspace, init, close } = await openWorkspace();
  second = new Stack(first.emulator, workspace, close);
  second.configure(operatorOn(first.emulator, ['eu']));
  await init();
});
afterEach(async () => {
  await second.close();
  await first.close();
});

test('a token is passed on in a file, and used later', async () => {
  for (const path of ['secret', 'shared']) await first.ask('POST', `sys/mounts/${path}`, { type: 'kv' });
  first.resources(PRIMARY);
  await first.must('apply');
  await first.must('apply', '-var=hand_over=true');
  expect(await statusOf(first, 'us')).toMatchObject({ known_secondaries: ['eu'] });

  copyFileSync(join(first.workspace.folder, 'token'), join(second.workspace.folder, 'token'));
  second.resources(SECONDARY);
  const joined = await second.must('apply');
  expect(joined.requests).toContain(`POST ${CALLS}/secondary/enable`);
  expect(await statusOf(first, 'eu')).toMatchObject({ mode: 'secondary', secondary_id: 'eu' });
  expect(await mountsOf('eu')).toEqual(expect.arrayContaining(['shared/']));
  expect(await mountsOf('eu')).not.toContain('secret/');

  // A secondary that has connected needs no other token, so further applies of the first stack
  // issue none.
  const again = await first.must('apply', '-var=hand_over=true');
  expect(again.planned).toEqual({});
  expect(again.requests).not.toContain(`POST ${CALLS}/primary/secondary-token`);
  expect(again.requests).not.toContain(`POST ${CALLS}/primary/revoke-secondary`);

  await second.must('destroy');
  expect(await first.run('destroy')).toMatchObject({ code: 0, errors: [] });
  for (const cluster of ['us', 'eu']) expect(await statusOf(first, cluster)).toEqual({ mode: 'disabled' });
});

async function mountsOf(cluster: string): Promise<readonly string[]> {
  const mounts = await asOperator(first, cluster, (client) => client.read('sys/mounts'));
  return Object.keys(mounts!.data);
}
