import { startTestEmulator, useNewEmulators } from '../support/emulator';
import { collected } from '../support/api';
import { configs, statuses } from './support';

const use = useNewEmulators();
const local = { interval: '24h', path_prefix: '/snapshots', storage_type: 'local', local_max_space: 4096 };
const s3 = {
  interval: 7200,
  path_prefix: 'vault/nightly',
  storage_type: 'aws-s3',
  aws_s3_bucket: 'backups',
  aws_s3_region: 'eu-west-1',
};

describe('configurations of automated snapshots', () => {
  it('a configuration is written, read with types and defaults, listed and deleted', async () => {
    const { api } = use();
    expect((await api.list(configs)).body).toEqual({ errors: [] });
    expect((await api.post(`${configs}/nightly`, local)).status).toBe(204);
    expect((await api.put(`${configs}/Hourly.2`, { ...local, interval: '60m' })).status).toBe(204);
    expect((await api.get(`${configs}/nightly`)).body.data).toEqual({
      interval: 86400,
      retain: 1,
      path_prefix: '/snapshots',
      file_prefix: 'vault-snapshot',
      storage_type: 'local',
      local_max_space: 4096,
    });
    expect((await api.list(configs)).body.data).toEqual({ keys: ['Hourly.2', 'nightly'] });
    expect((await api.get(`${configs}?list=true`)).body.data.keys).toHaveLength(2);
    expect((await api.delete(`${configs}/Hourly.2`)).status).toBe(204);
    expect((await api.delete(`${configs}/Hourly.2`)).status).toBe(204);
    expect((await api.get(`${configs}/Hourly.2`)).body).toEqual({ errors: [] });
    await api.delete(`${configs}/nightly`);
    expect((await api.list(configs)).status).toBe(404);
  });

  it('numbers and booleans may be sent as texts', async () => {
    const { api } = use();
    const texts = { interval: '120m', retain: '7', aws_s3_server_side_encryption: 'true' };
    expect((await api.post(`${configs}/texts`, { ...s3, ...texts })).status).toBe(204);
    expect((await api.get(`${configs}/texts`)).body.data).toMatchObject({
      interval: 7200,
      retain: 7,
      aws_s3_server_side_encryption: true,
    });
  });

  it('a read returns all fields of the storage type, secrets in plain text', async () => {
    const { api } = use();
    const credentials = { aws_access_key_id: 'AKIA', aws_secret_access_key: 'shown-in-clear' };
    await api.post(`${configs}/s3`, { ...s3, ...credentials, local_max_space: 4096 });
    expect((await api.get(`${configs}/s3`)).body.data).toEqual({
      ...s3,
      ...credentials,
      retain: 1,
      file_prefix: 'vault-snapshot',
      aws_session_token: '',
      aws_s3_endpoint: '',
      aws_s3_disable_tls: false,
      aws_s3_force_path_style: false,
      aws_s3_enable_kms: false,
      aws_s3_server_side_encryption: false,
      aws_s3_kms_key: '',
      autoload_enabled: false,
    });
    await api.post(`${configs}/gcs`, { ...s3, storage_type: 'google-gcs', google_gcs_bucket: 'b' });
    expect((await api.get(`${configs}/gcs`)).body.data).toMatchObject({
      google_endpoint: false,
      google_service_account_key: '',
    });
  });

  it('an update keeps the fields that it leaves out, without those of an earlier storage type', async () => {
    const { api } = use();
    await api.post(`${configs}/moving`, { ...s3, aws_secret_access_key: 'kept', retain: 3 });
    await api.post(`${configs}/moving`, { interval: '1h' });
    expect((await api.get(`${configs}/moving`)).body.data).toMatchObject({
      interval: 3600,
      retain: 3,
      aws_s3_bucket: 'backups',
      aws_secret_access_key: 'kept',
    });
    const refused = await api.post(`${configs}/moving`, { storage_type: 'local' });
    expect(refused.body.errors).toEqual([
      'automated snapshot: local_max_space is required; set local_max_space',
    ]);
    expect((await api.get(`${configs}/moving`)).body.data.storage_type).toBe('aws-s3');

    await api.post(`${configs}/moving`, { storage_type: 'local', local_max_space: 10 });
    expect((await api.get(`${configs}/moving`)).body.data).toEqual({
      interval: 3600,
      retain: 3,
      path_prefix: 'vault/nightly',
      file_prefix: 'vault-snapshot',
      storage_type: 'local',
      local_max_space: 10,
    });
    await api.post(`${configs}/moving`, s3);
    expect((await api.get(`${configs}/moving`)).body.data.aws_secret_access_key).toBe('');
  });

  it('the path is only supported in the root namespace', async () => {
    const { api } = use();
    await api.put('sys/namespaces/team');
    for (const path of [`${configs}/a`, `${statuses}/a`]) {
      const answer = await api.get(path, { namespace: 'team' });
      expect([answer.status, answer.body.errors]).toEqual([404, [collected('unsupported path')]]);
    }
    expect((await api.list(configs, { namespace: 'team' })).status).toBe(404);
  });

  it('a name has one segment', async () => {
    const { api } = use();
    expect((await api.post(`${configs}/a/b`, local)).status).toBe(404);
    expect((await api.post(`${configs}/-a`, local)).status).toBe(404);
  });
});

