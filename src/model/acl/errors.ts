import type { HclFault } from '../hcl/errors';

/** The kinds of faults in policies for which a correction is known. */
export type AclFaultKind =
  | HclFault
  | 'approvals-missing'
  | 'braces-of-template'
  | 'capability-not-in-rule'
  | 'duration'
  | 'factor-missing'
  | 'plus-before-star'
  | 'ttls-reversed'
  | 'unknown-argument'
  | 'unknown-capability'
  | 'unknown-policy';

/** Details of an error in a policy, besides the server's message. */
export interface AclFault {
  /** The line, counted from 1. Absent if the fault has no place in the text. */
  readonly line?: number;
  readonly column?: number;
  readonly received?: string;
  readonly allowed?: readonly string[];
  readonly kind?: AclFaultKind | undefined;
  /** The server's complaints without line numbers, each once. Default: the message. */
  readonly complaints?: readonly string[];
  /** A description of the fault for people. Default: the complaints. */
  readonly plain?: string | undefined;
}

/** Returns the error for a fault. */
export type Refuse = (message: string, fault: AclFault) => AclPolicyError;

/** An error for a policy text that the server refuses. */
export class AclPolicyError extends Error {
  override readonly name = 'AclPolicyError';

  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly received: string | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly kind: AclFaultKind | undefined;
  /** The server's complaints, one line each. */
  readonly complaints: readonly string[];
  readonly plain: string | undefined;

  /** @param message the server's message without `failed to parse policy: `. */
  constructor(message: string, fault: AclFault = {}) {
    super(message);
    this.line = fault.line;
    this.column = fault.column;
    this.received = fault.received;
    this.allowed = fault.allowed;
    this.kind = fault.kind;
    this.complaints = fault.complaints ?? [message];
    this.plain = fault.plain;
  }
}
