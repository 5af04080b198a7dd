import { isDeepStrictEqual } from 'node:util';
import { MANAGED_KEY, objectTitle } from '../../model';
import { definitions, isKnown, UNKNOWN, type Resource } from '../../plugin';
import type { Clusters } from '../clusters';
import { isUnconfirmed, nothingToImport } from '../objects';
import { backendOf, backendsIn, flatten, type Values } from './backends';
import { createKey, uuidOf } from './create';
import { deleteKey } from './delete';
import { isLeftForTest, leave, noteCreation, noteExistence } from './failed-test';
import { keyId, keyIdentityOf, keyLocationOf, StoredKey } from './identity';
import { importedKey } from './import';
import { leftInPlace, madeAgain, replaced } from './messages';
import { configuredType, inSpellingOf, planOfStaying } from './plan';
import { managedKeyIdentity, resourceAttributes, resourceBlocks } from './schema';
import { FAILED_AFTER_CREATE, FAILED_AFTER_UPDATE, tested, testOnRefresh } from './sign';
import { validateKey } from './validate';
import { fieldsToWrite, importedState, isAnother, isAsWritten, stateOf } from './values';

/** Interface section 4.1: `/sys/managed-keys`. */
export const managedKeyResource: Resource<Clusters> = definitions<Clusters>().resource<
  typeof resourceAttributes,
  typeof resourceBlocks
>({
  name: MANAGED_KEY.name,
  schema: { description: MANAGED_KEY.doc, attributes: resourceAttributes, blocks: resourceBlocks },
  identity: managedKeyIdentity,

  validate({ config }, context) {
    validateKey(config, context);
  },

  modifyPlan({ config, state, plan }, context) {
    const { name, namespace } = plan;
    const title = objectTitle(MANAGED_KEY, isKnown(name) ? name : undefined);
    const cluster = context.provider.nameOf(config.cluster, title);
    const type = configuredType(config);
    const located = isKnown(cluster) && isKnown(namespace) && isKnown(name) && isKnown(type);
    const id = located ? keyId(keyIdentityOf({ cluster, namespace, type, name })) : undefined;
    const planned: typeof plan = { ...plan, cluster, type, id: id ?? UNKNOWN };

    if (state === null) {
      noteCreation(context, id);
      return planned;
    }
    noteExistence(context);
    if (cluster !== state.cluster) context.requireReplace(['cluster']);
    if (type !== state.type) context.requireReplace(['type']);
    if (id !== state.id) {
      context.diagnostics.warning(...replaced(objectTitle(MANAGED_KEY, state.name)));
      return { ...planned, uuid: UNKNOWN };
    }
    return { ...planned, ...planOfStaying(state, inSpellingOf(state, planned)) };
  },

  async create({ config, plan }, context) {
    noteExistence(context);
    const cluster = context.provider.knownNameOf(
      config.cluster,
      objectTitle(MANAGED_KEY, plan.name),
      context,
    );
    const { type } = backendOf(config);
    const key = new StoredKey(keyIdentityOf({ ...plan, cluster, type }), context);
    const state = {
      ...plan,
      ...keyLocationOf(key.identity),
      namespace: plan.namespace,
      uuid: null,
      test_sign: plan.test_sign && { ...plan.test_sign, passed: false },
    };
    await createKey(key, { config, state }, context);
    return tested({ ...state, uuid: await uuidOf(key, context) }, key, FAILED_AFTER_CREATE, context);
  },

  async read({ state }, context) {
    const key = new StoredKey(keyIdentityOf(state), context);
    const stored = await key.read();
    if (isImported(state)) {
      if (!stored) throw nothingToImport(key.subject);
      return { ...state, ...stateOf(stored, importedState(state, stored)) };
    }
    if (!stored || (isUnconfirmed(context) && !isAsWritten(stored, state))) return null;
    if (isAnother(stored, state)) {
      context.diagnostics.warning(...madeAgain(key.subject, { before: state.uuid, now: stored.uuid }));
    }
    await testOnRefresh(state.test_sign, key, context);
    return { ...state, ...stateOf(stored, state) };
  },

  async update({ config, state, plan }, context) {
    const key = new StoredKey(keyIdentityOf(state), context);
    if (!isOnlyTested(plan, state)) {
      await key.write('update', fieldsToWrite(plan, config, flatten(state, backendOf(state))));
    }
    const uuid = state.uuid ?? (await uuidOf(key, context));
    const next = { ...plan, ...keyLocationOf(key.identity), namespace: plan.namespace, uuid };
    return tested(next, key, FAILED_AFTER_UPDATE, context);
  },

  async delete({ state }, context) {
    const key = new StoredKey(keyIdentityOf(state), context);
    if (!isLeftForTest(state, context)) return deleteKey(key, context);
    leave(state, context.provider);
    context.diagnostics.warning(...leftInPlace(key.subject));
  },

  async import(request, context) {
    return keyLocationOf(await importedKey(request, context));
  },
});

/** Before it was read, an imported key has nothing but its location. */
function isImported(state: Values): boolean {
  return backendsIn(state).length === 0;
}

/** Whether nothing but the test signature is to be made. */
function isOnlyTested(plan: Values, state: Values): boolean {
  return isDeepStrictEqual({ ...plan, test_sign: null }, { ...state, test_sign: null });
}
