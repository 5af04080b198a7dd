import { type CallHandler, changed } from './call';

/** Turns a primary into a secondary without a primary. */
export const demotePrimary: CallHandler<'demotePrimary'> = ({ replication }) => {
  const { record } = replication.primary;
  const { tokens, server } = replication.site.host;
  replication.primary.resign();
  replication.secondary.beginAlone(record);
  if (server.assumed('tokensAfterDemotion').revoked) tokens.revokeWhere(() => true);
  return changed(replication, 'demotePrimary', 'primary-demoted');
};
