/** What of the executable is loaded when the handshake with Terraform is done: everything but that. */
import { serve } from '../plugin/serve';
import { served } from '../plugin/served';
import { PROVIDER_ADDRESS } from './about';
import { PROVIDER } from './provider';

export const SERVED = () => served(PROVIDER);

/** Waits for commands that are started by hand: for debuggers. */
export function serveByHand(): void {
  void serve(PROVIDER, { address: PROVIDER_ADDRESS, reattach: true });
}
