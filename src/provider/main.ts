/** The executable that Terraform starts. */
import { startServing } from '../plugin/start';
import { PROVIDER_NAME } from './about';
import type { SERVED, serveByHand } from './served';

interface Later {
  readonly SERVED: typeof SERVED;
  readonly serveByHand: typeof serveByHand;
}

/** In a file of its own, which is read after the handshake. */
function provider(): Later {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be read before the handshake
  return require('./served') as Later;
}

if (process.argv.includes('--reattach')) provider().serveByHand();
else void startServing(PROVIDER_NAME, () => provider().SERVED());
