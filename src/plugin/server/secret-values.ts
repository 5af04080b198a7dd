import { advice } from './advice';
import type { Path, Diagnostics } from '../author/diagnostics';
import type { AnyOptions, Attribute } from '../author/schema';
import { Dynamic } from '../values/type';
import { contentOf, partsOf, type Content, type ObjectValue } from './content';
import { isTooShortToHide } from '../../text';
import { pathText } from './paths';

type Add = (secret: string, path: Path) => void;

/** Passes every secret text in an object to `add`, with its position in the object. */
export type SecretCollector = (object: ObjectValue | null, add: Add) => void;

/**
 * Returns the collector of a schema's sensitive and write-only values, which is computed once for
 * each schema.
 */
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
    for (const [name, collect] of parts) {
      collect(object[name], (secret, path) => add(secret, [name, ...path]));
    }
  };
}

/** Passes on the texts of one attribute or block, with their positions in its value. */
type Collector = (value: unknown, add: Add) => void;
const NOTHING = () => {};

function collectorOf(attribute: Attribute): Collector {
  const { sensitive, writeOnly, isSecret } = attribute.options;
  if ((sensitive || writeOnly) && isSecret) return onlyWhere(isSecret);
  if (sensitive || writeOnly) return collectTexts;
  if (attribute.kind === 'value') return NOTHING;
  return nested(attribute.nesting, secretCollector(contentOf(attribute)));
}

function onlyWhere(isSecret: NonNullable<AnyOptions['isSecret']>): Collector {
  const keyIn = (path: Path) => {
    const key = path.at(-1);
    return typeof key === 'string' ? key : undefined;
  };
  return (value, add) => collectTexts(value, (text, path) => isSecret(text, keyIn(path)) && add(text, path));
}

/** Returns the collector for one object, or for a list, set or map of objects. */
function nested(nesting: string, collect: SecretCollector): Collector {
  if (collect === NOTHING) return NOTHING;
  if (nesting === 'single') return collect as Collector;
  return (value, add) => collectParts(value, collect as Collector, add);
}

function collectTexts(value: unknown, add: Add): void {
  if (typeof value === 'string') add(value, []);
  else if (value instanceof Dynamic) collectTexts(value.value, add);
  else collectParts(value, collectTexts, add);
}

function collectParts(value: unknown, collect: Collector, add: Add): void {
  for (const [step, part] of partsOf(value)) {
    collect(part, (secret, path) => add(secret, [step, ...path]));
  }
}

/**
 * Warns about secrets in a configuration that are too short to be hidden in texts. The warning
 * names the attribute in its text instead of its path: with a path, Terraform would print that line
 * of the configuration, with the secret.
 */
export function warnOfShortSecrets(
  collectSecrets: SecretCollector,
  config: ObjectValue,
  diagnostics: Diagnostics,
): void {
  collectSecrets(config, (secret, path) => {
    if (secret === '' || !isTooShortToHide(secret)) return;
    diagnostics.warning(
      `${pathText(path)} is too short to be hidden`,
      'A secret of fewer than 3 characters is part of many words: errors, warnings and logs may show it.\n' +
        advice('use a longer secret'),
    );
  });
}
