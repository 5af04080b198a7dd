import type { AnyOptions } from '../author/schema';
import { isWhollyKnown } from '../values/unknown';
import { contentOf, isObject, type Content, type ObjectValue } from './content';

/** Returns the value of an attribute to plan: the stored one if it has the same meaning. */
export function plannedForm({ sameMeaning }: AnyOptions, planned: unknown, stored: unknown): unknown {
  const comparable = planned !== null && stored !== null && isWhollyKnown(planned);
  return comparable && sameMeaning?.(planned, stored) ? stored : planned;
}

/**
 * Returns a read object in which values with the same meaning as before have their previous form.
 * Attributes in lists, sets and maps of objects are not changed.
 */
export function readForm(
  { attributes, blocks }: Content,
  read: ObjectValue,
  prior: ObjectValue,
): ObjectValue {
  const kept: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    kept[name] =
      attribute.kind === 'nested' && attribute.nesting === 'single'
        ? readObject(contentOf(attribute), read[name] ?? null, prior[name])
        : readValue(attribute.options, read[name] ?? null, prior[name] ?? null);
  }
  for (const [name, block] of Object.entries(blocks)) {
    if (block.nesting === 'single') kept[name] = readObject(block, read[name] ?? null, prior[name]);
  }
  return { ...read, ...kept };
}

function readObject(content: Content, read: unknown, prior: unknown): unknown {
  return isObject(read) ? readForm(content, read, isObject(prior) ? prior : {}) : read;
}

/**
 * Returns the value to store. After an import, the prior state lacks the default, so the read value
 * is stored.
 */
function readValue({ sameMeaning, default: fallback }: AnyOptions, read: unknown, prior: unknown): unknown {
  const isShown = prior === null && fallback !== undefined;
  return !isShown && sameMeaning?.(read, prior) ? prior : read;
}
