import type { LogicalRequest, LogicalResponse } from '../core/backend';
import type { CallHandlers, ReplicatedCluster } from './calls';
import type { TokenAndContact } from './activation/activate';
import type { ModeChanges } from './mode-changes';
import { newKeyPair } from './activation/public-keys';
import type { Site } from './site';

interface PromoteFields {
  readonly primary_cluster_addr: string;
  readonly force: boolean;
}

type UpdateFields = Partial<TokenAndContact> & { readonly update_primary_addrs: readonly string[] };

/** What a cluster can do to become a secondary, as a secondary, and to be none any more. */
export function secondaryHandlers({
  replication: { changes, site },
}: ReplicatedCluster): CallHandlers<
  'generatePublicKey' | 'enableSecondary' | 'promoteSecondary' | 'disableSecondary' | 'updatePrimary'
> {
  return {
    generatePublicKey: () => ({ data: { secondary_public_key: generatePublicKey(site) } }),
    enableSecondary: ({ data }) => changes.enableSecondary(data as unknown as TokenAndContact),
    promoteSecondary: ({ data }) => {
      const { primary_cluster_addr: address, force } = data as unknown as PromoteFields;
      return changes.promoteSecondary(address, force);
    },
    disableSecondary: () => changes.disableSecondary(),
    updatePrimary: (request) => updatePrimary(changes, request),
  };
}

/** The private half stays here, until a token that was encrypted with the public one is used. */
function generatePublicKey(site: Site): string {
  const { privateKey, publicKey } = newKeyPair();
  site.store.activationKey = privateKey;
  site.reached('key-generated');
  return publicKey;
}

/** To another primary, to other addresses of the present one, or to none. */
function updatePrimary(
  changes: ModeChanges,
  { data }: LogicalRequest,
): LogicalResponse | Promise<LogicalResponse> {
  const { update_primary_addrs: addresses, ...contact } = data as unknown as UpdateFields;
  if (addresses.length > 0) return changes.usePrimaryAddresses(addresses);
  return contact.token ? changes.followOtherPrimary(contact as TokenAndContact) : changes.forgetPrimary();
}