/** Conditions that are broken, one of each kind. The tests of the model have all conditions. */
describe('the conditions of a configuration', () => {
  it.each([
    ['no interval', { interval: undefined }, 'interval is required'],
    ['an interval of zero', { interval: 0 }, 'interval must be at least one second; received 0'],
    ['no duration', { interval: 'daily' }, 'error converting input for field "interval"'],
    ['an unknown storage_type', { storage_type: 'ftp' }, 'storage_type must be one of the allowed values'],
    [
      'two kinds of encryption',
      { aws_s3_enable_kms: true, aws_s3_server_side_encryption: true },
      'aws_s3_server_side_encryption cannot be used with aws_s3_enable_kms',
    ],
    ['local without its space', { storage_type: 'local' }, 'local_max_space is required'],
  ])('a configuration with %s is refused', async (_, fields, text) => {
    const { api } = use();
    const answer = await api.post(`${configs}/refused`, { ...s3, ...fields });
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.stringContaining(text)]]);
    expect((await api.get(`${configs}/refused`)).status).toBe(404);
  });

  it('a second configuration with autoload_enabled is refused', async () => {
    const { api } = use();
    expect((await api.post(`${configs}/loads`, { ...s3, autoload_enabled: true })).status).toBe(204);
    expect((await api.post(`${configs}/loads`, { retain: 2 })).status).toBe(204);
    const answer = await api.post(`${configs}/loads-too`, { ...s3, autoload_enabled: true });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      ['autoload_enabled is already set for the configuration "loads"'],
    ]);
  });
});

it.each([
  ['a missing final slash', { storage_type: 'google-gcs', google_gcs_bucket: 'b' }],
  [
    'a service account key that is not JSON',
    { storage_type: 'google-gcs', google_gcs_bucket: 'b', google_service_account_key: 'x' },
  ],
  ['a KMS key although KMS is off', { aws_s3_kms_key: 'k' }],
  ['half of the credentials', { aws_access_key_id: 'a' }],
  ['a local directory without space', { storage_type: 'local', local_max_space: 0 }],
])('a configuration with %s is accepted, as by servers', async (_, fields) => {
  expect((await use().api.post(`${configs}/taken`, { ...s3, ...fields })).status).toBe(204);
});

describe('all calls except the status', () => {
  it('the calls require sudo, and the list requires it on the path with a final slash', async () => {
    const { api } = use();
    await api.post(`${configs}/guarded`, local);
    const policy = (...capabilities: string[]) =>
      ['', '/*']
        .map((end) => `path "${configs}${end}" { capabilities = ${JSON.stringify(capabilities)} }`)
        .join('\n');
    const all = ['create', 'read', 'update', 'delete', 'list'];
    await api.put('sys/policies/acl/plain', {
      policy: `${policy(...all)}\npath "${statuses}/*" { capabilities = ["read"] }`,
    });
    await api.put('sys/policies/acl/sudo', { policy: policy(...all, 'sudo') });
    const tokenFor = async (name: string) =>
      (await api.post('auth/token/create', { policies: [name] })).body.auth.client_token as string;
    const calls = async (name: string) => {
      const as = api.as(await tokenFor(name));
      return [
        (await as.post(`${configs}/guarded`, local)).status,
        (await as.get(`${configs}/guarded`)).status,
        (await as.list(configs)).status,
        (await as.delete(`${configs}/guarded`)).status,
      ];
    };
    expect(await calls('plain')).toEqual([403, 403, 403, 403]);
    expect((await api.as(await tokenFor('plain')).get(`${statuses}/guarded`)).status).toBe(200);
    expect(await calls('sudo')).toEqual([204, 200, 200, 204]);
  });
});

it('the neutral dialect is used in requests and responses', async () => {
  const { api } = await startTestEmulator({ dialect: 'neutral' });
  const config = {
    interval: 3600,
    path_prefix: 'p',
    storage_type: 'provA-s3',
    provA_s3_bucket: 'b',
    provA_s3_region: 'r',
    provA_secret_access_key: 's',
  };
  expect((await api.post(`${configs}/n`, config)).status).toBe(204);
  expect((await api.get(`${configs}/n`)).body.data).toMatchObject({
    ...config,
    provA_s3_disable_tls: false,
    provA_session_token: '',
  });
  const refused = await api.post(`${configs}/n`, {
    provA_s3_enable_kms: true,
    provA_s3_server_side_encryption: true,
  });
  expect(refused.body.errors).toEqual([
    'automated snapshot: provA_s3_server_side_encryption cannot be used with provA_s3_enable_kms; received true for ' +
      'both; allowed: one of the two: encryption with AES256, or with a KMS key; remove one of them',
  ]);
  const unknown = await api.post(`${configs}/n`, { storage_type: 'ftp' });
  expect(unknown.body.errors[0]).toContain('allowed: "local", "provA-s3", "provB-blob", "provC-gcs"');
  await api.post(`${configs}/g`, { ...config, storage_type: 'provC-gcs', provC_gcs_bucket: 'b' });
  expect((await api.get(`${configs}/g`)).body.data.provC_endpoint).toBe(false);
});

it.each([
  ['1.13.0+ent', [undefined, undefined]],
  ['1.18.0+ent', ['', undefined]],
  ['1.21.0+ent', ['', false]],
])('a server of version %s has the fields of its version', async (serverVersion, [mode, autoload]) => {
  const { api } = await startTestEmulator({ serverVersion });
  const config = { ...s3, storage_type: 'azure-blob', azure_container_name: 'c', autoload_enabled: false };
  expect((await api.post(`${configs}/a`, config)).status).toBe(204);
  const { data } = (await api.get(`${configs}/a`)).body;
  expect([data.azure_auth_mode, data.autoload_enabled]).toEqual([mode, autoload]);
});

it('the open-source server does not have the path', async () => {
  const { api } = await startTestEmulator({ serverVersion: '1.21.0' });
  for (const answer of [await api.post(`${configs}/a`, local), await api.get(`${statuses}/a`)]) {
    expect([answer.status, answer.body.errors]).toEqual([404, [collected('unsupported path')]]);
  }
});
