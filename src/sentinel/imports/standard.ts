import { type Value, NativeFunction, orUndefined, typeName } from '../values/value';
import { BASE64 } from './base64';
import { COLLECTION } from './collection';
import { LISTS } from './collection-lists';
import { MAPS } from './collection-maps';
import { DECIMAL } from './decimal';
import { httpImport, type HttpSender } from './http';
import { JSON_IMPORT } from './json';
import { STANDARD_IMPORT_NAMES } from './names';
import { SOCKADDR } from './sockaddr';
import { STRINGS } from './strings';
import { timeImport } from './time';
import { VERSION } from './version';

/** Powers of 1024. */
const UNITS: Readonly<Record<string, Value>> = {
  byte: 1n,
  kilobyte: 1024n,
  megabyte: 1024n ** 2n,
  gigabyte: 1024n ** 3n,
  terabyte: 1024n ** 4n,
  petabyte: 1024n ** 5n,
};

const TYPES: Readonly<Record<string, Value>> = {
  type_of: new NativeFunction('types.type_of', [1, 1], ([value]) => typeName(orUndefined(value))),
};

/** What standard imports take from the run. */
export interface ImportContext {
  /** Nanoseconds since 1970. */
  readonly now: bigint;
  readonly send: HttpSender | undefined;
  /** The version of the language. */
  readonly version: string;
}

type Members = Readonly<Record<string, Value>>;

const STANDARD_IMPORTS: Readonly<
  Record<(typeof STANDARD_IMPORT_NAMES)[number], (context: ImportContext) => Members>
> = {
  base64: () => BASE64,
  collection: () => COLLECTION,
  'collection/lists': () => LISTS,
  'collection/maps': () => MAPS,
  decimal: () => DECIMAL,
  http: ({ send }) => httpImport(send),
  json: () => JSON_IMPORT,
  runtime: ({ version }) => ({ version }),
  sockaddr: () => SOCKADDR,
  strings: () => STRINGS,
  time: ({ now }) => timeImport(now),
  types: () => TYPES,
  units: () => UNITS,
  version: () => VERSION,
};

export function standardImport(name: string, context: ImportContext): Members | undefined {
  const known = STANDARD_IMPORT_NAMES.find((each) => each === name);
  return known && STANDARD_IMPORTS[known](context);
}

const MEMBER_NAMES = new Map<string, readonly string[] | undefined>();

/** The names that a standard import has; `undefined` if there is no such import. */
export function membersOf(name: string): readonly string[] | undefined {
  if (!MEMBER_NAMES.has(name)) {
    const members = standardImport(name, { now: 0n, send: undefined, version: '' });
    MEMBER_NAMES.set(name, members && Object.keys(members));
  }
  return MEMBER_NAMES.get(name);
}
