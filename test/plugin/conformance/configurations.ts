/**
 * Creates configurations for any schema, with known and unknown arguments and with some left out.
 */
import fc from 'fast-check';
import {
  Dynamic,
  UNKNOWN,
  type Attribute,
  type Attributes,
  type Block,
  type Type,
} from '../../../src/plugin';
import { contentOf, type Content, type ObjectValue } from '../../../src/plugin/server/content';
import { nullsForUnknowns } from '../../../src/plugin/values/unknown';
import { isComputed } from '../../../src/plugin/server/schema-message';

/** By name of an attribute, a valid value, if a random text or number would not be valid. */
export type Samples = Readonly<Record<string, unknown>>;

/** The states of an argument in a configuration. */
const KNOWLEDGE = ['known', 'unknown', 'left out'] as const;
type Knowledge = (typeof KNOWLEDGE)[number];

/** A configuration, and the same configuration with all values known. */
export interface Case {
  readonly config: ObjectValue;
  readonly whenKnown: ObjectValue;
}

/**
 * Returns random configurations of a schema. Every pair of arguments soon occurs in all
 * combinations.
 */
export function anyCase(content: Content, samples: Samples): fc.Arbitrary<Case> {
  const places = placesIn(content);
  const mostly = (usual: Knowledge, weight: number) =>
    fc.array(
      fc.oneof(
        { arbitrary: fc.constant(usual), weight },
        { arbitrary: fc.constantFrom<Knowledge>(...KNOWLEDGE), weight: 1 },
      ),
      { minLength: places.length, maxLength: places.length },
    );
  // Most arguments are known in some cases and left out in others. The third kind mixes all states
  // evenly.
  return fc
    .oneof(mostly('known', 8), mostly('known', 1), mostly('left out', 4))
    .map((choices) => caseOf(content, samples, new Map(places.map((place, i) => [place, choices[i]!]))));
}

/** Returns three configurations: all arguments known, all unknown, and all left out. */
export function uniformCases(content: Content, samples: Samples): readonly Case[] {
  const places = placesIn(content);
  return KNOWLEDGE.map((each) => caseOf(content, samples, new Map(places.map((place) => [place, each]))));
}

/** Returns the configuration with all arguments. */
export function wholeConfiguration(content: Content, samples: Samples): ObjectValue {
  return caseOf(content, samples, new Map()).whenKnown;
}

/** Returns the paths of all arguments, including those in blocks and nested attributes. */
function placesIn({ attributes, blocks }: Content, path = ''): readonly string[] {
  return [
    ...Object.entries(attributes).flatMap(([name, attribute]) => [
      `${path}${name}`,
      ...(attribute.kind === 'nested' ? placesIn(contentOf(attribute), `${path}${name}.`) : []),
    ]),
    ...Object.entries(blocks).flatMap(([name, block]) => [
      `${path}${name}`,
      ...placesIn(block, `${path}${name}.`),
    ]),
  ];
}

function caseOf(content: Content, samples: Samples, knowledge: ReadonlyMap<string, Knowledge>): Case {
  const write = (isAllKnown: boolean) =>
    objectOf(content, (path) => {
      const choice = knowledge.get(path) ?? 'known';
      return isAllKnown && choice === 'unknown' ? 'known' : choice;
    });
  return { config: write(false), whenKnown: write(true) };

  function objectOf(
    { attributes, blocks }: Content,
    choose: (path: string) => Knowledge,
    path = '',
  ): ObjectValue {
    const inner = (name: string) => (nested: Content) => objectOf(nested, choose, `${path}${name}.`);
    return Object.fromEntries([
      ...Object.entries(attributes).map(([name, attribute]) => [
        name,
        attributeValue(attribute, choose(`${path}${name}`), samples[name], inner(name)),
      ]),
      ...Object.entries(blocks).map(([name, block]) => [
        name,
        blockValue(block, choose(`${path}${name}`), inner(name)),
      ]),
    ]) as ObjectValue;
  }
}

function attributeValue(
  attribute: Attribute,
  knowledge: Knowledge,
  sample: unknown,
  inner: (content: Content) => ObjectValue,
): unknown {
  const { required, optional } = attribute.options;
  if (!required && !optional) return null;
  if (knowledge === 'unknown') return UNKNOWN;
  if (knowledge === 'left out' && !required) return null;
  if (attribute.kind === 'value') return sample ?? anyValue(attribute.type);
  return nest(attribute.nesting, inner(contentOf(attribute)), sample);
}

function blockValue(block: Block, knowledge: Knowledge, inner: (content: Content) => ObjectValue): unknown {
  if (knowledge === 'unknown') return UNKNOWN;
  if (knowledge === 'left out') return block.nesting === 'single' ? null : [];
  return nest(block.nesting, inner(block));
}

/** @param key the key of the object, if the nesting is a map */
function nest(nesting: string, object: ObjectValue, key: unknown = 'a'): unknown {
  if (nesting === 'single') return object;
  return nesting === 'map' ? { [String(key)]: object } : [object];
}

function anyValue(type: Type): unknown {
  switch (type.kind) {
    case 'string':
      return 'a';
    case 'integer':
    case 'number':
      return 1;
    case 'bool':
      return true;
    case 'dynamic':
      return new Dynamic('string', 'a');
    case 'list':
    case 'set':
      return [anyValue(type.element)];
    case 'map':
      return { a: anyValue(type.element) };
    case 'tuple':
      return type.elements.map(anyValue);
    case 'object':
      return Object.fromEntries(
        Object.entries(type.attributes).map(([name, each]) => [name, anyValue(each)]),
      );
  }
}

/**
 * Returns a possible result of the apply of a plan, in which every unknown value has become known.
 */
export function applied({ attributes, blocks }: Content, planned: ObjectValue): ObjectValue {
  return {
    ...(nullsForUnknowns(planned) as ObjectValue),
    ...computedValues(attributes, planned),
    ...Object.fromEntries(
      Object.entries(blocks).map(([name, block]) => [name, completedIn(block.nesting, block, planned[name])]),
    ),
  };
}

function computedValues(attributes: Attributes, planned: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const value = planned[name];
      if (attribute.kind === 'nested')
        return [name, completedIn(attribute.nesting, contentOf(attribute), value)];
      return [
        name,
        value === UNKNOWN && isComputed(attribute) ? anyValue(attribute.type) : nullsForUnknowns(value),
      ];
    }),
  );
}

function completedIn(nesting: string, content: Content, value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return nesting === 'single' ? null : nullsForUnknowns(value);
  if (nesting === 'single') return applied(content, value as ObjectValue);
  if (Array.isArray(value)) return value.map((each) => applied(content, each as ObjectValue));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, applied(content, each as ObjectValue)]),
  );
}
