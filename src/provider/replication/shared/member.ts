import {
  describeReplicationStatus,
  haveSameData,
  isStreaming,
  rootOf,
  SYSTEM_CLOCK,
  VaultError,
  type CallOptions,
  type Clock,
  type Health,
  type PerformanceReplicationCalls,
  type ReplicationPrimaryStatus,
  type ReplicationStatus,
  type VaultClient,
  type WaitOptions,
} from '../../../client';
import { normalizeNamespace, type ObjectDefinition, type ReplicationMode } from '../../../model';
import { DiagnosticError } from '../../../plugin';
import type { Cluster } from '../../clusters';
import { callFailed, serverErrorOf, type RequestContext } from '../../objects';

/** Seconds that a look at a cluster may take, with all its tries. */
const STATUS_TIMEOUT = 10;

/**
 * Milliseconds. If the position of a streaming, filtered secondary does not change for this long,
 * the secondary is up to date; if the data of a primary does not, nothing is written to it.
 */
const STILL = 10_000;

/** The subject of calls, as messages and hints name it. */
export interface MemberSubject {
  readonly definition: ObjectDefinition;
  /** How messages call it: `performance replication set "us"`. */
  readonly title: string;
}

/** A mode that a cluster stays in. */
export type SettledStatus = Exclude<ReplicationStatus, { readonly mode: 'bootstrapping' | 'unknown' }>;

/**
 * A cluster in its part in a replication set. Its status is read without a token: it is available
 * when nobody can log in. Calls use the provider's token, and throw a DiagnosticError. Methods that
 * read the status throw a VaultError, so that the caller can decide by its code whether to
 * continue.
 */
export class Member {
  readonly #subject: MemberSubject;
  readonly #context: RequestContext;

  constructor(
    readonly name: string,
    subject: MemberSubject,
    context: RequestContext,
  ) {
    this.#subject = subject;
    this.#context = context;
  }

  /**
   * The cluster as the provider knows it.
   *
   * @throws DiagnosticError if it is not configured, or not known yet.
   */
  get cluster(): Cluster {
    return this.#context.providerData.cluster(this.name, this.#subject.title, this.#context);
  }

