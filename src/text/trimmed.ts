/**
 * Returns a text without a character at its ends: slashes, mostly. A pattern such as `/+$` takes
 * time that grows with the square of the slashes that are not at the end.
 */
export function trimmed(text: string, character: string): string {
  let start = 0;
  while (text.charAt(start) === character) start++;
  return trimmedEnd(text.slice(start), character);
}

/** Returns a text without a character at its end. */
export function trimmedEnd(text: string, character: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === character) end--;
  return text.slice(0, end);
}
