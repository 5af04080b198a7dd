import type { ConfiguredContext, Context, DeferralContext } from './context';
import type { AppliedConfig, Config, State } from './inferred';
import type { Schema } from './schema';

/** The result of opening an ephemeral resource. */
export interface Opened<S> {
  readonly result: State<S>;
  /** The time at which Terraform calls `renew`; absent for never. */
  readonly renewAt?: Date;
  /** Passed to `renew` and `close` as JSON. */
  readonly private?: unknown;
}

/**
 * An object that exists while Terraform runs, and is never stored: opened and closed in every plan
 * and apply.
 */
export interface EphemeralResourceDefinition<Data, S extends Schema> {
  /** The name without the provider's: `secondary_token`. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  open(
    request: { config: AppliedConfig<S> },
    context: ConfiguredContext<Data> & DeferralContext,
  ): Opened<S> | Promise<Opened<S>>;

  /** @returns the time of the next renewal. */
  renew?(
    request: { private: unknown },
    context: ConfiguredContext<Data>,
  ): RenewedUntil | Promise<RenewedUntil>;

  /** Closes the resource. `private` is the value that `open` returned, not the one of `renew`. */
  close?(request: { private: unknown }, context: ConfiguredContext<Data>): void | Promise<void>;
}

export interface RenewedUntil {
  readonly renewAt?: Date;
  readonly private?: unknown;
}

/** An ephemeral resource of any shape, as the provider lists it. */
export type EphemeralResource<Data = unknown> = EphemeralResourceDefinition<Data, Schema>;
