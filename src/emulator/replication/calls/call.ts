import {
  type REPLICATION_CALLS,
  type ReplicationCallName,
  type ReplicationMode,
  modesOfCall,
  transitionOf,
} from '../../../model';
import type { LogicalRequest, LogicalResponse } from '../../core/backend';
import { openRefusal } from '../../core/errors';
import type { ClusterParts } from '../../core/request/parts';
import type { InputOf } from '../../core/input/model-input';
import type { ClusterReplication } from '../cluster-replication';
import type { CrashStep } from '../steps';

/** The parts of a cluster that the calls of replication use. */
export interface ReplicatedCluster extends ClusterParts {
  readonly replication: ClusterReplication;
}

/** The decoded fields of a call, which were checked by the model's rules. */
export type CallInput<Name extends ReplicationCallName> = InputOf<(typeof REPLICATION_CALLS)[Name]['fields']>;

/** Handles a call. */
export type CallHandler<Name extends ReplicationCallName> = (
  cluster: ReplicatedCluster,
  input: CallInput<Name>,
  request: LogicalRequest,
) => LogicalResponse | undefined | Promise<LogicalResponse | undefined>;

/** The handlers by the names of the calls. */
export type CallHandlers = { readonly [Name in ReplicationCallName]: CallHandler<Name> };

/** @throws LogicalError 400 if the call is not allowed in the mode of the cluster. */
export function requireMode({ mode }: ClusterReplication, call: ReplicationCallName): void {
  const modes: readonly ReplicationMode[] = modesOfCall(call);
  if (!modes.includes(mode)) throw openRefusal('wrongReplicationMode', mode, modes);
}

/**
 * Completes a call that has changed the mode or the primary: interrupts service, and returns the
 * answer.
 */
export function changed(
  replication: ClusterReplication,
  call: ReplicationCallName,
  step: CrashStep,
): LogicalResponse {
  replication.site.reached(step);
  const { interruptsService = false, warning } = transitionOf(call) ?? {};
  if (interruptsService) replication.interrupt();
  else replication.connect();
  return warning === undefined ? {} : { warnings: [warning] };
}
