import type { ClientCapabilities } from '../author/context';
import type { Diagnostics, Path } from '../author/diagnostics';
import type { AnyOptions, Attribute } from '../author/schema';
import type { TerraformNumber } from '../values/number';
import { Dynamic, type Type } from '../values/type';
import { isWhollyKnown, UNKNOWN } from '../values/unknown';
import { contentOf, type Content, type ObjectValue } from './content';
import { pathText } from './paths';

/** Checks a configuration against what its schema says beyond Terraform's own checks. Unknown values pass. */
export function checkConfig(
  content: Content,
  config: ObjectValue,
  { client, diagnostics }: { client: ClientCapabilities; diagnostics: Diagnostics },
): void {
  checkContent(content, config, []);

  function checkContent({ attributes, blocks }: Content, object: ObjectValue, path: Path): void {
    for (const [name, attribute] of Object.entries(attributes)) {
      checkAttribute(attribute, object[name], [...path, name]);
    }
    for (const [name, block] of Object.entries(blocks)) {
      if (block.options.deprecated !== undefined && !isLeftOut(object[name])) {
        warnOfDeprecated(block.options.deprecated, [...path, name]);
      }
      checkNested(block.nesting, block, object[name], [...path, name]);
    }
  }

  function checkAttribute(attribute: Attribute, value: unknown, path: Path): void {
    if (value === null) return;
    const { deprecated, writeOnly } = attribute.options;
    if (deprecated !== undefined) warnOfDeprecated(deprecated, path);
    if (writeOnly && !client.writeOnlyAttributesAllowed) {
      diagnostics.error(
        'Write-only arguments need Terraform 1.11',
        `This Terraform would store the write-only argument ${pathText(path)}. Use Terraform 1.11 or later.`,
        path,
      );
    }
    if (value === UNKNOWN) return;
    if (attribute.kind === 'nested') checkNested(attribute.nesting, contentOf(attribute), value, path);
    else checkType(attribute.type, value, path);
    validate(attribute.options, value, path);
  }

  function checkNested(nesting: string, content: Content, value: unknown, path: Path): void {
    if (value === UNKNOWN || value === null) return;
    if (nesting === 'single') return checkContent(content, value as ObjectValue, path);
    for (const [key, element] of elementsOf(value)) {
      if (element === UNKNOWN) continue;
      if (element === null) refuseNull([...path, key]);
      else checkContent(content, element as ObjectValue, [...path, key]);
    }
  }

  function checkType(type: Type, value: unknown, path: Path): void {
    if (value === UNKNOWN || value === null || value instanceof Dynamic) return;
    if (type.kind === 'integer' && !Number.isInteger(value)) {
      diagnostics.error(
        'Invalid number',
        `${pathText(path)} must be a whole number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, ` +
          `got ${(value as TerraformNumber).toString()}.`,
        path,
      );
    }
    for (const [key, part] of elementsOf(value)) {
      const partType = typeOfPart(type, key);
      if (!partType) continue;
      if (part === null && !partType.nullable) refuseNull([...path, key]);
      else checkType(partType, part, [...path, key]);
    }
  }

  function validate({ validators = [] }: AnyOptions, value: unknown, path: Path): void {
    if (validators.length === 0 || !isWhollyKnown(value)) return;
    for (const validator of validators) {
      const problem = (validator as (value: unknown) => string | undefined)(value);
      if (problem !== undefined)
        diagnostics.error(`Invalid ${pathText(path)}`, `${pathText(path)} ${problem}.`, path);
    }
  }

  function refuseNull(path: Path): void {
    diagnostics.error(
      'Missing value',
      `${pathText(path)} must not be null. Leave it out, or give it a value.`,
      path,
    );
  }

  function warnOfDeprecated(instead: string, path: Path): void {
    diagnostics.warning('Argument is deprecated', `${pathText(path)}: ${instead}`, path);
  }
}

function isLeftOut(blocks: unknown): boolean {
  return blocks === null || blocks === UNKNOWN || (Array.isArray(blocks) && blocks.length === 0);
}

function elementsOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((element, i) => [i, element]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function typeOfPart(type: Type, key: string | number): Type | undefined {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return type.element;
    case 'tuple':
      return type.elements[Number(key)];
    case 'object':
      return type.attributes[key];
    default:
      return undefined;
  }
}
