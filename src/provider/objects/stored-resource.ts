import { isDeepStrictEqual } from 'node:util';
import { differingFields, nameField, type ObjectDefinition, type ObjectIdentity } from '../../model';
import {
  definitions,
  isKnown,
  UNKNOWN,
  type Attributes,
  type Blocks,
  type ClientContext,
  type Context,
  type MoveRequest,
  type PlanContext,
  type Resource,
} from '../../plugin';
import type { Clusters } from '../clusters';
import { MessageError, report } from '../messages';
import { resourceFields } from './attributes';
import { changesInRun, type ObjectChanges } from './changes-in-run';
import { adopt, isUnconfirmed, writeNew } from './create';
import {
  configuredTwice,
  createdAndDestroyed,
  deletesObjects,
  inStateTwice,
  movedToSeveral,
  namelessState,
  namespaceGone,
  nothingToImport,
} from './messages';
import { namesInUse } from './names-in-use';
import { isNamespaceGone } from './namespace-gone';
import { reportFindings, reportNamespace } from './report-findings';
import { request, type RequestContext } from './request';
import type { ObjectChange, ObjectUpdate, ReadContext, ResourceKind, WriteContext } from './resource-kind';
import { reportRights, requireRights } from './rights';
import { storedObject, type StoredObject } from './stored-object';
import type { ObjectSubject } from './subject';
import { fieldsIn, nameIn, plannedTextIn, textIn, titleIn, valuesOf, type AttributeValues } from './values';

/**
 * The key in the private state of a plan. If Terraform replaces an object, it plans a second time
 * without a state, and with the private state of the first plan.
 */
const PLANNED = 'planned';

/**
 * The runs in which a plan has warned about deletions. One warning is for all deletions of a run.
 */
const WARNED = new WeakSet<Clusters>();

/**
 * Returns the resource of a kind of object. All kinds have these rules in common:
 * - an object that already exists is not overwritten; it is adopted if it has the planned values,
 *   because a killed apply may have created it;
 * - two resources for one object are refused;
 * - a plan that would create and destroy one object under two addresses is refused; if a resource
 *   replaces an object by itself (`create_before_destroy`), the object stays;
 * - if it could not be determined whether an object was created, the next read determines it;
 * - an object that was deleted, by itself or with its namespace, leaves the state; after any other
 *   failure of a read, it stays;
 * - another cluster, or another value of a field that is part of the path, replaces the object;
 * - an import reads everything that the server returns.
 */
export function storedResource<Stored extends object, Written, I extends ObjectIdentity>(
  kind: ResourceKind<Stored, Written, I>,
): Resource<Clusters> {
  const { definition, identification, movedFrom } = kind;
  const life = new ObjectLife(kind);
  return definitions<Clusters>().resource<Attributes, Blocks>({
    name: definition.name,
    schema: {
      description: kind.description ?? definition.doc,
      attributes: { ...identification.attributes, ...(kind.attributes ?? resourceFields(definition)) },
      blocks: kind.blocks ?? {},
    },
    identity: identification.identity,
    validate: ({ config }, context) => life.validate(config, context),
    modifyPlan: (change, context) => life.plan(change, context),
    planDestroy: ({ state }, context) => life.planDestroy(state, context),
    create: ({ config, plan }, context) => life.create(config, plan, context),
    read: ({ state }, context) => life.read(state, context),
    update: (change, context) => life.update(change, context),
    delete: ({ state }, context) => life.delete(state, context),
    ...(kind.completed && { upgrade: { 0: kind.completed } }),
    ...(movedFrom && {
      move({ providerAddress, type, state }: MoveRequest) {
        const values = providerAddress.endsWith('/hashicorp/vault') ? movedFrom[type] : undefined;
        // The cluster is not known here, so the first read adds it.
        return values?.(state);
      },
    }),
    import: async (imported, context) =>
      identification.locationOf(await identification.toImport(imported, context)),
  });
}

/** The handlers for the objects of a kind: Terraform calls each method. */
class ObjectLife<Stored extends object, Written, I extends ObjectIdentity> {
  readonly #kind: ResourceKind<Stored, Written, I>;

  constructor(kind: ResourceKind<Stored, Written, I>) {
    this.#kind = kind;
  }

