import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from '../core/primitives/json';
import { ROOT_NAMESPACE } from '../core/stores/namespace-store';
import type { EmulatedCluster } from '../cluster';
import type { HttpAnswer } from '../core/request/answer';
import { type Seed, SeedError, type SeedSet, type SeedWrite } from './seed';

/** A cluster of the emulator, and the function that sends requests to it. */
export interface SeededCluster {
  readonly cluster: EmulatedCluster;
  /** Whether the cluster has no data of an earlier run. Otherwise nothing is written to it. */
  readonly isNew: boolean;
  ask(request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly remoteAddress: string;
  }): HttpAnswer | undefined | Promise<HttpAnswer | undefined>;
}

/** The value of secret fields. */
const FILLED = 'seeded';

/** The limit for waiting until a cluster is available after a change of its mode. */
const PATIENCE_MS = 60_000;
const POLL_MS = 10;

/**
 * Writes the content of a seed to the new clusters, and makes them join their sets.
 *
 * @throws SeedError if a cluster does not exist, or refuses a write.
 */
export async function applySeed(seed: Seed, targets: ReadonlyMap<string, SeededCluster>): Promise<void> {
  const targetOf = (name: string): SeededCluster => {
    const target = targets.get(name);
    if (target === undefined) {
      throw new SeedError(`the seed has a cluster ${JSON.stringify(name)}, which the emulator does not have`);
    }
    return target;
  };
  const sets = seed.sets ?? [];
  const secondaries = new Set(
    sets.flatMap(({ secondaries: members }) => members.map(({ cluster }) => cluster)),
  );
  const write = async (wanted: (cluster: string) => boolean) => {
    for (const [name, writes] of Object.entries(seed.clusters)) {
      const target = targetOf(name);
      if (wanted(name) && target.isNew) for (const each of writes) await new SeedWriter(target).write(each);
    }
  };
  await write((name) => !secondaries.has(name));
  for (const set of sets) await join(set, targetOf);
  // A cluster that joins a set loses its data, so its own writes come last.
  await write((name) => secondaries.has(name));
}

async function join(
  { primary, secondaries }: SeedSet,
  targetOf: (name: string) => SeededCluster,
): Promise<void> {
  const top = new SeedWriter(targetOf(primary));
  if (targetOf(primary).isNew) await top.post('sys/replication/performance/primary/enable', {});
  for (const { cluster, id = cluster, paths_filter: filter } of secondaries) {
    const target = targetOf(cluster);
    if (!target.isNew) continue;
    if (filter) await top.post(`${PRIMARY}/paths-filter/${id}`, { ...filter });
    const { wrap_info: wrapped } = await top.post(`${PRIMARY}/secondary-token`, { id });
    const token = isJsonObject(wrapped) ? wrapped.token : undefined;
    const member = new SeedWriter(target);
    await member.post('sys/replication/performance/secondary/enable', { token: token ?? null });
    await member.whenStreaming();
  }
}

const PRIMARY = 'sys/replication/performance/primary';

/** Writes to one cluster with a temporary root token. */
class SeedWriter {
  readonly #target: SeededCluster;

  constructor(target: SeededCluster) {
    this.#target = target;
  }

  async write({ path, body = {}, namespace = '', secrets = [] }: SeedWrite): Promise<void> {
    await this.#makeNamespaces(namespace);
    const filled = Object.fromEntries(secrets.map((name) => [name, FILLED]));
    await this.post(path, { ...body, ...filled }, namespace);
  }

  /** @throws SeedError if the cluster refuses the write. */
  async post(path: string, body: JsonObject, namespace = ''): Promise<JsonObject> {
    const answer = await this.#patiently('POST', path, body, namespace);
    if (answer.status < 300) return answer.body === '' ? {} : asObject(parseJson(answer.body));
    const { errors } = asObject(parseJson(answer.body));
    const why = Array.isArray(errors) ? errors.join('; ') : answer.body;
    const where = namespace === '' ? '' : ` in namespace ${JSON.stringify(namespace)}`;
    throw new SeedError(
      `cluster ${JSON.stringify(this.#target.cluster.name)} refuses the write to ${path}${where} of the seed: ${answer.status} (${why})`,
    );
  }

  /** Waits until the first sync is complete. */
  async whenStreaming(): Promise<void> {
    for (;;) {
      const answer = await this.#patiently('GET', 'sys/replication/performance/status', {}, '');
      const { data } = asObject(parseJson(answer.body));
      if (asObject(data ?? null).state === 'stream-wals') return;
      await delay(POLL_MS);
    }
  }

  async #makeNamespaces(namespace: string): Promise<void> {
    const { namespaces } = this.#target.cluster;
    const parts = namespace.split('/').filter((part) => part !== '');
    for (const [depth, part] of parts.entries()) {
      const parent = parts.slice(0, depth).join('/');
      if (namespaces.get(`${[...parts.slice(0, depth), part].join('/')}/`) !== undefined) continue;
      await this.post(`sys/namespaces/${part}`, {}, parent);
    }
  }

  /** Repeats a request while the cluster is unavailable after a change of its mode. */
  async #patiently(method: string, path: string, body: JsonObject, namespace: string): Promise<HttpAnswer> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#ask(method, path, body, namespace);
      if (answer !== undefined && ((answer.status < 500 && answer.status !== 412) || Date.now() > deadline)) {
        return answer;
      }
      await delay(POLL_MS);
    }
  }

  async #ask(
    method: string,
    path: string,
    body: JsonObject,
    namespace: string,
  ): Promise<HttpAnswer | undefined> {
    const { cluster } = this.#target;
    // The first root token of a secondary is not valid any more.
    const token = cluster.tokens.create({
      namespace: ROOT_NAMESPACE,
      policies: ['root'],
      displayName: 'seed',
      path: 'auth/token/create',
      ttlSeconds: 0,
    });
    try {
      return await this.#target.ask({
        method,
        url: `/v1/${path.split('/').map(encodeURIComponent).join('/')}`,
        headers: { 'x-vault-token': token.id, ...(namespace !== '' && { 'x-vault-namespace': namespace }) },
        body: method === 'GET' ? '' : stringifyJson(body),
        remoteAddress: '127.0.0.1',
      });
    } finally {
      cluster.tokens.revoke(token);
    }
  }
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
