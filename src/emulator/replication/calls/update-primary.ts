import type { LogicalResponse } from '../../core/backend';
import { openRefusal } from '../../core/errors';
import { type TokenAndContact, activate } from './activate';
import type { ClusterReplication } from '../cluster-replication';
import { type CallHandler, changed, requireMode } from './call';

/** Points a secondary to another primary, to other addresses of its own, or to none. */
export const updatePrimary: CallHandler<'updatePrimary'> = ({ replication }, input) => {
  const { update_primary_addrs: addresses, token = '', ...contact } = input;
  if (addresses.length > 0) return useAddresses(replication, addresses);
  if (token !== '') return followOther(replication, { token, ...contact });
  replication.secondary.forgetPrimary();
  return changed(replication, 'updatePrimary', 'primary-updated');
};

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
  // A cluster without a client key was the primary.
  if (clientKey === undefined && site.host.server.assumed('tokensAfterUpdatePrimary').revoked)
    site.host.tokens.revokeWhere(() => true);
  return changed(replication, 'updatePrimary', 'primary-updated');
}
