import { ASSUMPTIONS } from '../../assumptions';
import { LogicalError } from '../../core/errors';
import { type CallHandler, changed } from './call';

/** Makes a secondary the primary. It is refused with 503 if data may be missing, unless it is forced. */
export const promoteSecondary: CallHandler<'promoteSecondary'> = ({ replication }, input) => {
  const { primary, secondary } = replication;
  const { store } = replication.site;
  if (!input.force && !secondary.isComplete) {
    throw new LogicalError(503, ASSUMPTIONS.promotionWhileBehind.text);
  }
  const { clusterId } = secondary.record;
  secondary.end();
  store.lastWal = Math.max(store.lastWal, store.position.applied);
  primary.begin(clusterId, input.primary_cluster_addr);
  return changed(replication, 'promoteSecondary', 'secondary-promoted');
};
