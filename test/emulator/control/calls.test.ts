import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_CALLS } from '../../../src/emulator/control/control-calls';
import { useEmulator } from '../support/emulator';

const use = useEmulator();
const EMULATOR = join(__dirname, '../../../src/emulator');

test('the control API lists its calls, and the settings that are stored without effect', async () => {
  const { api } = use();
  const { status, body } = await api.get('/emulator/v1/');
  expect(status).toBe(200);
  expect(body.calls).toHaveLength(Object.keys(CONTROL_CALLS).length);
  expect(body.calls).toContainEqual({
    method: 'POST',
    path: '/emulator/v1/clock/advance',
    doc: 'Moves the clock of all clusters forward, and runs everything that becomes due.',
    body: { by: 'Seconds, or a duration such as `1h30m`.' },
  });
  expect(body.stored_without_effect).toContainEqual({ path: 'sys/config/cors', what: 'CORS headers' });
  expect((await api.as('other').get('/emulator/v1/')).status).toBe(403);
});

test('every call in the code has a description, and every description a call', () => {
  const files = readdirSync(EMULATOR, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('control/control-calls.ts'),
  );
  const routes = files.flatMap((name) =>
    [
      ...readFileSync(join(EMULATOR, name), 'utf8').matchAll(/^ {2,4}'((?:GET|POST|DELETE) [a-z/-]*)':/gm),
    ].map(([, route]) => route!),
  );
  expect([...routes].sort()).toEqual(Object.keys(CONTROL_CALLS).sort());
});
