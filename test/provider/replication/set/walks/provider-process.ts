/**
 * Walks through the provider's own executable, as Terraform starts it: real processes, sockets and
 * time.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createCertificate } from '../../../../../src/plugin/wire/certificate';
import type { EmulatorOptions } from '../../../../../src/emulator';
import { emulate } from '../../../../../src/emulator/emulator';
import type { Responder } from '../../../../../src/emulator/http/responder';
import { shapeOf } from '../../../../../src/plugin/server/shape';
import { Dynamic } from '../../../../../src/plugin/values/type';
import { PROVIDER } from '../../../../../src/provider';
import { PROVIDER_VERSION } from '../../../../../src/provider/about';
import { ProtocolClient } from '../../../../plugin/support/client';
import { OPERATOR } from '../support/clusters';
import type { Interrupt, SeenRequest, Watcher } from '../support/interruption';
import { Session, type Process } from '../support/session';
import type { InProcess, Reachable, Wire } from '../support/wire';

const MAIN = join(process.cwd(), 'lib', 'provider', `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`);
const GREETING = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '6',
};
const CLIENT = createCertificate();

/** The functions that watch and break the requests of the process that applies. */
interface Hooks {
  readonly watcher: Watcher;
  readonly interrupt: Interrupt;
  readonly kill: () => void;
  readonly seen: SeenRequest[];
}

export interface Watched extends InProcess {
  hooks: Hooks | undefined;
}

/** Starts clusters with sockets, whose requests can be watched and broken. */
export async function startWatched(options: EmulatorOptions): Promise<Watched> {
  const responders: Record<string, Responder> = {};
  const origins = new Map<string, Responder>();
  const emulator = await emulate(options, async ({ name, responder }) => {
    responders[name] = responder;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const body = Buffer.concat(chunks).toString();
        const raw = { method, url, headers, body, remoteAddress: '127.0.0.1' };
        void exchange(name, raw, responder).then((answer) => {
          if (answer === undefined) response.socket?.destroy();
          else
            response
              .writeHead(answer.status, { 'content-type': answer.contentType, ...answer.headers })
              .end(answer.body);
        });
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    origins.set(address, responder);
    return { address, dropConnections: () => server.closeAllConnections(), close: () => closed(server) };
  });
  const wire: Wire = async ({ origin, method, path, headers, body = '' }) => {
    const answer = await origins
      .get(origin)!
      .respond({ method, url: path, headers, body, remoteAddress: '127.0.0.1' });
    if (answer === undefined) throw new Error('socket hang up');
    return { status: answer.status, headers: {}, body: answer.body };
  };
  const watched: Watched = { emulator, responders, wire, hooks: undefined };
  return watched;

  async function exchange(name: string, raw: Parameters<Responder['respond']>[0], responder: Responder) {
    const { hooks } = watched;
    if (hooks === undefined) return responder.respond(raw);
    const { method, url, body } = raw;
    const seen = { method, path: url.replace('/v1/', ''), origin: `http://${name}.test:8200` };
    const interruption = hooks.interrupt({ ...seen, body }, hooks.seen.length);
    hooks.seen.push(seen);
    await hooks.watcher.before?.({ ...seen, body });
    const isBefore = interruption?.endsWith('before');
    const answer = isBefore ? undefined : await responder.respond(raw);
    if (interruption?.startsWith('killed')) hooks.kill();
    return interruption === undefined ? answer : undefined;
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

/**
 * A process that serves until it is killed, as with `--reattach`. It is configured again for each
 * plan and each apply.
 */
interface Served {
  readonly child: ChildProcess;
  readonly client: ProtocolClient;
}

let idle: Served | undefined;
process.on('exit', () => idle?.child.kill('SIGKILL'));

async function served(): Promise<Served> {
  const free = idle;
  idle = undefined;
  return free ?? startProcess();
}

async function startProcess(): Promise<Served> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...GREETING, PLUGIN_CLIENT_CERT: CLIENT.pem },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, , , socket, , certificate] = (await firstLine(child)).split('|');
  const ca = pemOf(certificate!);
  return {
    child,
    client: await ProtocolClient.connect(socket!, { ca, cert: CLIENT.pem, key: CLIENT.key }),
  };
}

/** A state whose plans and applies run in a process of the provider. */
export class ProcessSession extends Session {
  override another(clusters: Reachable = this.clusters): Session {
    return new ProcessSession(clusters);
  }

  protected override async process(
    watcher: Watcher = {},
    interrupt: Interrupt = () => undefined,
  ): Promise<Process> {
    const watched = this.clusters as Watched;
    const { child, client } = await served();
    await client.call('configureProvider', {
      terraformVersion: '1.11.4',
      config: shapeOf(PROVIDER.schema).codec.encode(configurationOf(watched)),
    });
    let isOver = false;
    let kill!: () => void;
    const killed = new Promise<'killed'>((resolve) => {
      kill = () => {
        // A request of an ended apply may be answered while the process serves another state.
        if (isOver) return;
        child.kill('SIGKILL');
        resolve('killed');
      };
    });
    const seen: SeenRequest[] = [];
    watched.hooks = { watcher, interrupt, kill, seen };
    // A call to a killed process is never answered.
    const orNever = <T>(answer: Promise<T>) =>
      answer.catch((error: unknown) =>
        child.killed ? new Promise<T>(() => {}) : Promise.reject(error as Error),
      );
    return {
      calls: {
        readResource: (request) => orNever(client.call('readResource', request)),
        planResourceChange: (request) => orNever(client.call('planResourceChange', request)),
        applyResourceChange: (request) => orNever(client.call('applyResourceChange', request)),
        importResourceState: (request) => orNever(client.call('importResourceState', request)),
        upgradeResourceState: (request) => orNever(client.call('upgradeResourceState', request)),
        stop: () => void orNever(client.call('stopProvider', {})),
      },
      seen,
      killed,
      end: async () => {
        isOver = true;
        watched.hooks = undefined;
        if (!child.killed) idle = { child, client };
      },
      bury: () => {
        watched.hooks = undefined;
        client.close();
      },
    };
  }
}

/** Returns the provider's configuration, in which each cluster has only the given fields. */
function configurationOf({ emulator }: Reachable): Record<string, unknown> {
  const { path, parameters } = OPERATOR;
  const login = ['object', { path: 'string', parameters: ['map', 'string'] }] as const;
  const type = ['object', { address: 'string', max_retries: 'number', auth_login: login }] as const;
  const clusters = Object.values(emulator.clusters);
  const types = Object.fromEntries(clusters.map(({ name }) => [name, type]));
  const values = clusters.map(
    ({ name, address }) => [name, { address, max_retries: 0, auth_login: { path, parameters } }] as const,
  );
  const { attributes } = shapeOf(PROVIDER.schema).content;
  const empty = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
  return { ...empty, clusters: new Dynamic(['object', types] as never, Object.fromEntries(values)) };
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]!);
    });
    stdout!.once('close', () => reject(new Error(`no handshake: ${text}`)));
  });
}

function pemOf(der: string): string {
  const lines = Buffer.from(der, 'base64')
    .toString('base64')
    .match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}
