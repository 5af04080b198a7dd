/** Takes the model and the emulator through the same steps. */
import type { Assume, Emulator, EmulatorOptions } from '../../src/emulator';
import type { MemoryStorage } from '../../src/emulator/core/primitives/storage';
import { Assumed } from '../../src/emulator/assume';
import { OPERATOR, startClusters, type TestClusters } from '../provider/replication/set/support/clusters';
import {
  startInProcess,
  type InProcess,
  type Received,
  type Sent as Message,
} from '../provider/replication/set/support/wire';
import { Abstraction, difference, LOGIN, MOUNTS, NOTES, STORE, type HttpAnswer } from './emulated';
import {
  happened,
  step,
  withExpiredTokens,
  type Answer,
  type Event,
  type Request,
  type Token,
  type World,
} from './model';

const CALLS = 'sys/replication/performance/';
/** The time for which a cluster stays unavailable, in milliseconds of the emulator's clock. */
const UNAVAILABLE = 10;
const TOKEN_LIFE = 10_000_000;

/** The restoration of a cluster: it has the content and the role of the start again. */
interface Restore {
  readonly kind: 'restore';
  readonly cluster: number;
}

/** A step of a person, who has the key and the token of the latest answers. */
export type Action =
  | { readonly kind: 'request'; readonly cluster: number; readonly request: Request }
  | Restore
  | Exclude<Event, { readonly kind: 'restore' }>;

/** Returns the event of an action, with the world from which a cluster is restored. */
export function eventOf(action: Exclude<Action, { kind: 'request' }>, from: World): Event {
  return action.kind === 'restore' ? { ...action, from } : action;
}

/** The key and the token that a person holds. */
export interface Held {
  readonly key: string | null;
  readonly token: Token | null;
}

/** Returns a request with the key or the token of the person in its place. */
export function withHeld(request: Request, { key, token }: Held): Request | undefined {
  if (request.kind === 'issue-token') return key === null ? undefined : { ...request, for: key };
  if (request.kind === 'enable-secondary') return token === null ? undefined : { ...request, token };
  if (request.kind === 'update-primary' && request.token !== null)
    return token === null ? undefined : { ...request, token };
  return request;
}

/** Returns the key and the token of the person after an answer. */
export function heldAfter(held: Held, { kind }: Request, { status, data }: Answer): Held {
  if (status !== 200) return held;
  if (kind === 'generate-key') return { ...held, key: data as string };
  return kind === 'issue-token' ? { ...held, token: data as Token } : held;
}

/** The placeholder in `update-primary` for the person's token. */
export const HELD_TOKEN: Token = { id: '', set: '', addr: '', key: '', for: '' };

export class Driver {
  /** @param written the clusters that get a marked write of their own; by default all */
  static async start(size: number, assume: Assume = {}, written?: readonly number[]): Promise<Driver> {
    let reachable!: InProcess;
    const names = ['us', 'eu', 'ap'].slice(0, size);
    const options: EmulatorOptions = { unavailableMs: UNAVAILABLE, assume };
    const clusters = await startClusters(names, options, async (all) => {
      reachable = await startInProcess(all);
      return reachable;
    });
    await clusters.addOperators();
    const driver = new Driver(clusters, reachable, new Assumed(assume));
    for (const [index, name] of names.entries()) {
      await clusters.mountStore(name, 'kv');
      if (index === 0) await clusters.mountStore(name, 'legal');
      if (written?.includes(index) ?? true) await clusters.write(name, `kv/w${index}`);
    }
    return driver;
  }

