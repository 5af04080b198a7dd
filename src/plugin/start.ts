import { unlinkSync, writeSync } from 'node:fs';
import { Redactor, visible } from '../text';
import { loadPluginServer } from './load-plugin-server';
import type { KnownAnswer } from './plugin-server';
import type { Served } from './served';
import { bunServer } from './wire/bun-server';
import { createCertificate, derOfPem } from './wire/certificate';
import { handshakeLine, readGreeting, StartedByHandError } from './wire/handshake';
import { endWithTerraform } from './wire/lifetime';
import type { MutualTls } from './wire/connection';
import type { ByteChannel } from './wire/http2';
import { listen, type OpenServer } from './wire/listen';
import { writeCrashReport, writeError } from './wire/log';
import type { nodeServer } from './wire/node-server';

const STDOUT = 1;

interface StartOptions {
  readonly providerName: string;
  /** Loads the provider: called once, by the first call that has no known answer. */
  readonly load: () => Served;
  readonly knownAnswer?: KnownAnswer;
}

/**
 * Serves the Terraform that started this process, until Terraform has finished. The process listens
 * first: TLS and HTTP/2 are loaded while Terraform connects, the provider when it is needed.
 */
export async function startServing(options: StartOptions): Promise<void> {
  try {
    await serveTerraform(options);
  } catch (error) {
    failToStart(error);
  }
}

async function serveTerraform({ providerName, load, knownAnswer }: StartOptions): Promise<void> {
  const greeting = readGreeting(process.env, providerName);
  const { clientCertificate } = greeting;
  let loaded: Served | undefined;
  const provider = () => (loaded ??= load());
  const { end, connected } = endWithTerraform({
    cleanUp: async () => loaded?.shutDown(),
    stop: async () => loaded?.stop() ?? false,
    isBusy: () => loaded?.isBusy() ?? false,
  });
  const tls =
    clientCertificate === undefined
      ? undefined
      : {
          clientCertificate: { pem: clientCertificate, der: derOfPem(clientCertificate) },
          certificate: createCertificate(),
        };
  let accepting: ((channel: ByteChannel) => void) | undefined;
  const accept = (channel: ByteChannel) => {
    accepting ??= loadPluginServer()(provider, { knownAnswer, onConnection: connected, onEnd: end });
    accepting(channel);
  };
  process.on('uncaughtException', (error) => {
    writeCrashReport(error, loaded?.secrets ?? new Redactor());
    process.exit(2);
  });
  const { network, address } = await listen(serverOf(tls, accept), greeting);
  if (network === 'unix') process.once('exit', () => remove(address));
  writeSync(STDOUT, handshakeLine(greeting, { network, address }, tls?.certificate.der));
  setImmediate(loadPluginServer);
}

/** Returns a function that opens a server. Only the code for the present runtime is loaded. */
function serverOf(tls: MutualTls | undefined, accept: (channel: ByteChannel) => void): OpenServer {
  if (process.versions.bun !== undefined) return bunServer(tls, accept);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load node:net in executables
  return (require('./wire/node-server') as { nodeServer: typeof nodeServer }).nodeServer(tls, accept);
}

/**
 * Removes a file. `rmSync` would load more modules of Node.js while Terraform waits for the process
 * to end.
 */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The server has already removed the file.
  }
}

export function failToStart(error: unknown): never {
  if (error instanceof StartedByHandError) writeError(`${error.message}\n`);
  // If a plugin fails to start, Terraform does not show its stderr, but the first line of its
  // stdout.
  else writeSync(STDOUT, `The provider could not start: ${visible(String(error).replaceAll('\n', ' '))}\n`);
  process.exit(1);
}
