import { uuid } from '../../core/primitives/identifiers';
import { activate } from './activate';
import { type CallHandler, changed, requireMode } from './call';

/**
 * Makes a cluster without replication a primary. On a primary it changes the address for
 * secondaries.
 */
export const enablePrimary: CallHandler<'enablePrimary'> = ({ replication }, input) => {
  if (replication.mode === 'primary') {
    replication.primary.changeAddress(input.primary_cluster_addr);
    return {};
  }
  const { store, keys, host } = replication.site;
  // The WAL starts with all existing data.
  store.lastWal = Math.max(store.lastWal, host.server.assumed('replicationWal').first(keys.entries().length));
  replication.primary.begin(uuid(), input.primary_cluster_addr);
  return changed(replication, 'enablePrimary', 'primary-enabled');
};

/** Makes a cluster without replication a secondary, and erases its data. */
export const enableSecondary: CallHandler<'enableSecondary'> = async ({ replication }, input) => {
  const { site, secondary } = replication;
  const activation = await activate(site, replication.reach, input);
  // The mode may have changed in the meantime.
  requireMode(replication, 'enableSecondary');
  secondary.follow(activation, true);
  site.reached('secondary-enabled');
  replication.wipe();
  return changed(replication, 'enableSecondary', 'storage-wiped');
};

/** Disables replication on a primary. Its secondaries then have no primary. */
export const disablePrimary: CallHandler<'disablePrimary'> = ({ replication }) => {
  replication.primary.resign();
  replication.site.store.record = undefined;
  return changed(replication, 'disablePrimary', 'primary-disabled');
};

/** Disables replication on a secondary, which keeps its data. */
export const disableSecondary: CallHandler<'disableSecondary'> = ({ replication }) => {
  replication.secondary.end();
  replication.site.store.record = undefined;
  return changed(replication, 'disableSecondary', 'secondary-disabled');
};
