import type { FieldValues } from './definition/field';

/** Pairs of a word of the interface document and the product's word. */
type Words = readonly (readonly [neutral: string, product: string])[];

/** The vendor names of one kind of object. */
interface Vocabulary {
  /** The field that holds the backend's type, which is also a segment of the path. */
  readonly typeField: string;
  readonly types: Words;
  /** The prefixes of field names. */
  readonly fieldPrefixes: Words;
  /** The vendor names in the values of other fields, by field. */
  readonly values: Readonly<Record<string, Words>>;
}

/**
 * The kinds of objects that have vendor names; all others are the same in both dialects. Note that
 * one vendor is `gcp` among the types of keys and `google` everywhere else.
 */
const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  managed_key: {
    typeField: 'type',
    types: [
      ['provAkms', 'awskms'],
      ['provBkeyvault', 'azurekeyvault'],
      ['provCckms', 'gcpckms'],
    ],
    fieldPrefixes: [],
    values: { environment: [['PROVBPUBLICCLOUD', 'AZUREPUBLICCLOUD']] },
  },
  auto_snapshot: {
    typeField: 'storage_type',
    types: [
      ['provA-s3', 'aws-s3'],
      ['provB-blob', 'azure-blob'],
      ['provC-gcs', 'google-gcs'],
    ],
    fieldPrefixes: [
      ['provA_', 'aws_'],
      ['provB_', 'azure_'],
      ['provC_', 'google_'],
    ],
    values: {},
  },
};

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
  /** Translates an object's fields: their names, and values that are vendor names. */
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
