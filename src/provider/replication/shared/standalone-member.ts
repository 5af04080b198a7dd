import {
  VaultError,
  type PerformanceReplicationCalls,
  type ReplicationStatus,
  type VaultResponse,
} from '../../../client';
import { objectTitle, REPLICATION_WARNINGS, type ObjectDefinition } from '../../../model';
import type { Cluster } from '../../clusters';
import { MessageError, report } from '../../messages';
import { onCluster, serverWarns, upperFirst, type ObjectSubject, type RequestContext } from '../../objects';
import { memberId } from './location';
import { isSettled, mayHaveTakenEffect, Member, type SettledStatus } from './member';

/**
 * The timeout in seconds for a status of a cluster that changes its mode, restarts or is sealed.
 */
const READ_TIMEOUT = 30;
/** The timeout in seconds for a status that is only used for hints. */
const GLANCE_TIMEOUT = 5;
/**
 * The number of reads of the status, over some seconds, after which a change counts as not made if
 * it was not answered and is not visible.
 */
const LOOKS_AT_NO_CHANGE = 6;

/**
 * The warnings of the server for every mode change. The provider waits for the change, so it does
 * not show them.
 */
const EXPECTED_WARNINGS: readonly string[] = Object.values(REPLICATION_WARNINGS);

/** A change of a cluster's mode, and the condition for its end. */
interface ModeChange<S extends ReplicationStatus> {
  /** The verb that follows `cannot`: `create`. */
  readonly verb: string;
  /** The awaited change, which follows `did not`: `become a primary`. */
  readonly goal: string;
  call(calls: PerformanceReplicationCalls): Promise<VaultResponse>;
  readonly reached: (status: ReplicationStatus) => status is S;
  /** Seconds. */
  readonly timeout: number;
}

/**
 * A member that a resource for one cluster manages. A failure ends the operation, so the methods of
 * this class throw a DiagnosticError that names the failed action.
 */
export class StandaloneMember extends Member {
  readonly subject: ObjectSubject;
  readonly #context: RequestContext;

  constructor(
    definition: ObjectDefinition,
    name: string,
    context: RequestContext,
    /** The id of the secondary, if the member is one. */
    secondaryId?: string,
  ) {
    const location = { cluster: name, namespace: '' };
    const title = objectTitle(definition, secondaryId);
    const subject = { definition, location, title, id: memberId(name) };
    super(name, subject, context);
    this.subject = subject;
    this.#context = context;
  }

  /** Returns the status once the cluster is in a mode that lasts. */
  settled(verb = 'read', timeout = READ_TIMEOUT): Promise<SettledStatus> {
    return this.reach(verb, 'come to a mode that it stays in', isSettled, timeout);
  }

  /** Returns the status for a hint, if it can be read at once. */
  async glance(): Promise<ReplicationStatus | undefined> {
    try {
      const calls = this.#clusterIfKnown()?.anonymous().replication.performance;
      return (await calls?.status({ timeout: GLANCE_TIMEOUT, signal: this.#context.signal }))?.data;
    } catch {
      return undefined;
    }
  }

  /** Whether the cluster has a static token, which the provider cannot replace by a login. */
  get hasStaticToken(): boolean {
    const cluster = this.#clusterIfKnown();
    return cluster !== undefined && cluster.settings.login === undefined;
  }

  /** Waits like `waitUntil`. */
  async reach<S extends ReplicationStatus>(
    verb: string,
    goal: string,
    reached: (status: ReplicationStatus) => status is S,
    timeout: number,
  ): Promise<S> {
    try {
      return await this.waitUntil(goal, reached, timeout);
    } catch (error) {
      throw VaultError.is(error) ? this.#waitFailed(verb, error) : error;
    }
  }

  /**
   * Makes a call that changes the mode, and waits for the change. If the answer is lost, the call
   * is not repeated: the status shows whether it took effect.
   */
  async change<S extends ReplicationStatus>(change: ModeChange<S>): Promise<S> {
    const { verb, goal, reached, timeout } = change;
    try {
      const { warnings } = await this.call(verb, (replication) => change.call(replication));
      for (const warning of warnings.filter((text) => !EXPECTED_WARNINGS.includes(text))) {
        report(this.#context.diagnostics, 'warning', serverWarns(this.subject, warning));
      }
    } catch (failure) {
      if (!mayHaveTakenEffect(failure)) throw failure;
      return this.#outcomeOf(change, failure);
    }
    return this.reach(verb, goal, reached, timeout);
  }

  /** Returns the result of a change that was not answered. */
  async #outcomeOf<S extends ReplicationStatus>(change: ModeChange<S>, failure: unknown): Promise<S> {
    const { verb, goal, reached, timeout } = change;
    this.#context.log.warn(`${onCluster(this.subject)}: no answer; the status shows whether it took effect`);
    let looks = 0;
    const isDecided = (status: ReplicationStatus): status is ReplicationStatus =>
      reached(status) || (isSettled(status) && ++looks >= LOOKS_AT_NO_CHANGE);
    const status = await this.reach(verb, goal, isDecided, timeout);
    if (!reached(status)) throw failure;
    return status;
  }

  /** Returns the cluster; `undefined` if it is not known yet. No request is deferred for a hint. */
  #clusterIfKnown(): Cluster | undefined {
    const { providerData: provider, diagnostics, log, mask, signal } = this.#context;
    try {
      return provider.cluster(this.name, this.subject.title, { diagnostics, log, mask, signal });
    } catch {
      return undefined;
    }
  }

  #waitFailed(verb: string, error: VaultError): MessageError {
    const reason = error.code === 'timeout' ? 'it took too long' : 'its status cannot be read';
    const summary = `cannot ${verb} ${onCluster(this.subject)}: ${reason}`;
    return new MessageError({ summary, details: upperFirst(error.message) }, { cause: error });
  }
}
