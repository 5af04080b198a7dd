import type { ClientCapabilities } from '../author/context';
import type { Diagnostics, Path } from '../author/diagnostics';
import type { AnyOptions, Attribute } from '../author/schema';
import type { TerraformNumber } from '../values/number';
import { Dynamic, type Type } from '../values/type';
import { isWhollyKnown, UNKNOWN } from '../values/unknown';
import { contentOf, partsOf, type Content, type ObjectValue } from './content';
import { pathText } from './paths';

/**
 * Checks a configuration against its schema, beyond Terraform's own checks. Unknown values pass.
 */
export class ConfigCheck {
  /** Whether all elements are values of their types: no null where it is not allowed. */
  isWhole = true;
  readonly #client: ClientCapabilities;
  readonly #diagnostics: Diagnostics;

  constructor(client: ClientCapabilities, diagnostics: Diagnostics) {
    this.#client = client;
    this.#diagnostics = diagnostics;
  }

  check({ attributes, blocks }: Content, config: ObjectValue, path: Path = []): void {
    for (const [name, attribute] of Object.entries(attributes)) {
      this.#checkAttribute(attribute, config[name], [...path, name]);
    }
    for (const [name, block] of Object.entries(blocks)) {
      const { deprecated } = block.options;
      if (deprecated !== undefined && !isLeftOut(config[name]))
        this.#warnOfDeprecated(deprecated, [...path, name]);
      this.#checkNested(block.nesting, block, config[name], [...path, name]);
    }
  }

  #checkAttribute(attribute: Attribute, value: unknown, path: Path): void {
    if (value === null) return;
    const { deprecated, writeOnly, computed, optional } = attribute.options;
    if (computed && !optional) return this.#refuseComputed(path);
    if (deprecated !== undefined) this.#warnOfDeprecated(deprecated, path);
    if (writeOnly && !this.#client.writeOnlyAttributesAllowed) this.#refuseWriteOnly(path);
    if (value === UNKNOWN) return;
    if (attribute.kind === 'nested') this.#checkNested(attribute.nesting, contentOf(attribute), value, path);
    else this.#checkType(attribute.type, value, path);
    this.#validate(attribute.options, value, path);
  }

  #checkNested(nesting: string, content: Content, value: unknown, path: Path): void {
    if (value === UNKNOWN || value === null) return;
    if (nesting === 'single') return this.check(content, value as ObjectValue, path);
    for (const [key, element] of partsOf(value)) {
      if (element === UNKNOWN) continue;
      if (element === null) this.#refuseNull([...path, key]);
      else this.check(content, element as ObjectValue, [...path, key]);
    }
  }

  #checkType(type: Type, value: unknown, path: Path): void {
    if (value === UNKNOWN || value === null || value instanceof Dynamic) return;
    if (type.kind === 'integer' && !Number.isInteger(value))
      this.#refuseNumber(value as TerraformNumber, path);
    for (const [key, part] of partsOf(value)) {
      const partType = typeOfPart(type, key);
      if (!partType) continue;
      if (part === null && !partType.nullable) this.#refuseNull([...path, key]);
      else this.#checkType(partType, part, [...path, key]);
    }
  }

  #validate({ validators = [] }: AnyOptions, value: unknown, path: Path): void {
    if (validators.length === 0 || !isWhollyKnown(value)) return;
    for (const validator of validators) {
      const problem = (validator as (value: unknown) => string | undefined)(value);
      if (problem === undefined) continue;
      this.#diagnostics.error(`Invalid ${pathText(path)}`, `${pathText(path)} ${problem}.`, path);
    }
  }

  #refuseWriteOnly(path: Path): void {
    this.#diagnostics.error(
      'Write-only arguments require Terraform 1.11',
      `This Terraform would store the write-only argument ${pathText(path)}. Use Terraform 1.11 or later.`,
      path,
    );
  }

  /** Refuses values of computed attributes, which Terraform itself ignores. */
  #refuseComputed(path: Path): void {
    this.#diagnostics.error(
      'Attribute cannot be set',
      `${pathText(path)} is determined by the provider. Remove it from the configuration.`,
      path,
    );
  }

  #refuseNumber(value: TerraformNumber, path: Path): void {
    const most = Number.MAX_SAFE_INTEGER;
    this.#diagnostics.error(
      'Invalid number',
      `${pathText(path)} must be a whole number from -${most} to ${most}, got ${value.toString()}.`,
      path,
    );
  }

  #refuseNull(path: Path): void {
    this.isWhole = false;
    this.#diagnostics.error(
      'Missing value',
      `${pathText(path)} must not be null. Leave it out, or give it a value.`,
      path,
    );
  }

  #warnOfDeprecated(instead: string, path: Path): void {
    this.#diagnostics.warning('Argument is deprecated', `${pathText(path)}: ${instead}`, path);
  }
}

function isLeftOut(blocks: unknown): boolean {
  return blocks === null || blocks === UNKNOWN || (Array.isArray(blocks) && blocks.length === 0);
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
