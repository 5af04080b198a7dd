import type { Type } from '../values/type';
import type { Attribute, Attributes, Blocks, Schema } from './schema';

const NAME = /^[a-z_][a-z0-9_]*$/;
/** Names with another meaning for Terraform at the top level of a resource. */
const RESERVED = ['connection', 'count', 'depends_on', 'for_each', 'lifecycle', 'provider', 'provisioner'];

interface Named {
  readonly name: string;
}

interface Shaped extends Named {
  readonly schema: Schema;
}

/** The objects of a provider that are checked. */
interface CheckedObjects {
  readonly resources?: readonly (Shaped & { readonly identity?: unknown })[];
  readonly dataSources?: readonly Shaped[];
  readonly ephemeralResources?: readonly Shaped[];
  readonly functions?: readonly Named[];
  readonly listResources?: readonly Shaped[];
  readonly actions?: readonly Shaped[];
}

interface Checked extends Shaped, CheckedObjects {
  readonly parts?: readonly { readonly names: readonly string[] }[];
}

/**
 * Checks the schemas of a provider against Terraform's rules, except for those of its parts.
 * Violations would otherwise only be reported when a user runs the provider.
 *
 * @throws Error with the resource and the attribute.
 */
export function checkProvider(provider: Checked): void {
  checkSchema(`provider ${provider.name}`, provider.schema, { resource: false, ofProvider: true });
  checkObjects(provider.name, provider);
  const namesInParts = (provider.parts ?? []).flatMap(({ names }) => names);
  checkUnique(
    provider.name,
    [...new Set(namesOf(provider)), ...namesInParts].map((name) => ({ name })),
  );
}

/**
 * Checks the schemas of a part, and that it has the given names.
 *
 * @throws Error with the resource and the attribute.
 */
export function checkPart(provider: string, names: readonly string[], objects: CheckedObjects): void {
  checkObjects(provider, objects);
  const [given, found] = [new Set(names), new Set(namesOf(objects))];
  const differing = [...given, ...found].find((name) => !given.has(name) || !found.has(name));
  if (differing !== undefined)
    throw new Error(`provider ${provider}: the names of a part and its objects differ in ${differing}`);
}

function namesOf(objects: CheckedObjects): readonly string[] {
  const { resources, dataSources, ephemeralResources, functions, listResources, actions } = objects;
  const lists: readonly (readonly Named[] | undefined)[] = [
    resources,
    dataSources,
    ephemeralResources,
    functions,
    listResources,
    actions,
  ];
  return lists.flatMap((list = []) => list.map(({ name }) => name));
}

function checkObjects(provider: string, objects: CheckedObjects): void {
  const titled: readonly [title: string, definitions: readonly Shaped[] | undefined][] = [
    ['resource', objects.resources],
    ['data source', objects.dataSources],
    ['ephemeral resource', objects.ephemeralResources],
    ['list resource', objects.listResources],
    ['action', objects.actions],
  ];
  for (const [title, definitions = []] of titled) {
    checkUnique(provider, definitions);
    for (const { name, schema } of definitions) {
      checkSchema(`${title} ${provider}_${name}`, schema, { resource: title === 'resource' });
    }
  }
  checkUnique(provider, objects.functions ?? []);
  for (const { name } of objects.listResources ?? []) {
    if (!objects.resources?.find((resource) => resource.name === name)?.identity) {
      throw new Error(`list resource ${provider}_${name}: the resource of that name has no identity`);
    }
  }
}

function checkUnique(provider: string, definitions: readonly Named[]): void {
  const names = definitions.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`provider ${provider}: ${twice} is defined twice`);
}

