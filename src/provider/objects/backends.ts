import { MessageError, reportFinding } from '../messages';
import {
  backendOfType,
  secretFields,
  type BackedObject,
  type Backend,
  type Field,
  type Fields,
  type FieldValues,
} from '../../model';
import { hasType, TYPE_NAMES } from '../../model/definition/validate';
import {
  isKnown,
  singleNested,
  string,
  UNKNOWN,
  type Attributes,
  type Blocks,
  type ClientContext,
  type Context,
  type Diagnostics,
} from '../../plugin';
import { dataSourceFields, namesOfValues, resourceBlock, resourceFields } from './attributes';
import { reportFindings } from './report-findings';
import {
  importedSecrets,
  isLeftToServer,
  reportSecrets,
  reportVersions,
  secretsForState,
  withSecrets,
  withWriteOnly,
} from './secrets';
import { nameIn, objectIn, textIn, type AttributeValues } from './values';

/*
 * Objects with exactly one of several backends. In Terraform each backend is a block, and the name
 * of the block that is set is the name of the backend.
 */

/** The attributes of a resource: the common fields, and the name of the backend. */
export function backedAttributes(kind: BackedObject): Attributes {
  return {
    ...resourceFields({ fields: commonFields(kind), immutable: kind.immutable }),
    [kind.typeField]: string({
      computed: true,
      description: 'The backend, determined by the block that is given.',
    }),
  };
}

/** The blocks of all backends. */
export function backedBlocks(kind: BackedObject): Blocks {
  return byBlock(kind, (backend) => resourceBlock({ ...backend, immutable: kind.immutable }));
}

/** The text about the blocks in a description. */
export function describeBlocks(kind: BackedObject): string {
  const blocks = blocksOf(kind).map((block) => `\`${block}\``);
  return `Exactly one of the blocks ${blocks.join(', ')} is required: it specifies the backend.`;
}

/**
 * The attributes of a data source. Each backend has an object attribute, and exactly one of these
 * is set. Secrets are left out.
 */
export function backedShownAttributes(kind: BackedObject): Attributes {
  return {
    ...dataSourceFields({ fields: commonFields(kind) }),
    [kind.typeField]: string({ computed: true, description: 'The backend of the object.' }),
    ...byBlock(kind, ({ doc, fields }) =>
      singleNested(dataSourceFields({ fields }), { computed: true, description: doc }),
    ),
  };
}

/** The backends whose blocks are set or unknown. A valid configuration has one backend. */
export function backendsIn<B extends Backend>(kind: BackedObject<B>, values: AttributeValues): readonly B[] {
  return Object.values<B>(kind.backends).filter(({ block }) => (values[block] ?? null) !== null);
}

/** Returns the backend of values that are known to have exactly one. */
export function backendIn<B extends Backend>(kind: BackedObject<B>, values: AttributeValues): B {
  const [backend] = backendsIn(kind, values);
  if (!backend) throw new Error(`every ${kind.title} has the block of a backend`);
  return backend;
}

/**
 * Returns the computed attributes of a plan: the name of the backend, and the names of the values
 * in its block.
 */
export function plannedBackend(kind: BackedObject, plan: AttributeValues): AttributeValues {
  const [backend] = backendsIn(kind, plan);
  const type = backend && isKnown(plan[backend.block]) ? backend.type : UNKNOWN;
  return { ...blocksWithNames(kind, plan), [kind.typeField]: type };
}

/** Returns the known blocks of a plan or state with the names of the values in them. */
export function blocksWithNames(kind: BackedObject, values: AttributeValues): AttributeValues {
  const known = backendsIn(kind, values).filter(({ block }) => isKnown(values[block]));
  const blocks = known.map(({ block, fields }) => {
    const given = objectIn(values, block);
    return [block, { ...given, ...namesOfValues(fields, given) }] as const;
  });
  return Object.fromEntries(blocks);
}

/**
 * Returns the common attributes, the attributes in the backend's block, and the backend's name in
 * one object.
 */
export function flatten(
  kind: BackedObject,
  values: AttributeValues,
  { type, block }: Backend,
): AttributeValues {
  return { ...values, [kind.typeField]: type, ...objectIn(values, block) };
}

/**
 * Returns the values of a plan by the names of the model, with write-only secrets from the
 * configuration.
 */
export function givenIn(kind: BackedObject, plan: AttributeValues, config: AttributeValues): AttributeValues {
  const backend = backendIn(kind, plan);
  const given = flatten(kind, config, backend);
  const planned = withWriteOnly(backend, flatten(kind, plan, backend), given);
  return { ...planned, ...withSecrets(backend, planned) };
}

/** Returns the secrets whose versions a configuration has without the secrets themselves. */
export function secretsLeftOut(kind: BackedObject, config: AttributeValues): readonly string[] {
  const backend = backendIn(kind, config);
  const values = flatten(kind, config, backend);
  return secretFields(backend).filter((field) => isLeftToServer(values, field));
}

/** Checks that a configuration has one backend, and checks its values by the rules of the model. */
export function validateBacked<B extends Backend>(
  kind: BackedObject<B>,
  config: AttributeValues,
  context: Context & ClientContext,
): B | undefined {
  const { diagnostics } = context;
  reportChoice(kind, config, diagnostics);

  const [backend, another] = backendsIn(kind, config);
  if (!backend || another || !isKnown(config[backend.block])) {
    reportFindings(kind, { ...config, [kind.typeField]: undefined }, diagnostics);
    return undefined;
  }
  const { definition, block, fields } = backend;
  reportFindings(definition, flatten(kind, config, backend), diagnostics, (field) =>
    field in fields ? [block] : [],
  );
  const name = nameIn(kind, config);
  reportSecrets(definition, objectIn(config, block), context, { name, within: [block] });
  return backend;
}

