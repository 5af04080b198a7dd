import { isDeepStrictEqual } from 'node:util';
import type { AnyOptions, Attribute } from '../author/schema';
import type {
  GenerateResourceConfig_Request,
  GenerateResourceConfig_Response,
} from '../wire/generated/tfplugin6';
import { contentOf, type Content, type ObjectValue } from './content';
import type { ProviderServer } from './provider-server';
import { shapeOf } from './shape';

/** Returns the configuration of an imported object, which Terraform 1.14 and later requests. */
export function generateResourceConfig(
  server: ProviderServer,
  { typeName, state }: GenerateResourceConfig_Request,
): GenerateResourceConfig_Response {
  const { content, codec } = shapeOf(server.resource(typeName).schema);
  return { config: codec.encode(configOf(content, codec.decode(state) as ObjectValue)), diagnostics: [] };
}

/**
 * Returns the configuration for a state: without values that only the provider sets, deprecated
 * ones, and defaults.
 */
function configOf({ attributes, blocks }: Content, state: ObjectValue): ObjectValue {
  const config: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    config[name] = configOfAttribute(attribute, state[name]);
  }
  for (const [name, block] of Object.entries(blocks)) {
    config[name] = eachObject(block.nesting, state[name], (object) => configOf(block, object));
  }
  return config;
}

function configOfAttribute(attribute: Attribute, value: unknown): unknown {
  const { options } = attribute;
  const isArgument = options.required === true || options.optional === true;
  if (value === null || !isArgument || options.deprecated !== undefined || isDefault(options, value)) {
    return null;
  }
  if (attribute.kind === 'value') return value;
  return eachObject(attribute.nesting, value, (object) => configOf(contentOf(attribute), object));
}

function isDefault({ default: fallback, sameMeaning }: AnyOptions, value: unknown): boolean {
  if (fallback === undefined) return false;
  return isDeepStrictEqual(value, fallback) || sameMeaning?.(value, fallback) === true;
}

function eachObject(
  nesting: 'single' | 'list' | 'set' | 'map',
  value: unknown,
  change: (object: ObjectValue) => ObjectValue,
): unknown {
  if (value === null) return null;
  if (nesting === 'single') return change(value as ObjectValue);
  if (nesting !== 'map') return (value as readonly ObjectValue[]).map(change);
  return Object.fromEntries(
    Object.entries(value as Record<string, ObjectValue>).map(([key, object]) => [key, change(object)]),
  );
}