function checkSchema(
  owner: string,
  schema: Schema,
  { resource, ofProvider = false }: { resource: boolean; ofProvider?: boolean },
): void {
  const names = [...Object.keys(schema.attributes), ...Object.keys(schema.blocks ?? {})];
  const reserved = names.find((name) => RESERVED.includes(name));
  if (reserved !== undefined && resource)
    throw new Error(`${owner}: ${reserved} is a name reserved by Terraform`);
  checkContent(owner, schema.attributes, schema.blocks ?? {}, { inSet: false, resource, ofProvider });
}

/** The position in a schema, on which some rules depend. */
interface Position {
  readonly inSet: boolean;
  readonly resource: boolean;
  readonly ofProvider: boolean;
}

function checkContent(owner: string, attributes: Attributes, blocks: Blocks, place: Position): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    if (name in blocks) throw new Error(`${owner}: ${name} is both an attribute and a block`);
    checkName(owner, name);
    checkAttribute(`${owner}, attribute ${name}`, attribute, place);
  }
  for (const [name, block] of Object.entries(blocks)) {
    checkName(owner, name);
    const { minItems = 0, maxItems = Infinity } = block.options;
    if (minItems > maxItems) throw new Error(`${owner}, block ${name}: minItems is more than maxItems`);
    if (block.nesting === 'single' && (minItems > 1 || (maxItems !== Infinity && maxItems !== 1))) {
      throw new Error(`${owner}, block ${name}: a single block appears at most once`);
    }
    const inSet = place.inSet || block.nesting === 'set';
    checkContent(`${owner}, block ${name}`, block.attributes, block.blocks, { ...place, inSet });
  }
}

function checkName(owner: string, name: string): void {
  if (!NAME.test(name))
    throw new Error(`${owner}: ${name} must be lower-case letters, digits and underscores`);
}

function checkAttribute(owner: string, attribute: Attribute, place: Position): void {
  const { required, optional, computed, default: fallback, writeOnly, strict } = attribute.options;
  if (required && (optional || computed))
    throw new Error(`${owner}: required excludes optional and computed`);
  if (!required && !optional && !computed)
    throw new Error(`${owner}: neither required, optional nor computed`);
  if (fallback !== undefined && !optional)
    throw new Error(`${owner}: only an optional attribute has a default`);
  if (writeOnly && (computed || fallback !== undefined)) {
    throw new Error(`${owner}: a write-only attribute is neither computed nor has a default`);
  }
  if (writeOnly && !place.resource) throw new Error(`${owner}: only resources have write-only attributes`);
  if (writeOnly && place.inSet) throw new Error(`${owner}: a set holds no write-only attribute`);
  if (strict && (attribute.kind === 'value' || !place.ofProvider)) {
    throw new Error(`${owner}: only nested attributes of a provider's configuration are strict`);
  }
  if (attribute.kind === 'value') {
    if (place.inSet && holdsDynamic(attribute.type))
      throw new Error(`${owner}: a set holds no dynamic value`);
    checkType(owner, attribute.type);
  } else {
    if (writeOnly) checkAllWriteOnly(owner, attribute.attributes);
    checkContent(
      owner,
      attribute.attributes,
      {},
      { ...place, inSet: place.inSet || attribute.nesting === 'set' },
    );
  }
}

function checkAllWriteOnly(owner: string, attributes: Attributes): void {
  for (const [name, { options }] of Object.entries(attributes)) {
    if (!options.writeOnly)
      throw new Error(`${owner}: ${name} must be write-only, as the attribute around it is`);
  }
}

function checkType(owner: string, type: Type): void {
  if (type.kind === 'set' && holdsDynamic(type.element))
    throw new Error(`${owner}: a set holds no dynamic value`);
  for (const part of partsOf(type)) checkType(owner, part);
}

function holdsDynamic(type: Type): boolean {
  return type.kind === 'dynamic' || partsOf(type).some(holdsDynamic);
}

function partsOf(type: Type): readonly Type[] {
  if ('element' in type) return [type.element];
  if ('elements' in type) return type.elements;
  if ('attributes' in type) return Object.values(type.attributes);
  return [];
}
