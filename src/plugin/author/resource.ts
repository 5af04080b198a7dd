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

/** The values of a state as Terraform stored them, possibly with an older schema or by another provider. */
export type RawState = Readonly<Record<string, unknown>>;

type Handler<Data> = ConfiguredContext<Data> & PrivateStateContext;

/** The context of create and update. */
export type ApplyContext<Data, S> = Handler<Data> & {
  /**
   * Says what is stored if the handler fails from now on. A resource whose creation failed after this is tainted: the
   * next apply replaces it. Without it, a failed creation stores nothing, and a failed update keeps the previous state.
   * What is still unknown is stored as null.
   */
  readonly keep: (state: Plan<S>) => void;
};

/** The context of `modifyPlan`. */
export type PlanContext<Data> = Handler<Data> &
  DeferralContext & {
    /** Replaces the object if the attribute at `path` changes. */
    readonly requireReplace: (path: Path) => void;
  };

/** What identifies an imported object: the id on the command line or in the block, or the values of its identity. */
export type ImportRequest =
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: RawState };

/** A resource that an object of this type is made from by a `moved` block. */
export interface MoveRequest {
  /** Such as `registry.terraform.io/hashicorp/vault`. */
  readonly providerAddress: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly state: RawState;
}

/** What an object is known by outside of Terraform's addresses: Terraform 1.12 and later stores it with the state. */
export interface Identity<S> {
  readonly version?: number;
  readonly attributes: Readonly<Record<string, IdentityAttribute>>;
  /** The identity of a stored object. */
  of(state: State<S>): Readonly<Record<string, unknown>>;
  /** By version, how an older identity becomes one of now. */
  readonly upgrade?: Readonly<Record<number, (identity: RawState) => Readonly<Record<string, unknown>>>>;
}

export interface IdentityAttribute {
  readonly type: Type;
  readonly description?: string;
  /** Whether an import requires it; otherwise it is optional. */
  readonly requiredForImport: boolean;
}

/**
 * A managed resource: what it looks like, and what happens to it. Handlers return the state to store; problems are
 * diagnostics, or a thrown {@link DiagnosticError}.
 */
export interface ResourceDefinition<Data, S extends Schema> {
  /** Without the provider's name: `acl_policy`. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context & ClientContext): void | Promise<void>;

  /**
   * Changes the plan of a create (`state` is null) or an update. What it returns must not depend on anything but the
   * request: Terraform plans again before it applies.
   *
   * @returns the plan, or nothing to leave it as it is.
   */
  modifyPlan?(
    request: { config: Config<S>; state: State<S> | null; plan: Config<S> },
    context: PlanContext<Data>,
  ): Config<S> | void | Promise<Config<S> | void>;

  /** Called when a destroy is planned: for warnings and refusals. */
  planDestroy?(request: { state: State<S> }, context: PlanContext<Data>): void | Promise<void>;

  create(
    request: { config: AppliedConfig<S>; plan: Plan<S> },
    context: ApplyContext<Data, S>,
  ): State<S> | Promise<State<S>>;

  /**
   * What the object is now. After an import `state` holds only what `import` returned.
   *
   * @returns null if the object is gone, and only then.
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

  /** What `read` needs to find the object. */
  import?(
    request: ImportRequest,
    context: Handler<Data> & DeferralContext,
  ): Partial<State<S>> | Promise<Partial<State<S>>>;

  /**
   * By version of the schema, how a state stored under it becomes one of now. Attributes left out are null. That of the current
   * version is called each time that Terraform reads the state, and what it changes is not drift.
   */
  readonly upgrade?: Readonly<Record<number, (state: RawState, context: Context) => Partial<State<S>>>>;

  /** Takes over an object from another type of resource. Nothing returned: not from that type. */
  move?(
    request: MoveRequest,
    context: Context & PrivateStateContext,
  ): Partial<State<S>> | undefined | Promise<Partial<State<S>> | undefined>;

  readonly identity?: Identity<S>;
}

/** A resource of any shape, as the provider lists it. */
export type Resource<Data = unknown> = ResourceDefinition<Data, Schema>;
