import { createHmac } from 'node:crypto';
import { PERFORMANCE_PATH } from '../../model';
import { UserError } from '../errors';
import { prepared, Unable } from './unseen';
import { type UnchangedAnswer, type AnswerFields, NoAnswer, type Wire } from './wire';

/**
 * The names of the objects that probes need on the clusters: an auth method with one user, a
 * policy, and a secrets engine.
 */
const PEOPLE = 'vault-admin-verify';
const OPERATOR = 'operator';
const POLICY = 'vault-admin-verify';
/** The secrets engine that probes write to. */
export const KV = 'verify-kv';
const EVERYTHING =
  'path "*" { capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"] }';

/** The maximum time in which a cluster has to answer a request, in milliseconds. */
const PATIENCE = 180_000;

/** The number of simultaneous writes before a call of replication. */
const BURST = 5;
/**
 * The maximum time for such a write, in milliseconds. A cluster that changes its mode may not
 * answer.
 */
const BRIEF_WRITE = 1_000;

/**
 * Returns the milliseconds to wait before the next read: few at first, to measure brief changes,
 * then more.
 */
export function pauseAfter(elapsed: number): number {
  return elapsed < 5_000 ? 100 : 1_000;
}

/** A disposable cluster. */
export interface DisposableMember {
  /** The name, as the command line specifies it. */
  readonly name: string;
  /** The connection to the root namespace, with the token that was given. */
  readonly server: Wire;
}

interface SetOptions {
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

type State = 'unknown' | 'alone' | 'primary' | 'pair';

/** The paths filter of the secondary of a pair. */
interface Filter {
  readonly mode: 'allow' | 'deny';
  readonly paths: readonly string[];
}

/**
 * Disposable clusters. If one of them is a primary, it is the first. Each probe requests the state
 * that it needs.
 */
export class ReplicationSet {
  readonly #members: readonly DisposableMember[];
  readonly #options: SetOptions;
  /**
   * The valid tokens by cluster. A token ends when its cluster joins a set, and may end when the
   * cluster is demoted.
   */
  readonly #tokens = new Map<string, Wire>();
  #state: State = 'unknown';
  #firstWal: unknown;
  #isWriting = false;
  #written = 0;

  /** @param members at least two. */
  constructor(members: readonly DisposableMember[], options: SetOptions) {
    this.#members = members;
    this.#options = options;
  }

