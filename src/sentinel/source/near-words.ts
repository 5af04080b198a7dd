/** The maximum length of a word for which a similar word is searched. */
const LONGEST = 100;
/** The maximum number of known words that a word is compared with. */
const MOST_WORDS = 1_000;

/** Returns the known word that was probably meant; `undefined` if none is similar. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const allowed = word.length <= 3 ? 1 : 2;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  let left = MOST_WORDS;
  for (const candidate of known) {
    if (left-- === 0) break;
    if (candidate === word) continue;
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance < Math.max(candidate.length, 2)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns the number of characters to insert, remove, replace or swap with their neighbors. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    const above = rows[row - 1] ?? [];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      current.push(least);
    }
    rows.push(current);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
