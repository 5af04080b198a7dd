import { SentinelSyntaxError } from '../../source/errors';
import { parseJson } from '../../imports/json';
import type { SourceText, Span } from '../../source/source-text';
import { MapValue, NativeFault, type Value } from '../../values/value';
import type { ConfigAttribute, ConfigBody, ConfigBlock } from './hcl';

/** The position of everything in a JSON file, since the parser reports none. */
const START: Span = { start: 0, end: 0 };

/** The number of labels of each block. Other blocks are refused when the configuration is read. */
const LABELS: Readonly<Record<string, number>> = { import: 2, test: 0, sentinel: 0 };
const USUAL_LABELS = 1;

/** The nested blocks of each block. Everything else within blocks is an attribute. */
const NESTED_BLOCKS: Readonly<Record<string, readonly string[]>> = { mock: ['module'] };

/**
 * Reads a configuration in the JSON form of HCL: `{"policy": {"hours": {"enforcement_level":
 * "advisory"}}}`.
 */
export function parseJsonBody(source: SourceText): ConfigBody {
  const root = jsonRoot(source);
  const blocks = [...root.entries].flatMap(([key, value]) =>
    blocksOf(source, String(key), [], LABELS[String(key)] ?? USUAL_LABELS, value),
  );
  return { attributes: new Map(), blocks };
}

/**
 * Returns the root object of a JSON text.
 *
 * @throws SentinelSyntaxError if the text is not a JSON object.
 */
export function jsonRoot(source: SourceText): MapValue {
  try {
    const root = parseJson(source.text.replace(/^\uFEFF/, ''));
    if (root instanceof MapValue) return root;
  } catch (error) {
    if (error instanceof NativeFault) throw new SentinelSyntaxError(source, START, error.message);
    throw error;
  }
  throw new SentinelSyntaxError(source, START, 'the text must be a JSON object');
}

/** Returns the blocks of a type. Several blocks may be written as a list. */
function blocksOf(
  source: SourceText,
  type: string,
  labels: readonly string[],
  missing: number,
  value: Value,
): readonly ConfigBlock[] {
  if (Array.isArray(value)) return value.flatMap((each) => blocksOf(source, type, labels, missing, each));
  if (!(value instanceof MapValue)) {
    throw new SentinelSyntaxError(
      source,
      START,
      `${JSON.stringify([type, ...labels].join('.'))} must be an object`,
    );
  }
  if (missing === 0) return [{ type, labels, body: bodyOf(source, type, value), span: START }];
  return [...value.entries].flatMap(([label, within]) =>
    blocksOf(source, type, [...labels, String(label)], missing - 1, within),
  );
}

function bodyOf(source: SourceText, type: string, map: MapValue): ConfigBody {
  const nested = NESTED_BLOCKS[type] ?? [];
  const attributes = new Map<string, ConfigAttribute>();
  const blocks: ConfigBlock[] = [];
  for (const [key, value] of map.entries) {
    const name = String(key);
    if (nested.includes(name)) blocks.push(...blocksOf(source, name, [], 0, value));
    else attributes.set(name, { value, span: START });
  }
  return { attributes, blocks };
}