/** Reports changed versions of secrets without a secret to write. */
export function reportBackedVersions(
  kind: BackedObject,
  { config, state }: { readonly config: AttributeValues; readonly state: AttributeValues | null },
  { diagnostics }: Pick<Context, 'diagnostics'>,
): void {
  const name = nameIn(kind, config);
  for (const { definition, block } of backendsIn(kind, config)) {
    const before = state ? objectIn(state, block) : undefined;
    reportVersions(
      definition,
      { config: objectIn(config, block), state: before },
      { diagnostics },
      { name, within: [block] },
    );
  }
}

/** Reports an error if it is certain that not exactly one block is set. */
function reportChoice(kind: BackedObject, config: AttributeValues, diagnostics: Diagnostics): void {
  const given = backendsIn(kind, config).map(({ block }) => block);
  const known = given.filter((block) => isKnown(config[block]));
  if (given.length > 0 && known.length < 2) return;

  const finding = {
    severity: 'error',
    rule: `one-block-for-${kind.typeField}`,
    field: kind.typeField,
    problem: 'must come from one block',
    received: known.length === 0 ? 'none' : known.join(', '),
    allowed: `one of the blocks ${blocksOf(kind).join(', ')}`,
    cure: known.length === 0 ? 'add one of them' : 'remove all of them but one',
  } as const;
  reportFinding(diagnostics, kind, nameIn(kind, config), finding, known.slice(1, 2));
}

/** The attributes of an object from the server. */
export interface StoredFields {
  /** The name of the backend. */
  readonly type: string;
  readonly fields: FieldValues;
  /** The fields that the server does not return. */
  readonly hidden?: readonly string[];
  /** The secrets that the server holds. */
  readonly secrets: readonly string[];
}

/**
 * Returns the attributes of an object in the state. Secrets from the server are never stored: the
 * attributes of secrets keep their values.
 *
 * @param prior the previous state. After an import it has no backend yet, and the secrets that the
 * server holds get a version.
 * @param known the values for fields that the server does not return. Default: those of the state
 */
export function backedState(
  kind: BackedObject,
  { type, fields, hidden = [], secrets }: StoredFields,
  prior: AttributeValues,
  known?: AttributeValues,
): AttributeValues {
  const stored = backendOfType(kind, type);
  const isImported = backendsIn(kind, prior).length === 0;
  return {
    ...readFields(commonFields(kind), fields, hidden, prior),
    [kind.typeField]: type,
    ...byBlock(kind, (backend) => {
      if (backend !== stored) return null;
      const kept = isImported ? importedSecrets(secrets) : (known ?? objectIn(prior, backend.block));
      return { ...readFields(backend.fields, fields, hidden, kept), ...secretsForState(backend, kept) };
    }),
  };
}

/** The attributes of an object in a data source. Secrets are left out. */
export function backedShown(
  kind: BackedObject,
  { type, fields }: Pick<StoredFields, 'type' | 'fields'>,
): AttributeValues {
  const stored = backendOfType(kind, type);
  return {
    ...readFields(commonFields(kind), fields),
    [kind.typeField]: type,
    ...byBlock(kind, (backend) => (backend === stored ? readFields(backend.fields, fields) : null)),
  };
}

/** @param kept the values of fields that the server does not return */
function readFields(
  definitions: Fields,
  stored: FieldValues,
  hidden: readonly string[] = [],
  kept: AttributeValues = {},
): AttributeValues {
  const shown = Object.entries(definitions).filter(([, { identity, sensitive }]) => !identity && !sensitive);
  const values = Object.fromEntries(
    shown.map(([name, field]) => [
      name,
      hidden.includes(name) ? inTerraform(field, kept[name]) : answered(name, field, stored[name]),
    ]),
  );
  return { ...values, ...namesOfValues(definitions, values) };
}

/** @throws DiagnosticError for a value of another type than the field's */
function answered(name: string, field: Field, value: unknown): unknown {
  const given = typeof value === 'number' && field.type === 'string' ? String(value) : value;
  if (given === undefined || given === null || hasType(field, given)) return inTerraform(field, given);
  throw new MessageError({
    summary: `the server answered with a value of ${name} that is not ${TYPE_NAMES[field.type]}`,
    cures: 'check that the address leads to a Vault server, and the proxies in between',
  });
}

function inTerraform({ type, default: fallback }: Field, stored: unknown): unknown {
  const value = stored ?? fallback ?? null;
  return typeof value === 'number' && type === 'duration' ? String(value) : value;
}

/** Returns the secrets among fields that are neither null nor empty. */
export function secretsIn(
  backend: Pick<Backend, 'fields'>,
  fields: FieldValues,
): ReadonlyMap<string, string> {
  const secrets = secretFields(backend).map((name) => [name, textIn(fields, name) ?? ''] as const);
  return new Map(secrets.filter(([, secret]) => secret !== ''));
}

function commonFields({ fields, typeField }: BackedObject): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== typeField));
}

function blocksOf({ backends }: BackedObject): readonly string[] {
  return Object.values(backends).map(({ block }) => block);
}

function byBlock<T>({ backends }: BackedObject, make: (backend: Backend) => T): Record<string, T> {
  return Object.fromEntries(Object.values(backends).map((backend) => [backend.block, make(backend)]));
}
