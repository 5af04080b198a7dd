import type { CallOptions, KeyList, VaultClient, VaultResponse } from '../../client';
import type { ObjectIdentity } from '../../model';
import type {
  ApplyContext,
  Attributes,
  Blocks,
  ClientContext,
  Context,
  DataSource,
  EphemeralResource,
  ListResource,
  PlanContext,
  PrivateState,
  Resource,
  Schema,
} from '../../plugin';
import type { Clusters } from '../clusters';
import type { RequestContext } from './request';
import type { StoredKind, StoredObject } from './stored-object';
import type { AttributeValues } from './values';

/** The resources, data sources and other parts that one folder adds to the provider. */
export interface ObjectsOfProvider {
  readonly resources: readonly Resource<Clusters>[];
  readonly dataSources: readonly DataSource<Clusters>[];
  readonly ephemeralResources?: readonly EphemeralResource<Clusters>[];
  readonly listResources?: readonly ListResource<Clusters>[];
}

/** The planned creation or change of an object. */
export interface ObjectChange {
  /**
   * The planned values, and the configuration. Only the configuration contains write-only values.
   */
  readonly plan: AttributeValues;
  readonly config: AttributeValues;
  /** The state; null if there is no object yet. */
  readonly state: AttributeValues | null;
}

/** The planned change of an object that exists. */
export interface ObjectUpdate extends ObjectChange {
  readonly state: AttributeValues;
}

export type ReadContext = RequestContext & { readonly privateState: PrivateState };
export type WriteContext = ApplyContext<Clusters, Schema>;

/**
 * A kind of object that a resource manages: its attributes, its requests, and where it differs from
 * the handlers that `storedResource` has for all kinds.
 */
export interface ResourceKind<
  Stored extends object,
  Written,
  I extends ObjectIdentity = ObjectIdentity,
> extends StoredKind<Stored, Written, I> {
  /** @default - the fields of the definition */
  readonly description?: string;
  /**
   * The attributes besides those of the location.
   *
   * @default - the attributes for the fields of the definition
   */
  readonly attributes?: Attributes;
  readonly blocks?: Blocks;

  /** Checks a configuration. Default: checks it by the definition. */
  validate?(config: AttributeValues, context: Context & ClientContext): void;

  /** Returns the values to write. Default: the fields of the definition. */
  toRequest?(change: ObjectChange): Written;

  /**
   * The attributes of an object in the state, without its location. By default the fields of the
   * definition. If a value means the same as before, the state keeps the previous form.
   *
   * @param prior the previous state. After an import it contains only the location.
   */
  toState?(
    stored: Stored,
    prior: AttributeValues,
    context: ReadContext,
  ): AttributeValues | Promise<AttributeValues>;

  /**
   * Whether the server holds the values of a plan or a state. By default the fields of the
   * definition are compared by their meaning.
   *
   * @param config the configuration with its write-only values; empty if it is not known any more.
   */
  holds?(stored: Stored, wanted: AttributeValues, config: AttributeValues): boolean;

  /**
   * Lists the existing names, so that not every create reads its object first. Names are compared
   * without regard to case.
   */
  readonly list?: (client: VaultClient, options: CallOptions) => Promise<VaultResponse<KeyList>>;

  /**
   * Whether the server does not return some written values, such as secrets. An adopted object is
   * written again because of them.
   */
  readonly hidesFields?: true;

  /**
   * The types of the provider `hashicorp/vault` that a `moved` block can convert to this resource.
   * Each function renames the attributes of such a state to those of this resource.
   */
  readonly movedFrom?: Readonly<Record<string, (state: AttributeValues) => AttributeValues>>;

  /**
   * Adds attributes to a state that earlier versions of the provider did not store. Terraform
   * calls it whenever it reads the state, and shows no change.
   */
  readonly completed?: (state: AttributeValues) => AttributeValues;

  /** Whether the object exists on every server, so that a create overwrites it. */
  isPermanent?(identity: I): boolean;

  /** Returns the computed attributes of a plan that depend only on the plan. */
  computed?(plan: AttributeValues): AttributeValues;
  /** Plans further values, and reports warnings. */
  plan?(change: ObjectChange, context: PlanContext<Clusters>): AttributeValues | Promise<AttributeValues>;
  planDestroy?(state: AttributeValues, context: PlanContext<Clusters>): void | Promise<void>;

  /** Returns the part of a new object's state that does not come from the plan. */
  newState?(plan: AttributeValues): AttributeValues;
  /**
   * Writes to an object that a deletion has left for this creation.
   *
   * @returns `true` if there is such an object, so that none has to be created
   */
  reuse?(
    object: StoredObject<Stored, Written, I>,
    change: ObjectChange,
    context: WriteContext,
  ): Promise<boolean>;
  /** Overwrites an object. Default: with the values of {@link ResourceKind.toRequest}. */
  update?(
    object: StoredObject<Stored, Written, I>,
    change: ObjectUpdate,
    context: WriteContext,
  ): Promise<void>;
  /**
   * Runs after an object was written.
   *
   * @returns the state to store
   */
  afterWrite?(
    object: StoredObject<Stored, Written, I>,
    change: ObjectChange,
    context: WriteContext,
  ): AttributeValues | Promise<AttributeValues>;

  /** Runs after an object of the state was read. */
  afterRead?(
    object: StoredObject<Stored, Written, I>,
    stored: Stored,
    state: AttributeValues,
    context: ReadContext,
  ): void | Promise<void>;

  /** Deletes an object. Default: calls the client's method that deletes it. */
  delete?(
    object: StoredObject<Stored, Written, I>,
    state: AttributeValues,
    context: ReadContext,
  ): Promise<void>;
}
