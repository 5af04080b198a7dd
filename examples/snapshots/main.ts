/**
 * Automated snapshots of a Vault cluster: every hour to a directory of the server, every day to a
 * bucket, both watched.
 *
 * Before the first apply, change directory and bucket to yours. The secret key is taken from a
 * variable and kept nowhere:
 *
 *   export VAULT_ADDR=... VAULT_TOKEN=... TF_VAR_backup_secret_key=...
 *   cdktf deploy
 *
 * Every plan and apply then warns where a snapshot is overdue or failed. Further choices, through
 * the environment of the synthesis:
 *
 *   VAULT_ADMIN_EXAMPLE_DIRECTORY=/srv/snapshots   the directory, which has to be there
 *   VAULT_ADMIN_EXAMPLE_S3_ENDPOINT=host:9000      a server with S3's interface, without TLS
 */
import { App, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  AutoSnapshot,
  Duration,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from 'cdktf-vault-admin';

const {
  VAULT_ADMIN_EXAMPLE_DIRECTORY: directory = '/opt/vault/snapshots',
  VAULT_ADMIN_EXAMPLE_S3_ENDPOINT: endpoint,
} = process.env;

const app = new App();
const stack = new TerraformStack(app, 'snapshots');
const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });

const hourly = new AutoSnapshot(stack, 'Hourly', {
  cluster,
  snapshotName: 'hourly',
  interval: Duration.hours(1),
  retain: 3,
  pathPrefix: directory,
  storage: SnapshotStorage.local({ maxSpace: Size.bytes(1_000_000) }),
});

const daily = new AutoSnapshot(stack, 'Daily', {
  cluster,
  snapshotName: 'daily',
  interval: Duration.days(1),
  retain: 7,
  pathPrefix: 'vault/',
  storage: SnapshotStorage.s3({
    bucket: 'vault-backups',
    region: 'eu-west-1',
    accessKeyId: 'AKIABACKUPS',
    secretAccessKey: VaultSecret.fromVariable('backup_secret_key'),
    // To be raised whenever the secret key changes.
    secretsVersion: 1,
    ...(endpoint && { endpoint, disableTls: true, forcePathStyle: true }),
  }),
});

// Whoever is on call may see how the snapshots go, and nothing else.
const onCall = new AclPolicy(stack, 'OnCall', { cluster, policyName: 'snapshots-on-call' });
for (const snapshot of [hourly, daily]) {
  snapshot.addHealthCheck();
  snapshot.grantReadStatus(onCall);
}

app.synth();
