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

/** The parts of a provider that are checked. */
interface Checked extends Shaped {
  readonly resources?: readonly (Shaped & { readonly identity?: unknown })[];
  readonly dataSources?: readonly Shaped[];
  readonly ephemeralResources?: readonly Shaped[];
  readonly functions?: readonly Named[];
  readonly listResources?: readonly Shaped[];
  readonly actions?: readonly Shaped[];
}

/**
 * Checks every schema of a provider against Terraform's rules. Violations would otherwise only be
 * reported when a user runs the provider.
 *
 * @throws Error with the resource and the attribute.
 */
export function checkProvider(provider: Checked): void {
  checkSchema(`provider ${provider.name}`, provider.schema, { resource: false, ofProvider: true });
  const titled: readonly [title: string, definitions: readonly Shaped[] | undefined][] = [
    ['resource', provider.resources],
    ['data source', provider.dataSources],
    ['ephemeral resource', provider.ephemeralResources],
    ['list resource', provider.listResources],
    ['action', provider.actions],
  ];
  for (const [title, definitions = []] of titled) {
    checkUnique(provider.name, definitions);
    for (const { name, schema } of definitions) {
      checkSchema(`${title} ${provider.name}_${name}`, schema, { resource: title === 'resource' });
    }
  }
  checkUnique(provider.name, provider.functions ?? []);
  for (const { name } of provider.listResources ?? []) {
    if (!provider.resources?.find((resource) => resource.name === name)?.identity) {
      throw new Error(`list resource ${provider.name}_${name}: the resource of that name has no identity`);
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
