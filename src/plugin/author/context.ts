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

/** The context that every handler receives in addition to its request. */
export interface Context {
  /**
   * The messages for the user. If one is an error, the operation fails when the handler returns.
   */
  readonly diagnostics: Diagnostics;
  readonly log: Log;
  /**
   * Hides `secret` in all later logs and messages, and refuses it in values that are not sensitive.
   * Values of sensitive attributes are hidden without this call. Secrets that `configure` masks are
   * credentials of the provider, and refused in all values.
   */
  readonly mask: (secret: string) => void;
  /** Aborted when the user stops Terraform: end quickly, and keep the results so far. */
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
  /** The result of the provider's `configure`. */
  readonly providerData: Data;
  /** The version of the Terraform that configured the provider, such as `1.11.4`. */
  readonly terraformVersion: string;
}

/** The reason why an object is deferred to a later plan and apply. */
export type DeferralReason = 'resource_config_unknown' | 'provider_config_unknown' | 'absent_prereq';

/** The context of handlers whose result depends on the calling Terraform. */
export interface ClientContext {
  readonly clientCapabilities: ClientCapabilities;
}

/**
 * The context of handlers that can defer their resource because something they need is not known
 * yet.
 */
export interface DeferralContext extends ClientContext {
  /**
   * Ends the handler: the resource is deferred to a later plan and apply. If Terraform does not
   * allow that (it needs `-allow-deferral`), this is an error that says what to apply first.
   */
  readonly defer: (reason: DeferralReason) => never;
}

/** The private state of one resource: values that only its handlers see, stored as JSON. */
export interface PrivateState {
  get(key: string): unknown;
  /** Sets a value; `undefined` removes it. */
  set(key: string, value: unknown): void;
}

/** The context of handlers that read or write private state. */
export interface PrivateStateContext {
  readonly privateState: PrivateState;
}
