import { advice } from './advice';
import { Defect } from '../defect';
import { similarWords } from '../../text';
import type { Diagnostics, Path } from '../author/diagnostics';
import type { Attribute, Attributes, NestedAttribute } from '../author/schema';
import { Decimal } from '../values/number';
import { Dynamic, type Type } from '../values/type';
import { UNKNOWN } from '../values/unknown';
import { contentOf, type ObjectValue } from './content';
import { pathText } from './paths';

/**
 * Converts the values of strict attributes to their types, as Terraform does with other attributes,
 * and refuses unknown names. Errors have no path and do not contain values: with a path, Terraform
 * would print the attribute's lines, which may contain a secret.
 *
 * @returns the object with these values; `undefined` if a value is not valid.
 */
export function fitStrictValues(
  attributes: Attributes,
  object: ObjectValue,
  diagnostics: Diagnostics,
): ObjectValue | undefined {
  const fit = new Fit(diagnostics);
  const values = Object.entries(attributes)
    .filter(([, attribute]) => isStrict(attribute))
    .map(([name, attribute]) => [name, fit.attribute(attribute, object[name], [name])] as const);
  return fit.failed ? undefined : { ...object, ...Object.fromEntries(values) };
}

/**
 * Whether the type of an attribute is hidden from Terraform, so that it passes on values that it
 * would otherwise drop.
 */
export function isStrict(attribute: Attribute): attribute is NestedAttribute {
  return attribute.kind === 'nested' && attribute.options.strict === true;
}

class Fit {
  failed = false;
  readonly #diagnostics: Diagnostics;

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  attribute(attribute: Attribute, given: unknown, path: Path): unknown {
    const value = given instanceof Dynamic ? given.value : given;
    if (value === null || value === undefined || value === UNKNOWN) return value ?? null;
    if (attribute.kind === 'value') return this.#value(attribute.type, value, path);
    const { attributes } = contentOf(attribute);
    switch (attribute.nesting) {
      case 'single':
        return this.#object(attributes, value, path);
      case 'map':
        return this.#map(value, path, (element, at) => this.#object(attributes, element, at));
      default:
        return this.#list(value, path, (element, at) => this.#object(attributes, element, at));
    }
  }

  #object(attributes: Attributes, value: unknown, path: Path): unknown {
    if (value === null || value === UNKNOWN) return value;
    if (!isObject(value)) return this.#refuseType('an object', value, path);
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(attributes, name)) this.#refuseName(name, attributes, path);
    }
    return Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => {
        const at = [...path, name];
        const fitted = this.attribute(attribute, value[name], at);
        if ((value[name] ?? null) === null && attribute.options.required)
          this.#refuse('is not set', advice('set it, since it is required'), at);
        return [name, fitted];
      }),
    );
  }

  #map(value: unknown, path: Path, fit: (element: unknown, path: Path) => unknown): unknown {
    if (!isObject(value)) return this.#refuseType('a map', value, path);
    return Object.fromEntries(
      Object.entries(value).map(([key, element]) => [key, fit(element, [...path, key])]),
    );
  }

  #list(value: unknown, path: Path, fit: (element: unknown, path: Path) => unknown): unknown {
    if (!Array.isArray(value)) return this.#refuseType('a list', value, path);
    return value.map((element, i) => fit(element, [...path, i]));
  }

  /** The conversions are those of Terraform. */
  #value(type: Type, value: unknown, path: Path): unknown {
    if (value === null || value === UNKNOWN) return value;
    switch (type.kind) {
      case 'string':
        return isScalar(value) ? String(value) : this.#refuseType('a string', value, path);
      case 'bool':
        if (value === true || value === 'true') return true;
        if (value === false || value === 'false') return false;
        return this.#refuseType('true or false', value, path);
      case 'integer':
      case 'number': {
        const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
        const number = isNumeric ? Number(value) : value;
        return isNumber(number) ? number : this.#refuseType('a number', value, path);
      }
      case 'list':
      case 'set':
        return this.#list(value, path, (element, at) => this.#value(type.element, element, at));
      case 'map':
        return this.#map(value, path, (element, at) => this.#value(type.element, element, at));
      default:
        throw new Defect(`a strict attribute holds no ${type.kind}`);
    }
  }

  #refuseName(name: string, attributes: Attributes, path: Path): void {
    const names = Object.keys(attributes).sort();
    const similar = similarWords(name, names).map((each) => JSON.stringify(each));
    const cure = similar.length === 0 ? 'correct its name, or remove it' : `write ${similar.join(' or ')}`;
    this.#refuse(
      `has no argument ${JSON.stringify(name)}`,
      `Allowed: ${names.join(', ')}.\n${advice(cure)}`,
      path,
    );
  }

  #refuseType(expected: keyof typeof EXAMPLES, value: unknown, path: Path): null {
    const received = `Received: ${kindOf(value)}, which is not shown.`;
    this.#refuse(
      'is not valid',
      `${received}\nAllowed: ${expected}.\n${advice(`write ${EXAMPLES[expected]}`)}`,
      path,
    );
    return null;
  }

  #refuse(problem: string, detail: string, path: Path): void {
    this.failed = true;
    this.#diagnostics.error(`${pathText(path)} ${problem}`, detail);
  }
}

/** The types that are expected, each with its form in Terraform's language. */
const EXAMPLES = {
  'an object': '{ argument = value }',
  'a map': '{ name = value }',
  'a list': '[value]',
  'a string': '"text"',
  'a number': 'a number',
  'true or false': 'true or false',
} as const;

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'string' ? 'a string' : typeof value === 'boolean' ? 'a truth value' : 'a number';
}

function isObject(value: unknown): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

function isNumber(value: unknown): value is number | bigint | Decimal {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal;
}

function isScalar(value: unknown): value is string | boolean | number | bigint | Decimal {
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value);
}
