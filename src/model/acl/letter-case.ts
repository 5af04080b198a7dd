/**
 * Returns a text in lower case, character by character: its length stays the same, and no character
 * depends on its neighbours.
 */
export function lowerCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, (character) => {
    const lower = character.toLowerCase();
    return lower.length === character.length ? lower : character;
  }).join('');
}

/** Returns a character in the other case; the same one if it has none. */
export function otherCase(character: string): string {
  const lower = lowerCase(character);
  if (lower !== character) return lower;
  const upper = character.toUpperCase();
  return lowerCase(upper) === character ? upper : character;
}
