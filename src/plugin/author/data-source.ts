import type { ConfiguredContext, Context, DeferralContext } from './context';
import type { AppliedConfig, Config, State } from './inferred';
import type { Schema } from './schema';

/** An object that is read at every plan and never changed. */
export interface DataSourceDefinition<Data, S extends Schema> {
  /** The name without the provider's: `acl_policy`. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  read(
    request: { config: AppliedConfig<S> },
    context: ConfiguredContext<Data> & DeferralContext,
  ): State<S> | Promise<State<S>>;
}

/** A data source of any shape, as the provider lists it. */
export type DataSource<Data = unknown> = DataSourceDefinition<Data, Schema>;
