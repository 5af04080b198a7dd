import {
  describeReplicationStatus,
  isStreaming,
  SYSTEM_CLOCK,
  VaultError,
  type CallOptions,
  type PerformanceReplicationCalls,
  type ReplicationPrimaryStatus,
  type ReplicationStatus,
  type VaultClient,
  type WaitOptions,
} from '../../../../client';
import type { ReplicationMode } from '../../../../model';
import { DiagnosticError } from '../../../../plugin';
import type { RequestContext } from '../../../objects';
import { ClusterAccess, type AccessSubject } from '../../shared/cluster-access';

/** Seconds that a look at a cluster may take, with all its tries. */
const STATUS_TIMEOUT = 10;

/** The clusters of a set as they are reached, and what everybody tells of them. */
export class Fleet {
  readonly #context: RequestContext;
  readonly #subject: AccessSubject;

  constructor(context: RequestContext, subject: AccessSubject) {
    this.#context = context;
    this.#subject = subject;
  }

  get title(): string {
    return this.#subject.title;
  }

  get log(): RequestContext['log'] {
    return this.#context.log;
  }

  /** Keeps a secret out of what is logged and shown. */
  mask(secret: string): void {
    this.#context.mask(secret);
  }

  /** Whether the user has stopped Terraform. */
  get stopped(): boolean {
    return this.#context.signal.aborted;
  }

  /**
   * The status of a cluster, asked for without a token. Also once the user has stopped Terraform: what was reached has
   * to be known.
   *
   * @throws VaultError
   */
  async status(cluster: string): Promise<ReplicationStatus> {
    const { data } = await this.#on(cluster).anonymous.status({ timeout: STATUS_TIMEOUT });
    return data;
  }

  /** @throws VaultError `unavailable` where the cluster is no primary any more. */
  async primaryStatus(cluster: string): Promise<ReplicationPrimaryStatus> {
    const status = await this.status(cluster);
    if (status.mode === 'primary') return status;
    throw new VaultError({
      code: 'unavailable',
      message: `${cluster} is not the primary any more: ${describeReplicationStatus(status)}`,
    });
  }

  /** Waits until a cluster answers again. @returns also where it does not, in time. */
  async waitForAnswer(cluster: string, timeout: number): Promise<void> {
    const answers = ({ mode }: ReplicationStatus) => mode !== 'bootstrapping' && mode !== 'unknown';
    try {
      await this.waitUntil(cluster, 'answer', answers, timeout);
    } catch (error) {
      if (!VaultError.is(error) && !(error instanceof DiagnosticError)) throw error;
    }
  }

  /** @throws VaultError `timeout` that says what was reached. */
  waitForMode(cluster: string, mode: ReplicationMode, timeout: number): Promise<ReplicationStatus> {
    return this.#on(cluster).anonymous.waitForMode(mode, this.#waiting(cluster, timeout));
  }

  /** Waits until a cluster that follows its primary has all that it had by now. */
  waitForStream(cluster: string, wal: number, timeout: number): Promise<ReplicationStatus> {
    return this.waitUntil(
      cluster,
      `receive everything from its primary (up to WAL ${wal})`,
      (status) => isStreaming(status) && (status.last_remote_wal ?? 0) >= wal,
      timeout,
    );
  }

  /** @throws VaultError `timeout` that says what was reached. */
  waitUntil(
    cluster: string,
    goal: string,
    reached: (status: ReplicationStatus) => boolean,
    timeout: number,
  ): Promise<ReplicationStatus> {
    return this.#on(cluster).anonymous.waitUntil(reached, goal, this.#waiting(cluster, timeout));
  }

  /**
   * Makes an attempt, again and again with pauses, until one succeeds or the time is over, or the user stops Terraform.
   *
   * @param timeout seconds, by the clock of the cluster's client.
   * @returns whether one succeeded.
   */
  async keepTrying(
    {
      cluster,
      timeout,
      pause,
    }: { readonly cluster: string; readonly timeout: number; readonly pause: number },
    attempt: () => Promise<boolean>,
  ): Promise<boolean> {
    const { clock = SYSTEM_CLOCK } = this.#on(cluster).cluster.settings.options;
    const ends = clock.now() + timeout * 1000;
    while (!(await attempt())) {
      if (clock.now() >= ends || this.stopped) return false;
      await new Promise<void>((resolve) => void clock.after(pause, resolve));
    }
    return true;
  }

  /**
   * Makes a call with the token of a cluster. It is not broken off where the user stops Terraform: what it would have
   * done would not be known.
   *
   * @param verb what is being done, to follow `cannot`.
   * @throws DiagnosticError, with the client's error as its cause.
   */
  call<R>(
    verb: string,
    cluster: string,
    call: (replication: PerformanceReplicationCalls, client: VaultClient) => Promise<R>,
  ): Promise<R> {
    return this.#on(cluster).call(verb, (client) => call(client.replication.performance, client));
  }

  /** Forgets the login of a cluster whose tokens were erased: the next call logs in again. */
  forgetLogin(cluster: string): void {
    this.#on(cluster).cluster.forgetLogin();
  }

  #on(cluster: string): ClusterAccess {
    return new ClusterAccess(cluster, this.#subject, this.#context);
  }

  #waiting(cluster: string, timeout: number): WaitOptions & CallOptions {
    return this.#on(cluster).waiting(timeout, `${this.title}: waiting for ${cluster}`);
  }
}
