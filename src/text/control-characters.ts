/** The same as `\p{Cc}`, which JavaScript engines need more time to read. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL_CHARACTER = /[\0-\x1f\x7f-\x9f]/;

export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}
