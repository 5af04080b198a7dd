import type { FieldValues } from '../definition/field';
import { VOCABULARIES, type Words } from './vocabulary';

/** The dialects of servers: the product's own names, or those of the interface document. */
export const DIALECTS = ['vault', 'neutral'] as const;
export type Dialect = (typeof DIALECTS)[number];

/**
 * A translation of the names of one kind of object from one dialect to another. Names that are not
 * in the table stay.
 */
export interface Translation {
  /** Translates a backend's type, as written in a path. */
  type(type: string): string;
  /** Translates an object's fields: their names, and those of their values that are names. */
  fields(fields: FieldValues): FieldValues;
}

/**
 * Returns the translation from a server's dialect to the product's names, which all code of this
 * package uses.
 *
 * @param kind the object's name in its definition, such as `managed_key`.
 */
export function toProduct(dialect: Dialect, kind: string): Translation {
  return translation(dialect, kind, ([neutral, product]) => [neutral, product]);
}

/** Returns the translation from the product's names to a server's dialect. */
export function fromProduct(dialect: Dialect, kind: string): Translation {
  return translation(dialect, kind, ([neutral, product]) => [product, neutral]);
}

type Pair = Words[number];

const UNCHANGED: Translation = { type: (type) => type, fields: (fields) => fields };

function translation(dialect: Dialect, kind: string, direct: (pair: Pair) => Pair): Translation {
  const vocabulary = VOCABULARIES[kind];
  if (dialect === 'vault' || !vocabulary) return UNCHANGED;

  const types = vocabulary.types.map(direct);
  const prefixes = vocabulary.fieldPrefixes.map(direct);
  const value = (field: string, text: unknown) => {
    if (typeof text !== 'string') return text;
    const words = field === vocabulary.typeField ? types : (vocabulary.values[field] ?? []).map(direct);
    return replaceWord(text, words);
  };
  return {
    type: (type) => replaceWord(type, types),
    fields: (fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [replacePrefix(name, prefixes), value(name, text)]),
      ),
  };
}

function replaceWord(text: string, words: Words): string {
  return words.find(([from]) => from === text)?.[1] ?? text;
}

function replacePrefix(text: string, prefixes: Words): string {
  const found = prefixes.find(([from]) => text.startsWith(from));
  return found ? found[1] + text.slice(found[0].length) : text;
}
