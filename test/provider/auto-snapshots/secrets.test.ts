import { rmSync } from 'node:fs';
import { providerPackage } from '../../../constructs/placement/provider-package';
import { Canaries } from '../../support/canaries';
import { packageWithCheapDigests } from '../../support/cheap-digests';
import type { Stack } from '../support';
import {
  address,
  CONFIG,
  expression,
  onServer,
  snapshot,
  startSnapshotStack,
  type Snapshot,
} from './support';

let stack: Stack;
afterEach(() => stack.close());

/**
 * One configuration for every storage type with a secret. A variable of its own gives each secret.
 */
function all(versions: { readonly [name: string]: number }): string {
  const secret = (field: string, variable: string) => ({
    [`${field}_wo`]: expression(`var.${variable}`),
    [`${field}_wo_version`]: versions[variable],
  });
  const blocks: Readonly<Record<string, Snapshot['blocks']>> = {
    s3: {
      aws_s3: {
        aws_s3_bucket: 'backups',
        aws_s3_region: 'eu-west-1',
        aws_access_key_id: 'AKIA',
        ...secret('aws_secret_access_key', 'aws'),
        ...secret('aws_session_token', 'session'),
      },
    },
    azure: {
      azure_blob: {
        azure_container_name: 'backups',
        azure_account_name: 'account',
        ...secret('azure_account_key', 'azure'),
      },
    },
    gcs: {
      google_gcs: {
        google_gcs_bucket: 'backups',
        google_service_account_key_wo: expression('jsonencode({ private_key = var.google })'),
        google_service_account_key_wo_version: versions.google,
      },
    },
  };
  return Object.entries(blocks)
    .map(([name, block]) => snapshot(name, { blocks: block! }))
    .join('');
}

/** The digests as version 0.1 of the provider stored them. */
const CHEAP_DIGEST_OF_SECRET_2 = {
  salt: 'AAECAwQFBgcICQoLDA0ODw==',
  digest: 'r9exmObJ8i0y/AfTCydrz+xF7p65CQFJbjw0um8RdSU=',
};

/** Replaces the present digests in the state. */
function setDigests({ workspace }: Stack, digests: Readonly<Record<string, object>>): void {
  const state = JSON.parse(workspace.read('terraform.tfstate')) as {
    resources: { instances: { private: string }[] }[];
  };
  const [{ instances }] = state.resources as [{ instances: [{ private: string }] }];
  const kept = JSON.parse(Buffer.from(instances[0].private, 'base64').toString()) as { secrets: object };
  expect(Object.keys(kept.secrets)).toEqual(Object.keys(digests));
  instances[0].private = Buffer.from(JSON.stringify({ ...kept, secrets: digests })).toString('base64');
  workspace.write('terraform.tfstate', state);
}

const first = { aws: 1, session: 1, azure: 1, google: 1 };