  readonly abstraction: Abstraction;
  #held: Held = { key: null, token: null };
  /** The texts of the person's key and token. */
  #publicKey = '';
  #tokenText = '';
  readonly #logins: (string | undefined)[] = [];
  /** The copies from which clusters are restored. */
  #copy: {
    readonly world: World;
    readonly entries: readonly ReturnType<MemoryStorage['entries']>[];
    readonly logins: readonly (string | undefined)[];
  };
  /** By cluster, the time at which it is available again. */
  readonly #due = new Map<number, number>();
  readonly #clusters: TestClusters;
  readonly #reachable: InProcess;
  readonly #assumed: Assumed;

  private constructor(clusters: TestClusters, reachable: InProcess, assumed: Assumed) {
    this.#clusters = clusters;
    this.#reachable = reachable;
    this.#assumed = assumed;
    this.abstraction = new Abstraction(reachable.responders);
    this.#copy = this.#copied();
  }

  /** Keeps a copy of all clusters, from which they are restored later. */
  keep(): void {
    this.#copy = this.#copied();
  }

  #copied() {
    const entries = this.#clusters.names.map((_, index) => this.abstraction.cluster(index).storage.entries());
    return { world: this.world(), entries, logins: [...this.#logins] };
  }

  get emulator(): Emulator {
    return this.#clusters.emulator;
  }

  /** Sends a request of another person. */
  async send(message: Message): Promise<Received> {
    try {
      return await this.#reachable.wire(message);
    } finally {
      await settled();
      this.#noteBusy();
    }
  }

  /** Makes all clusters available again. */
  returnAll(): void {
    for (const index of [...this.#due.keys()]) this.#return(index);
  }

  returnOne(index: number): void {
    if (this.#due.has(index)) this.#return(index);
  }

  /** Makes a cluster unavailable until it is made available again. */
  interrupt(index: number): void {
    this.abstraction.cluster(index).replication.interrupt();
    this.#noteBusy();
  }

  get held(): Held {
    return this.#held;
  }

  world(): World {
    return this.abstraction.world(this.#logins);
  }

  close(): Promise<void> {
    return this.#clusters.emulator.close();
  }

  /**
   * Takes a step.
   *
   * @param model takes the step in place of the model, for tests that plant a fault
   * @returns the difference between the model and the emulator; undefined if both took the same
   * step
   */
  async take(action: Action, model = step): Promise<string | undefined> {
    const assumed = this.#assumed.of.bind(this.#assumed);
    const before = this.world();
    if (action.kind !== 'request') {
      let expected = happened(before, eventOf(action, this.#copy.world), assumed);
      if (expected === undefined) return `the model refuses ${JSON.stringify(action)}`;
      if (action.kind === 'initialize')
        expected = happened(expected, { ...action, kind: 'return' }, assumed)!;
      await this.#happen(action);
      if (action.kind === 'expire') this.#held = { key: null, token: null };
      this.#noteBusy();
      return difference(before, { world: expected }, { world: this.world() }, this.abstraction.roots);
    }
    const { cluster } = action;
    const request = withHeld(action.request, this.#held)!;
    const stepped = model(before, { cluster, by: 0, request }, assumed);
    const answer = await this.#request(cluster, request);
    this.#noteBusy();
    return difference(before, stepped, { world: this.world(), answer }, this.abstraction.roots);
  }

  #noteBusy(): void {
    const { clock } = this.#clusters.emulator;
    this.world().clusters.forEach(({ busy }, index) => {
      if (!busy) this.#due.delete(index);
      else if (!this.#due.has(index)) this.#due.set(index, clock.now() + UNAVAILABLE);
    });
    for (const [index, due] of this.#due) if (due - clock.now() < 1) this.#prolong(index);
    // Advances the clock, so that no two clusters become available at the same time.
    clock.advance(0.5);
  }

  #prolong(index: number): void {
    this.abstraction.cluster(index).replication.interrupt();
    this.#due.set(index, this.#clusters.emulator.clock.now() + UNAVAILABLE);
  }

  async #request(cluster: number, request: Request): Promise<Answer> {
    const { method, path, body } = this.#http(request);
    const { status, body: text } = await this.#reachable.wire({
      origin: this.#clusters.emulator.clusters[this.#clusters.names[cluster]!]!.address,
      method,
      path,
      headers: { 'x-vault-token': this.#logins[cluster] ?? '' },
      body: body === undefined ? '' : JSON.stringify(body),
    });
    await settled();
    const answer: HttpAnswer = { status, body: text === '' ? {} : (JSON.parse(text) as HttpAnswer['body']) };
    if (request.kind === 'login' && status === 200)
      this.#logins[cluster] = (answer.body.auth as { client_token: string }).client_token;
    const data = answer.body.data as Record<string, string> | undefined;
    if (request.kind === 'generate-key' && status === 200) this.#publicKey = data!.secondary_public_key!;
    if (request.kind === 'issue-token' && status === 200) this.#tokenText = data!.token!;
    const abstracted = this.abstraction.answer({ cluster, request }, answer);
    this.#held = heldAfter(this.#held, request, abstracted);
    return abstracted;
  }

  #http(request: Request): { readonly method: string; readonly path: string; readonly body?: object } {
    const call = (method: string, path: string, body?: object) => ({
      method,
      path: `/v1/${CALLS}${path}`,
      body,
    });
    switch (request.kind) {
      case 'health':
      case 'leader':
        return { method: 'GET', path: `/v1/sys/${request.kind}` };
      case 'login':
        return { method: 'POST', path: LOGIN, body: OPERATOR.parameters };
      case 'capabilities':
        return { method: 'POST', path: '/v1/sys/capabilities-self', body: { paths: ['sys/mounts'] } };
      case 'held-data':
        return { method: 'GET', path: '/v1/sys/mounts' };
      case 'read-note':
        return { method: 'GET', path: request.of === 'promotion' ? MOUNTS : NOTES[request.of] };
      case 'delete-note':
        return { method: 'DELETE', path: NOTES[request.of] };
      case 'write-note':
        return request.of === 'promotion'
          ? { method: 'POST', path: NOTES.promotion, body: mountWith(request.note) }
          : { method: 'PUT', path: NOTES[request.of], body: { policy: request.note } };
      case 'write':
        return { method: 'POST', path: `${STORE}w${request.mark}`, body: { value: `kv/w${request.mark}` } };
      case 'status':
        return call('GET', 'status');
      case 'enable-primary':
        return call('POST', 'primary/enable', { primary_cluster_addr: request.addr });
      case 'demote':
        return call('POST', 'primary/demote', {});
      case 'disable-primary':
        return call('POST', 'primary/disable', {});
      case 'disable-secondary':
        return call('POST', 'secondary/disable', {});
      case 'promote':
        return call('POST', 'secondary/promote', {
          primary_cluster_addr: request.addr,
          force: request.force,
        });
      case 'generate-key':
        return call('POST', 'secondary/generate-public-key', {});
      case 'issue-token': {
        const token = { id: request.id, ttl: TOKEN_LIFE / 1000, secondary_public_key: this.#publicKey };
        return call('POST', 'primary/secondary-token', token);
      }
      case 'revoke':
        return call('POST', 'primary/revoke-secondary', { id: request.id });
      case 'enable-secondary':
        return call('POST', 'secondary/enable', { token: this.#tokenText });
      case 'update-primary': {
        const addresses = request.addrs.map((address) => this.#clusterAddress(address));
        return call('POST', 'secondary/update-primary', {
          ...(addresses.length > 0 && { update_primary_addrs: addresses }),
          ...(request.token !== null && { token: this.#tokenText }),
        });
      }
      case 'read-filter':
        return call('GET', `primary/paths-filter/${request.id}`);
      case 'delete-filter':
        return call('DELETE', `primary/paths-filter/${request.id}`);
      case 'write-filter': {
        const filter = { mode: request.filter, paths: ['legal/'] };
        return call('POST', `primary/paths-filter/${request.id}`, filter);
      }
      case 'withheld-by-primary':
        return call('GET', `primary/dynamic-filter/${request.id}`);
      case 'withheld-from-secondary':
        return call('GET', `secondary/dynamic-filter/${request.id}`);
    }
  }

  #clusterAddress(address: string): string {
    const { clusterAddress } = this.abstraction.cluster(Number(address.slice(1))).replication;
    return clusterAddress;
  }

  async #happen(event: Exclude<Action, { kind: 'request' }>): Promise<void> {
    const { emulator, names } = this.#clusters;
    const { replication, clock } = emulator;
    if (event.kind === 'expire') {
      clock.advance(TOKEN_LIFE);
      this.#copy = { ...this.#copy, world: withExpiredTokens(this.#copy.world) };
      return;
    }
    const name = names[event.cluster]!;
    const cluster = this.abstraction.cluster(event.cluster);
    switch (event.kind) {
      case 'return':
        return this.#return(event.cluster);
      case 'crash':
        this.#due.delete(event.cluster);
        return replication.crash(name);
      case 'seal':
        return cluster.seal();
      case 'unseal':
        return cluster.unseal();
      case 'hold':
        return replication.pause(name);
      case 'release':
        return replication.resume(name);
      case 'cut':
        return replication.partition(name, names[event.other]!);
      case 'mend':
        return replication.heal(name, names[event.other]);
      case 'initialize': {
        this.#empty(event.cluster);
        this.#due.delete(event.cluster);
        replication.crash(name);
        this.#noteBusy();
        this.#return(event.cluster);
        await this.#clusters.addOperator(name, this.abstraction.cluster(event.cluster).rootToken);
        await this.#clusters.mountStore(name, 'kv');
        return;
      }
      case 'restore': {
        const { sealed } = cluster;
        this.#empty(event.cluster);
        cluster.storage.load(this.#copy.entries[event.cluster]!);
        this.#due.delete(event.cluster);
        replication.crash(name);
        this.#logins[event.cluster] = this.#copy.logins[event.cluster];
        if (sealed) this.abstraction.cluster(event.cluster).seal();
        return;
      }
      default:
        throw new Error(`the emulator has no ${event.kind}`);
    }
  }

  /** Deletes the storage of a cluster. */
  #empty(index: number): void {
    const { storage, replication } = this.abstraction.cluster(index);
    replication.lose();
    replication.site.store.record = undefined;
    for (const key of storage.keys('')) storage.delete(key);
  }

  /** Makes one cluster available again, and prolongs the interruptions of the others. */
  #return(index: number): void {
    const { clock } = this.#clusters.emulator;
    for (const other of this.#due.keys()) if (other !== index) this.#prolong(other);
    clock.advance(this.#due.get(index)! - clock.now());
    this.#due.delete(index);
  }
}

/** Returns the fields of a local secrets engine with a description. */
function mountWith(description: string) {
  return { type: 'kv', local: true, description };
}

/** Waits until the pending microtasks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
