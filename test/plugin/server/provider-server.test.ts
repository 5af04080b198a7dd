import type { setMaxListeners } from 'node:events';
import { defineProvider } from '../../../src/plugin';
import { ProviderServer } from '../../../src/plugin/server/provider-server';
import { Redactor } from '../../../src/text';

const PROVIDER = defineProvider({
  name: 'thing',
  version: '1.0.0',
  schema: { attributes: {} },
  configure: () => undefined,
});

test('any number of handlers may wait for a stop, also after an earlier command was stopped', () => {
  const events = jest.requireActual<{ setMaxListeners: typeof setMaxListeners }>('node:events');
  const setLimit = jest.spyOn(events, 'setMaxListeners');
  const server = new ProviderServer(PROVIDER, new Redactor(), () => {});
  server.stop();
  server.configure({ data: undefined, terraformVersion: '1.11.4' });

  expect(server.stopSignal.aborted).toBe(false);
  const [limit, signal] = setLimit.mock.lastCall!;
  expect(limit).toBe(0);
  expect(signal === server.stopSignal).toBe(true);
});
