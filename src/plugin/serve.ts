import { writeSync } from 'node:fs';
import { visible } from '../text';
import type { Provider } from './author/provider';
import { createPluginServer } from './plugin-server';
import { startReattachServer } from './reattach';
import { handshakeLine, readGreeting, StartedByHandError } from './wire/handshake';
import { endWithTerraform } from './wire/lifetime';
import { listen } from './wire/listen';
import { writeCrashReport, writeError } from './wire/log';

export interface ServeOptions {
  /** The address under which configurations know the provider, such as `example.com/me/thing`. */
  readonly address: string;
  /**
   * Waits for commands that are started by hand, instead of serving the Terraform that started this process: prints
   * the environment variable that they need, and ends with Ctrl-C. For debuggers.
   */
  readonly reattach?: boolean;
}

const STDOUT = 1;

/**
 * Serves a provider to the Terraform that started this process, until Terraform is done with it. All that the main
 * file of a provider has to call.
 */
export async function serve(provider: Provider, { address, reattach = false }: ServeOptions): Promise<void> {
  try {
    await (reattach ? serveByHand(provider, address) : serveTerraform(provider));
  } catch (error) {
    failToStart(error);
  }
}

async function serveTerraform(provider: Provider): Promise<void> {
  const greeting = readGreeting(process.env, provider.name);
  const { clientCertificate } = greeting;
  const plugin = createPluginServer(provider, { clientCertificate, onEnd: () => end() });
  const end = endWithTerraform(plugin.server, plugin.shutDown);
  process.on('uncaughtException', (error) => {
    writeCrashReport(error, plugin.secrets);
    process.exit(2);
  });
  const address = await listen(plugin.server, greeting);
  writeSync(STDOUT, handshakeLine(greeting, address, plugin.certificate));
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

function failToStart(error: unknown): never {
  if (error instanceof StartedByHandError) writeError(`${error.message}\n`);
  // Terraform shows no stderr of a plugin that fails to start, but the line it got on stdout instead of a handshake.
  else writeSync(STDOUT, `The provider could not start: ${visible(String(error).replaceAll('\n', ' '))}\n`);
  process.exit(1);
}
