import { writeSync } from 'node:fs';
import { Redactor, visible } from '../text';
import { createPluginServer } from './plugin-server';
import type { Served } from './served';
import { handshakeLine, readGreeting, StartedByHandError } from './wire/handshake';
import { endWithTerraform } from './wire/lifetime';
import { listen } from './wire/listen';
import { writeCrashReport, writeError } from './wire/log';

const STDOUT = 1;

/**
 * Serves the Terraform that started this process, until Terraform is done. It waits for the handshake alone, so that the
 * provider is loaded after it: while Terraform connects.
 *
 * @param name of the provider.
 * @param load called once.
 */
export async function startServing(name: string, load: () => Served): Promise<void> {
  try {
    await serveTerraform(name, load);
  } catch (error) {
    failToStart(error);
  }
}

async function serveTerraform(name: string, load: () => Served): Promise<void> {
  const greeting = readGreeting(process.env, name);
  const { clientCertificate } = greeting;
  let loaded: Served | undefined;
  const provider = () => (loaded ??= load());
  const plugin = createPluginServer(provider, { clientCertificate, onEnd: () => end() });
  const end = endWithTerraform(plugin.server, {
    cleanUp: async () => loaded?.shutDown(),
    stop: async () => loaded?.stop() ?? false,
  });
  process.on('uncaughtException', (error) => {
    writeCrashReport(error, loaded?.secrets ?? new Redactor());
    process.exit(2);
  });
  const address = await listen(plugin.server, greeting);
  writeSync(STDOUT, handshakeLine(greeting, address, plugin.certificate));
  setImmediate(provider);
}

export function failToStart(error: unknown): never {
  if (error instanceof StartedByHandError) writeError(`${error.message}\n`);
  // Terraform shows no stderr of a plugin that fails to start, but the line it got on stdout instead of a handshake.
  else writeSync(STDOUT, `The provider could not start: ${visible(String(error).replaceAll('\n', ' '))}\n`);
  process.exit(1);
}
