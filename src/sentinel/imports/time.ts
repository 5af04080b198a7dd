import { intArgument, numberArgument, unexpected } from '../values/arguments';
import { isNumber } from '../values/compare';
import { offsetOf } from './time-zone';
import {
  MapValue,
  NativeFault,
  NativeFunction,
  ImportedObject,
  Undefined,
  type Value,
} from '../values/value';

const NANOSECONDS = 1_000_000_000n;

/** The names of the months. */
export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
/** The names of the days of a week, which begins on Sunday. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The least and the greatest value of fields of a time. */
export const CALENDAR = {
  hour: [0n, 23n],
  minute: [0n, 59n],
  second: [0n, 59n],
  day: [1n, 31n],
  month: [1n, 12n],
  weekday: [0n, 6n],
} as const;

/** A point in time: nanoseconds since 1970, and the offset of its zone in seconds. */
interface Instant {
  readonly nanoseconds: bigint;
  readonly zone: number;
}

/**
 * Returns the import `time`.
 *
 * @param now nanoseconds since 1970.
 * @param zone the time zone of `time.now`, such as `Europe/Berlin`. Default: UTC.
 */
export function timeImport(now: bigint, zone?: string): Readonly<Record<string, Value>> {
  const offset = zone === undefined ? 0 : offsetOf(zone, Number(now / 1_000_000n));
  return {
    now: timespace({ nanoseconds: now, zone: offset }),
    load: new NativeFunction('time.load', [1, 1], ([value]) => {
      if (value instanceof Undefined) return value;
      return timespace(instantOf(value));
    }),
    nanosecond: 1n,
    microsecond: 1_000n,
    millisecond: 1_000_000n,
    second: NANOSECONDS,
    minute: 60n * NANOSECONDS,
    hour: 3600n * NANOSECONDS,
  };
}

function timespace(instant: Instant): ImportedObject {
  const methods: Record<string, NativeFunction> = {
    before: comparison('before', (a, b) => a < b),
    after: comparison('after', (a, b) => a > b),
    equal: comparison('equal', (a, b) => a === b),
    add: new NativeFunction('time.add', [1, 1], ([value]) => {
      if (value instanceof Undefined) return value;
      const duration = numberArgument('time.add', value);
      const added = typeof duration === 'bigint' ? duration : BigInt(Math.trunc(duration));
      const { nanoseconds, zone } = instantOf(self);
      return timespace({ nanoseconds: nanoseconds + added, zone });
    }),
    sub: new NativeFunction('time.sub', [1, 1], ([value]) => {
      if (value instanceof Undefined) return value;
      return BigInt.asIntN(64, instantOf(self).nanoseconds - instantOf(value).nanoseconds);
    }),
  };
  const self: ImportedObject = new ImportedObject(fieldsOf(instant), methods, instant);
  return self;

  function comparison(name: string, decide: (a: bigint, b: bigint) => boolean): NativeFunction {
    return new NativeFunction(`time.${name}`, [1, 1], ([value]) => {
      if (value instanceof Undefined) return value;
      return decide(instantOf(self).nanoseconds, instantOf(value).nanoseconds);
    });
  }
}

function fieldsOf({ nanoseconds, zone }: Instant): [string, Value][] {
  const seconds = floorDivide(nanoseconds, NANOSECONDS);
  const local = new Date(Number(seconds + BigInt(zone)) * 1000);
  if (Number.isNaN(local.getTime())) throw new NativeFault('the time is out of range');
  const zoneText = zoneString(zone);
  return [
    ['hour', BigInt(local.getUTCHours())],
    ['minute', BigInt(local.getUTCMinutes())],
    ['second', BigInt(local.getUTCSeconds())],
    ['day', BigInt(local.getUTCDate())],
    ['month', BigInt(local.getUTCMonth() + 1)],
    ['month_name', MONTHS[local.getUTCMonth()] ?? ''],
    ['weekday', BigInt(local.getUTCDay())],
    ['weekday_name', WEEKDAYS[local.getUTCDay()] ?? ''],
    ['year', BigInt(local.getUTCFullYear())],
    ['unix', seconds],
    ['unix_nano', nanoseconds],
    ['zone', BigInt(zone)],
    ['zone_string', zoneText],
    ['rfc3339', `${local.toISOString().slice(0, -5)}${zone === 0 ? 'Z' : zoneText}`],
  ];
}

