/** Tests of the flavour of this package whose bindings have write-only secrets. */
import './flavour-of-cdktn';
import { readFileSync } from 'node:fs';
import type { Construct } from 'constructs';
import { AutoSnapshot, Duration, SnapshotStorage, VaultCluster, VaultSecret } from '../../../constructs';
import { FLAVOUR as CDKTF } from '../../../constructs/private/flavour/cdktf';
import { FLAVOUR as CDKTN } from '../../../constructs/private/flavour/cdktn';
import { onlyResource, synthesize, warnings } from '../support/synthesize';

const S3 = { bucket: 'b', region: 'r', accessKeyId: 'a' };

function nightly(scope: Construct, secretAccessKey: string, others: { secretsVersion?: number } = {}): void {
  new AutoSnapshot(scope, 'Nightly', {
    cluster: new VaultCluster(scope, 'Cluster'),
    snapshotName: 'nightly',
    interval: Duration.hours(24),
    pathPrefix: 'us',
    storage: SnapshotStorage.s3({ ...S3, secretAccessKey, ...others }),
  });
}

test('the secret key of S3 is not stored, and is written again with another version', () => {
  const stack = synthesize((scope) => nightly(scope, VaultSecret.fromVariable('key'), { secretsVersion: 3 }));
  const snapshot = onlyResource(stack, 'vault_raft_snapshot_agent_config');
  expect(snapshot).toMatchObject({ aws_secret_access_key_wo: '${var.key}', secrets_wo_version: 3 });
  expect(snapshot).not.toHaveProperty('aws_secret_access_key');
  expect(stack.terraform.required_providers).toEqual({
    vault: { source: 'hashicorp/vault', version: '~> 5.10' },
  });
  expect(stack.variable).toEqual({
    key: { type: 'string', sensitive: true, nullable: false, ephemeral: true },
  });
});

test('an ephemeral secret key of S3 has no warning', () => {
  const key = 'ephemeral.vault_kv_secret_v2.backup.data.key';
  expect(warnings((scope) => nightly(scope, VaultSecret.fromEphemeral(key)))).toEqual([]);
});

test('other secrets are stored, with a warning', () => {
  const found = warnings((scope) => {
    new AutoSnapshot(scope, 'Nightly', {
      cluster: new VaultCluster(scope, 'Cluster'),
      interval: Duration.hours(24),
      pathPrefix: 'us/',
      storage: SnapshotStorage.gcs({ bucket: 'b', serviceAccountKey: VaultSecret.fromVariable('key') }),
    });
  });
  expect(found).toEqual([expect.stringContaining('serviceAccountKey is stored in plain text')]);
});

test('the bindings of cdktf have no write-only secrets, and those of cdktn name the stored arguments', () => {
  const types = readFileSync(
    require.resolve('@cdktf/provider-vault/lib/raft-snapshot-agent-config/index.d.ts'),
    'utf8',
  );
  expect(CDKTF).toEqual({ writeOnlySecrets: {} });
  expect(types).not.toContain('awsSecretAccessKeyWo');
  for (const [stored, unstored] of Object.entries(CDKTN.writeOnlySecrets)) {
    expect(unstored).toBe(`${stored}_wo`);
    const property = stored.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    expect(types).toContain(`readonly ${property}?: string;`);
  }
});
