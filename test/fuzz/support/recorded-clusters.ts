/** Two servers for commands. They repeat recorded answers of clusters, also in changed form. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPair } from '../../cli/support/pair';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Answers by cluster, method and path. */
export type Answers = Readonly<Record<string, Answer>>;

const TOKEN = 'root';
const NOT_FOUND: Answer = { status: 404, body: '{"errors":[]}' };

export class RecordedClusters {
  readonly env: Readonly<Record<string, string>>;
  /** The number of requests since the last call of `use`, and of characters in the answers. */
  received = { requests: 0, characters: 0 };
  #answer: (key: string, request: IncomingMessage) => Answer | Promise<Answer> = () => NOT_FOUND;

  private constructor(private readonly servers: Readonly<Record<'US' | 'EU', Server>>) {
    const settings = Object.entries(servers).map(([name, server]) => {
      server.on('request', (request, response) => {
        void (async () => {
          const key = `${name} ${request.method} ${pathOf(request)}`;
          const { status, body } = await this.#answer(key, request);
          this.received.requests += 1;
          this.received.characters += body.length;
          response.writeHead(status).end(body);
        })();
      });
      const { port } = server.address() as AddressInfo;
      return [`VAULTADMIN_${name}_ADDR`, `http://127.0.0.1:${port}`];
    });
    this.env = { ...Object.fromEntries(settings), VAULTADMIN_US_TOKEN: TOKEN };
  }

  static async start(): Promise<RecordedClusters> {
    const [us, eu] = [createServer(), createServer()];
    for (const server of [us, eu]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return new RecordedClusters({ US: us, EU: eu });
  }

  /** Runs commands with a pair of real clusters, and returns the answers to each request. */
  async record(runs: readonly (() => Promise<unknown>)[]): Promise<readonly Answers[]> {
    const pair = await startPair({ rootToken: TOKEN });
    try {
      await pair.us.post('sys/policies/acl/ops', { policy: 'path "a" { capabilities = ["read"] }' });
      const snapshot = { interval: 3600, storage_type: 'local', local_max_space: 1_000, path_prefix: 'ops' };
      await pair.us.post('sys/storage/raft/snapshot-auto/config/daily', snapshot);
      const recorded: Answers[] = [];
      for (const run of runs) {
        const answers: Record<string, Answer> = {};
        this.#answer = async (key, request) =>
          (answers[key] = await forwarded(request, key.startsWith('US') ? pair.us.address : pair.eu.address));
        await run();
        recorded.push(answers);
      }
      return recorded;
    } finally {
      await pair.emulator.close();
    }
  }

  /**
   * Sets the answers. A request for an object with an unknown name gets the answer for another
   * object at a path with the same parent.
   */
  use(answers: Answers): void {
    const ofFolders = new Map(Object.entries(answers).map(([key, answer]) => [folderOf(key), answer]));
    this.received = { requests: 0, characters: 0 };
    this.#answer = (key) => answers[key] ?? ofFolders.get(folderOf(key)) ?? NOT_FOUND;
  }

  close(): void {
    for (const server of Object.values(this.servers)) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** Returns the path without the parts that differ between runs. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/(vault-admin-verify-)[0-9a-f]+/, '$1');
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

async function forwarded(request: IncomingMessage, address: string): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('x-vault'));
  const answer = await fetch(`${address}${request.url}`, {
    method: request.method!,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(body !== '' && { body }),
  });
  return { status: answer.status, body: await answer.text() };
}
