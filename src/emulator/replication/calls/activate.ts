import { OpenRefusal, openRefusal } from '../../core/errors';
import { type Activation, readEncryptedToken } from '../activation/activation-token';
import type { Reach } from '../streaming/primary-connection';
import type { Site } from '../site';
import { unwrapActivation, wrappingClaims } from '../activation/unwrap';

/** The token and the primary's address in a request of a secondary. */
export interface TokenAndContact {
  readonly token: string;
  /** The address to use in place of the token's; empty for the token's address. */
  readonly primary_api_addr: string;
  readonly ca_file: string;
  readonly ca_path: string;
}

/**
 * Fetches or decrypts the content of an activation token. The token cannot be used again.
 *
 * @throws LogicalError if the token is not an activation token, is for another secondary, is no
 *   longer valid, or cannot be unwrapped.
 */
export async function activate(site: Site, reach: Reach, request: TokenAndContact): Promise<Activation> {
  const claims = wrappingClaims(request.token);
  const activation =
    claims === undefined
      ? readEncryptedToken(request.token, site.store.activationKey)
      : await unwrapActivation(claims, {
          primaryApiAddr: request.primary_api_addr,
          caFile: request.ca_file,
          caPath: request.ca_path,
          behind: (address) => site.network.behind(address),
          loses: (address) => site.network.loses(site.name, address),
        });
  if (activation === undefined) throw openRefusal('foreignActivationToken');
  if (claims !== undefined) site.reached('token-unwrapped');
  refuseDead(site, reach, activation);
  site.store.activationKey = undefined;
  return activation;
}

/**
 * Refuses revoked tokens, if the primary can be reached. For an encrypted token this is the only
 * request to the primary before the secondary connects.
 */
function refuseDead(site: Site, reach: Reach, activation: Activation): void {
  const primary = reach(activation.primaryClusterAddr, activation.clusterId);
  if (activation.expiresAt <= site.now() || primary?.admits(activation) === false)
    throw new OpenRefusal('deadActivationToken', [], { collected: true });
}
