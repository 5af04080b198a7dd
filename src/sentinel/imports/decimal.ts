import { Decimal } from 'decimal.js';
import { unexpected } from '../values/arguments';
import { isNumber } from '../values/compare';
import { shown } from '../values/convert';
import { NativeFault, NativeFunction, ImportedObject, Undefined, type Value } from '../values/value';
import { calculate } from '../values/walks';

const DECIMAL_100 = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_HALF_UP, maxE: 1e6, minE: -1e6 });

type Operation = (self: Decimal, other: Decimal) => Decimal | boolean;

/** The operations with another number, under all of their names. */
const BINARY: readonly (readonly [readonly string[], Operation])[] = [
  [['is'], (a, b) => a.equals(b)],
  [['is_not'], (a, b) => !a.equals(b)],
  [['less_than', 'lt'], (a, b) => a.lessThan(b)],
  [['less_than_or_equals', 'lte'], (a, b) => a.lessThanOrEqualTo(b)],
  [['greater_than', 'gt'], (a, b) => a.greaterThan(b)],
  [['greater_than_or_equals', 'gte'], (a, b) => a.greaterThanOrEqualTo(b)],
  [['add'], (a, b) => a.plus(b)],
  [['subtract', 'sub'], (a, b) => a.minus(b)],
  [['multiply', 'mul'], (a, b) => a.times(b)],
  [['divide', 'div'], (a, b) => a.dividedBy(b)],
  [['modulo', 'mod', 'remainder', 'rem'], modulo],
  [['power', 'pow'], power],
];

const UNARY: readonly (readonly [readonly string[], (self: Decimal) => Decimal])[] = [
  [['exp'], slow(exponential)],
  [['loge', 'ln'], slow((a) => a.naturalLogarithm())],
  [['log10', 'log'], slow((a) => a.logarithm(10))],
  [['square_root', 'sqrt'], slow((a) => a.squareRoot())],
  [['ceiling', 'ceil'], (a) => a.ceil()],
  [['floor'], (a) => a.floor()],
  [['absolute', 'abs'], (a) => a.absoluteValue()],
  [['negate', 'neg'], (a) => a.negated()],
];

export const DECIMAL: Readonly<Record<string, Value>> = {
  new: onNumber('new', numberObject),
  nan: numberObject(new DECIMAL_100(NaN)),
  ...under(['infinity', 'inf'], (name) =>
    onNumber(name, (sign) =>
      numberObject(new DECIMAL_100(sign.isNegative() && !sign.isZero() ? -Infinity : Infinity)),
    ),
  ),
  ...under(['is_nan', 'isnan'], (name) => onNumber(name, (number) => number.isNaN())),
  ...under(['is_infinite', 'is_inf', 'isinf', 'isinfinite'], (name) =>
    onNumber(name, (number) => !number.isNaN() && !number.isFinite()),
  ),
};

function under<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

function onNumber(name: string, run: (number: Decimal) => Value): NativeFunction {
  return new NativeFunction(`decimal.${name}`, [1, 1], ([value]) => {
    if (value instanceof Undefined) return value;
    return run(numberOf(value));
  });
}

function numberObject(number: Decimal): ImportedObject {
  const methods: Record<string, NativeFunction> = {};
  for (const [names, operate] of BINARY) {
    Object.assign(
      methods,
      under(names, (name) => onNumber(name, (other) => result(operate(number, other)))),
    );
  }
  for (const [names, operate] of UNARY) {
    Object.assign(
      methods,
      under(names, (name) => new NativeFunction(`decimal.${name}`, [0, 0], () => result(operate(number)))),
    );
  }
  return new ImportedObject(fieldsOf(number), methods, number);
}

function result(value: Decimal | boolean): Value {
  return typeof value === 'boolean' ? value : numberObject(value);
}

