import { isNumber } from './compare';
import {
  isCallable,
  MapValue,
  NativeFault,
  NativeFunction,
  typeName,
  Undefined,
  type Callable,
  type RunContext,
  type List,
  type Value,
} from './value';

/** Returns a function whose result is undefined if one of its arguments is undefined. */
export function strict(
  name: string,
  counts: readonly [number, number],
  run: (args: readonly Value[], caller: RunContext) => Value,
): NativeFunction {
  return new NativeFunction(name, counts, (args, caller) => {
    const absent = args.find((each) => each instanceof Undefined);
    return absent ?? run(args, caller);
  });
}

export function textArgument(name: string, value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw unexpected(name, 'a string', value);
}

export function intArgument(name: string, value: Value | undefined): bigint {
  if (typeof value === 'bigint') return value;
  throw unexpected(name, 'an int', value);
}

export function numberArgument(name: string, value: Value | undefined): bigint | number {
  if (value !== undefined && isNumber(value)) return value;
  throw unexpected(name, 'a number', value);
}

export function listArgument(name: string, value: Value | undefined): List {
  if (Array.isArray(value)) return value;
  throw unexpected(name, 'a list', value);
}

export function mapArgument(name: string, value: Value | undefined): MapValue {
  if (value instanceof MapValue) return value;
  throw unexpected(name, 'a map', value);
}

export function functionArgument(name: string, value: Value | undefined): Callable {
  if (value !== undefined && isCallable(value)) return value;
  throw unexpected(name, 'a function', value);
}

export function unexpected(name: string, expected: string, value: Value | undefined): NativeFault {
  return new NativeFault(
    `${name} requires ${expected}, received ${value === undefined ? 'nothing' : typeName(value)}`,
  );
}
