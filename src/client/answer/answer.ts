import { isNestedDeeper, isRecord } from '../../text';
import type { WireAnswer } from '../transport/exchange';
import { parseJson } from './json';
import type { Data } from './responses';

/** The maximum nesting of lists and objects. Servers store no more than 500 levels. */
const MAX_DEPTH = 1_000;

/** An answer whose body has been read. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: WireAnswer['headers'];
  readonly text: string;
  /** The body, if it is a JSON object. */
  readonly payload: Data | undefined;
}

export function readAnswer({ status, headers, body }: WireAnswer): ServerAnswer {
  return { status, headers, text: body, payload: jsonObject(body) };
}

/** Whether the answer is a success of a Vault server. */
export function isSuccess({ status, text, payload }: ServerAnswer): boolean {
  return status >= 200 && status < 300 && (text === '' || payload !== undefined);
}

/**
 * Whether the answer only reports that the object or list does not exist: a 404 with an empty list
 * of errors. A 404 with a text, or not from Vault, is a failure: treating it as absence would drop
 * existing objects.
 */
export function isMissing(answer: ServerAnswer): boolean {
  const errors = answer.payload?.errors;
  return answer.status === 404 && isList(errors) && errors.length === 0 && !describesMissing(answer);
}

/** Whether a 404 contains data: some engines return the metadata of deleted objects. */
export function describesMissing({ status, payload }: ServerAnswer): boolean {
  const warnings = payload?.warnings;
  return status === 404 && (isRecord(payload?.data) || (isList(warnings) && warnings.length > 0));
}

/** Returns the value of a header that occurs once. */
export function header({ headers }: Pick<ServerAnswer, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/** Returns the texts in a list; none for any other value. */
export function texts(value: unknown): readonly string[] {
  return isList(value) ? value.filter((element) => typeof element === 'string') : [];
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function jsonObject(text: string): Data | undefined {
  // Recursive code would overflow the stack on a value with more levels.
  if (text === '' || isNestedDeeper(text, MAX_DEPTH)) return undefined;
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
