import { factsOf } from '../../../../../src/provider/replication/set/planner/facts';

test('a cluster that is not in the observation counts as not read yet', () => {
  expect(factsOf({}, 'us')).toEqual({ mode: 'unknown' });
  expect(factsOf({ us: { mode: 'disabled' } }, 'us')).toEqual({ mode: 'disabled' });
});
