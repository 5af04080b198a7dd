/** Replaces what a report does not show. */
const HIDDEN = '…';
const LONGEST = 300;

/**
 * Matches the parts of a server's text that may be shown: words, short numbers, placeholders, and
 * calls below `sys/`.
 */
const SHOWN = [
  /^[("'`]*[A-Za-z][A-Za-z'_-]{0,23}[)"'`.,:;!?]*$/,
  /^[("'`]*\d{1,6}[)"'`.,:;]*$/,
  /^[("'`]*\{\d\}\/?[)"'`.,:;]*$/,
  /^[("'`]*sys\/[a-z/-]+[)"'`.,:;]*$/,
  /^[*=&-]$/,
];

/** Matches the names of the objects that probes create. */
const INVENTED = /^[("'`]*verify-[a-z/-]+[)"'`.,:;]*$/;

/**
 * Returns a function that removes from a server's text whatever could identify the server: known
 * names, and everything that does not look like a word.
 *
 * @param names the names of the cluster, its hosts and namespaces.
 */
export function anonymizer(names: readonly string[]): (text: string) => string {
  const known = names
    .flatMap((name) => [name, ...name.split(/[^A-Za-z0-9]+/)])
    .filter((part) => part.length > 1)
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const shown = known
      .reduce(
        (rest, name) => rest.replaceAll(new RegExp(`(?<![a-z])${escaped(name)}(?![a-z])`, 'gi'), HIDDEN),
        text,
      )
      .split(/\s+/)
      .map((word) => (isShown(word) ? word : HIDDEN))
      .join(' ')
      .replace(/(?:…\s*){2,}/g, `${HIDDEN} `)
      .trim();
    return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}${HIDDEN}` : shown;
  };
}

function isShown(word: string): boolean {
  return SHOWN.some((shape) => shape.test(word)) || INVENTED.test(word);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
