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
import type { ObjectDefinition, ReplicationMode } from '../../../../model';
import { DiagnosticError } from '../../../../plugin';
import type { Cluster } from '../../../clusters';
import { callFailed, type RequestContext } from '../../../objects';

/** Seconds that a look at a cluster may take, with all its tries. */
const STATUS_TIMEOUT = 10;

/** What messages and hints have to know of a set. */
export interface SetTitle {
  readonly definition: ObjectDefinition;
  /** How messages call it: `performance replication set "us"`. */
  readonly title: string;
}

/** The clusters of a set as they are reached, and what everybody tells of them. */
export class Fleet {
  readonly #context: RequestContext;
  readonly #subject: SetTitle;

  constructor(context: RequestContext, subject: SetTitle) {
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
    const { data } = await this.#anonymous(cluster).status({ timeout: STATUS_TIMEOUT });
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
    return this.#anonymous(cluster).waitForMode(mode, this.#waiting(cluster, timeout));
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
    return this.#anonymous(cluster).waitUntil(reached, goal, this.#waiting(cluster, timeout));
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
    const { clock = SYSTEM_CLOCK } = this.#cluster(cluster).settings.options;
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
  async call<R>(
    verb: string,
    cluster: string,
    call: (replication: PerformanceReplicationCalls, client: VaultClient) => Promise<R>,
  ): Promise<R> {
    const { definition, title } = this.#subject;
    this.#context.log.info(`${title}: ${verb}`, { cluster });
    try {
      const client = await this.#context.provider.client({ cluster, namespace: '' }, title, this.#context);
      const root = client.withNamespace('');
      return await call(root.replication.performance, root);
    } catch (error) {
      throw VaultError.is(error) ? callFailed(error, { verb, title, cluster, definition }) : error;
    }
  }

  /** The tokens of a cluster died. */
  forgetLogin(cluster: string): void {
    this.#cluster(cluster).forgetLogin();
  }

  #anonymous(cluster: string): PerformanceReplicationCalls {
    return this.#cluster(cluster).anonymous().replication.performance;
  }

  #cluster(name: string): Cluster {
    return this.#context.provider.cluster(name, this.title, this.#context);
  }

  #waiting(cluster: string, timeout: number): WaitOptions & CallOptions {
    return {
      timeout,
      signal: this.#context.signal,
      onProgress: ({ text, waited }) =>
        this.#context.log.info(`${this.title}: waiting for ${cluster}: ${text}`, {
          waited_seconds: Math.round(waited),
        }),
    };
  }
}
