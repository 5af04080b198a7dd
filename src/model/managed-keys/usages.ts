/**
 * The usages that a managed key may be configured for. Servers before 2.0 return numbers: the
 * positions of the usages in this list, counted from 1.
 */
export const KEY_USAGES = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'wrap',
  'unwrap',
  'mac',
  'random',
] as const;
export type KeyUsage = (typeof KEY_USAGES)[number];

/** The usages of a key whose configuration names none. */
export const DEFAULT_KEY_USAGES: readonly KeyUsage[] = ['sign', 'verify'];

/** The spellings of the server's code that differ from the interface document. */
const SERVER_SPELLINGS: Readonly<Partial<Record<KeyUsage, string>>> = { random: 'generate_random' };

/** Returns a usage from its name, in either spelling and in any case, or from its number. */
export function parseKeyUsage(value: unknown): KeyUsage | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return KEY_USAGES[Number(value) - 1];
  const name = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return KEY_USAGES.find((usage) => usage === name || SERVER_SPELLINGS[usage] === name);
}

/**
 * Normalizes usages as servers and people write them (a list of names or numbers, or one text with
 * commas): returns the interface document's names, sorted and without duplicates. A word that is
 * not a usage stays in the list.
 *
 * @returns `undefined` if `value` is neither a list nor a text.
 */
export function normalizeKeyUsages(value: unknown): readonly string[] | undefined {
  const elements: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(elements)) return undefined;
  const names = elements.map((element) => parseKeyUsage(element) ?? String(element).trim());
  return [...new Set(names)].filter((name) => name !== '').sort();
}

/** Returns the number of a usage on servers before 2.0. */
export function keyUsageNumber(usage: KeyUsage): number {
  return KEY_USAGES.indexOf(usage) + 1;
}

/** Returns the name of a usage on servers from 2.0 on. */
export function keyUsageServerName(usage: KeyUsage): string {
  return SERVER_SPELLINGS[usage] ?? usage;
}
