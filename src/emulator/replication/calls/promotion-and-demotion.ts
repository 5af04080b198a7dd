import { LogicalError } from '../../core/errors';
import { type CallHandler, changed } from './call';

const BEHIND = 'replication is still catching up, try again later or provide the "force" argument';

/**
 * Makes a secondary the primary. It is refused with 503 if data may be missing, unless it is
 * forced.
 */
export const promoteSecondary: CallHandler<'promoteSecondary'> = ({ replication }, input) => {
  const { primary, secondary } = replication;
  const { store } = replication.site;
  const { checked, status } = replication.site.host.server.assumed('promotionChecks');
  if (checked && !input.force && !secondary.isComplete) throw new LogicalError(status, BEHIND);
  const { clusterId, secondaryId } = secondary.record;
  secondary.end();
  store.lastWal = Math.max(store.lastWal, store.position.applied);
  primary.begin(clusterId, input.primary_cluster_addr, secondaryId);
  return changed(replication, 'promoteSecondary', 'secondary-promoted');
};

/** Turns a primary into a secondary without a primary. */
export const demotePrimary: CallHandler<'demotePrimary'> = ({ replication }) => {
  const { record } = replication.primary;
  const { tokens, server } = replication.site.host;
  replication.primary.resign();
  replication.secondary.beginAlone(record);
  if (server.assumed('tokensAfterDemotion').revoked) tokens.revokeWhere(() => true);
  return changed(replication, 'demotePrimary', 'primary-demoted');
};
