import { startReattachServer } from '../../src/plugin';
import { PROVIDER, PROVIDER_ADDRESS } from '../../src/provider';

export interface ServedProvider {
  /** The environment of the commands that use it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Serves the provider from the process of the test, for tests in which Terraform does not have to
 * start it, which takes half a second per command.
 *
 * @param env the environment that the provider reads.
 */
export async function serveProvider(env: Readonly<Record<string, string>> = {}): Promise<ServedProvider> {
  Object.assign(process.env, env);
  const server = await startReattachServer(PROVIDER, PROVIDER_ADDRESS);
  return { env: { ...env, ...server.env }, close: () => server.close() };
}
