import { readSnapshot } from '../../../src/emulator';
import { useEmulator } from '../support/emulator';
import { type BlobServer, startBlobServer } from './stores/blob-server';
import { configs, hour, loadLast, pass, statusOf } from './support';

const use = useEmulator();
const key = Buffer.from('canary-account-key').toString('base64');
let server: BlobServer;

beforeAll(async () => {
  use().emulator.clock.freeze();
  server = await startBlobServer('account', key, ['backups']);
});
afterAll(() => server.close());
afterEach(() => server.containers.get('backups')?.clear());

async function write(fields: object = {}) {
  const { api } = use();
  await api.delete(`${configs}/a`);
  const answer = await api.post(`${configs}/a`, {
    interval: '1h',
    path_prefix: 'vault/',
    storage_type: 'azure-blob',
    azure_container_name: 'backups',
    azure_endpoint: server.address,
    azure_account_name: 'account',
    azure_account_key: key,
    ...fields,
  });
  expect(answer.status).toBe(204);
}

function names(): string[] {
  return [...(server.containers.get('backups')?.keys() ?? [])].sort();
}

it('snapshots in a container can be read back, and only the number in retain is kept', async () => {
  const { emulator, api } = use();
  await write({ retain: 2 });
  for (let hours = 1; hours <= 4; hours += 1) await pass(emulator, hour);
  expect(names()).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^vault\/vault-snapshot-\d{19}\.snap$/)),
  );
  const last = names().at(-1) ?? '';
  expect(await statusOf(api, 'a')).toMatchObject({
    last_snapshot_error: '',
    last_snapshot_url: `azblob://backups/${last}`,
  });
  const content = server.containers.get('backups')?.get(last) ?? Buffer.alloc(0);
  const { meta } = await readSnapshot(content, emulator.clusters.default?.unsealKey ?? '');
  expect(meta.ClusterName).toBe('default');
  await loadLast(emulator, api, 'a');
});

it('a path_prefix without a final slash becomes the beginning of the file names', async () => {
  await write({ path_prefix: 'vault' });
  await pass(use().emulator, hour);
  expect(names()).toEqual([expect.stringMatching(/^vaultvault-snapshot-\d{19}\.snap$/)]);
});

it.each([
  [
    'with a wrong key',
    { azure_account_key: Buffer.from('canary-wrong').toString('base64') },
    /^RESPONSE 403: Server failed to authenticate the request\..*\nERROR CODE: AuthenticationFailed$/,
  ],
  [
    'without the container',
    { azure_container_name: 'missing' },
    /^RESPONSE 404: The specified container does not exist\.\nERROR CODE: ContainerNotFound$/,
  ],
  ['without a key', { azure_account_key: '' }, /^azure_account_name and azure_account_key are required$/],
  [
    'as a managed identity',
    { azure_auth_mode: 'managed', azure_client_id: 'id' },
    /^azure_auth_mode "managed": the emulator does not connect to identity services$/,
  ],
  [
    'where nobody listens',
    { azure_endpoint: 'http://127.0.0.1:1' },
    /^cannot reach http:\/\/127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1$/,
  ],
])('an attempt fails, and the status has the reason, %s', async (_, fields, message) => {
  const { emulator, api } = use();
  await write(fields);
  await pass(emulator, hour);
  const status = await statusOf(api, 'a');
  expect(status.last_snapshot_error).toMatch(message);
  expect(status.consecutive_errors).toBe(1);
  expect(JSON.stringify(status)).not.toContain(key);
  expect(names()).toEqual([]);
});
