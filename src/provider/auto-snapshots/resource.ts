import { AUTO_SNAPSHOT, objectTitle, sameMeaning } from '../../model';
import { definitions, isKnown, UNKNOWN, type Resource } from '../../plugin';
import type { Clusters } from '../clusters';
import {
  identityOf,
  importedObject,
  isUnconfirmed,
  locationOf,
  nothingToImport,
  refuseExisting,
  resourceIdentity,
  writeNew,
} from '../objects';
import { laterFields, refuseLaterFields } from './later-fields';
import { resourceAttributes, resourceBlocks } from './schema';
import { changedSecrets, rememberSecrets } from './secret-digests';
import { heldSecrets, importedState, stateOf } from './state';
import { storedSnapshot } from './stored-snapshot';
import { foreignSecrets, holds, overwriting } from './update';
import { validateSnapshot } from './validate';
import { fieldsOf, plannedStorageType, STORAGE_BLOCKS, toWrite, writeOnlySecrets } from './values';

const BLOCKS = STORAGE_BLOCKS.blocks.map((block) => `\`${block}\``).join(', ');
const DESCRIPTION = `${AUTO_SNAPSHOT.doc} Exactly one of the blocks ${BLOCKS} says where to.`;

/** Interface section 4.4: `/sys/storage/raft/snapshot-auto/config`. */
export const autoSnapshotResource: Resource<Clusters> = definitions<Clusters>().resource<
  typeof resourceAttributes
>({
  name: AUTO_SNAPSHOT.name,
  schema: { description: DESCRIPTION, attributes: resourceAttributes, blocks: resourceBlocks },
  identity: resourceIdentity,

  validate({ config }, context) {
    validateSnapshot(config, context);
  },

  async modifyPlan({ config, state, plan }, context) {
    const { name, namespace, interval } = plan;
    const title = objectTitle(AUTO_SNAPSHOT, isKnown(name) ? name : undefined);
    const cluster = context.provider.nameOf(config.cluster, title);
    if (state !== null && cluster !== state.cluster) context.requireReplace(['cluster']);
    const located = isKnown(cluster) && isKnown(namespace) && isKnown(name);
    const identity = located ? identityOf({ cluster, namespace, name }) : undefined;
    if (identity) await refuseLaterFields(laterFields(plan, state), identity, context);
    return {
      ...plan,
      cluster,
      id: identity ? locationOf(identity).id : UNKNOWN,
      interval:
        state !== null && isKnown(interval) && sameInterval(interval, state.interval)
          ? state.interval
          : interval,
      storage_type: plannedStorageType(plan),
    };
  },

  async create({ config, plan }, context) {
    const cluster = context.provider.knownNameOf(
      config.cluster,
      objectTitle(AUTO_SNAPSHOT, plan.name),
      context,
    );
    const identity = identityOf({ ...plan, cluster });
    const wanted = toWrite(plan, config);
    const fields = fieldsOf(wanted);
    const { storage_type } = fields;
    const state = { ...plan, ...locationOf(identity), namespace: plan.namespace, storage_type };

    const snapshot = storedSnapshot(identity, context);
    await refuseExisting(snapshot);
    await writeNew(snapshot, { fields, holds: (stored) => holds(stored, fields), state }, context);
    await rememberSecrets(writeOnlySecrets(wanted), context.privateState);
    return state;
  },

  async read({ state }, context) {
    const snapshot = storedSnapshot(identityOf(state), context);
    const stored = await snapshot.read();
    if (isImported(state)) {
      if (!stored) throw nothingToImport(snapshot.subject);
      await rememberSecrets(heldSecrets(stored), context.privateState);
      return { ...state, ...stateOf(stored, importedState(state, stored), []) };
    }
    if (!stored || (isUnconfirmed(context) && !holds(stored, fieldsOf(state)))) {
      return null;
    }
    const changed = await changedSecrets({ ...stored }, context.privateState);
    return { ...state, ...stateOf(stored, state, changed) };
  },

  async update({ config, state, plan }, context) {
    const identity = identityOf(state);
    const snapshot = storedSnapshot(identity, context);
    const wanted = toWrite(plan, config);
    const fields = fieldsOf(wanted);
    const stored = await snapshot.read('update');
    const written = stored ? overwriting(stored, fields, foreignSecrets(plan, state)) : fields;
    await snapshot.write('update', written);
    await rememberSecrets(writeOnlySecrets(wanted), context.privateState);
    const { storage_type } = fields;
    return { ...plan, ...locationOf(identity), namespace: plan.namespace, storage_type };
  },

  async delete({ state }, context) {
    await storedSnapshot(identityOf(state), context).delete();
  },

  import(request, context) {
    return locationOf(importedObject(request, AUTO_SNAPSHOT, context));
  },
});

/** Before it was read, an imported configuration has nothing but its location. */
function isImported(state: { readonly interval: string | null }): boolean {
  return state.interval === null;
}

/** `24h` and `86400` are no change. */
function sameInterval(one: string, other: string): boolean {
  return sameMeaning(AUTO_SNAPSHOT.fields.interval!, one, other);
}
