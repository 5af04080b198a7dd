import { writeSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Redactor, visible } from '../text';
import { loadPluginServer } from './load-plugin-server';
import type { KnownAnswer } from './plugin-server';
import type { Served } from './served';
import { createCertificate, derOfPem } from './wire/certificate';
import { handshakeLine, readGreeting, StartedByHandError } from './wire/handshake';
import { endWithTerraform } from './wire/lifetime';
import { listen } from './wire/listen';
import { writeCrashReport, writeError } from './wire/log';

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
  let created: Server | undefined;
  const server = () =>
    (created ??= loadPluginServer()(provider, { tls, knownAnswer, onConnection: connected, onEnd: end }));
  process.on('uncaughtException', (error) => {
    writeCrashReport(error, loaded?.secrets ?? new Redactor());
    process.exit(2);
  });
  const listener = createServer((socket: Socket) => server().emit('connection', socket));
  const address = await listen(listener, greeting);
  writeSync(STDOUT, handshakeLine(greeting, address, tls?.certificate.der));
  setImmediate(server);
}

export function failToStart(error: unknown): never {
  if (error instanceof StartedByHandError) writeError(`${error.message}\n`);
  // If a plugin fails to start, Terraform does not show its stderr, but the first line of its
  // stdout.
  else writeSync(STDOUT, `The provider could not start: ${visible(String(error).replaceAll('\n', ' '))}\n`);
  process.exit(1);
}
