import type { ConfiguredContext, Context, DeferralContext } from './context';
import type { AppliedConfig, Config, State } from './inferred';
import type { Schema } from './schema';

/** What an ephemeral resource is when it was opened. */
export interface Opened<S> {
  readonly result: State<S>;
  /** When Terraform calls `renew`. Absent: never. */
  readonly renewAt?: Date;
  /** Handed to `renew` and `close`, as JSON. */
  readonly private?: unknown;
}

/** Something that lives while Terraform runs, and is never stored: opened and closed in every plan and apply. */
export interface EphemeralResourceDefinition<Data, S extends Schema> {
  /** Without the provider's name: `secondary_token`. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  open(
    request: { config: AppliedConfig<S> },
    context: ConfiguredContext<Data> & DeferralContext,
  ): Opened<S> | Promise<Opened<S>>;

  /** @returns when to renew next. */
  renew?(
    request: { private: unknown },
    context: ConfiguredContext<Data>,
  ): RenewedUntil | Promise<RenewedUntil>;

  /** `private` is what `open` returned, not what `renew` returned afterwards. */
  close?(request: { private: unknown }, context: ConfiguredContext<Data>): void | Promise<void>;
}

export interface RenewedUntil {
  readonly renewAt?: Date;
  readonly private?: unknown;
}

/** An ephemeral resource of any shape, as the provider lists it. */
export type EphemeralResource<Data = unknown> = EphemeralResourceDefinition<Data, Schema>;
