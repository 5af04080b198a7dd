import type { Path } from '../author/diagnostics';
import type { Attribute } from '../author/schema';
import { Decimal } from '../values/number';
import { Dynamic, type Type } from '../values/type';
import { contentOf, isObject, partsOf, type Content, type ObjectValue } from './content';

/** Minimum lengths in bytes. Shorter secrets occur in values by chance. */
const SHORTEST_EQUAL = 3;
const SHORTEST_CONTAINED = 8;

/** The type of values that have no schema. */
const ANY: Type = { kind: 'dynamic' };

/** Secrets that values are compared with. */
export class ComparedSecrets {
  readonly #equal = new Set<string>();
  readonly #contained = new Set<string>();

  add(secret: string): void {
    // Servers remove the line break at the end of a file, and quote texts in JSON.
    for (const form of [secret, secret.trim(), JSON.stringify(secret).slice(1, -1)]) {
      const bytes = Buffer.byteLength(form);
      if (bytes >= SHORTEST_EQUAL) this.#equal.add(form);
      if (bytes >= SHORTEST_CONTAINED) this.#contained.add(form);
    }
  }

  /** Returns the secrets that the text equals or contains. */
  within(text: string): readonly string[] {
    const found = this.#equal.has(text) ? [text] : [];
    for (const secret of this.#contained) if (secret !== text && text.includes(secret)) found.push(secret);
    return found;
  }
}

/** The secrets that a call knows. */
export interface KnownSecrets {
  /** The credentials of the provider. No value may contain them. */
  readonly credentials: ComparedSecrets;
  /** The secrets of the object. Sensitive values may contain them. */
  readonly own: ComparedSecrets;
}

/** A value that contains a secret. */
export interface Exposure {
  readonly path: Path;
  /** Whether it is a credential of the provider. */
  readonly isCredential: boolean;
}

/**
 * Whether a secret is readable already, because the user wrote it into the configuration or an
 * earlier state has it. Such a secret is not refused.
 *
 * @param inSensitive whether the value that contains it is sensitive.
 */
export type IsShown = (secret: string, inSensitive: boolean) => boolean;

/**
 * Returns the first value of an object that contains a secret, except those that `isShown` allows.
 */
export function exposureIn(
  content: Content,
  object: ObjectValue | null,
  isShown: IsShown,
  known: KnownSecrets,
): Exposure | undefined {
  const search = new Search(isShown, known);
  visitObject(content, object, search.visit);
  return search.found;
}

/**
 * Returns the first value that contains a secret, like {@link exposureIn}, in a value without a
 * schema.
 */
export function exposureInAny(value: unknown, isShown: IsShown, known: KnownSecrets): Exposure | undefined {
  const search = new Search(isShown, known);
  visitValue(ANY, value, search.visit, []);
  return search.found;
}

/**
 * Returns a function that says whether a value of the object contains a secret. Sensitive values of
 * the object count only for secrets in sensitive values.
 */
export function shownBy(content: Content, object: ObjectValue | null): IsShown {
  return (secret, inSensitive) => {
    const isContained = Buffer.byteLength(secret) >= SHORTEST_CONTAINED;
    let isShown = false;
    visitObject(content, object, (text, _path, isSensitive) => {
      if (isSensitive && !inSensitive) return;
      isShown ||= text === secret || (isContained && text.includes(secret));
    });
    return isShown;
  };
}

/** Returns a function that says whether a request of the user contains a secret. */
export function shownIn(request: unknown): IsShown {
  return (secret) => {
    let isShown = false;
    visitValue(ANY, request, (text) => (isShown ||= text.includes(secret)), []);
    return isShown;
  };
}

export const shownNowhere: IsShown = () => false;

type Visit = (text: string, path: Path, isSensitive: boolean) => void;

class Search {
  found: Exposure | undefined;

  readonly #isShown: IsShown;
  readonly #known: KnownSecrets;

  constructor(isShown: IsShown, known: KnownSecrets) {
    this.#isShown = isShown;
    this.#known = known;
  }

  readonly visit: Visit = (text, path, isSensitive) => {
    if (this.found) return;
    const { credentials, own } = this.#known;
    const isExposed = (secrets: ComparedSecrets) =>
      secrets.within(text).some((secret) => !this.#isShown(secret, isSensitive));
    if (isExposed(credentials)) this.found = { path, isCredential: true };
    else if (!isSensitive && isExposed(own)) this.found = { path, isCredential: false };
  };
}

/**
 * Visits the texts of an object and the keys of its maps, except write-only values. A key has the
 * path of its map.
 */
function visitObject(
  { attributes, blocks }: Content,
  object: unknown,
  visit: Visit,
  path: Path = [],
  isSensitive = false,
): void {
  if (!isObject(object)) return;
  for (const [name, attribute] of Object.entries(attributes)) {
    visitAttribute(attribute, object[name], visit, [...path, name], isSensitive);
  }
  for (const [name, block] of Object.entries(blocks)) {
    visitNested(block.nesting, block, object[name], visit, [...path, name], isSensitive);
  }
}

function visitAttribute(
  attribute: Attribute,
  value: unknown,
  visit: Visit,
  path: Path,
  isWithinSensitive: boolean,
): void {
  const { sensitive = false, writeOnly = false } = attribute.options;
  if (writeOnly) return;
  const isSensitive = isWithinSensitive || sensitive;
  if (attribute.kind === 'nested') {
    visitNested(attribute.nesting, contentOf(attribute), value, visit, path, isSensitive);
  } else {
    visitValue(attribute.type, value, visit, path, isSensitive);
  }
}

function visitNested(
  nesting: 'single' | 'list' | 'set' | 'map',
  content: Content,
  value: unknown,
  visit: Visit,
  path: Path,
  isSensitive: boolean,
): void {
  if (nesting === 'single') return visitObject(content, value, visit, path, isSensitive);
  for (const [step, part] of partsOf(value)) {
    if (nesting === 'map') visit(String(step), path, isSensitive);
    visitObject(content, part, visit, [...path, step], isSensitive);
  }
}

function visitValue(type: Type, value: unknown, visit: Visit, path: Path, isSensitive = false): void {
  if (typeof value === 'string') return visit(value, path, isSensitive);
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal)
    return visit(String(value), path, isSensitive);
  if (value instanceof Dynamic) return visitValue(ANY, value.value, visit, path, isSensitive);
  for (const [step, part] of partsOf(value)) {
    const isKey = typeof step === 'string' && (type.kind === 'map' || type.kind === 'dynamic');
    if (isKey) visit(step, path, isSensitive);
    visitValue(partType(type, step), part, visit, [...path, step], isSensitive);
  }
}

function partType(type: Type, step: string | number): Type {
  if (type.kind === 'object') return type.attributes[step] ?? ANY;
  if (type.kind === 'tuple') return type.elements[Number(step)] ?? ANY;
  return 'element' in type ? type.element : ANY;
}
