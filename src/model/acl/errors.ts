/** Details of an error in a policy, besides the server's message. */
export interface AclFault {
  /** Counted from 1. Absent where the fault has no place. */
  readonly line?: number;
  readonly column?: number;
  readonly received?: string;
  readonly allowed?: readonly string[];
}

/** The server refuses the policy text. */
export class AclPolicyError extends Error {
  override readonly name = 'AclPolicyError';

  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly received: string | undefined;
  readonly allowed: readonly string[] | undefined;

  /** @param message the server's own words, without `failed to parse policy: `. */
  constructor(message: string, fault: AclFault = {}) {
    super(message);
    this.line = fault.line;
    this.column = fault.column;
    this.received = fault.received;
    this.allowed = fault.allowed;
  }
}
