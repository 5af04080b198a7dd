import type { ConfiguredContext, Context } from './context';
import type { AppliedConfig, Config } from './inferred';
import type { Schema } from './schema';

/** The context of an action that runs. */
export type ActionContext<Data> = ConfiguredContext<Data> & {
  /** Reports the progress of the action to the user. */
  readonly progress: (message: string) => void;
};

/**
 * An operation that leaves no state: `terraform apply -invoke`, or a trigger (Terraform 1.14 and
 * later).
 */
export interface ActionDefinition<Data, S extends Schema> {
  /** The name without the provider's: `token_revoke`. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  /** Called when the action is planned, for warnings and refusals. Values may be unknown. */
  plan?(request: { config: Config<S> }, context: ConfiguredContext<Data>): void | Promise<void>;

  invoke(request: { config: AppliedConfig<S> }, context: ActionContext<Data>): void | Promise<void>;
}

/** An action of any shape, as the provider lists it. */
export type Action<Data = unknown> = ActionDefinition<Data, Schema>;
