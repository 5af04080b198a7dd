import { strict, textArgument } from '../values/arguments';
import { decimalInt } from '../values/convert';
import { sortedEntries } from '../values/show';
import {
  isCallable,
  MapValue,
  NativeFault,
  NativeFunction,
  Undefined,
  UNDEFINED,
  type Key,
  type Value,
} from '../values/value';
import { walkTo } from '../values/walks';

export const JSON_IMPORT: Readonly<Record<string, Value>> = {
  unmarshal: strict('json.unmarshal', [1, 1], ([value], caller) => {
    const text = textArgument('json.unmarshal', value);
    caller.allocate(text.length);
    return parseJson(text);
  }),
  marshal: new NativeFunction('json.marshal', [1, 1], ([value = UNDEFINED], caller) => {
    if (value instanceof Undefined) return value;
    const text = marshal(value);
    caller.allocate(text.length);
    return text;
  }),
  valid: strict('json.valid', [1, 1], ([value]) => {
    try {
      parseJson(textArgument('json.valid', value));
      return true;
    } catch (error) {
      if (error instanceof JsonFault) return false;
      throw error;
    }
  }),
};

class JsonFault extends NativeFault {}

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("[^"\\\n]*(?:\\.[^"\\\n]*)*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))/uy;

/** Parses JSON. Numbers without a point or exponent become ints, if they have 64 bits at most. */
export function parseJson(text: string): Value {
  let at = 0;
  let token: RegExpExecArray | null = null;

  function next(): void {
    TOKEN.lastIndex = at;
    token = TOKEN.exec(text);
    if (token) at = TOKEN.lastIndex;
  }

  function fail(): JsonFault {
    const line = text.slice(0, at).split('\n').length;
    return new JsonFault(
      `the text is not valid JSON: see line ${line}, near ${JSON.stringify(text.slice(Math.max(0, at - 10), at + 10))}`,
    );
  }

  function mark(): string | undefined {
    return token?.[1];
  }

  function value(depth: number): Value {
    walkTo(depth);
    if (!token) throw fail();
    const [, , quoted, number, word] = token;
    if (quoted !== undefined) return string(quoted);
    if (number !== undefined) return decimalInt(number) ?? Number(number);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    if (mark() === '[') return list(depth);
    if (mark() === '{') return map(depth);
    throw fail();
  }

  function string(quoted: string): string {
    try {
      return wellFormed(String(JSON.parse(quoted)));
    } catch {
      throw fail();
    }
  }

  function list(depth: number): Value[] {
    const elements: Value[] = [];
    next();
    if (mark() === ']') return elements;
    for (;;) {
      elements.push(value(depth + 1));
      next();
      if (mark() === ']') return elements;
      if (mark() !== ',') throw fail();
      next();
    }
  }

  function map(depth: number): MapValue {
    const entries: [Key, Value][] = [];
    next();
    if (mark() === '}') return new MapValue();
    for (;;) {
      const quoted = token?.[2];
      if (quoted === undefined) throw fail();
      next();
      if (mark() !== ':') throw fail();
      next();
      entries.push([string(quoted), value(depth + 1)]);
      next();
      if (mark() === '}') return new MapValue(entries);
      if (mark() !== ',') throw fail();
      next();
    }
  }

  next();
  const result = value(0);
  if (text.slice(at).trim() !== '') throw fail();
  return result;
}

/**
 * Returns a value as compact JSON, with sorted keys. Undefined elements and entries are left out.
 */
function marshal(value: Value, depth = 0): string {
  walkTo(depth);
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(wellFormed(value));
  if (Array.isArray(value)) {
    const elements = value.filter((element) => !(element instanceof Undefined));
    return `[${elements.map((element) => marshal(element, depth + 1)).join(',')}]`;
  }
  if (value instanceof MapValue) {
    const entries = sortedEntries(value).filter(([, entry]) => !(entry instanceof Undefined));
    return `{${entries.map(([key, entry]) => `${JSON.stringify(String(key))}:${marshal(entry, depth + 1)}`).join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new NativeFault(`json.marshal: ${value} cannot be written in JSON`);
  if (isCallable(value)) throw new NativeFault('json.marshal: a function cannot be written in JSON');
  return value instanceof Undefined ? 'null' : String(value);
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
