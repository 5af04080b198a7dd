import { uuid } from '../../core/primitives/identifiers';
import type { LogicalResponse } from '../../core/backend';
import { LogicalError, openRefusal } from '../../core/errors';
import type { ClusterReplication } from '../cluster-replication';
import { type TokenAndContact, activate } from './activate';
import { type CallHandlers, changed, requireMode } from './call';

const BEHIND = 'replication is still catching up, try again later or provide the "force" argument';

/** The calls that change the mode of a cluster, or its primary. */
export const MODE_CALLS = {
  /**
   * Makes a cluster without replication a primary. On a primary it changes the address for
   * secondaries.
   */
  enablePrimary({ replication }, input) {
    if (replication.mode === 'primary') {
      replication.primary.changeAddress(input.primary_cluster_addr);
      return {};
    }
    const { store, keys, host } = replication.site;
    // The WAL starts with all existing data.
    store.lastWal = Math.max(
      store.lastWal,
      host.server.assumed('replicationWal').first(keys.entries().length),
    );
    replication.primary.begin(uuid(), input.primary_cluster_addr);
    return changed(replication, 'enablePrimary', 'primary-enabled');
  },

  /** Makes a cluster without replication a secondary, and erases its data. */
  async enableSecondary({ replication }, input) {
    const { site, secondary } = replication;
    const activation = await activate(site, replication.reach, input);
    // The mode may have changed in the meantime.
    requireMode(replication, 'enableSecondary');
    secondary.follow(activation, true);
    site.reached('secondary-enabled');
    replication.wipe();
    return changed(replication, 'enableSecondary', 'storage-wiped');
  },

  /** Disables replication on a primary. Its secondaries then have no primary. */
  disablePrimary({ replication }) {
    replication.primary.resign();
    replication.site.store.record = undefined;
    return changed(replication, 'disablePrimary', 'primary-disabled');
  },

  /** Disables replication on a secondary, which keeps its data. */
  disableSecondary({ replication }) {
    replication.secondary.end();
    replication.site.store.record = undefined;
    return changed(replication, 'disableSecondary', 'secondary-disabled');
  },

  /**
   * Makes a secondary the primary. It is refused with 503 if data may be missing, unless it is
   * forced.
   */
  promoteSecondary({ replication }, input) {
    const { primary, secondary } = replication;
    const { store } = replication.site;
    const { checked, status } = replication.site.host.server.assumed('promotionChecks');
    if (checked && !input.force && !secondary.isComplete) throw new LogicalError(status, BEHIND);
    const { clusterId, secondaryId } = secondary.record;
    secondary.end();
    store.lastWal = Math.max(store.lastWal, store.position.applied);
    primary.begin(clusterId, input.primary_cluster_addr, secondaryId);
    return changed(replication, 'promoteSecondary', 'secondary-promoted');
  },

  /** Turns a primary into a secondary without a primary. */
  demotePrimary({ replication }) {
    const { record } = replication.primary;
    const { tokens, server } = replication.site.host;
    replication.primary.resign();
    replication.secondary.beginAlone(record);
    if (server.assumed('tokensAfterDemotion').revoked) tokens.revokeWhere(() => true);
    return changed(replication, 'demotePrimary', 'primary-demoted');
  },

  /** Points a secondary to another primary, to other addresses of its own, or to none. */
  updatePrimary({ replication }, input) {
    const { update_primary_addrs: addresses, token = '', ...contact } = input;
    if (addresses.length > 0) return useAddresses(replication, addresses);
    if (token !== '') return followOther(replication, { token, ...contact });
    replication.secondary.forgetPrimary();
    return changed(replication, 'updatePrimary', 'primary-updated');
  },
} satisfies Partial<CallHandlers>;

function useAddresses(replication: ClusterReplication, addresses: readonly string[]): LogicalResponse {
  const answering = replication.secondary.ping(addresses);
  if (answering.length === 0) throw openRefusal('primaryAddresses', addresses);
  replication.secondary.useAddresses(answering);
  return changed(replication, 'updatePrimary', 'primary-updated');
}

async function followOther(
  replication: ClusterReplication,
  request: TokenAndContact,
): Promise<LogicalResponse> {
  const { site, secondary } = replication;
  const activation = await activate(site, replication.reach, request);
  // The mode may have changed in the meantime.
  requireMode(replication, 'updatePrimary');
  const { clusterId, bootstrapping, clientKey } = secondary.record;
  if (activation.clusterId !== clusterId) throw openRefusal('otherReplicationSet', activation.clusterId);
  secondary.follow(activation, bootstrapping);
  secondary.noteUpdate();
  // A cluster without a client key was a primary before, so it has tokens of its own.
  if (clientKey === undefined && site.host.server.assumed('tokensAfterUpdatePrimary').revoked)
    site.host.tokens.revokeWhere(() => true);
  return changed(replication, 'updatePrimary', 'primary-updated');
}
