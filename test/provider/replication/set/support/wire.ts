/** Ways for requests to reach emulated clusters. */
import type { Emulator, EmulatorOptions } from '../../../../../src/emulator';
import { emulate } from '../../../../../src/emulator/emulator';
import { newClientKey, type ClientKey } from '../../../../../src/emulator/replication/activation/client-keys';
import type { Responder } from '../../../../../src/emulator/http/responder';

export interface Sent {
  /** The address of the cluster. */
  readonly origin: string;
  readonly method: string;
  /** The path of the request, which begins with `/v1/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request. Throws if the connection breaks. */
export type Wire = (request: Sent) => Promise<Received>;

/** An emulator, with a function that sends requests to its clusters. */
export interface Reachable {
  readonly emulator: Emulator;
  readonly wire: Wire;
}

/** Starts clusters without sockets, whose clock stands still until a test moves it. */
export interface InProcess extends Reachable {
  readonly responders: Readonly<Record<string, Responder>>;
}

/**
 * The key pairs of secondaries. Each emulator begins with the first one again, because new ones
 * take long.
 */
const keys: ClientKey[] = [];

export async function startInProcess(options: EmulatorOptions): Promise<InProcess> {
  const responders: Record<string, Responder> = {};
  const byOrigin = new Map<string, Responder>();
  const open = async ({ name, responder }: { readonly name: string; readonly responder: Responder }) => {
    const address = `http://${name}.test:8200`;
    responders[name] = responder;
    byOrigin.set(address, responder);
    return { address, dropConnections: () => {}, close: async () => {} };
  };
  let issued = 0;
  // Generating a key takes as long as many requests.
  const emulator = await emulate(options, open, () => (keys[issued++] ??= newClientKey()));
  emulator.clock.freeze();
  const wire: Wire = async ({ origin, method, path, headers, body = '' }) => {
    const responder = byOrigin.get(origin)!;
    const { cluster } = responder;
    const answer = await responder.respond({ method, url: path, headers, body, remoteAddress: '127.0.0.1' });
    // A cluster that has crashed does not answer the requests that it received before.
    if (answer === undefined || responder.cluster !== cluster) throw new Error('socket hang up');
    const { status, contentType, headers: more = {} } = answer;
    return { status, headers: { 'content-type': contentType, ...lowerCased(more) }, body: answer.body };
  };
  return { emulator, responders, wire };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
