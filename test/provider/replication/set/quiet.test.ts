/** Secondaries that nothing is written to: their position in the log stays 0 after a sync, and they are healthy. */
import type { Stack } from '../../support';
import { statusOf } from '../support';
import { apply, hasData, modes, plannedSteps, startThree, writeData } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap', paths_filter: { mode: 'deny', paths: ['legal/'] } };
/** What waits for a position that does not come gives up soon. */
const timeouts = { mode_change: '5s', sync: '5s' };

let stack: Stack;
beforeAll(async () => {
  stack = await startThree({ assume: { lastRemoteWal: 'zero', filteredRoots: 'own' } });
  await writeData(stack, 'us', 'kv');
  await writeData(stack, 'us', 'legal');
});
afterAll(() => stack.close());

test('they join, filtered or not, and one takes over', async () => {
  const three = { primary: 'us', secondaries: { eu, ap }, timeouts };
  await apply(stack, three);
  expect(await statusOf(stack, 'eu')).toMatchObject({ state: 'stream-wals', last_remote_wal: 0 });
  expect(await plannedSteps(stack)).toBeUndefined();
  expect([await hasData(stack, 'ap', 'kv'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);

  await apply(stack, { primary: 'eu', secondaries: { us: {}, ap }, timeouts });
  expect(await modes(stack)).toMatchObject({ eu: 'primary', us: 'secondary "us", stream-wals, ready' });
  expect(await hasData(stack, 'eu', 'legal')).toBe(true);
  expect(await plannedSteps(stack)).toBeUndefined();
});
