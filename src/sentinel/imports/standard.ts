import { NEWEST_VERSION, type LanguageVersion } from '../language/features';
import { type Value, NativeFunction, orUndefined, typeName } from '../values/value';
import { BASE64 } from './base64';
import { COLLECTION } from './collection';
import { LISTS } from './collection-lists';
import { MAPS } from './collection-maps';
import { DECIMAL } from './decimal';
import { httpImport, type HttpSender } from './http';
import { JSON_IMPORT } from './json';
import type { STANDARD_IMPORT_NAMES } from './names';
import { SOCKADDR } from './sockaddr';
import { STRINGS } from './strings';
import { timeImport } from './time';
import { VERSION } from './version';

/** The units of bytes, as powers of 1024. */
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

/** The facts of the run for standard imports. */
export interface ImportContext {
  /** The time in nanoseconds since 1970. */
  readonly now: bigint;
  /** The time zone of `time.now`. Default: UTC. */
  readonly timeZone?: string | undefined;
  readonly send: HttpSender | undefined;
  /** The language features that the host supports. Default: all. */
  readonly language: LanguageVersion | undefined;
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
  runtime: ({ language }) => ({ version: longVersion(language) }),
  sockaddr: () => SOCKADDR,
  strings: () => STRINGS,
  time: ({ now, timeZone }) => timeImport(now, timeZone),
  types: () => TYPES,
  units: () => UNITS,
  version: () => VERSION,
};

/** Returns the version with the number of the patch, as `runtime.version` does. */
function longVersion({ newest }: LanguageVersion = { newest: NEWEST_VERSION }): string {
  return newest.split('.').length > 2 ? newest : `${newest}.0`;
}

export function standardImport(name: string, context: ImportContext): Members | undefined {
  return Object.hasOwn(STANDARD_IMPORTS, name)
    ? STANDARD_IMPORTS[name as keyof typeof STANDARD_IMPORTS](context)
    : undefined;
}

/**
 * The members of standard imports, for checks of texts. Their values may differ when a policy runs.
 */
const MEMBERS = new Map<string, Members | undefined>();

function membersIn(name: string): Members | undefined {
  if (!MEMBERS.has(name))
    MEMBERS.set(name, standardImport(name, { now: 0n, send: undefined, language: undefined }));
  return MEMBERS.get(name);
}

/**
 * Returns the names of the members of a standard import; `undefined` if the import does not exist.
 */
export function membersOf(name: string): readonly string[] | undefined {
  const members = membersIn(name);
  return members && Object.keys(members);
}

/** Returns a member of a standard import, for checks without a run. */
export function memberOf(name: string, member: string): Value | undefined {
  const members = membersIn(name);
  return members && Object.hasOwn(members, member) ? members[member] : undefined;
}