function zoneString(zone: number): string {
  const minutes = Math.trunc(Math.abs(zone) / 60);
  const digits = (number: number): string => String(number).padStart(2, '0');
  return `${zone < 0 ? '-' : '+'}${digits(Math.trunc(minutes / 60))}:${digits(minutes % 60)}`;
}

/**
 * Converts an argument of `time.load` to nanoseconds since 1970.
 *
 * @throws NativeFault for anything else.
 */
export function timeOf(value: Value): bigint {
  return instantOf(value).nanoseconds;
}

/** Returns the time of a number of seconds since 1970, of a text by RFC 3339, or of a timespace. */
function instantOf(value: Value | undefined): Instant {
  if (typeof value === 'string') return parseInstant(value);
  if (value !== undefined && isNumber(value)) return instantOfSeconds(value);
  if (value instanceof MapValue) return instantOfFields(value);
  throw unexpected('time', 'seconds since 1970, a text as RFC 3339 has it, or a time', value);
}

function instantOfSeconds(seconds: bigint | number): Instant {
  if (typeof seconds === 'bigint') return { nanoseconds: seconds * NANOSECONDS, zone: 0 };
  if (!Number.isFinite(seconds)) throw new NativeFault('the time is out of range');
  const whole = Math.floor(seconds);
  const fraction = BigInt(Math.round((seconds - whole) * 1e9));
  return { nanoseconds: BigInt(whole) * NANOSECONDS + fraction, zone: 0 };
}

/** Returns the time of a timespace, including fields that the policy has changed. */
function instantOfFields(map: MapValue): Instant {
  const original = map instanceof ImportedObject ? instantIn(map.state) : undefined;
  const unixNano = map.get('unix_nano');
  const unix = map.get('unix');
  if (!original) {
    if (typeof unixNano === 'bigint') return { nanoseconds: unixNano, zone: zoneOf(map) };
    if (typeof unix === 'bigint') return { nanoseconds: unix * NANOSECONDS, zone: zoneOf(map) };
    return instantOfCalendar(map, 0n);
  }
  if (typeof unixNano === 'bigint' && unixNano !== original.nanoseconds) {
    return { nanoseconds: unixNano, zone: zoneOf(map) };
  }
  const seconds = floorDivide(original.nanoseconds, NANOSECONDS);
  if (typeof unix === 'bigint' && unix !== seconds)
    return { nanoseconds: unix * NANOSECONDS, zone: zoneOf(map) };
  return instantOfCalendar(map, original.nanoseconds - seconds * NANOSECONDS);
}

function instantOfCalendar(map: MapValue, fraction: bigint): Instant {
  const field = (name: string): number => Number(intArgument(`time.${name}`, map.get(name)));
  const zone = zoneOf(map);
  const milliseconds = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  );
  if (Number.isNaN(milliseconds)) throw new NativeFault('the time is out of range');
  return { nanoseconds: BigInt(milliseconds - zone * 1000) * 1_000_000n + fraction, zone };
}

function zoneOf(map: MapValue): number {
  const zone = map.get('zone');
  return typeof zone === 'bigint' ? Number(zone) : 0;
}

function instantIn(state: unknown): Instant | undefined {
  if (typeof state !== 'object' || state === null || !('nanoseconds' in state) || !('zone' in state))
    return undefined;
  const { nanoseconds, zone } = state;
  return typeof nanoseconds === 'bigint' && typeof zone === 'number' ? { nanoseconds, zone } : undefined;
}

/** Matches a time by RFC 3339. As in Go, the hour may have one digit, and the fraction a comma. */
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d{1,9})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Parses a text by RFC 3339. */
export function parseInstant(text: string): Instant {
  const found = RFC3339.exec(text);
  const fault = new NativeFault(`time: ${JSON.stringify(text)} is not a time as RFC 3339 has it`);
  if (!found) throw fault;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  date.setUTCFullYear(year, month - 1, day);
  const isValid =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isValid) throw fault;
  const sign = found[8] === '-' ? -1 : 1;
  const zone = found[8] === undefined ? 0 : sign * (Number(found[9]) * 3600 + Number(found[10]) * 60);
  const fraction = BigInt((found[7] ?? '').padEnd(9, '0'));
  return { nanoseconds: BigInt(date.getTime() - zone * 1000) * 1_000_000n + fraction, zone };
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
