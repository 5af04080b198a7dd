import type { Attribute } from '../author/schema';
import { Dynamic } from '../values/type';
import { contentOf, type Content, type ObjectValue } from './content';

/** Hands every secret text in an object to `add`. */
export type SecretCollector = (object: ObjectValue | null, add: (secret: string) => void) => void;

/** How the values of sensitive and write-only attributes are found: worked out once for each schema. */
export function secretCollector(content: Content): SecretCollector {
  const parts = [
    ...Object.entries(content.attributes).map(([name, attribute]) => [name, collectorOf(attribute)] as const),
    ...Object.entries(content.blocks).map(
      ([name, block]) => [name, nested(block.nesting, secretCollector(block))] as const,
    ),
  ].filter((part): part is [string, Collector] => part[1] !== NOTHING);
  if (parts.length === 0) return NOTHING;
  return (object, add) => {
    if (typeof object !== 'object' || object === null) return;
    for (const [name, collect] of parts) collect(object[name], add);
  };
}

type Collector = (value: unknown, add: (secret: string) => void) => void;
const NOTHING = () => {};

function collectorOf(attribute: Attribute): Collector {
  const { sensitive, writeOnly, isSecret } = attribute.options;
  if ((sensitive || writeOnly) && isSecret) return onlyWhere(isSecret);
  if (sensitive || writeOnly) return collectTexts;
  if (attribute.kind === 'value') return NOTHING;
  return nested(attribute.nesting, secretCollector(contentOf(attribute)));
}

function onlyWhere(isSecret: (text: string) => boolean): Collector {
  return (value, add) => collectTexts(value, (text) => isSecret(text) && add(text));
}

/** For one object, or for a list, set or map of objects. */
function nested(nesting: string, collect: SecretCollector): Collector {
  if (collect === NOTHING) return NOTHING;
  if (nesting === 'single') return collect as Collector;
  return (value, add) => {
    if (typeof value !== 'object' || value === null) return;
    for (const object of Object.values(value)) collect(object as ObjectValue | null, add);
  };
}

function collectTexts(value: unknown, add: (secret: string) => void): void {
  if (typeof value === 'string') add(value);
  else if (value instanceof Dynamic) collectTexts(value.value, add);
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) collectTexts(part, add);
  }
}
