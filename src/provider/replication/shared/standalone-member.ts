import {
  VaultError,
  type PerformanceReplicationCalls,
  type ReplicationStatus,
  type VaultResponse,
} from '../../../client';
import { objectTitle, REPLICATION_WARNINGS, type ObjectDefinition } from '../../../model';
import { DiagnosticError } from '../../../plugin';
import type { Cluster } from '../../clusters';
import { onCluster, type ObjectSubject, type RequestContext } from '../../objects';
import { memberId } from './location';
import { isSettled, mayHaveTakenEffect, Member, type SettledStatus } from './member';

/**
 * Seconds that a look at the status waits for a cluster that is between two modes, restarting or
 * sealed.
 */
const READ_TIMEOUT = 30;
/** Seconds for a look that nothing depends on. */
const GLANCE_TIMEOUT = 5;
/**
 * Looks at a status after which a change that was not answered, and is not to be seen, was not
 * made: some seconds.
 */
const LOOKS_AT_NO_CHANGE = 6;

/**
 * The warnings of the server for every mode change. The provider waits for the change, so it does
 * not show them.
 */
const EXPECTED_WARNINGS: readonly string[] = Object.values(REPLICATION_WARNINGS);

/** A change of a cluster's mode, and how its end is recognized. */
interface ModeChange<S extends ReplicationStatus> {
  /** To follow `cannot`: `create`. */
  readonly verb: string;
  /** The awaited change, to follow `did not`: `become a primary`. */
  readonly goal: string;
  call(calls: PerformanceReplicationCalls): Promise<VaultResponse>;
  readonly reached: (status: ReplicationStatus) => status is S;
  /** Seconds. */
  readonly timeout: number;
}

/**
 * A member that a resource of its own is about. A failure ends the operation: every method that is
 * added here throws a DiagnosticError that names the failed action.
 */
export class StandaloneMember extends Member {
  readonly subject: ObjectSubject;
  readonly #context: RequestContext;

  constructor(
    definition: ObjectDefinition,
    name: string,
    context: RequestContext,
    /** The id of the secondary that it is about, where it is about one. */
    secondaryId?: string,
  ) {
    const location = { cluster: name, namespace: '' };
    const title = objectTitle(definition, secondaryId);
    const subject = { definition, location, title, id: memberId(name) };
    super(name, subject, context);
    this.subject = subject;
    this.#context = context;
  }

  /** The status, once the cluster is in a mode that it stays in. */
  settled(verb = 'read', timeout = READ_TIMEOUT): Promise<SettledStatus> {
    return this.reach(verb, 'come to a mode that it stays in', isSettled, timeout);
  }

  /** The status if it can be read at once: for hints alone. */
  async glance(): Promise<ReplicationStatus | undefined> {
    try {
      const calls = this.#clusterIfKnown()?.anonymous().replication.performance;
      return (await calls?.status({ timeout: GLANCE_TIMEOUT, signal: this.#context.signal }))?.data;
    } catch {
      return undefined;
    }
  }

  /** Whether the provider has a token for the cluster that it cannot replace by another one. */
  get hasStaticToken(): boolean {
    const cluster = this.#clusterIfKnown();
    return cluster !== undefined && cluster.settings.login === undefined;
  }

  /** Waits as `waitUntil` does. */
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
   * Makes a call that changes the mode, and waits for the end of it. If its answer is lost, the
   * status shows the result: such a call must not be made twice.
   */
  async change<S extends ReplicationStatus>(change: ModeChange<S>): Promise<S> {
    const { verb, goal, reached, timeout } = change;
    try {
      const { warnings } = await this.call(verb, (replication) => change.call(replication));
      for (const warning of warnings.filter((text) => !EXPECTED_WARNINGS.includes(text))) {
        this.#context.diagnostics.warning(`${onCluster(this.subject)}: the server warns`, warning);
      }
    } catch (failure) {
      if (!mayHaveTakenEffect(failure)) throw failure;
      return this.#outcomeOf(change, failure);
    }
    return this.reach(verb, goal, reached, timeout);
  }

  /** The result of a change that was not answered. */
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

  /**
   * Without putting the resource off: a cluster that is not known yet gives no hint, and that is
   * all.
   */
  #clusterIfKnown(): Cluster | undefined {
    const { providerData: provider, diagnostics, log, mask, signal } = this.#context;
    try {
      return provider.cluster(this.name, this.subject.title, { diagnostics, log, mask, signal });
    } catch {
      return undefined;
    }
  }

  #waitFailed(verb: string, error: VaultError): DiagnosticError {
    const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
    return new DiagnosticError(
      `cannot ${verb} ${onCluster(this.subject)}: ${error.code === 'timeout' ? 'it took too long' : 'its status cannot be read'}`,
      message,
      [],
      { cause: error },
    );
  }
}
