import { startServing } from '../plugin/start';
import { PROVIDER_NAME } from './about';
import type { KNOWN_ANSWERS } from './known-answers';
import type { SERVED, serveByHand } from './served';

interface Later {
  readonly SERVED: typeof SERVED;
  readonly serveByHand: typeof serveByHand;
}

/** Loads the provider when a call needs it. */
function provider(): Later {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the handshake
  return require('./served') as Later;
}

/**
 * The first calls of each Terraform command. Their responses depend only on the version of the
 * provider.
 */
export const KNOWN_CALLS = ['GetProviderSchema', 'GetResourceIdentitySchemas'].map(
  (call) => `/tfplugin6.Provider/${call}`,
);

/**
 * Returns the response that the build encoded, so that a process that receives no other calls does
 * not load the provider.
 */
function knownAnswer(path: string): Uint8Array | undefined {
  if (!KNOWN_CALLS.includes(path)) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it in every process
  const answers = (require('./known-answers') as { KNOWN_ANSWERS: typeof KNOWN_ANSWERS }).KNOWN_ANSWERS;
  const answer = answers[path];
  return answer === undefined ? undefined : Buffer.from(answer, 'base64');
}

/** Matches `--reattach`, or `--reattach=HOST/NAMESPACE/vaultadmin`. */
const REATTACH = /^(--reattach)(?:=(.*))?$/s;

/**
 * Serves the Terraform command that started this process, or commands that a developer starts by
 * hand.
 */
export function startProvider(): void {
  const [, byHand, address] = REATTACH.exec(process.argv.find((each) => REATTACH.test(each)) ?? '') ?? [];
  // The provider imports from the file that calls this function, so that file has to be loaded
  // first.
  if (byHand) queueMicrotask(() => provider().serveByHand(address));
  else void startServing({ providerName: PROVIDER_NAME, load: () => provider().SERVED(), knownAnswer });
}