  /** Returns the same clusters with requests and waits that an interrupted run can still use. */
  steady(wait: SetOptions['wait']): ReplicationSet {
    const members = this.#members.map(({ name, server }) => ({ name, server: server.withoutSignal() }));
    return new ReplicationSet(members, { ...this.#options, wait });
  }

  get first(): DisposableMember {
    return this.#members[0] as DisposableMember;
  }

  get second(): DisposableMember {
    return this.#members[1] as DisposableMember;
  }

  /** Returns the id of a member's activation token. */
  idOf(member: DisposableMember): string {
    return `verify-${this.#members.indexOf(member) + 1}`;
  }

  /**
   * The number of the last write of the first cluster when it became a primary for the first time.
   */
  get firstWal(): unknown {
    return this.#firstWal;
  }

  /** Must be called when a probe has changed the state of the clusters. */
  changed(): void {
    this.#state = 'unknown';
  }

  /** @throws UserError if a cluster is in a set that no earlier run left behind. */
  async requireDisposable(): Promise<void> {
    for (const member of this.#members) {
      const { mode } = await this.status(member);
      if (mode === 'disabled') {
        await this.#requireToken(member);
        continue;
      }
      const { data } = await (await this.use(member)).get('sys/auth');
      if (`${PEOPLE}/` in data) continue;
      throw new UserError({
        summary: `cluster "${member.name}" is in a replication set that this command did not make: its mode is "${String(mode)}"`,
        cures: 'name other clusters, or disable replication there first',
      });
    }
  }

  async #requireToken(member: DisposableMember): Promise<void> {
    const { status } = await member.server.get('auth/token/lookup-self');
    if (status !== 403 || (await this.#logIn(member)) !== undefined) return;
    throw new UserError({
      summary: `cluster "${member.name}" does not accept its token`,
      cures: 'give a root token. A cluster that was a secondary before has the unseal keys of its primary',
    });
  }

  /** Creates everything that probes need on the first cluster. */
  async furnish(): Promise<void> {
    await this.alone();
    const server = await this.use(this.first);
    await prepared(
      server.post(`sys/policies/acl/${POLICY}`, { policy: EVERYTHING }),
      'policies cannot be written',
    );
    await server.post(`sys/auth/${PEOPLE}`, { type: 'userpass' });
    const user = { password: this.#password, token_policies: [POLICY] };
    await prepared(server.post(`auth/${PEOPLE}/users/${OPERATOR}`, user), 'users cannot be written');
    await server.post(`sys/mounts/${KV}`, { type: 'kv' });
    await prepared(server.post(`${KV}/it`, { value: 'verify' }), 'KV cannot be written');
    // The first login of a user writes, which only a primary can do.
    await this.#logIn(this.first);
  }

  /**
   * Ends replication on all clusters, and removes what {@link furnish} created, also where a join
   * has copied it.
   */
  async remove(): Promise<void> {
    await this.alone();
    for (const member of this.#members) {
      const user = await this.use(member);
      // This token does not end with the auth method, unlike the token that the user logged in
      // with.
      const request = { policies: [POLICY], ttl: '10m', no_parent: true };
      const { body } = await prepared(user.post('auth/token/create', request), 'tokens cannot be created');
      const server = member.server.as(String((body['auth'] as AnswerFields)['client_token']));
      await server.delete(`sys/mounts/${KV}`);
      await server.delete(`sys/auth/${PEOPLE}`);
      await server.delete(`sys/policies/acl/${POLICY}`);
      await server.post('auth/token/revoke-self');
      this.#tokens.delete(member.name);
    }
  }

  /** Disables replication on all clusters. */
  async alone(): Promise<void> {
    if (this.#state === 'alone') return;
    for (const member of this.#members) {
      const { mode } = await this.statusWhen(member, ({ mode }) => isSettled(mode), 'to settle');
      if (mode === 'disabled') continue;
      const call = mode === 'primary' ? 'primary/disable' : 'secondary/disable';
      await prepared(this.call(member, call), 'replication cannot be disabled');
      await this.statusWhen(member, ({ mode }) => mode === 'disabled', 'to disable replication');
      await this.use(member);
    }
    this.#state = 'alone';
  }

  /**
   * Makes the first cluster a primary without secondaries. Replication is disabled on the others.
   */
  async primary(): Promise<void> {
    if (this.#state === 'primary') return;
    await this.alone();
    await prepared(this.call(this.first, 'primary/enable'), 'replication cannot be enabled');
    await this.#isPrimary();
  }

  /** Waits until the first cluster is a primary. */
  async #isPrimary(): Promise<void> {
    const status = await this.statusWhen(this.first, ({ mode }) => mode === 'primary', 'to become a primary');
    this.#firstWal ??= status['last_performance_wal'];
    await this.use(this.first);
    this.#state = 'primary';
  }

  /**
   * Makes the first cluster a primary and all others its secondaries, and waits until they have
   * received everything.
   */
  async pair(filter?: Filter): Promise<void> {
    if (this.#state === 'pair' && filter === undefined) return;
    await this.alone();
    await this.primary();
    for (const member of this.#members.slice(1)) {
      const id = this.idOf(member);
      if (filter !== undefined) {
        await prepared(
          this.call(this.first, `primary/paths-filter/${id}`, filter),
          'filters cannot be written',
        );
      }
      const token = await this.issueToken(member, id);
      await prepared(this.call(member, 'secondary/enable', { token }), 'the cluster cannot join');
      await this.streams(member);
    }
    this.#state = filter === undefined ? 'pair' : 'unknown';
  }

  /** @returns the status of a secondary once it follows its primary. */
  streams(member: DisposableMember): Promise<AnswerFields> {
    return this.statusWhen(
      member,
      ({ mode, state }) => mode === 'secondary' && state === 'stream-wals',
      'to follow its primary',
    );
  }

  /**
   * Issues an activation token for one cluster alone. Its use needs no call of the primary's API.
   *
   * @param options `ttl` in seconds.
   */
  async issueToken(
    member: DisposableMember,
    id: string,
    options: { readonly ttl?: number } = {},
  ): Promise<string> {
    const key = await prepared(
      this.call(member, 'secondary/generate-public-key'),
      'there are no public keys',
    );
    const { secondary_public_key } = key.data;
    const issued = await prepared(
      this.call(this.first, 'primary/secondary-token', { id, secondary_public_key, ...options }),
      'activation tokens cannot be issued',
    );
    return String(issued.data['token']);
  }

  /** Issues an activation token that is wrapped. */
  async issueWrapped(id: string): Promise<string> {
    const { body } = await prepared(
      this.call(this.first, 'primary/secondary-token', { id }),
      'activation tokens cannot be issued',
    );
    return String((body['wrap_info'] as AnswerFields | null)?.['token']);
  }

  /** Revokes an id on the primary. An unknown id is ignored. */
  async revoke(id: string): Promise<void> {
    await this.call(this.first, 'primary/revoke-secondary', { id });
  }

  /**
   * Writes to the first cluster during a function: before each call that changes replication, and
   * before each read of the status. Refused writes are ignored.
   */
  async whileWriting<Result>(look: () => Promise<Result>): Promise<Result> {
    this.#isWriting = true;
    try {
      return await look();
    } finally {
      this.#isWriting = false;
    }
  }

  async #writeSomething(): Promise<void> {
    const server = this.#tokens.get(this.first.name) ?? this.first.server;
    this.#written += 1;
    const value = `verify ${this.#written}`;
    await server.post(`${KV}/steady`, { value }, { timeout: BRIEF_WRITE }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  }

  /**
   * Makes one call of replication. Waits until the cluster serves requests; the call itself is made
   * once.
   */
  async call(member: DisposableMember, path: string, body: object = {}): Promise<UnchangedAnswer> {
    if (this.#isWriting) for (let i = 0; i < BURST; i++) await this.#writeSomething();
    return (await this.use(member)).post(`${PERFORMANCE_PATH}/${path}`, body);
  }

  /** Waits until a cluster serves requests, and returns a connection with a token that it knows. */
  async use(member: DisposableMember): Promise<Wire> {
    return this.#until(
      async () => {
        const known = this.#tokens.get(member.name) ?? member.server;
        const { status } = await known.get('auth/token/lookup-self');
        if (status === 200) return known;
        return status === 403 ? this.#logIn(member) : undefined;
      },
      `cluster ${this.#members.indexOf(member) + 1} did not accept a token`,
    );
  }

  /** Reads the replication status, which requires no token. */
  async status({ server }: DisposableMember): Promise<AnswerFields> {
    return this.#until(async () => {
      const { status, data } = await server.as('').get(`${PERFORMANCE_PATH}/status`);
      return status === 200 ? data : undefined;
    }, 'the replication status cannot be read');
  }

  /** @param what the end of the message "a cluster took more than … s". */
  async statusWhen(
    member: DisposableMember,
    reached: (status: AnswerFields) => boolean,
    what: string,
  ): Promise<AnswerFields> {
    return this.#until(
      async () => {
        const status = await this.status(member);
        return reached(status) ? status : undefined;
      },
      `a cluster took more than ${PATIENCE / 1000} s ${what}`,
    );
  }

  async wait(milliseconds: number): Promise<void> {
    if (this.#isWriting) await this.#writeSomething();
    await this.#options.wait(milliseconds);
  }

  now(): number {
    return this.#options.now();
  }

  async #logIn(member: DisposableMember): Promise<Wire | undefined> {
    const login = { password: this.#password };
    const { status, body } = await member.server.as('').post(`auth/${PEOPLE}/login/${OPERATOR}`, login);
    if (status !== 200) return undefined;
    const token = (body['auth'] as AnswerFields)['client_token'];
    const wire = member.server.as(String(token));
    this.#tokens.set(member.name, wire);
    return wire;
  }

  /**
   * The password is derived from the token, so that the next run with the same token knows it, even
   * if this run is killed.
   */
  get #password(): string {
    return createHmac('sha256', this.first.server.token).update(PEOPLE).digest('hex');
  }

  /**
   * Repeats a read until it has a result. A failure can be temporary, because the cluster changes
   * its mode.
   */
  async #until<T>(ask: () => Promise<T | undefined>, otherwise: string): Promise<T> {
    const began = this.now();
    for (;;) {
      const found = await ask().catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
      if (this.now() >= began + PATIENCE) {
        this.changed();
        throw new Unable({ unseen: otherwise });
      }
      await this.wait(pauseAfter(this.now() - began));
    }
  }
}

function isSettled(mode: unknown): boolean {
  return mode === 'disabled' || mode === 'primary' || mode === 'secondary';
}
