import type { Diagnostics } from './diagnostics';

/** Values that a log line contains in addition to its message. Secrets are masked. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes to Terraform's log, which users see with `TF_LOG=DEBUG` or `TF_LOG_PROVIDER=DEBUG`. */
export interface Log {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** What every handler receives in addition to its request. */
export interface Context {
  /** The messages for the user. If one is an error, the operation fails when the handler returns. */
  readonly diagnostics: Diagnostics;
  readonly log: Log;
  /**
   * Hides `secret` in everything that is logged or shown from now on, and refuses it in values that are not sensitive. Sensitive
   * attributes are hidden already. The secrets that `configure` masks are credentials of the provider, refused in all values.
   */
  readonly mask: (secret: string) => void;
  /** Aborted when the user stops Terraform: give up quickly, and keep what was done. */
  readonly signal: AbortSignal;
}

/** The capabilities of the calling Terraform. */
export interface ClientCapabilities {
  /** Whether {@link DeferralContext.defer} is allowed. */
  readonly deferralAllowed: boolean;
  /** Whether write-only attributes may be set: Terraform 1.11 and later. */
  readonly writeOnlyAttributesAllowed: boolean;
}

/** The context of handlers that run after the provider was configured. */
export interface ConfiguredContext<Data> extends Context {
  /** What `configure` of the provider returned. */
  readonly provider: Data;
  /** The version of the Terraform that configured the provider, such as `1.11.4`. */
  readonly terraformVersion: string;
}

/** Why something is put off to a later plan and apply. */
export type DeferralReason = 'resource_config_unknown' | 'provider_config_unknown' | 'absent_prereq';

/** For handlers whose result depends on the calling Terraform. */
export interface ClientContext {
  readonly client: ClientCapabilities;
}

/** For handlers that may find that it is too early to answer. */
export interface DeferralContext extends ClientContext {
  /**
   * Ends the handler: the resource is put off to a later plan and apply. Where Terraform does not allow that (it takes
   * `-allow-deferral`), it is an error that names what to apply first.
   */
  readonly defer: (reason: DeferralReason) => never;
}

/** The private state of one resource: values that only its handlers see, stored as JSON. */
export interface PrivateState {
  get(key: string): unknown;
  /** `undefined` removes the value. */
  set(key: string, value: unknown): void;
}

/** For handlers that see or leave private state. */
export interface PrivateStateContext {
  readonly privateState: PrivateState;
}
