import { isDeepStrictEqual } from 'node:util';
import { MessageError, report } from '../messages';
import {
  differingFields,
  nameField,
  objectTitle,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../model';
import {
  definitions,
  isKnown,
  UNKNOWN,
  type ApplyContext,
  type Attributes,
  type Blocks,
  type ClientContext,
  type Context,
  type DataSource,
  type EphemeralResource,
  type ListResource,
  type MoveRequest,
  type PlanContext,
  type PrivateState,
  type Resource,
  type Schema,
} from '../../plugin';
import {
  type CallOptions,
  type KeyList,
  type VaultClient,
  type VaultResponse,
  VaultError,
  type VaultErrorCode,
} from '../../client';
import type { Clusters } from '../clusters';
import { resourceFields } from './attributes';
import { isUnconfirmed, takeOver, writeNew } from './create';
import { reportFindings, reportNamespace } from './report-findings';
import { reportRights, requireRights } from './rights';
import {
  configuredTwice,
  createdAndDestroyed,
  deletesObjects,
  keptAndDestroyed,
  movedToSeveral,
  namespaceGone,
  nothingToImport,
} from './messages';
import { namesInUse } from './names-in-use';
import { request, type RequestContext } from './request';
import { storedObject, type StoredKind, type StoredObject } from './stored-object';
import { fieldsIn, plannedTextIn, textIn, valuesOf, type AttributeValues } from './values';
import { perRun } from './per-run';
import { serverErrorOf } from './server-error';
import type { Subject } from './subject';

/** Seconds. If the parent does not answer in time, it is not known whether the namespace exists. */
const TIMEOUT = 10;

/** The changes of one object in one run of Terraform. */
interface ObjectChanges {
  /** How many resources of the state stand for it. */
  kept: number;
  /** How many resources of the configuration stand for it. */
  planned: number;
  toBeCreated: boolean;
  toBeDestroyed: boolean;
  created: boolean;
}

/** By the types and ids of the objects. */
const changesOfRun = perRun((): ObjectChanges => ({
  kept: 0,
  planned: 0,
  toBeCreated: false,
  toBeDestroyed: false,
  created: false,
}));

/**
 * In the private state that a plan leaves. Terraform plans a resource a second time if it replaces
 * its object, without a state but with this private state.
 */
const PLANNED = 'planned';

/** The contribution of a folder to the provider. */
export interface ObjectsOfProvider {
  readonly resources: readonly Resource<Clusters>[];
  readonly dataSources: readonly DataSource<Clusters>[];
  readonly ephemeralResources?: readonly EphemeralResource<Clusters>[];
  readonly listResources?: readonly ListResource<Clusters>[];
}

/** The planned change of an object. */
export interface Change {
  /**
   * The planned values, and where they are written. Write-only values are in the configuration
   * alone.
   */
  readonly plan: AttributeValues;
  readonly config: AttributeValues;
  /** Null: there is no object yet. */
  readonly state: AttributeValues | null;
}

type ReadContext = RequestContext & { readonly privateState: PrivateState };
type WriteContext = ApplyContext<Clusters, Schema>;

/**
 * A kind of object that a resource stands for: what it looks like, how it is written and read, and
 * what is special about it. {@link storedResource} has the life that all kinds share.
 */
export interface ResourceKind<
  Stored extends object,
  Written,
  I extends ObjectIdentity = ObjectIdentity,
> extends StoredKind<Stored, Written, I> {
  /** @default - what the definition says */
  readonly description?: string;
  /**
   * The attributes beside those that say where the object is.
   *
   * @default - those that the fields of the definition make
   */
  readonly attributes?: Attributes;
  readonly blocks?: Blocks;

  /** Checks a configuration. By default the definition does. */
  validate?(config: AttributeValues, context: Context & ClientContext): void;

  /** The values to write. By default the fields of the definition. */
  toRequest?(change: Change): Written;

  /**
   * The attributes of an object in the state, without its location. By default the fields of the
   * definition. Values that mean the same as before keep their form afterwards.
   *
   * @param prior the state before. After an import it says only where the object is.
   */
  toState?(
    stored: Stored,
    prior: AttributeValues,
    context: ReadContext,
  ): AttributeValues | Promise<AttributeValues>;

  /**
   * Whether the server holds what a plan or a state says. By default every field of the definition
   * means the same.
   *
   * @param config what was configured, write-only values included. Empty if that is not known any
   *   more.
   */
  holds?(stored: Stored, wanted: AttributeValues, config: AttributeValues): boolean;

  /**
   * Lists the existing names, so that not every create reads its object first. Names are compared
   * without regard to case.
   */
  readonly list?: (client: VaultClient, options: CallOptions) => Promise<VaultResponse<KeyList>>;

  /**
   * Whether the server does not return all written values, such as secrets: those are written
   * again.
   */
  readonly hidesFields?: true;

  /**
   * The types of the provider `hashicorp/vault` that a `moved` block can convert to this resource.
   * Each function renames the attributes of such a state to those of this resource.
   */
  readonly movedFrom?: Readonly<Record<string, (state: AttributeValues) => AttributeValues>>;

  readonly special?: Special<Stored, Written, I>;
}

/** Where the life of a kind differs from that of the others. */
export interface Special<Stored extends object, Written, I extends ObjectIdentity = ObjectIdentity> {
  /** Whether every server has it: it is not created, but written over. */
  isPermanent?(identity: I): boolean;

  /** Computed attributes of a plan that depend on nothing but the plan itself. */
  computed?(plan: AttributeValues): AttributeValues;
  /** Plans further values, and warns. */
  plan?(change: Change, context: PlanContext<Clusters>): AttributeValues | Promise<AttributeValues>;
  planDestroy?(state: AttributeValues, context: PlanContext<Clusters>): void | Promise<void>;

  /** The part of the state of an object to be created that does not come from the plan. */
  newState?(plan: AttributeValues): AttributeValues;
  /**
   * Takes up an object that was left for this creation.
   *
   * @returns whether there was one, so that nothing is to be created.
   */
  takeUp?(object: StoredObject<Stored, Written, I>, change: Change, context: WriteContext): Promise<boolean>;
  /** Writes over an object. By default with what {@link ResourceKind.toRequest} says. */
  update?(object: StoredObject<Stored, Written, I>, change: Change, context: WriteContext): Promise<void>;
  /**
   * The action after an object was written.
   *
   * @returns the state to store.
   */
  written?(
    object: StoredObject<Stored, Written, I>,
    change: Change,
    context: WriteContext,
  ): AttributeValues | Promise<AttributeValues>;

  /** The action after an object of the state was read. */
  found?(
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

/**
 * The resource of a kind of object, with the life that all kinds share:
 * - an object that already exists is not overwritten; what is exactly as planned was left by an
 *   apply that was killed;
 * - two resources of one name are refused;
 * - one that a plan would create and destroy, under two addresses, is neither created nor
 *   destroyed; one that replaces itself (`create_before_destroy`) stays;
 * - if it could not be determined whether an object was created, the next read looks at it again;
 * - an object that is gone, by itself or with its namespace, leaves the state; no other failure to
 *   read it does that;
 * - another cluster, or another value of a field that is part of the path, replaces the object;
 * - an import reads everything that the server tells.
 */
export function storedResource<Stored extends object, Written, I extends ObjectIdentity>(
  kind: ResourceKind<Stored, Written, I>,
): Resource<Clusters> {
  const { definition, placing, special = {} } = kind;
  const name = nameField(definition);
  // The schema has made sure that the values are of the definition's types.
  const toRequest = (change: Change) =>
    kind.toRequest ? kind.toRequest(change) : (fieldsIn(definition, change.plan) as Written);
  const toState = (stored: Stored, prior: AttributeValues, context: ReadContext) =>
    kind.toState ? kind.toState(stored, prior, context) : fieldsIn(definition, valuesOf(stored));
  const holds = (stored: Stored, wanted: AttributeValues, config: AttributeValues = {}) =>
    kind.holds ? kind.holds(stored, wanted, config) : holdsFields(definition, valuesOf(stored), wanted);

  return definitions<Clusters>().resource<Attributes, Blocks>({
    name: definition.name,
    schema: {
      description: kind.description ?? definition.doc,
      attributes: { ...placing.attributes, ...(kind.attributes ?? resourceFields(definition)) },
      blocks: kind.blocks ?? {},
    },
    identity: placing.identity,

    validate({ config }, context) {
      reportNamespace(definition, config, context.diagnostics);
      if (kind.validate) kind.validate(config, context);
      else reportFindings(definition, config, context.diagnostics);
    },

    async modifyPlan({ config, state, plan }, context) {
      const title = objectTitle(definition, textIn(plan, name) ?? undefined);
      const cluster = context.providerData.nameOf(plannedTextIn(config, 'cluster'), title);
      if (state !== null && cluster !== state.cluster) context.requireReplace(['cluster']);
      const located: AttributeValues = { ...plan, ...special.computed?.(plan), cluster };
      const isPlaced = isKnown(cluster) && placing.keys.every((key) => isKnown(located[key]));
      const identity = isPlaced ? placing.identityOf(located, cluster) : undefined;
      if (identity) notePlanned(identity, state, context);
      const planned = { ...located, id: identity ? placing.locationOf(identity).id : UNKNOWN };
      const result = (await special.plan?.({ config, state, plan: planned }, context)) ?? planned;
      if (identity) await reportRightsFor(identity, state, result, context);
      return result;
    },

    async planDestroy({ state }, context) {
      const identity = identityIn(state);
      const object = storedObject(kind, identity, context);
      const changes = changesInRun(context.providerData, definition.name, object.subject.id);
      changes.toBeDestroyed = true;
      const { diagnostics } = context;
      if (changes.toBeCreated && !changes.created)
        report(diagnostics, 'error', createdAndDestroyed(object.subject));
      else if (changes.kept > 1) report(diagnostics, 'error', keptAndDestroyed(object.subject));
      else if (!special.isPermanent?.(identity)) {
        report(diagnostics, 'warning', deletesObjects(object.subject));
        await reportRights('delete', object.subject, state, context);
      }
      await special.planDestroy?.(state, context);
    },

    async create({ config, plan }, context) {
      const title = objectTitle(definition, textIn(plan, name) ?? undefined);
      const cluster = context.providerData.knownNameOf(textIn(config, 'cluster'), title, context);
      const computed = special.computed?.(plan);
      const identity = placing.identityOf({ ...plan, ...computed }, cluster);
      const object = storedObject(kind, identity, context);
      const state = { ...placed(plan, identity), ...computed, ...special.newState?.(plan) };
      const change = { plan: state, config, state: null };
      await requireRights('create', object.subject, state, context);

      if (!(await special.takeUp?.(object, change, context))) {
        const isWanted = (stored: Stored) => holds(stored, state, config);
        const existing =
          special.isPermanent?.(identity) || !(await mayExist(object, context))
            ? undefined
            : await object.read('create');
        if (existing) takeOver(object, isWanted(existing), context);
        if (existing && kind.hidesFields) await object.write('update', toRequest(change));
        if (!existing) await writeNew(object, { fields: toRequest(change), holds: isWanted, state }, context);
      }
      // If the resource replaces itself, the deletion of the earlier object may follow.
      changesInRun(context.providerData, definition.name, object.subject.id).created = true;
      return special.written ? special.written(object, change, context) : state;
    },

    async read({ state: given }, context) {
      const state = isMoved(given) ? located(given, context) : given;
      const object = storedObject(kind, identityIn(state), context);
      const changes = changesInRun(context.providerData, definition.name, object.subject.id);
      changes.kept += 1;
      if (changes.kept > 1 && changes.toBeDestroyed)
        report(context.diagnostics, 'error', keptAndDestroyed(object.subject));
      const stored = await unlessGone(object, context, () => object.read());
      if (isImported(state)) {
        if (!stored) throw nothingToImport(object.subject);
        return { ...state, ...(await toState(stored, state, context)) };
      }
      if (!stored || (isUnconfirmed(context) && !holds(stored, state))) return null;
      await special.found?.(object, stored, state, context);
      return { ...state, ...(await toState(stored, state, context)) };
    },

    async update({ config, state, plan }, context) {
      const identity = identityIn(state);
      const object = storedObject(kind, identity, context);
      const next = { ...placed(plan, identity), ...special.computed?.(plan) };
      const change = { plan: next, config, state };
      await requireRights('update', object.subject, next, context);
      if (special.update) await special.update(object, change, context);
      else await object.write('update', toRequest(change));
      return special.written ? special.written(object, change, context) : next;
    },

    async delete({ state }, context) {
      const identity = identityIn(state);
      const object = storedObject(kind, identity, context);
      if (changesInRun(context.providerData, definition.name, object.subject.id).created) return;
      if (!special.isPermanent?.(identity)) await requireRights('delete', object.subject, state, context);
      await unlessGone(object, context, async () => {
        if (special.delete) await special.delete(object, state, context);
        else await object.delete();
      });
    },

    ...(kind.movedFrom && {
      move({ providerAddress, type, state }: MoveRequest) {
        const values = providerAddress.endsWith('/hashicorp/vault') ? kind.movedFrom?.[type] : undefined;
        // Where it is shows the first read, which knows the clusters.
        return values?.(state);
      },
    }),

    async import(request, context) {
      return placing.locationOf(await placing.imported(request, context));
    },
  });

  /**
   * Whether a create must read its object first. Lists do not contain yet what this run has
   * created.
   */
  async function mayExist(
    { identity, subject }: StoredObject<Stored, Written, I>,
    context: RequestContext,
  ): Promise<boolean> {
    const { list } = kind;
    if (!list || changesInRun(context.providerData, definition.name, subject.id).created) return true;
    const options = { signal: context.signal };
    const { title, location } = subject;
    return namesInUse(context.providerData, definition.name, location).mayInclude(identity.name, async () => {
      const answer = await request('list', { definition, location, title }, context, (client) =>
        list(client, options),
      );
      return answer.data.keys;
    });
  }

  function identityIn(state: AttributeValues): I {
    const cluster = textIn(state, 'cluster');
    if (cluster === null) throw new Error('a state always names the cluster');
    return placing.identityOf(state, cluster);
  }

  /** A state from another provider does not name a cluster: the only configured one is meant. */
  function isMoved(state: AttributeValues): boolean {
    return textIn(state, 'cluster') === null;
  }

  function located(state: AttributeValues, context: RequestContext): AttributeValues {
    const names = context.providerData.knownNames(definition.title, context);
    const title = objectTitle(definition, textIn(state, name) ?? undefined);
    if (names.length > 1) throw new MessageError(movedToSeveral(title, definition.name, names));
    return placed(state, placing.identityOf(state, names[0]!));
  }

  /** Returns `undefined`, with a warning, if the object was deleted with its namespace. */
  async function unlessGone<T>(
    { subject }: StoredObject<Stored, Written, I>,
    context: RequestContext,
    action: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await action();
    } catch (failure) {
      if (!(await isNamespaceGone(failure, subject, context))) throw failure;
      report(context.diagnostics, 'warning', namespaceGone(subject));
      return undefined;
    }
  }

  function notePlanned(identity: I, state: AttributeValues | null, context: PlanContext<Clusters>): void {
    const { subject } = storedObject(kind, identity, context);
    const changes = changesInRun(context.providerData, definition.name, subject.id);
    const isPlannedAgain = state === null && context.privateState.get(PLANNED) === true;
    if (state !== null) context.privateState.set(PLANNED, true);
    if (!isPlannedAgain) changes.planned += 1;
    if (changes.planned > 1) report(context.diagnostics, 'error', configuredTwice(subject));
    if (state !== null) return;
    changes.toBeCreated = true;
    if (changes.toBeDestroyed) report(context.diagnostics, 'error', createdAndDestroyed(subject));
  }

  async function reportRightsFor(
    identity: I,
    state: AttributeValues | null,
    plan: AttributeValues,
    context: PlanContext<Clusters>,
  ): Promise<void> {
    const subjectAt = (at: I) => storedObject(kind, at, context).subject;
    if (state === null) return reportRights('create', subjectAt(identity), plan, context);
    if (plan.id !== state.id) {
      await reportRights('create', subjectAt(identity), plan, context);
      return reportRights('delete', subjectAt(identityIn(state)), state, context);
    }
    if (!isDeepStrictEqual(plan, state)) await reportRights('update', subjectAt(identity), plan, context);
  }

  /**
   * The plan with the known attributes that locate the object. The namespace stays as it was
   * written.
   */
  function placed(plan: AttributeValues, identity: I): AttributeValues {
    const { namespace } = plan;
    return { ...plan, ...placing.locationOf(identity), ...(namespace !== undefined && { namespace }) };
  }

  /** Before it was read, an imported object has nothing but its location. */
  function isImported(state: AttributeValues): boolean {
    const location = placing.locationOf(identityIn(state));
    return Object.entries(state).every(([attribute, value]) => attribute in location || value === null);
  }
}

function holdsFields(
  { fields }: ObjectDefinition,
  stored: AttributeValues,
  wanted: AttributeValues,
): boolean {
  return differingFields(fields, stored, wanted).every((name) => fields[name]?.identity);
}

/**
 * Returns the changes of an object in this run. Terraform plans each resource by itself, and the
 * result of two resources for one object depends on both.
 *
 * @param type of the resource, without the provider's name.
 */
function changesInRun(clusters: Clusters, type: string, id: string): ObjectChanges {
  return changesOfRun(clusters, `${type} ${id}`);
}

/**
 * Whether a request about an object failed only because its namespace, and the object with it, was
 * deleted. This is certain only if the parent namespace exists and returns "not found" for the
 * namespace. The namespace in the cluster's settings is never taken as deleted: if it is not found,
 * the settings may be wrong.
 */
async function isNamespaceGone(
  failure: unknown,
  { location, title }: Subject,
  context: RequestContext,
): Promise<boolean> {
  if (!mayLackNamespace(serverErrorOf(failure)?.code)) return false;
  const names = location.namespace.split('/').filter((name) => name !== '');
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const parent = { cluster: location.cluster, namespace: names.slice(0, depth).join('/') };
    try {
      const client = await context.providerData.client(parent, title, context);
      const found = await client.read(`sys/namespaces/${names[depth]!}`, {
        signal: context.signal,
        timeout: TIMEOUT,
      });
      return found === undefined;
    } catch (error) {
      // Without its own parent a namespace cannot be asked for: then the one above tells.
      if (!VaultError.is(error) || !mayLackNamespace(error.code)) return false;
    }
  }
  return false;
}

/** Some servers answer for a missing namespace as for a missing endpoint. */
function mayLackNamespace(code: VaultErrorCode | undefined): boolean {
  return code === 'namespace_missing' || code === 'unsupported_path';
}
