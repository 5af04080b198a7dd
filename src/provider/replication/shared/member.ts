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

/** The timeout for a read of a cluster's status, in seconds, with all attempts. */
const STATUS_TIMEOUT = 10;

/** The longest pause between two reads of the status during a wait for a mode, in seconds. */
const MODE_PAUSE = 0.1;

/**
 * The time in milliseconds after which an unchanged position shows that a streaming, filtered
 * secondary is up to date, and unchanged data shows that a primary receives no writes.
 */
const STILL = 10_000;

/** The subject of calls, for messages and hints. */
export interface MemberSubject {
  readonly definition: ObjectDefinition;
  /** Its name in messages: `performance replication set "us"`. */
  readonly title: string;
}

/** The status of a cluster in a mode that lasts. */
export type SettledStatus = Exclude<ReplicationStatus, { readonly mode: 'bootstrapping' | 'unknown' }>;

/**
 * A cluster as a member of a replication set. Its status is read without a token, so it can be read
 * even when no login is possible. Calls use the provider's token, and throw a DiagnosticError.
 * Methods that read the status throw a VaultError, so that the caller can decide by its code
 * whether to continue.
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
   * Returns a configured cluster as a member.
   *
   * @throws DiagnosticError if it is not configured, or not known yet
   */
  get cluster(): Cluster {
    return this.#context.providerData.cluster(this.name, this.#subject.title, this.#context);
  }

  /**
   * Returns the status. It can be read even after the user has stopped Terraform, so that the
   * result of the apply is known.
   *
   * @param timeout the seconds for all attempts
   * @throws VaultError
   */
  async status(timeout = STATUS_TIMEOUT): Promise<ReplicationStatus> {
    return (await this.#anonymous.status({ timeout })).data;
  }

  /**
   * Returns what the server reports about itself and its cluster in `sys/health`.
   *
   * @throws VaultError
   */
  async health(): Promise<Health> {
    return (await this.cluster.anonymous().system.health({ timeout: STATUS_TIMEOUT })).data;
  }

  /**
   * Returns the address of the active node for other clusters; `undefined` if the server does not
   * return it.
   */
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
      message: `"${this.name}" is no longer the primary: ${describeReplicationStatus(status)}`,
    });
  }

  /** Waits until the cluster answers again, or until the timeout. */
  async waitForAnswer(timeout: number): Promise<void> {
    try {
      await this.waitUntil('answer', isSettled, timeout);
    } catch (error) {
      if (!VaultError.is(error) && !(error instanceof DiagnosticError)) throw error;
    }
  }

  /** Returns the time of the client's clock in milliseconds. */
  now(): number {
    return this.#clock.now();
  }

  /**
   * Returns a function that takes a value repeatedly, and returns whether it has not changed for
   * some seconds.
   */
  unchanging(): (value: unknown) => boolean {
    const clock = this.#clock;
    let latest: { readonly value: unknown; readonly since: number } | undefined;
    return (value) => {
      if (latest === undefined || latest.value !== value) latest = { value, since: clock.now() };
      return clock.now() - latest.since >= STILL;
    };
  }

  /**
   * Waits for a mode. It reads the status often: during a switchover, the set accepts no writes
   * until the former primary answers again.
   *
   * @throws VaultError `timeout` with the last status
   */
  waitForMode(mode: ReplicationMode, timeout: number): Promise<ReplicationStatus> {
    const waiting = this.#waiting(`reach mode ${JSON.stringify(mode)}`, timeout);
    return this.#anonymous.waitForMode(mode, { ...waiting, longestPause: MODE_PAUSE });
  }

  /** Waits until the cluster follows its primary. */
  waitForStream(timeout: number): Promise<ReplicationStatus> {
    return this.waitUntil('follow its primary', isStreaming, timeout);
  }

  /**
   * Waits until the cluster, a secondary, has all present data of its primary. The position in the
   * WAL shows this. Between a sync and the next write the position is 0, so the data is compared
   * instead. Filtered data cannot be compared. With a filter, a position of 0 is therefore
   * accepted, and so is a position that no longer changes, because it may not count withheld
   * writes.
   */
  async waitUntilCaughtUp(
    { primary, filtered, id }: { readonly primary: Member; readonly filtered: boolean; readonly id: string },
    timeout: number,
  ): Promise<ReplicationStatus> {
    const before = await primary.primaryStatus();
    const { last_performance_wal: wal } = before;
    const isUnchanged = this.unchanging();
    const hasArrived = async (status: ReplicationStatus) => {
      if (!isStreaming(status)) return false;
      const { secondary_id, last_remote_wal: position = 0 } = status;
      // A status with another id may be older than the change.
      if (secondary_id !== '' && secondary_id !== id) return false;
      if (wal !== undefined && position >= wal) return true;
      if (filtered) return position === 0 || isUnchanged(position);
      if (rootOf(status) === undefined) return position === 0;
      return haveSameData(status, before) || haveSameData(status, await primary.primaryStatus());
    };
    const upTo = wal === undefined ? '' : ` (up to WAL ${wal})`;
    return this.waitUntil(`receive everything from its primary${upTo}`, hasArrived, timeout);
  }

  /**
   * Waits for a status, and writes the progress to the log.
   *
   * @param goal the end of the sentence about the wait: `become a primary`.
   * @throws VaultError `timeout` with the last status
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
      // The login must still be valid after a long wait. The status needs no login.
      this.#context.providerData.keepLogins();
      return reached(status);
    };
    return this.#anonymous.waitUntil(looked, goal, this.#waiting(goal, timeout));
  }

  /**
   * Waits between two attempts, on the client's clock.
   *
   * @param until the time of {@link now} after which there is no further attempt
   * @returns whether there is time for another attempt, and the user has not stopped Terraform
   */
  async pause(milliseconds: number, until: number): Promise<boolean> {
    const clock = this.#clock;
    if (clock.now() >= until || this.#context.signal.aborted) return false;
    await new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
    return true;
  }

  /**
   * Makes a call with the provider's token in the root namespace, the only one with replication.
   * The call continues if the user stops Terraform, because the effect of an aborted call would be
   * unknown.
   *
   * @param verb the verb that follows `cannot`
   * @throws DiagnosticError, with the client's error as its cause
   */
  async call<T>(
    verb: string,
    use: (replication: PerformanceReplicationCalls, client: VaultClient) => Promise<T>,
  ): Promise<T> {
    const { definition, title } = this.#subject;
    const cluster = this.name;
    this.#context.log.info(`${title}: ${verb}`, { cluster });
    try {
      const place = { cluster, namespace: '' };
      const authorized = await this.#context.providerData.client(place, title, this.#context);
      const client = authorized.withNamespace('');
      return await use(client.replication.performance, client);
    } catch (error) {
      const loginNamespace = loginNamespaceOf(this.cluster);
      throw VaultError.is(error)
        ? callFailed(error, { verb, title, cluster, definition, loginNamespace })
        : error;
    }
  }

  /** Logs in, unless the cluster has a login already. */
  async logIn(): Promise<void> {
    await this.call('log in to', () => Promise.resolve());
  }

  /**
   * Extends the token to a number of seconds, if possible.
   *
   * @returns the remaining seconds
   */
  async loginLasting(seconds: number): Promise<number> {
    return this.call('renew the login of', () => this.cluster.loginLasting(seconds));
  }

  /** Forgets the login after the tokens of the cluster were erased. The next call logs in again. */
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

/** Whether the cluster is in a mode that lasts. */
export function isSettled(status: ReplicationStatus): status is SettledStatus {
  return status.mode !== 'bootstrapping' && status.mode !== 'unknown';
}

/** Whether a call that failed may have taken effect. */
export function mayHaveTakenEffect(failure: unknown): boolean {
  return serverErrorOf(failure)?.mayHaveTakenEffect === true;
}
