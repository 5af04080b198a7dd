import type { Attribute, Attributes, Block, Blocks } from '../author/schema';
import type { Type } from '../values/type';

/** An object of a schema's values. */
export type ObjectValue = Readonly<Record<string, unknown>>;

/** The attributes and blocks at one level of a schema. */
export interface Content {
  readonly attributes: Attributes;
  readonly blocks: Blocks;
}

export function contentOf({ attributes, blocks = {} }: { attributes: Attributes; blocks?: Blocks }): Content {
  return { attributes, blocks };
}

/** Returns the type of the objects that a content describes. */
export function contentType({ attributes, blocks }: Content): Type {
  return {
    kind: 'object',
    attributes: { ...mapValues(attributes, attributeType), ...mapValues(blocks, blockType) },
  };
}

export function attributeType(attribute: Attribute): Type {
  if (attribute.kind === 'value') return attribute.type;
  if (attribute.options.strict) return { kind: 'dynamic' };
  return nestedType(attribute.nesting, contentType(contentOf(attribute)));
}

function blockType(block: Block): Type {
  return nestedType(block.nesting, contentType(block));
}

function nestedType(nesting: 'single' | 'list' | 'set' | 'map', element: Type): Type {
  return nesting === 'single' ? element : { kind: nesting, element };
}

/**
 * Completes the object that a handler returned: missing attributes are null, missing blocks are
 * empty.
 */
export function complete({ attributes, blocks }: Content, partial: ObjectValue): ObjectValue {
  return {
    ...mapValues(attributes, () => null),
    ...mapValues(blocks, ({ nesting }) => (nesting === 'single' ? null : [])),
    ...partial,
  };
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** Whether a value has parts: an object, a map, a list, a set or a tuple. */
export function isObject(value: unknown): value is ObjectValue {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns the elements of a list, set, tuple, map or object, by position or name; none for other
 * values.
 */
export function partsOf(value: unknown): readonly (readonly [step: string | number, part: unknown])[] {
  if (Array.isArray(value)) return value.map((part, index) => [index, part]);
  return isObject(value) ? Object.entries(value) : [];
}
