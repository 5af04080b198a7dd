import { report } from '../messages';
import { isDeepStrictEqual } from 'node:util';
import type { ManagedKey } from '../../client';
import { MANAGED_KEY, type FieldValues, type ManagedKeyTypeName } from '../../model';
import { string, UNKNOWN } from '../../plugin';
import {
  backedAttributes,
  backedBlocks,
  backendIn,
  blocksWithNames,
  describeBlocks,
  flatten,
  objectIn,
  plannedBackend,
  refuseLaterFields,
  reportBackedVersions,
  secretsLeftOut,
  storedResource,
  subjectOf,
  textIn,
  titleIn,
  validateBacked,
  versionName,
  type ResourceKind,
  type AttributeValues,
} from '../objects';
import { isLeftForTest, noteCreation, noteExistence, noteLeftKey, takeLeftKey } from './failed-test';
import { leftInPlace, madeAgain, replaced, secretsDropped, secretsLeft, severalKeysMoved } from './messages';
import { KEY_IDENTIFICATION, type KeyIdentity } from './key-identification';
import { FAILED_AFTER_CREATE, FAILED_AFTER_UPDATE, testOnRefresh, tested } from './sign';
import { deleteKey, isAnother, keyState, STORED_KEY, uuidOf } from './stored-key';
import { reportTestSign, TEST_SIGN_BLOCK, testSignIn } from './test-sign';
import { fieldsToWrite, isAsWritten } from './write';

/**
 * The blocks of `vault_managed_keys`, with their backends. One such resource contains the keys of
 * all backends.
 */
const BACKENDS_OF_BLOCKS: Readonly<Record<string, ManagedKeyTypeName>> = {
  aws: 'awskms',
  azure: 'azurekeyvault',
  gcp: 'gcpckms',
  pkcs: 'pkcs11',
};

export const KEY_UUID = string({
  computed: true,
  description:
    'Id that the server gave to the key. Updates keep it; a key that is deleted and created again gets a new one.',
});

const KIND: ResourceKind<ManagedKey, FieldValues, KeyIdentity> = {
  ...STORED_KEY,
  description: `${MANAGED_KEY.doc} ${describeBlocks(MANAGED_KEY)}`,
  attributes: { ...backedAttributes(MANAGED_KEY), uuid: KEY_UUID },
  blocks: { ...backedBlocks(MANAGED_KEY), test_sign: TEST_SIGN_BLOCK },

  validate(config, context) {
    const backend = validateBacked(MANAGED_KEY, config, context);
    const key = backend?.keySpec(flatten(MANAGED_KEY, config, backend));
    reportTestSign(config, key, context.diagnostics);
  },

  completed: (state) => ({ ...state, ...blocksWithNames(MANAGED_KEY, state) }),
  movedFrom: { vault_managed_keys: onlyKeyOf },

  toRequest: ({ plan, config }) => fieldsToWrite(plan, config),
  toState: keyState,
  holds: isAsWritten,
  hidesFields: true,

  computed: (plan) => plannedBackend(MANAGED_KEY, plan),

  async plan({ config, state, plan }, context) {
    reportBackedVersions(MANAGED_KEY, { config, state }, context);
    await refuseLaterFields(MANAGED_KEY, { plan, state }, context);
    if (state === null) {
      noteCreation(context, textIn(plan, 'id') ?? undefined);
      return plan;
    }
    noteExistence(context);
    if (plan.type !== state.type) context.requireReplace(['type']);
    if (plan.id !== state.id) {
      report(context.diagnostics, 'warning', replaced(titleIn(MANAGED_KEY, state)));
      return { ...plan, uuid: UNKNOWN };
    }
    const staying = planOfStaying(state, plan);
    const left = secretsLeftOut(MANAGED_KEY, config);
    if (left.length > 0 && !isOnlyTested(staying, state)) {
      const identity = KEY_IDENTIFICATION.identityOf(state, textIn(state, 'cluster') ?? '');
      const subject = subjectOf(MANAGED_KEY, identity);
      report(context.diagnostics, 'warning', secretsLeft(subject, left));
    }
    return staying;
  },

  newState: (plan) => ({ uuid: null, test_sign: withOutcome(plan, false) }),

  async reuse(key, { plan, config }, context) {
    noteExistence(context);
    const uuid = takeLeftKey(key.subject.id, context.providerData);
    if (uuid === undefined) return false;
    const keep = andThrow(() => context.keep({ ...plan, uuid }));
    const left = await key.read('create').catch(keep);
    if (left?.uuid !== uuid) return false;
    await key.write('update', fieldsToWrite(plan, config, { ...left.fields })).catch(keep);
    return true;
  },

  async update(key, { plan, config, state }, context) {
    if (isOnlyTested(plan, state)) return;
    const stored = flatten(MANAGED_KEY, state, backendIn(MANAGED_KEY, state));
    const left = secretsLeftOut(MANAGED_KEY, config);
    const leftOnServer = async () => {
      const secrets = left.length > 0 ? (await key.read('update'))?.heldSecrets : undefined;
      return left.filter((secret) => secrets?.includes(secret));
    };
    const before = await leftOnServer();
    await key.write('update', fieldsToWrite(plan, config, stored));
    const after = await leftOnServer();
    const dropped = before.filter((secret) => !after.includes(secret));
    if (dropped.length === 0) return;
    context.keep(withoutVersions(plan, dropped));
    throw secretsDropped(key.subject, dropped);
  },

  async afterWrite(key, { plan, state }, context) {
    const uuid = textIn(state ?? {}, 'uuid') ?? (await uuidOf(key, context));
    const consequence = state === null ? FAILED_AFTER_CREATE : FAILED_AFTER_UPDATE;
    return tested({ ...plan, uuid }, key, consequence, context);
  },

  async afterRead(key, stored, state, context) {
    if (isAnother(stored, state)) {
      const uuid = { before: textIn(state, 'uuid'), now: stored.uuid };
      report(context.diagnostics, 'warning', madeAgain(key.subject, uuid));
    }
    await testOnRefresh(testSignIn(state), key, context);
  },

  async delete(key, state, context) {
    if (!isLeftForTest(state, context)) return deleteKey(key, context);
    noteLeftKey(state, context.providerData);
    report(context.diagnostics, 'warning', leftInPlace(key.subject));
  },
};