function fieldsOf(number: Decimal): [string, Value][] {
  if (!number.isFinite()) {
    const sign = number.isNaN() ? 0n : number.isNegative() ? -1n : 1n;
    return [
      ['string', number.isNaN() ? 'NaN' : number.isNegative() ? '-Infinity' : 'Infinity'],
      ['sign', sign],
      ['float', number.toNumber()],
    ];
  }
  const exponent = exponentOf(number);
  const digits = number.absoluteValue().toExponential().split('e')[0]!.replace('.', '');
  const entries: [string, Value][] = [
    ['string', textOf(number, exponent)],
    ['sign', number.isZero() ? 0n : number.isNegative() ? -1n : 1n],
    ['coefficient', int64(BigInt(digits)) ?? textOf(new DECIMAL_100(digits), 0)],
    ['exponent', BigInt(exponent)],
    ['float', number.toNumber()],
  ];
  const whole = exponent > 30 ? undefined : int64(BigInt(number.truncated().toFixed()));
  return whole === undefined ? entries : [...entries, ['int', whole]];
}

/**
 * Returns the exponent of the power of ten by which the digits, read without a point, are
 * multiplied.
 */
function exponentOf(number: Decimal): number {
  const [digits = '', power = '0'] = number.toExponential().split('e');
  return Number(power) - (digits.split('.')[1]?.length ?? 0);
}

function textOf(number: Decimal, exponent: number): string {
  return exponent > 30 || number.e < -7 ? number.toExponential().replace('e', 'E') : number.toFixed();
}

function int64(int: bigint): bigint | undefined {
  return BigInt.asIntN(64, int) === int ? int : undefined;
}

function numberOf(value: Value | undefined): Decimal {
  if (value instanceof ImportedObject && Decimal.isDecimal(value.state)) return value.state;
  if (typeof value === 'number') return new DECIMAL_100(value);
  if (value !== undefined && isNumber(value)) return new DECIMAL_100(value.toString());
  if (typeof value === 'string') return parseDecimal(value);
  throw unexpected('decimal', 'a number, a string or a decimal', value);
}

const DECIMAL_TEXT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?$/;
const LONGEST_TEXT = 10_000;

function parseDecimal(text: string): Decimal {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return new DECIMAL_100(text.startsWith('-') ? -Infinity : Infinity);
  if (/^[+-]?s?nan$/i.test(text)) return new DECIMAL_100(NaN);
  if (text.length <= LONGEST_TEXT && DECIMAL_TEXT.test(text)) return new DECIMAL_100(text);
  throw new NativeFault(`decimal: ${shown(text)} is not a number`);
}

/** The cost of an operation of about 5 milliseconds, in visits to values. */
const SLOW = 2000;

function slow(operate: (self: Decimal) => Decimal): (self: Decimal) => Decimal {
  return (self) => {
    calculate(SLOW);
    return operate(self);
  };
}

/** The largest exponent: calculations with larger ones would take longer than a policy may run. */
const LARGEST_EXPONENT = 100_000;

/**
 * Returns the remainder. The time for it depends on the digits of the quotient: as many as the
 * difference of the exponents.
 */
function modulo(a: Decimal, b: Decimal): Decimal {
  const apart = Math.max(0, a.e - b.e);
  if (a.isFinite() && b.isFinite() && apart > LARGEST_EXPONENT) {
    throw new NativeFault(`decimal.modulo: the exponents are more than ${LARGEST_EXPONENT} apart`);
  }
  calculate(a.isFinite() && b.isFinite() ? apart : 0);
  return a.modulo(b);
}

function power(base: Decimal, exponent: Decimal): Decimal {
  calculate(SLOW);
  if (exponent.isFinite() && exponent.absoluteValue().greaterThan(LARGEST_EXPONENT)) {
    throw new NativeFault(
      `decimal.power: the exponent must be between -${LARGEST_EXPONENT} and ${LARGEST_EXPONENT}`,
    );
  }
  return base.toPower(exponent);
}

function exponential(number: Decimal): Decimal {
  if (number.isFinite() && number.absoluteValue().greaterThan(LARGEST_EXPONENT)) {
    throw new NativeFault(
      `decimal.exp: the exponent must be between -${LARGEST_EXPONENT} and ${LARGEST_EXPONENT}`,
    );
  }
  return number.naturalExponential();
}