  validate(config: AttributeValues, context: Context & ClientContext): void {
    const { definition } = this.#kind;
    reportNamespace(definition, config, context.diagnostics);
    if (this.#kind.validate) this.#kind.validate(config, context);
    else reportFindings(definition, config, context.diagnostics);
  }

  async plan(
    { config, state, plan }: ObjectChange,
    context: PlanContext<Clusters>,
  ): Promise<AttributeValues> {
    const kind = this.#kind;
    const { identification } = kind;
    const cluster = context.providerData.nameOf(
      plannedTextIn(config, 'cluster'),
      titleIn(kind.definition, plan),
    );
    if (state !== null && cluster !== state.cluster) context.requireReplace(['cluster']);
    const withCluster: AttributeValues = { ...plan, ...kind.computed?.(plan), cluster };
    const isIdentified = isKnown(cluster) && identification.keys.every((key) => isKnown(withCluster[key]));
    const identity = isIdentified ? identification.identityOf(withCluster, cluster) : undefined;
    if (identity) this.#notePlanned(identity, state, context);
    const planned = { ...withCluster, id: identity ? identification.locationOf(identity).id : UNKNOWN };
    const result = (await kind.plan?.({ config, state, plan: planned }, context)) ?? planned;
    if (identity) await this.#reportRights(identity, state, result, context);
    return result;
  }

  async planDestroy(state: AttributeValues, context: PlanContext<Clusters>): Promise<void> {
    const kind = this.#kind;
    const identity = this.#identityIn(state);
    const { subject } = storedObject(kind, identity, context);
    const changes = this.#changesOf(subject, context);
    changes.toBeDestroyed = true;
    const { diagnostics } = context;
    if (changes.toBeCreated && !changes.created) report(diagnostics, 'error', createdAndDestroyed(subject));
    else if (changes.inState > 1) report(diagnostics, 'error', inStateTwice(subject));
    else if (!kind.isPermanent?.(identity)) {
      if (!WARNED.has(context.providerData)) report(diagnostics, 'warning', deletesObjects(subject));
      WARNED.add(context.providerData);
      await reportRights('delete', subject, state, context);
    }
    await kind.planDestroy?.(state, context);
  }

  async create(
    config: AttributeValues,
    plan: AttributeValues,
    context: WriteContext,
  ): Promise<AttributeValues> {
    const kind = this.#kind;
    const { identification } = kind;
    const title = titleIn(kind.definition, plan);
    const cluster = context.providerData.knownNameOf(textIn(config, 'cluster'), title, context);
    const computed = kind.computed?.(plan);
    const identity = identification.identityOf({ ...plan, ...computed }, cluster);
    const object = storedObject(kind, identity, context);
    const state = { ...this.#withLocation(plan, identity), ...computed, ...kind.newState?.(plan) };
    const change = { plan: state, config, state: null };
    await requireRights('create', object.subject, state, context);
    if (!(await kind.reuse?.(object, change, context))) await this.#write(object, change, context);
    // If the plan replaces an object by itself, its deletion may follow, and must not delete the
    // new object.
    this.#changesOf(object.subject, context).created = true;
    return kind.afterWrite ? kind.afterWrite(object, change, context) : state;
  }

  async read(given: AttributeValues, context: ReadContext): Promise<AttributeValues | null> {
    const state = isMoved(given) ? this.#withCluster(given, context) : given;
    const object = storedObject(this.#kind, this.#identityIn(state), context);
    const changes = this.#changesOf(object.subject, context);
    changes.inState += 1;
    if (changes.inState > 1 && changes.toBeDestroyed)
      report(context.diagnostics, 'error', inStateTwice(object.subject));
    if (this.#isImported(state)) {
      const stored = await object.read();
      if (!stored) throw nothingToImport(object.subject);
      return { ...state, ...(await this.#toState(stored, state, context)) };
    }
    const stored = await unlessGone(object.subject, context, () => object.read());
    if (!stored || (isUnconfirmed(context) && !this.#holds(stored, state))) return null;
    await this.#kind.afterRead?.(object, stored, state, context);
    return { ...state, ...(await this.#toState(stored, state, context)) };
  }

  async update({ config, state, plan }: ObjectUpdate, context: WriteContext): Promise<AttributeValues> {
    const kind = this.#kind;
    const identity = this.#identityIn(state);
    const object = storedObject(kind, identity, context);
    const next = { ...this.#withLocation(plan, identity), ...kind.computed?.(plan) };
    const change = { plan: next, config, state };
    await requireRights('update', object.subject, next, context);
    if (kind.update) await kind.update(object, change, context);
    else await object.write('update', this.#toRequest(change));
    return kind.afterWrite ? kind.afterWrite(object, change, context) : next;
  }

  async delete(state: AttributeValues, context: ReadContext): Promise<void> {
    const kind = this.#kind;
    const identity = this.#identityIn(state);
    const object = storedObject(kind, identity, context);
    if (this.#changesOf(object.subject, context).created) return;
    if (!kind.isPermanent?.(identity)) await requireRights('delete', object.subject, state, context);
    await unlessGone(object.subject, context, async () => {
      if (kind.delete) await kind.delete(object, state, context);
      else await object.delete();
    });
  }

  /** Writes a new object, or adopts one that exists with the planned values. */
  async #write(
    object: StoredObject<Stored, Written, I>,
    change: ObjectChange,
    context: WriteContext,
  ): Promise<void> {
    const kind = this.#kind;
    const { plan: state, config } = change;
    const isWanted = (stored: Stored) => this.#holds(stored, state, config);
    const existing =
      kind.isPermanent?.(object.identity) || !(await this.#mayExist(object, context))
        ? undefined
        : await object.read('create');
    const fields = this.#toRequest(change);
    if (!existing) {
      await writeNew(object, { fields, holds: isWanted, state }, context);
      return;
    }
    adopt(object, isWanted(existing), context);
    if (kind.hidesFields) await object.write('update', fields);
  }

  /**
   * Returns the values to write. The schema guarantees that they have the types of the definition.
   */
  #toRequest(change: ObjectChange): Written {
    if (this.#kind.toRequest) return this.#kind.toRequest(change);
    return fieldsIn(this.#kind.definition, change.plan) as Written;
  }

  #toState(
    stored: Stored,
    prior: AttributeValues,
    context: ReadContext,
  ): AttributeValues | Promise<AttributeValues> {
    if (this.#kind.toState) return this.#kind.toState(stored, prior, context);
    return fieldsIn(this.#kind.definition, valuesOf(stored));
  }

  #holds(stored: Stored, wanted: AttributeValues, config: AttributeValues = {}): boolean {
    if (this.#kind.holds) return this.#kind.holds(stored, wanted, config);
    return holdsFields(this.#kind.definition, valuesOf(stored), wanted);
  }

  /**
   * Whether a create must read its object first. Lists do not contain the objects that this run has
   * created.
   */
  async #mayExist(
    { identity, subject }: StoredObject<Stored, Written, I>,
    context: RequestContext,
  ): Promise<boolean> {
    const { definition, list } = this.#kind;
    if (!list || this.#changesOf(subject, context).created) return true;
    const options = { signal: context.signal };
    const { title, location } = subject;
    return namesInUse(context.providerData, definition.name, location).mayInclude(identity.name, async () => {
      const answer = await request('list', { definition, location, title }, context, (client) =>
        list(client, options),
      );
      return answer.data.keys;
    });
  }

  #changesOf({ id }: ObjectSubject, { providerData }: RequestContext): ObjectChanges {
    return changesInRun(providerData, this.#kind.definition.name, id);
  }

  #identityIn(state: AttributeValues): I {
    const cluster = textIn(state, 'cluster');
    if (cluster === null) throw new Error('a state always names the cluster');
    const { definition, identification } = this.#kind;
    if (!nameIn(definition, state)) {
      throw namelessState(titleIn(definition, state), nameField(definition));
    }
    return identification.identityOf(state, cluster);
  }

  /** Adds the cluster to a state of another provider, if only one is configured. */
  #withCluster(state: AttributeValues, context: RequestContext): AttributeValues {
    const { definition, identification } = this.#kind;
    const names = context.providerData.knownNames(definition.title, context);
    if (names.length > 1)
      throw new MessageError(movedToSeveral(titleIn(definition, state), definition.name, names));
    return this.#withLocation(state, identification.identityOf(state, names[0]!));
  }

  #notePlanned(identity: I, state: AttributeValues | null, context: PlanContext<Clusters>): void {
    const { subject } = storedObject(this.#kind, identity, context);
    const changes = this.#changesOf(subject, context);
    const isPlannedAgain = state === null && context.privateState.get(PLANNED) === true;
    if (state !== null) context.privateState.set(PLANNED, true);
    if (!isPlannedAgain) changes.planned += 1;
    if (changes.planned > 1) report(context.diagnostics, 'error', configuredTwice(subject));
    if (state !== null) return;
    changes.toBeCreated = true;
    if (changes.toBeDestroyed) report(context.diagnostics, 'error', createdAndDestroyed(subject));
  }

  async #reportRights(
    identity: I,
    state: AttributeValues | null,
    plan: AttributeValues,
    context: PlanContext<Clusters>,
  ): Promise<void> {
    const subjectAt = (at: I) => storedObject(this.#kind, at, context).subject;
    if (state === null) return reportRights('create', subjectAt(identity), plan, context);
    if (plan.id !== state.id) {
      await reportRights('create', subjectAt(identity), plan, context);
      return reportRights('delete', subjectAt(this.#identityIn(state)), state, context);
    }
    if (!isDeepStrictEqual(plan, state)) await reportRights('update', subjectAt(identity), plan, context);
  }

  /**
   * Returns the plan with the known attributes of the location. The namespace keeps its spelling.
   */
  #withLocation(plan: AttributeValues, identity: I): AttributeValues {
    const { namespace } = plan;
    const location = this.#kind.identification.locationOf(identity);
    return { ...plan, ...location, ...(namespace !== undefined && { namespace }) };
  }

  /** Whether the object was imported and not read yet: its state then has only the location. */
  #isImported(state: AttributeValues): boolean {
    const location = this.#kind.identification.locationOf(this.#identityIn(state));
    return Object.entries(state).every(([attribute, value]) => attribute in location || value === null);
  }
}

/** Whether a state comes from another provider, and has no cluster. */
function isMoved(state: AttributeValues): boolean {
  return textIn(state, 'cluster') === null;
}

/** Returns `undefined`, with a warning, if the object was deleted with its namespace. */
async function unlessGone<T>(
  subject: ObjectSubject,
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

function holdsFields(
  { fields }: ObjectDefinition,
  stored: AttributeValues,
  wanted: AttributeValues,
): boolean {
  return differingFields(fields, stored, wanted).every((name) => fields[name]?.identity);
}
