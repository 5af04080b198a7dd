import { factsOf } from '../../../../../src/provider/replication/set/planner/facts';

test('a cluster that is not in the observation has not been asked yet', () => {
  expect(factsOf({}, 'us')).toEqual({ mode: 'unknown' });
  expect(factsOf({ us: { mode: 'disabled' } }, 'us')).toEqual({ mode: 'disabled' });
});
