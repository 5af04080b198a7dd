/** Clusters for a set, with data in them, and reads of their modes and data. */
import type { Emulator, EmulatorOptions } from '../../../../../src/emulator';
import { startInProcess, type Reachable, type Wire } from './wire';

/**
 * The login of Terraform on every cluster: by an AppRole that is replicated, whose logins are cheap
 * for the emulator.
 */
export const OPERATOR = {
  path: 'auth/operators/login',
  parameters: { role_id: 'operator', secret_id: 'canary-operator-secret' },
};

const RULES = 'path "*" { capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"] }';
const STATUS = 'sys/replication/performance/status';

export interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown> | null;
  readonly auth?: { readonly client_token: string };
}

/** Starts clusters whose changes of mode interrupt nothing, each with the operator. */
export async function startClusters(
  names: readonly string[],
  options: EmulatorOptions = {},
  start: (options: EmulatorOptions) => Promise<Reachable> = startInProcess,
): Promise<TestClusters> {
  const { emulator, wire } = await start({
    clusters: Object.fromEntries(names.map((name) => [name, 0])),
    unavailableMs: 0,
    ...options,
  });
  return new TestClusters(emulator, wire);
}

export class TestClusters {
  constructor(
    readonly emulator: Emulator,
    readonly wire: Wire,
  ) {}

  get names(): readonly string[] {
    return Object.keys(this.emulator.clusters);
  }

  /** Creates the operator on each cluster, before any of them has joined a set. */
  async addOperators(): Promise<void> {
    for (const name of this.names) await this.addOperator(name, this.emulator.clusters[name]!.rootToken);
  }

  async addOperator(cluster: string, rootToken: string): Promise<void> {
    const set = (method: string, path: string, body: object) =>
      this.ask(cluster, method, path, body, rootToken);
    await set('PUT', 'sys/policies/acl/operator', { policy: RULES });
    await set('POST', 'sys/auth/operators', { type: 'approle' });
    const role = 'auth/operators/role/operator';
    const { role_id, secret_id } = OPERATOR.parameters;
    await set('POST', role, { token_policies: ['operator'] });
    await set('POST', `${role}/role-id`, { role_id });
    await set('POST', `${role}/custom-secret-id`, { secret_id });
  }

  /** A request, by default as the operator. */
  async ask(cluster: string, method: string, path: string, body?: object, token?: string): Promise<Answer> {
    const sent = token ?? (await this.logIn(cluster));
    return this.send(cluster, method, path, body, sent);
  }

  /** Whether the cluster returns its status. */
  async answers(cluster: string): Promise<boolean> {
    try {
      return (await this.send(cluster, 'GET', STATUS)).status === 200;
    } catch {
      return false;
    }
  }

  async status(cluster: string): Promise<Record<string, unknown>> {
    return (await this.send(cluster, 'GET', STATUS)).data!;
  }

  /**
   * Mounts a key-value store, and writes to it, on the primary or on a cluster that does not
   * replicate.
   */
  async mountStore(cluster: string, mount: string): Promise<void> {
    await this.ask(cluster, 'POST', `sys/mounts/${mount}`, { type: 'kv' });
  }

  /** @returns whether the cluster accepted the write. */
  async write(cluster: string, key: string): Promise<boolean> {
    const { status } = await this.ask(cluster, 'POST', key, { value: key });
    return status < 300;
  }

  /** Returns the keys that a cluster does not have. */
  async lacks(cluster: string, keys: readonly string[]): Promise<readonly string[]> {
    const token = await this.logIn(cluster);
    const found = await Promise.all(keys.map((key) => this.send(cluster, 'GET', key, undefined, token)));
    return keys.filter((key, index) => found[index]!.data?.value !== key);
  }

  /** Returns the clusters that are primaries now. */
  async primaries(): Promise<readonly string[]> {
    const modes = await Promise.all(this.names.map(async (name) => (await this.status(name)).mode));
    return this.names.filter((_, index) => modes[index] === 'primary');
  }

  private async logIn(cluster: string): Promise<string> {
    const { auth } = await this.send(cluster, 'POST', OPERATOR.path, OPERATOR.parameters);
    return auth?.client_token ?? '';
  }

  private async send(
    cluster: string,
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Answer> {
    const response = await this.wire({
      origin: this.emulator.clusters[cluster]!.address,
      method,
      path: `/v1/${path}`,
      headers: token === undefined ? {} : { 'x-vault-token': token },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = response.body;
    return { status: response.status, data: null, ...(text === '' ? {} : (JSON.parse(text) as object)) };
  }
}
