import { startServing } from '../plugin/start';
import { PROVIDER_NAME } from './about';
import type { KnownAnswer } from '../plugin/plugin-server';
import type { SERVED, serveByHand } from './served';

interface Later {
  readonly SERVED: typeof SERVED;
  readonly serveByHand: typeof serveByHand;
}

/** In a file of its own, which is read when a call needs it. */
function provider(): Later {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the handshake
  return require('./served') as Later;
}

/**
 * Serves the Terraform that started this process, or waits for commands that are started by hand.
 *
 * @param knownAnswer returns the responses that the build encoded.
 */
export function startProvider(knownAnswer?: KnownAnswer): void {
  if (process.argv.includes('--reattach')) provider().serveByHand();
  else {
    void startServing({
      providerName: PROVIDER_NAME,
      load: () => provider().SERVED(),
      ...(knownAnswer && { knownAnswer }),
    });
  }
}
