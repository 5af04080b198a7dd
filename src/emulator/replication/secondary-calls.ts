import type { LogicalRequest, LogicalResponse } from '../core/backend';
import type { CallHandlers, ReplicatedCluster } from './calls';
import type { ClusterReplication, TokenAndContact } from './cluster-replication';

interface PromoteFields {
  readonly primary_cluster_addr: string;
  readonly force: boolean;
}

type UpdateFields = Partial<TokenAndContact> & { readonly update_primary_addrs: readonly string[] };

/** What a cluster can do to become a secondary, as a secondary, and to be none any more. */
export function secondaryHandlers({
  replication,
}: ReplicatedCluster): CallHandlers<
  'generatePublicKey' | 'enableSecondary' | 'promoteSecondary' | 'disableSecondary' | 'updatePrimary'
> {
  return {
    generatePublicKey: () => ({ data: { secondary_public_key: replication.generatePublicKey() } }),
    enableSecondary: ({ data }) => replication.enableSecondary(data as unknown as TokenAndContact),
    promoteSecondary: ({ data }) => {
      const { primary_cluster_addr: address, force } = data as unknown as PromoteFields;
      return replication.promoteSecondary(address, force);
    },
    disableSecondary: () => replication.disableSecondary(),
    updatePrimary: (request) => updatePrimary(replication, request),
  };
}

/** To another primary, to other addresses of the present one, or to none. */
function updatePrimary(
  replication: ClusterReplication,
  { data }: LogicalRequest,
): LogicalResponse | Promise<LogicalResponse> {
  const { update_primary_addrs: addresses, ...contact } = data as unknown as UpdateFields;
  if (addresses.length > 0) return replication.usePrimaryAddresses(addresses);
  return contact.token
    ? replication.followOtherPrimary(contact as TokenAndContact)
    : replication.forgetPrimary();
}
