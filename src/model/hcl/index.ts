import type { HclObject } from './ast';
import { HclParser, type DuplicateArgument } from './hcl-parser';
import { JsonParser } from './json-parser';

export type { HclItem, HclNode, HclObject, HclValue } from './ast';
export {
  decodeAny,
  decodeBlock,
  decodeInteger,
  decodeList,
  decodeMap,
  decodeText,
  decodeTexts,
  serverTypeOf,
  valuesOf,
} from './decode';
export { HclError } from './error';
export type { DuplicateArgument } from './hcl-parser';
export { textOf } from './literal';
export { goQuote } from './quote';
export type { Token } from './token';

/** A parsed text. */
export interface HclDocument {
  readonly root: HclObject;
  /** The first argument that is set twice in a block. Never found in the JSON form, where nobody looks for it. */
  readonly duplicate?: DuplicateArgument;
}

const JSON_FORM = /^[\t-\r \x85\p{Z}]*\{/u;

/**
 * Parses HCL 1, or its JSON form where the text begins with `{`.
 *
 * @throws HclError
 */
export function parseHcl(text: string): HclDocument {
  if (JSON_FORM.test(text)) return { root: new JsonParser(text).parse() };
  const parser = new HclParser(text);
  const root = parser.parse();
  return { root, duplicate: parser.duplicate };
}