/** The resource of one managed key. */
export const MANAGED_KEY_RESOURCE = storedResource(KIND);

/**
 * Plans a key that stays, with the same UUID. After a change, or if the last test signature failed,
 * the plan contains a new test signature.
 */
function planOfStaying(state: AttributeValues, plan: AttributeValues): AttributeValues {
  const before = testSignIn(state)?.passed ?? null;
  const kept = { ...plan, uuid: state.uuid, test_sign: withOutcome(plan, before) };
  const isTested = isObject(plan.test_sign);
  const isDue = isTested && before !== true;
  if (!isDue && isDeepStrictEqual(kept, state)) return kept;
  return { ...kept, uuid: state.uuid ?? UNKNOWN, test_sign: withOutcome(plan, UNKNOWN) };
}

/** The attributes of the test signature in a plan, with an outcome. */
function withOutcome({ test_sign: test }: AttributeValues, passed: unknown): unknown {
  return isObject(test) ? { ...test, passed } : (test ?? null);
}

function isObject(value: unknown): value is AttributeValues {
  return typeof value === 'object' && value !== null;
}

/** Returns a state whose secrets have no version, so that the next plan writes them again. */
function withoutVersions(plan: AttributeValues, secrets: readonly string[]): AttributeValues {
  const { block } = backendIn(MANAGED_KEY, plan);
  const versions = Object.fromEntries(secrets.map((secret) => [versionName(secret), null]));
  return { ...plan, [block]: { ...objectIn(plan, block), ...versions } };
}

/** Whether the only change of a plan is a test signature. */
function isOnlyTested(plan: AttributeValues, state: AttributeValues): boolean {
  return isDeepStrictEqual({ ...plan, test_sign: null }, { ...state, test_sign: null });
}

function andThrow(before: () => void): (error: unknown) => never {
  return (error) => {
    before();
    throw error;
  };
}

/**
 * Returns the location of the key in a state of `vault_managed_keys`. The first read adds the other
 * attributes, as after an import.
 *
 * @throws DiagnosticError unless the state has exactly one key, because a `moved` block cannot
 * select one
 */
function onlyKeyOf(state: AttributeValues): AttributeValues {
  const { namespace = null } = state;
  const keys = Object.entries(BACKENDS_OF_BLOCKS).flatMap(([block, type]) => {
    const entries = Array.isArray(state[block]) ? (state[block] as readonly AttributeValues[]) : [];
    return entries.map(({ name }) => ({ namespace, name, type }));
  });
  const [only, ...others] = keys;
  if (only === undefined || others.length > 0) {
    throw severalKeysMoved(keys.map(({ type, name }) => `${type}/${String(name)}`).sort());
  }
  return only;
}
