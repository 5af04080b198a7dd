import type { HclObject } from './ast';
import type { HclError } from './errors';
import { HclParser } from './hcl-parser';
import { JsonParser } from './json-parser';

/** A parsed text. */
export interface HclDocument {
  readonly root: HclObject;
  /**
   * The error for the first argument that is set twice in its block. The JSON form is not checked
   * for this.
   */
  readonly duplicate?: HclError;
}

/** White space as Go defines it, and a brace. */
const JSON_FORM = /^(?:(?!\ufeff)[\s\x85])*\{/;

/** Whether a text is the JSON form of HCL 1. */
export function isJsonForm(text: string): boolean {
  return JSON_FORM.test(text);
}

/**
 * Parses HCL 1, or its JSON form if the text begins with `{`.
 *
 * @param options.refuseDuplicates whether an argument that is set twice in a block is an error.
 *   Default: false.
 * @throws HclError
 */
export function parseHcl(text: string, options: { readonly refuseDuplicates?: boolean } = {}): HclDocument {
  if (isJsonForm(text)) return { root: new JsonParser(text).parse() };
  const parser = new HclParser(text, options.refuseDuplicates ?? false);
  const root = parser.parse();
  return { root, duplicate: parser.duplicate };
}
