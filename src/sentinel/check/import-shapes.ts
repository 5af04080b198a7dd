import { UNIVERSE } from '../evaluate/builtins';
import { memberOf } from '../imports/standard';
import { CALENDAR, MONTHS, WEEKDAYS } from '../imports/time';
import { MapValue, NativeFunction, ImportedObject, typeName, Undefined, type Value } from '../values/value';
import { ANY_KEY, Returning, WholeNumbers, Words, type MapShape, type Shape } from './shape';

/** The types that `types.type_of` names. */
const TYPE_NAMES = ['bool', 'int', 'float', 'string', 'list', 'map', 'null', 'undefined', 'function'];

const TYPE = new Words(TYPE_NAMES, 'the name of a type');
const LENGTH = new WholeNumbers(0n);

/** The shapes of the results of functions. Functions that are not listed may return anything. */
const RESULTS: Readonly<Record<string, Shape>> = {
  length: LENGTH,
  int: 'int',
  float: 'float',
  string: 'text',
  bool: 'bool',
  compare: 'int',
  keys: ['any'],
  values: ['any'],
  range: ['int'],
  print: 'bool',
  'strings.has_prefix': 'bool',
  'strings.has_suffix': 'bool',
  'strings.trim_prefix': 'text',
  'strings.trim_suffix': 'text',
  'strings.to_lower': 'text',
  'strings.to_upper': 'text',
  'strings.trim': 'text',
  'strings.trim_left': 'text',
  'strings.trim_right': 'text',
  'strings.trim_space': 'text',
  'strings.split': ['text'],
  'strings.join': 'text',
  'strings.replace': 'text',
  'sockaddr.is_contained': 'bool',
  'time.before': 'bool',
  'time.after': 'bool',
  'time.equal': 'bool',
  'time.sub': 'int',
  'types.type_of': TYPE,
};

/**
 * The types that all arguments of a function must have; arguments of other types are always an
 * error.
 */
export const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  length: ['string', 'list', 'map'],
  keys: ['map'],
  values: ['map'],
  'strings.has_prefix': ['string'],
  'strings.has_suffix': ['string'],
  'strings.trim_prefix': ['string'],
  'strings.trim_suffix': ['string'],
  'strings.to_lower': ['string'],
  'strings.to_upper': ['string'],
  'strings.trim': ['string'],
  'strings.trim_left': ['string'],
  'strings.trim_right': ['string'],
  'strings.trim_space': ['string'],
  'sockaddr.is_contained': ['string'],
  'sockaddr.is_equal': ['string'],
  'sockaddr.is_ipv4': ['string'],
  'sockaddr.is_ipv6': ['string'],
};

const TIMES = new Set(['time.load', 'time.add']);

/** Returns the shape of a member of a standard import; `undefined` if the import lacks it. */
export function memberShape(path: string, member: string): Shape | undefined {
  if (path === 'time' && member === 'now') return timeShape();
  const value = memberOf(path, member);
  return value === undefined ? undefined : shapeOfValue(value);
}

/** Returns the shape of a built-in constant or function. */
export function builtinShape(name: string): Shape | undefined {
  return Object.hasOwn(UNIVERSE, name) ? shapeOfValue(UNIVERSE[name]!) : undefined;
}

let times: MapShape | undefined;

/** Returns the shape of a time: the fields of `time.now`, with the ranges of their values. */
function timeShape(): MapShape {
  const now = memberOf('time', 'now');
  times ??= {
    ...(now instanceof ImportedObject && fieldsOf(now)),
    ...Object.fromEntries(
      Object.entries(CALENDAR).map(([name, [least, most]]) => [name, new WholeNumbers(least, most)]),
    ),
    month_name: new Words(MONTHS, 'the name of a month'),
    weekday_name: new Words(WEEKDAYS, 'the name of a weekday'),
  };
  return times;
}

/** Returns the shape of a value that is known before the policy runs. */
function shapeOfValue(value: Value): Shape {
  if (value instanceof NativeFunction) return functionShape(value);
  if (value instanceof ImportedObject) return fieldsOf(value);
  if (value instanceof MapValue) return { [ANY_KEY]: 'any' };
  if (value instanceof Undefined) return 'undefined';
  if (Array.isArray(value)) return ['any'];
  const name = typeName(value);
  return name === 'string'
    ? 'text'
    : (['bool', 'int', 'float', 'null'] as const).find((each) => each === name)!;
}

function fieldsOf(value: ImportedObject): MapShape {
  const fields = [...value.entries, ...Object.entries(value.methods)];
  return Object.fromEntries(fields.map(([name, field]) => [String(name), shapeOfValue(field)]));
}

function functionShape({ name }: NativeFunction): Returning {
  if (TIMES.has(name)) return new Returning(timeShape, name);
  const result = Object.hasOwn(RESULTS, name) ? RESULTS[name]! : 'any';
  return new Returning(() => result, name);
}
