import type { Provider } from './author/provider';
import { startReattachServer } from './reattach';
import { served } from './served';
import { failToStart, startServing } from './start';

export interface ServeOptions {
  /** The provider's address in configurations, such as `example.com/me/thing`. */
  readonly address: string;
  /**
   * Whether to wait for commands that are started by hand, instead of serving the Terraform that
   * started this process. Prints the environment variable for the commands, and ends with Ctrl-C.
   * For debuggers.
   */
  readonly reattach?: boolean;
}

/**
 * Serves a provider to the Terraform that started this process, until Terraform has finished with
 * it. The main file of a provider only has to call this function.
 */
export async function serve(provider: Provider, { address, reattach = false }: ServeOptions): Promise<void> {
  if (!reattach) return startServing({ providerName: provider.name, load: () => served(provider) });
  try {
    await serveByHand(provider, address);
  } catch (error) {
    failToStart(error);
  }
}

async function serveByHand(provider: Provider, address: string): Promise<void> {
  const server = await startReattachServer(provider, address);
  const end = () => void server.close().then(() => process.exit(0));
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  console.log(
    'The provider waits for commands that have this variable in their environment. Ctrl-C ends it.\n\n' +
      `TF_REATTACH_PROVIDERS='${server.env.TF_REATTACH_PROVIDERS}'`,
  );
}
