import { startReattachServer } from '../../src/plugin';
import { PROVIDER, PROVIDER_ADDRESS } from '../../src/provider';

export interface ServedProvider {
  /** The environment with which Terraform uses this provider. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Serves the provider from the process of the test. Starting the provider would take half a second
 * for each command of Terraform.
 *
 * @param env the environment that the provider reads.
 */
export async function serveProvider(env: Readonly<Record<string, string>> = {}): Promise<ServedProvider> {
  Object.assign(process.env, env);
  const server = await startReattachServer(PROVIDER, PROVIDER_ADDRESS);
  return { env: { ...env, ...server.env }, close: () => server.close() };
}