describe('write-only secrets', () => {
  test('write-only secrets are in no output, log or file', async () => {
    const providerFolder = packageWithCheapDigests(providerPackage().folder);
    stack = await startSnapshotStack({ executable: true, providerFolder });
    rmSync(providerFolder, { recursive: true });
    const canaries = new Canaries(stack.workspace, {
      aws: 'canary-aws-secret-1',
      session: 'canary-session-1',
      azure: 'canary-azure-key-1',
      google: 'canary-google-key-1',
    });
    const data = ['s3', 'azure', 'gcs'].map(
      (name) => `data "vaultadmin_auto_snapshot" "${name}" {\n  name = ${address(name)}.name\n}\n`,
    );
    const resources = (versions: typeof first) =>
      stack.resources(canaries.variables + all(versions) + data.join(''));
    const succeed = async (...args: string[]) => expect((await canaries.run(...args)).code).toBe(0);
    const applyAll = async () => {
      await succeed('plan', '-input=false', '-out=tfplan');
      await succeed('show', '-json', 'tfplan');
      await succeed('apply', '-input=false', 'tfplan');
      await succeed('show', '-json');
    };

    // create
    resources(first);
    await applyAll();
    expect(await onServer(stack, 's3')).toMatchObject({
      aws_secret_access_key: 'canary-aws-secret-1',
      aws_session_token: 'canary-session-1',
    });
    expect(await onServer(stack, 'gcs')).toMatchObject({
      google_service_account_key: '{"private_key":"canary-google-key-1"}',
    });

    // rotate
    canaries.plant({ aws: 'canary-aws-secret-2', azure: 'canary-azure-key-2' });
    resources({ ...first, aws: 2, azure: 2 });
    await applyAll();
    expect(await onServer(stack, 's3')).toMatchObject({ aws_secret_access_key: 'canary-aws-secret-2' });
    expect(await onServer(stack, 'azure')).toMatchObject({ azure_account_key: 'canary-azure-key-2' });

    // The server refuses the write and repeats the secret, and then a connection breaks.
    resources({ aws: 3, session: 2, azure: 3, google: 2 });
    const repeated = {
      s3: 'canary-aws-secret-2 and canary-session-1',
      azure: 'canary-azure-key-2',
      gcs: '{"private_key":"canary-google-key-1"}',
    };
    for (const fault of [{ status: 400 }, { status: 500 }, { drop: 'after' as const }]) {
      for (const [name, text] of Object.entries(repeated)) {
        stack.emulator.faults.inject({
          ...fault,
          ...(fault.status && { errors: [`cannot use ${text}`] }),
          method: 'POST',
          path: `${CONFIG}/${name}`,
        });
      }
      expect((await canaries.run('apply', '-input=false', '-auto-approve')).code).toBe(1);
      stack.emulator.faults.clear();
    }

    // The configurations are imported and destroyed.
    await succeed('state', 'rm', address('s3'));
    await succeed('import', address('s3'), 'us//s3');
    await applyAll();
    await succeed('destroy', '-input=false', '-auto-approve');
    expect(canaries.sightings()).toEqual([]);
  });

  test('another version writes the secret again, the same version does not write it', async () => {
    stack = await startSnapshotStack();
    const resources = (secret: string, version: number, more = {}) =>
      stack.resources(
        snapshot('s3', {
          ...more,
          blocks: {
            aws_s3: {
              aws_s3_bucket: 'backups',
              aws_s3_region: 'eu-west-1',
              aws_access_key_id: 'AKIA',
              aws_secret_access_key_wo: secret,
              aws_secret_access_key_wo_version: version,
            },
          },
        }),
      );
    const held = async () => (await onServer(stack, 's3'))?.aws_secret_access_key;

    resources('secret-1', 1);
    await stack.must('apply');
    resources('secret-2', 1);
    expect((await stack.must('apply')).planned).toEqual({});
    expect(await held()).toBe('secret-1');
    resources('secret-2', 2);
    expect((await stack.must('apply')).planned).toEqual({ [address('s3')]: 'update' });
    expect(await held()).toBe('secret-2');

    // The digests in this state are of an older version, and cost less.
    setDigests(stack, { aws_secret_access_key: CHEAP_DIGEST_OF_SECRET_2 });
    expect((await stack.must('plan')).planned).toEqual({});

    // A secret that was changed by hand is noticed, although no state contains it.
    await stack.ask('POST', `${CONFIG}/s3`, { aws_secret_access_key: 'secret-of-somebody-else' });
    expect((await stack.must('apply')).planned).toEqual({ [address('s3')]: 'update' });
    expect(await held()).toBe('secret-2');
    expect((await stack.must('plan')).planned).toEqual({});

    // the server has lost the secret
    await stack.ask('POST', `${CONFIG}/s3`, { aws_secret_access_key: '' });
    expect((await stack.must('apply')).planned).toEqual({ [address('s3')]: 'update' });
    expect(await held()).toBe('secret-2');
  });

  test('write-only secrets are cleared once they are removed, and secrets of other configurations stay', async () => {
    stack = await startSnapshotStack();
    const s3 = { aws_s3_bucket: 'backups', aws_s3_region: 'eu-west-1', aws_access_key_id: 'AKIA' };
    stack.resources(
      snapshot('s3', {
        blocks: {
          aws_s3: { ...s3, aws_secret_access_key_wo: 'secret', aws_secret_access_key_wo_version: 1 },
        },
      }),
    );
    await stack.must('apply');
    await stack.ask('POST', `${CONFIG}/s3`, { aws_session_token: 'of somebody else' });
    expect((await stack.must('plan')).planned).toEqual({});

    stack.resources(snapshot('s3', { blocks: { aws_s3: { ...s3, aws_access_key_id: 'AKIB' } } }));
    const { code, planned } = await stack.run('apply');
    expect({ code, planned }).toEqual({ code: 0, planned: { [address('s3')]: 'update' } });
    const stored = await onServer(stack, 's3');
    expect(stored).toMatchObject({ aws_access_key_id: 'AKIB', aws_session_token: 'of somebody else' });
    expect(stored).not.toHaveProperty('aws_secret_access_key');
  });
});

test('an empty secret counts as missing', async () => {
  stack = await startSnapshotStack();
  stack.resources(
    snapshot('s3', {
      blocks: {
        aws_s3: {
          aws_s3_bucket: 'b',
          aws_s3_region: 'r',
          aws_session_token: '',
          aws_secret_access_key_wo: '',
          aws_secret_access_key_wo_version: 1,
        },
      },
    }),
  );
  expect((await stack.run('apply')).code).toBe(0);
  expect(await stack.run('plan')).toMatchObject({ code: 0, planned: {} });
});

test('a secret in the state is compared with the secret of the server, which the state does not contain', async () => {
  stack = await startSnapshotStack();
  const gcs = (key: string) =>
    snapshot('gcs', { blocks: { google_gcs: { google_gcs_bucket: 'b', google_service_account_key: key } } });
  const apply = async (hcl: string) => {
    stack.resources(hcl);
    const { code, planned, warnings } = await stack.run('apply');
    expect(code).toBe(0);
    expect([...new Set(warnings.map(({ summary }) => summary))]).toEqual([
      'automated snapshot "gcs": google_service_account_key is stored in the state',
    ]);
    return planned;
  };
  const held = async () => (await onServer(stack, 'gcs'))?.google_service_account_key;

  await apply(gcs('{"key": 1}'));
  expect(await apply(gcs('{"key": 1}'))).toEqual({});
  await stack.ask('POST', `${CONFIG}/gcs`, { google_service_account_key: '{"key": "canary"}' });
  const plan = await stack.workspace.plan();
  expect(JSON.stringify(plan)).not.toContain('canary');
  expect(plan.resource_changes?.[0]?.change.actions).toEqual(['update']);
  expect(await apply(gcs('{"key": 1}'))).toEqual({ [address('gcs')]: 'update' });
  expect(await held()).toBe('{"key": 1}');
  expect(await apply(gcs('{"key": 2}'))).toEqual({ [address('gcs')]: 'update' });
  expect(await held()).toBe('{"key": 2}');
});
