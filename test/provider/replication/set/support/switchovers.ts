/** A set of three members, and the configurations of switchovers from `us` to `eu`. */
import { startClusters, type TestClusters } from './clusters';
import type { SeenRequest } from './interruption';
import { Session } from './session';

export const CALLS = 'sys/replication/performance';
export const TIMEOUTS = { mode_change: '20s', sync: '20s' };
export const FROM_US = {
  primary: 'us',
  secondaries: { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } },
  timeouts: TIMEOUTS,
};
export const VERIFIED = { primary: 'eu', secondaries: { us: {}, ap: {} }, timeouts: TIMEOUTS };
export const IMMEDIATE = { ...VERIFIED, switchover: 'immediate' };

export const isPromotion = ({ path }: SeenRequest): boolean => path.endsWith('/secondary/promote');

/** Starts the members, and makes `us` their primary. */
export async function startMembers(): Promise<{
  readonly clusters: TestClusters;
  readonly session: Session;
}> {
  const clusters = await startClusters(['us', 'eu', 'ap'], { unavailableMs: 5_000 });
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  await clusters.write('us', 'kv/first');
  const session = new Session(clusters);
  expect(await session.apply(FROM_US)).toMatchObject({ errors: [] });
  clusters.emulator.clock.advance(60_000);
  return { clusters, session };
}
