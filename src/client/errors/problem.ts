import type { VaultErrorCode } from './vault-error';

/** Why one try of a call failed, before it is decided whether to try again. */
export interface Problem {
  readonly code: VaultErrorCode;
  /** What happened, to be read after the call: `the server answered 403 (permission denied)`. */
  readonly what: string;
  /** What to do: whole sentences, without the last full stop. */
  readonly cure: string;
  readonly status?: number;
  /** The server's texts. */
  readonly texts?: readonly string[];
  /** The server's `Retry-After`, as it came. */
  readonly retryAfter?: string;
  /** Whether the server surely did nothing, so that even a write can be sent again. */
  readonly withoutEffect: boolean;
  readonly cause?: unknown;
}
