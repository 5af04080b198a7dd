import type { Type } from '../values/type';
import type {
  ClientContext,
  ConfiguredContext,
  Context,
  DeferralContext,
  PrivateStateContext,
} from './context';
import type { Path } from './diagnostics';
import type { AppliedConfig, Config, Plan, State } from './inferred';
import type { Schema } from './schema';

/**
 * The values of a state as Terraform stored them, possibly with an older schema or by another
 * provider.
 */
export type RawState = Readonly<Record<string, unknown>>;

type Handler<Data> = ConfiguredContext<Data> & PrivateStateContext;

/** The context of create and update. */
export type ApplyContext<Data, S> = Handler<Data> & {
  /**
   * Sets the state that is stored if the handler fails afterwards. A resource whose creation fails
   * after this call is tainted: the next apply replaces it. Without this call, a failed creation
   * stores nothing, and a failed update keeps the previous state. Unknown values are stored as
   * null.
   */
  readonly keep: (state: Plan<S>) => void;
};

/** The context of `modifyPlan`. */
export type PlanContext<Data> = Handler<Data> &
  DeferralContext & {
    /** Plans to replace the object if the attribute at `path` changes. */
    readonly requireReplace: (path: Path) => void;
  };

/**
 * The object to import: the id on the command line or in the block, or the values of its identity.
 */
export type ImportRequest =
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: RawState };

/** A resource of another type that a `moved` block converts to this type. */
export interface MoveRequest {
  /** The address of the provider, such as `registry.terraform.io/hashicorp/vault`. */
  readonly providerAddress: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly state: RawState;
}

/**
 * The values that identify an object independently of Terraform's addresses. Terraform 1.12 and
 * later stores them with the state.
 */
export interface Identity<S> {
  readonly version?: number;
  readonly attributes: Readonly<Record<string, IdentityAttribute>>;
  /** Returns the identity of a stored object. */
  of(state: State<S>): Readonly<Record<string, unknown>>;
  /** Converts identities of earlier versions to the current one, by version. */
  readonly upgrade?: Readonly<Record<number, (identity: RawState) => Readonly<Record<string, unknown>>>>;
}

export interface IdentityAttribute {
  readonly type: Type;
  readonly description?: string;
  /** Whether an import requires it; otherwise it is optional. */
  readonly requiredForImport: boolean;
}

/**
 * A managed resource: its schema, and the handlers of its operations. Handlers return the state to
 * store; problems are diagnostics, or a thrown {@link DiagnosticError}.
 */
export interface ResourceDefinition<Data, S extends Schema> {
  /** The name without the provider's: `acl_policy`. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context & ClientContext): void | Promise<void>;

  /**
   * Changes the plan of a create (`state` is null) or an update. Terraform plans again before it
   * applies: a value that was known must then be the same. Rules 1 to 5 of the contract in
   * `docs/guides/provider-in-javascript.md` say what the result may depend on.
   *
   * @returns the plan; nothing if it does not change.
   */
  modifyPlan?(
    request: { config: Config<S>; state: State<S> | null; plan: Config<S> },
    context: PlanContext<Data>,
  ): Config<S> | void | Promise<Config<S> | void>;

  /** Called when a destroy is planned, for warnings and refusals. */
  planDestroy?(request: { state: State<S> }, context: PlanContext<Data>): void | Promise<void>;

  create(
    request: { config: AppliedConfig<S>; plan: Plan<S> },
    context: ApplyContext<Data, S>,
  ): State<S> | Promise<State<S>>;

  /**
   * Returns the present state of the object. After an import, `state` only has the values that
   * `import` returned.
   *
   * @returns null only if the object does not exist any more.
   */
  read(
    request: { state: State<S> },
    context: Handler<Data> & DeferralContext,
  ): State<S> | null | Promise<State<S> | null>;

  /** Absent if every attribute that can change requires replacement. */
  update?(
    request: { config: AppliedConfig<S>; state: State<S>; plan: Plan<S> },
    context: ApplyContext<Data, S>,
  ): State<S> | Promise<State<S>>;

  delete(request: { state: State<S> }, context: Handler<Data>): void | Promise<void>;

  /** Returns the values that `read` needs to find the object. */
  import?(
    request: ImportRequest,
    context: Handler<Data> & DeferralContext,
  ): Partial<State<S>> | Promise<Partial<State<S>>>;

  /**
   * Converts states of earlier schema versions to the current one, by version. Attributes that are
   * left out are null. The function for the current version is called each time Terraform reads the
   * state; its changes are not drift.
   */
  readonly upgrade?: Readonly<Record<number, (state: RawState, context: Context) => Partial<State<S>>>>;

  /**
   * Converts an object of another type of resource. Returns nothing for types that are not
   * supported.
   */
  move?(
    request: MoveRequest,
    context: Context & PrivateStateContext,
  ): Partial<State<S>> | undefined | Promise<Partial<State<S>> | undefined>;

  readonly identity?: Identity<S>;
}

/** A resource of any shape, as the provider lists it. */
export type Resource<Data = unknown> = ResourceDefinition<Data, Schema>;
