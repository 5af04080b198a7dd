import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { useEmulator } from '../support/emulator';
import { configs, hour, pass, statusOf } from './support';

const use = useEmulator();
// A server that accepts connections and never answers.
let server: Server;
let address: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  use().emulator.clock.freeze();
  server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it.each([
  [
    'aws-s3',
    'aws_s3_endpoint',
    { aws_s3_bucket: 'b', aws_s3_region: 'r', aws_access_key_id: 'a', aws_secret_access_key: 'canary' },
  ],
  [
    'azure-blob',
    'azure_endpoint',
    { azure_container_name: 'c', azure_account_name: 'n', azure_account_key: 'a2V5' },
  ],
])('an attempt to write to a silent %s fails at its timeout', async (storage_type, endpoint, fields) => {
  const { emulator, api } = use();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const hurried = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
  const config = { interval: '1h', path_prefix: 'p/', storage_type, [endpoint]: address, ...fields };
  await api.post(`${configs}/silent`, config);
  await pass(emulator, hour);
  expect((await statusOf(api, 'silent')).last_snapshot_error).toBe(
    `cannot reach ${address}: no answer within 10 seconds`,
  );
  hurried.mockRestore();
  await api.delete(`${configs}/silent`);
});
