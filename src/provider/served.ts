/** The part of the executable that is loaded after the handshake with Terraform. */
import { serve } from '../plugin/serve';
import { served } from '../plugin/served';
import { failToStart } from '../plugin/start';
import { providerAddressProblem } from '../model/provider-source';
import { PROVIDER_ADDRESS } from './about';
import { PROVIDER } from './provider';

export const SERVED = () => served(PROVIDER);

/**
 * Serves Terraform commands that a developer starts by hand, so that this process can run in a
 * debugger.
 *
 * @param address the address of the provider in the configurations of these commands
 */
export function serveByHand(address = PROVIDER_ADDRESS): void {
  const problem = providerAddressProblem(address);
  if (problem) {
    failToStart(
      new Error(
        `--reattach: ${problem.received} ${problem.problem}; allowed: ${problem.allowed}; ${problem.cure}`,
      ),
    );
  }
  void serve(PROVIDER, { address, reattach: true });
}
