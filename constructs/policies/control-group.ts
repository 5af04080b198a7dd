import type { Duration } from '../core/duration';
import type { Capability } from './capability';

/**
 * The authorizations that a request needs before the server carries it out. It requires an
 * enterprise edition.
 */
export interface ControlGroup {
  /** The authorizations that are required. Every factor has to be satisfied. */
  readonly factors: ControlGroupFactor[];

  /**
   * How long the requester may wait for the authorizations, and then use them.
   *
   * @default - what the cluster is configured to allow at most
   */
  readonly ttl?: Duration | undefined;
}

/**
 * One authorization that a control group requires: a number of approvals from members of identity
 * groups.
 */
export interface ControlGroupFactor {
  /** The name of the factor, unique within the control group. */
  readonly name: string;

  /**
   * The names of the identity groups whose members may approve. This or `groupIds` is required.
   *
   * @default - none
   */
  readonly groupNames?: string[] | undefined;

  /**
   * The ids of the identity groups whose members may approve. This or `groupNames` is required.
   *
   * @default - none
   */
  readonly groupIds?: string[] | undefined;

  /**
   * How many members have to approve.
   *
   * @default 1
   */
  readonly approvals?: number | undefined;

  /**
   * The capabilities that require the authorization. Each has to be one that the statement permits.
   *
   * @default - all capabilities of the statement
   */
  readonly controlledCapabilities?: Capability[] | undefined;
}
