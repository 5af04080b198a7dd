import { type CallHandler, changed } from './call';

/** Makes a primary a secondary that knows no primary yet. */
export const demotePrimary: CallHandler<'demotePrimary'> = ({ replication }) => {
  const { clusterId } = replication.primary.record;
  replication.primary.resign();
  replication.secondary.beginAlone(clusterId);
  return changed(replication, 'demotePrimary', 'primary-demoted');
};
