import { useEmulator } from '../../support/emulator';

const running = useEmulator();
const api = () => running().api;

it('secrets of version 1 become first versions', async () => {
  await api().post('sys/mounts/old', { type: 'kv', options: { version: '1' } });
  await api().put('old/a', { x: 1 });
  await api().put('old/b/c', { y: 2 });

  const { status, body } = await api().post('sys/mounts/old/tune', { options: { version: '2' } });
  expect(status).toBe(200);
  expect(body.warnings).toEqual([
    'Upgrading mount from version 1 to version 2. This mount will be unavailable for a brief period and will resume ' +
      'service shortly.',
  ]);

  expect((await api().get('old/data/a')).body.data).toMatchObject({
    data: { x: 1 },
    metadata: { version: 1 },
  });
  expect((await api().get('old/data/b/c')).body.data.data).toEqual({ y: 2 });
  expect((await api().list('old/metadata')).body.data).toEqual({ keys: ['a', 'b/'] });
});

it('a downgrade is refused', async () => {
  await api().post('sys/mounts/new', { type: 'kv-v2' });
  const { status, body } = await api().post('sys/mounts/new/tune', { options: { version: '1' } });
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['cannot downgrade mount from version 2'] });
});
