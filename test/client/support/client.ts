import { VaultClient, VaultError, type ClientOptions } from '../../../src/client';
import { FakeClock } from './fake-clock';

const clients: VaultClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

/**
 * Returns a client that is closed after the test. Its clock stands still, and its waits are not
 * random.
 */
export function connect(server: { readonly address: string }, options: ClientOptions = {}): VaultClient {
  const client = new VaultClient({
    address: server.address,
    token: 'hvs.test',
    clock: new FakeClock(),
    random: () => 0,
    ...options,
  });
  clients.push(client);
  return client;
}

/** Returns the error of a call that has to fail. */
export async function failureOf(call: Promise<unknown> | (() => unknown)): Promise<VaultError> {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (error) {
    if (VaultError.is(error)) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** Returns an answer of the server with a payload in its envelope. */
export function envelope(data: unknown, more: Readonly<Record<string, unknown>> = {}): object {
  return {
    request_id: '0c3f4a7e-2f1b-49c8-8b7d-11d90b1d7a10',
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data,
    wrap_info: null,
    warnings: null,
    auth: null,
    mount_type: 'system',
    ...more,
  };
}
