/**
 * The maximum length in characters. Comparing two texts takes time that grows with the product of
 * their lengths.
 */
const LONGEST = 200;

/**
 * Returns the word that `written` is probably meant to be. `undefined` if no word is close, or
 * `written` has more than 200 characters.
 */
export function nearestOf(written: string, words: readonly string[], limit = 3): string | undefined {
  const lowered = written.toLowerCase();
  const most = written.length <= 4 ? Math.min(2, limit) : limit;
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const word of words) {
    if (word.length > LONGEST || Math.abs(lowered.length - word.length) > most) continue;
    const distance = distanceBetween(lowered, word.toLowerCase());
    if (distance <= most && distance < word.length / 2 + 1 && (!best || distance < best.distance)) {
      best = { word, distance };
    }
  }
  return best?.word;
}

/**
 * Returns the words that `written` is probably meant to be: the nearest one, or those that it
 * abbreviates, as in `params` for `parameters`.
 */
export function similarWords(written: string, words: readonly string[]): readonly string[] {
  const nearest = nearestOf(written, words);
  if (nearest !== undefined) return [nearest];
  const start = written.toLowerCase().replace(/s$/, '');
  return start.length < 2 ? [] : words.filter((word) => word.toLowerCase().startsWith(start));
}

/** Returns the number of letters to insert, remove, replace or swap with their neighbor. */
function distanceBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1]!;
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, replaced);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
