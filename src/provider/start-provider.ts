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

/** `--reattach`, or `--reattach=HOST/NAMESPACE/vaultadmin`. */
const REATTACH = /^(--reattach)(?:=(.*))?$/s;

/**
 * Serves the Terraform that started this process, or waits for commands that are started by hand.
 *
 * @param knownAnswer returns the responses that the build encoded.
 */
export function startProvider(knownAnswer?: KnownAnswer): void {
  const [, byHand, address] = REATTACH.exec(process.argv.find((each) => REATTACH.test(each)) ?? '') ?? [];
  if (byHand) provider().serveByHand(address);
  else {
    void startServing({
      providerName: PROVIDER_NAME,
      load: () => provider().SERVED(),
      ...(knownAnswer && { knownAnswer }),
    });
  }
}