  /**
   * Returns the status. It can also be read once the user has stopped Terraform: what was reached
   * has to be known.
   *
   * @param timeout seconds, with all tries.
   * @throws VaultError
   */
  async status(timeout = STATUS_TIMEOUT): Promise<ReplicationStatus> {
    return (await this.#anonymous.status({ timeout })).data;
  }

  /**
   * Returns what the node says of itself and of its cluster.
   *
   * @throws VaultError
   */
  async health(): Promise<Health> {
    return (await this.cluster.anonymous().system.health({ timeout: STATUS_TIMEOUT })).data;
  }

  /** The address of the active node for other clusters. @returns nothing where it is not told. */
  async clusterAddress(): Promise<string | undefined> {
    try {
      const { data } = await this.cluster.anonymous().system.leader({ timeout: STATUS_TIMEOUT });
      return data.leader_cluster_address || undefined;
    } catch (error) {
      if (VaultError.is(error)) return undefined;
      throw error;
    }
  }

  /** @throws VaultError `unavailable` if the cluster is no longer a primary. */
  async primaryStatus(): Promise<ReplicationPrimaryStatus> {
    const status = await this.status();
    if (status.mode === 'primary') return status;
    throw new VaultError({
      code: 'unavailable',
      message: `${this.name} is no longer the primary: ${describeReplicationStatus(status)}`,
    });
  }

  /** Waits until the cluster answers again, or until the time is over. */
  async waitForAnswer(timeout: number): Promise<void> {
    try {
      await this.waitUntil('answer', isSettled, timeout);
    } catch (error) {
      if (!VaultError.is(error) && !(error instanceof DiagnosticError)) throw error;
    }
  }

  /** Returns the milliseconds of the clock of the cluster's client. */
  now(): number {
    return this.#clock.now();
  }

  /**
   * Returns a function that takes a value again and again, and returns whether it has not changed
   * for some seconds.
   */
  standingStill(): (value: unknown) => boolean {
    const clock = this.#clock;
    let latest: { readonly value: unknown; readonly since: number } | undefined;
    return (value) => {
      if (latest === undefined || latest.value !== value) latest = { value, since: clock.now() };
      return clock.now() - latest.since >= STILL;
    };
  }

  /**
   * Waits for a mode. It reads the status often: during a switchover, the set takes no writes until
   * the former primary is back.
   *
   * @throws VaultError `timeout` that says what was reached.
   */
  waitForMode(mode: ReplicationMode, timeout: number): Promise<ReplicationStatus> {
    const options = { ...this.#waiting(`reach mode ${JSON.stringify(mode)}`, timeout), longestPause: 0.1 };
    return this.#anonymous.waitForMode(mode, options);
  }

  /** Waits until the cluster follows its primary. */
  waitForStream(timeout: number): Promise<ReplicationStatus> {
    return this.waitUntil('follow its primary', isStreaming, timeout);
  }

  /**
   * Waits until the cluster, a secondary, has all that its primary has by now. This is read from
   * its position in the log. After a sync, the position stays 0 until something is written: then
   * the data is compared. Filtered data cannot be compared: a position of 0 is accepted, as is one
   * that no longer changes, because it may not count withheld writes.
   */
  async waitUntilCaughtUp(
    { primary, filtered, id }: { readonly primary: Member; readonly filtered: boolean; readonly id: string },
    timeout: number,
  ): Promise<ReplicationStatus> {
    const before = await primary.primaryStatus();
    const { last_performance_wal: wal } = before;
    const standsStill = this.standingStill();
    const hasArrived = async (status: ReplicationStatus) => {
      if (!isStreaming(status)) return false;
      const { secondary_id, last_remote_wal: position = 0 } = status;
      // The status may be older than the change.
      if (secondary_id !== '' && secondary_id !== id) return false;
      if (wal !== undefined && position >= wal) return true;
      if (filtered) return position === 0 || standsStill(position);
      if (rootOf(status) === undefined) return position === 0;
      return haveSameData(status, before) || haveSameData(status, await primary.primaryStatus());
    };
    const upTo = wal === undefined ? '' : ` (up to WAL ${wal})`;
    return this.waitUntil(`receive everything from its primary${upTo}`, hasArrived, timeout);
  }

  /**
   * Waits for a status, with progress in the log.
   *
   * @param goal what the cluster is to do: `become a primary`.
   * @throws VaultError `timeout` that says what was reached.
   */
  waitUntil<S extends ReplicationStatus>(
    goal: string,
    reached: (status: ReplicationStatus) => status is S,
    timeout: number,
  ): Promise<S>;
  waitUntil(
    goal: string,
    reached: (status: ReplicationStatus) => boolean | Promise<boolean>,
    timeout: number,
  ): Promise<ReplicationStatus>;
  waitUntil(
    goal: string,
    reached: (status: ReplicationStatus) => boolean | Promise<boolean>,
    timeout: number,
  ): Promise<ReplicationStatus> {
    const looked = async (status: ReplicationStatus) => {
      // The login must not have ended after a long wait. The status needs none.
      this.#context.providerData.keepLogins();
      return reached(status);
    };
    return this.#anonymous.waitUntil(looked, goal, this.#waiting(goal, timeout));
  }

  /**
   * Pauses between two attempts, by the clock of the cluster's client.
   *
   * @param until the time of {@link now} after which there is no further attempt.
   * @returns whether there is time for another attempt, and the user has not stopped Terraform.
   */
  async pause(milliseconds: number, until: number): Promise<boolean> {
    const clock = this.#clock;
    if (clock.now() >= until || this.#context.signal.aborted) return false;
    await new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
    return true;
  }

  /**
   * Makes calls with the provider's token, in the root namespace: replication is in no other one.
   * They are not broken off if the user stops Terraform: what they would have done would not be
   * known.
   *
   * @param verb what is being done, to follow `cannot`.
   * @throws DiagnosticError, with the client's error as its cause.
   */
  async call<T>(
    verb: string,
    use: (replication: PerformanceReplicationCalls, client: VaultClient) => Promise<T>,
  ): Promise<T> {
    const { definition, title } = this.#subject;
    const cluster = this.name;
    this.#context.log.info(`${title}: ${verb}`, { cluster });
    try {
      return await this.#useClient(use);
    } catch (error) {
      const loginNamespace = loginNamespaceOf(this.cluster);
      throw VaultError.is(error)
        ? callFailed(error, { verb, title, cluster, definition, loginNamespace })
        : error;
    }
  }

  async #useClient<T>(
    use: (replication: PerformanceReplicationCalls, client: VaultClient) => Promise<T>,
  ): Promise<T> {
    const { title } = this.#subject;
    const place = { cluster: this.name, namespace: '' };
    const client = (await this.#context.providerData.client(place, title, this.#context)).withNamespace('');
    return use(client.replication.performance, client);
  }

  /** Logs in, unless that was done already. */
  async logIn(): Promise<void> {
    await this.call('log in to', () => Promise.resolve());
  }

  /**
   * Has the token live for so many seconds, where that is possible.
   *
   * @returns the seconds that it lives.
   */
  async loginLasting(seconds: number): Promise<number> {
    let left = Infinity;
    await this.call('renew the login of', async () => {
      left = await this.cluster.loginLasting(seconds);
    });
    return left;
  }

  /** Forgets the login of a cluster whose tokens were erased: the next call logs in again. */
  forgetLogin(): void {
    this.cluster.forgetLogin();
  }

  get #clock(): Clock {
    return this.cluster.settings.options.clock ?? SYSTEM_CLOCK;
  }

  get #anonymous(): PerformanceReplicationCalls {
    return this.cluster.anonymous().replication.performance;
  }

  #waiting(goal: string, timeout: number): WaitOptions & CallOptions {
    return {
      timeout,
      signal: this.#context.signal,
      onProgress: ({ text, waited }) =>
        this.#context.log.info(`${this.#subject.title}: waiting for ${this.name} to ${goal}: ${text}`, {
          waited_seconds: Math.round(waited),
        }),
    };
  }
}

/** Returns the namespace of the login to a cluster; empty for the root namespace. */
export function loginNamespaceOf({ settings: { login, options } }: Cluster): string {
  return normalizeNamespace(login?.namespace ?? options.namespace ?? '');
}

/** Whether the cluster is in a mode that it stays in. */
export function isSettled(status: ReplicationStatus): status is SettledStatus {
  return status.mode !== 'bootstrapping' && status.mode !== 'unknown';
}

/** Whether a call that failed may have been done nevertheless. */
export function mayHaveTakenEffect(failure: unknown): boolean {
  return serverErrorOf(failure)?.mayHaveTakenEffect === true;
}
