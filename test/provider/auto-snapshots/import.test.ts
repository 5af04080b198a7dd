import type { Stack } from '../support';
import { address, CONFIG, snapshot, startSnapshotStack, type Snapshot } from './support';

const kinds: Readonly<
  Record<string, Required<Pick<Snapshot, 'blocks'>> & { readonly storage_type: string }>
> = {
  disk: { storage_type: 'local', blocks: { local: { local_max_space: 1_000_000 } } },
  s3: {
    storage_type: 'aws-s3',
    blocks: {
      aws_s3: { aws_s3_bucket: 'backups', aws_s3_region: 'eu-west-1', aws_s3_force_path_style: true },
    },
  },
  azure: {
    storage_type: 'azure-blob',
    blocks: { azure_blob: { azure_container_name: 'backups', azure_auth_mode: 'environment' } },
  },
  gcs: {
    storage_type: 'google-gcs',
    blocks: { google_gcs: { google_gcs_bucket: 'backups', google_endpoint: 'gcs.example:4443' } },
  },
};
const names = Object.keys(kinds);

let stack: Stack;
beforeAll(async () => {
  stack = await startSnapshotStack();
  for (const [name, { storage_type, blocks }] of Object.entries(kinds)) {
    const common = { interval: 86_400, retain: 3, path_prefix: '/snapshots/', storage_type };
    const body = Object.assign(common, ...Object.values(blocks)) as object;
    expect((await stack.ask('POST', `${CONFIG}/${name}`, body)).status).toBe(204);
  }
});
afterEach(() => stack.workspace.remove('terraform.tfstate'));
afterAll(() => stack.close());

/**
 * The resources for configurations that were made by hand. They write the interval in another form
 * than the server.
 */
function all(attributes: Snapshot = {}): string {
  return names
    .map((name) => snapshot(name, { retain: 3, ...attributes, blocks: kinds[name]!.blocks }))
    .join('');
}

const blocksFor = (id: (name: string) => string) =>
  names.map((name) => `import {\n  to = ${address(name)}\n  id = "${id(name)}"\n}\n`).join('');

test('an import block leads to a plan without changes', async () => {
  stack.resources(all() + blocksFor((name) => `us//${name}`));
  const plan = await stack.workspace.plan();
  expect(plan.resource_changes?.map(({ change }) => change.actions)).toEqual(names.map(() => ['no-op']));
  const { requests } = await stack.must('apply');
  expect(requests).toEqual(names.map((name) => `GET ${CONFIG}/${name}`).sort());
  expect((await stack.must('plan')).planned).toEqual({});
});

test('the import command accepts the name alone, and the cluster with the name', async () => {
  stack.resources(all());
  for (const id of ['disk', 'us/s3', 'us//azure']) {
    const { code, stderr } = await stack.workspace.run(
      'import',
      '-no-color',
      address(id.split('/').at(-1)!),
      id,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  expect((await stack.workspace.state())[address('disk')]).toMatchObject({ interval: '86400', retain: 3 });
  expect((await stack.must('plan')).planned).toEqual({ [address('gcs')]: 'create' });
});

test('the configuration that Terraform generates for an import plans no change', async () => {
  stack.resources(blocksFor((name) => `us//${name}`));
  await stack.workspace.must('plan', '-input=false', '-generate-config-out=generated.tf');
  try {
    expect((await stack.must('plan')).planned).toEqual(
      Object.fromEntries(names.map((name) => [address(name), 'import'])),
    );
  } finally {
    stack.workspace.remove('generated.tf');
  }
});

describe('an imported configuration with secrets', () => {
  const secret = 'canary-of-the-server';
  const s3 = kinds.s3!.blocks.aws_s3!;
  const written = (text: string | undefined, version: number, retain = 3) =>
    snapshot('kept', {
      retain,
      blocks: {
        aws_s3: {
          ...s3,
          aws_access_key_id: 'AKIA',
          ...(text !== undefined && { aws_secret_access_key_wo: text }),
          aws_secret_access_key_wo_version: version,
        },
      },
    });
  const onServer = async () => (await stack.ask('GET', `${CONFIG}/kept`)).data?.aws_secret_access_key;

  test('an imported secret has version 1; another version writes the secret again, and a change by hand is shown', async () => {
    await stack.ask('POST', `${CONFIG}/kept`, {
      ...s3,
      interval: 86_400,
      retain: 3,
      path_prefix: '/snapshots/',
      storage_type: 'aws-s3',
      aws_access_key_id: 'AKIA',
      aws_secret_access_key: secret,
    });
    const block = `import {\n  to = ${address('kept')}\n  id = "us//kept"\n}\n`;
    stack.resources(written('not looked at', 1) + block);
    const { planned, requests } = await stack.must('apply');
    expect({ planned, requests }).toEqual({
      planned: { [address('kept')]: 'import' },
      requests: [`GET ${CONFIG}/kept`],
    });
    expect((await stack.must('plan')).planned).toEqual({});
    expect(stack.workspace.read('terraform.tfstate')).not.toContain(secret);

    await stack.ask('POST', `${CONFIG}/kept`, { aws_secret_access_key: 'of somebody else' });
    expect((await stack.must('plan')).planned).toEqual({ [address('kept')]: 'update' });
    await stack.ask('POST', `${CONFIG}/kept`, { aws_secret_access_key: secret });

    // An update without the secret keeps it, and still notices a change by hand.
    stack.resources(written(undefined, 1, 4));
    expect((await stack.must('apply')).planned).toEqual({ [address('kept')]: 'update' });
    expect(await onServer()).toBe(secret);
    expect((await stack.must('plan')).planned).toEqual({});
    await stack.ask('POST', `${CONFIG}/kept`, { aws_secret_access_key: 'of somebody else' });
    expect((await stack.run('plan')).errors.map(({ summary }) => summary)).toEqual([
      'automated snapshot "kept": aws_secret_access_key_wo_version has changed, but aws_secret_access_key_wo is not set',
    ]);

    stack.resources(written('rotated', 2));
    expect((await stack.must('apply')).planned).toEqual({ [address('kept')]: 'update' });
    expect(await onServer()).toBe('rotated');
  });
});
