import { type CallHandler, changed } from './call';

/** Ends replication on a primary: its secondaries are on their own. */
export const disablePrimary: CallHandler<'disablePrimary'> = ({ replication }) => {
  replication.primary.resign();
  replication.site.store.record = undefined;
  return changed(replication, 'disablePrimary', 'primary-disabled');
};

/** Ends replication on a secondary, which keeps its data. */
export const disableSecondary: CallHandler<'disableSecondary'> = ({ replication }) => {
  replication.secondary.end();
  replication.site.store.record = undefined;
  return changed(replication, 'disableSecondary', 'secondary-disabled');
};
