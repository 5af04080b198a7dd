import {
  VaultError,
  type CallOptions,
  type PerformanceReplicationCalls,
  type VaultClient,
  type WaitOptions,
} from '../../../client';
import type { ObjectDefinition } from '../../../model';
import type { Cluster } from '../../clusters';
import { callFailed, type RequestContext } from '../../objects';

/** What calls are made for, as messages and hints name it. */
export interface AccessSubject {
  readonly definition: ObjectDefinition;
  /** How messages call it: `performance replication set "us"`. */
  readonly title: string;
}

/** How one cluster is reached: its status without a token, its calls with the provider's token. */
export class ClusterAccess {
  readonly #subject: AccessSubject;
  readonly #context: RequestContext;

  constructor(
    readonly name: string,
    subject: AccessSubject,
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
    return this.#context.provider.cluster(this.name, this.#subject.title, this.#context);
  }

  /** The calls that need no token: the status is available when nobody can log in. */
  get anonymous(): PerformanceReplicationCalls {
    return this.cluster.anonymous().replication.performance;
  }

  /**
   * Returns the options of a wait, with its progress in the log.
   *
   * @param waitsFor what is waited for, to follow the name of the object: `waiting for eu`.
   */
  waiting(timeout: number, waitsFor: string): WaitOptions & CallOptions {
    return {
      timeout,
      signal: this.#context.signal,
      onProgress: ({ text, waited }) =>
        this.#context.log.info(`${waitsFor}: ${text}`, { waited_seconds: Math.round(waited) }),
    };
  }

  /**
   * Makes calls with the provider's token, in the root namespace: replication is in no other one.
   *
   * @param verb what is being done, to follow `cannot`.
   * @throws DiagnosticError, with the client's error as its cause.
   */
  async call<T>(verb: string, use: (client: VaultClient) => Promise<T>): Promise<T> {
    const { definition, title } = this.#subject;
    const cluster = this.name;
    this.#context.log.info(`${title}: ${verb}`, { cluster });
    try {
      const client = await this.#context.provider.client({ cluster, namespace: '' }, title, this.#context);
      return await use(client.withNamespace(''));
    } catch (error) {
      throw VaultError.is(error) ? callFailed(error, { verb, title, cluster, definition }) : error;
    }
  }
}
