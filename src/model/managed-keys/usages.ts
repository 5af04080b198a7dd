/**
 * What a managed key may be used for. Servers before 2.0 answer with numbers, which are the places in this list,
 * counted from 1.
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

/** What a key may be used for when nothing is said. */
export const DEFAULT_KEY_USAGES: readonly KeyUsage[] = ['sign', 'verify'];

/** The server's code and the interface document do not spell all usages alike. */
const SERVER_SPELLINGS: Readonly<Partial<Record<KeyUsage, string>>> = { random: 'generate_random' };

/** A usage from its name, in either spelling and in any case, or from its number. */
export function parseKeyUsage(value: unknown): KeyUsage | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return KEY_USAGES[Number(value) - 1];
  const name = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return KEY_USAGES.find((usage) => usage === name || SERVER_SPELLINGS[usage] === name);
}

/**
 * Usages as servers and people write them (a list of names or numbers, or one text with commas), in one form:
 * the interface document's names, sorted, each once. What is no usage stays in the list as it is.
 *
 * @returns `undefined` if `value` is neither a list nor a text.
 */
export function normalizeKeyUsages(value: unknown): readonly string[] | undefined {
  const elements: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(elements)) return undefined;
  const names = elements.map((element) => parseKeyUsage(element) ?? String(element).trim());
  return [...new Set(names)].filter((name) => name !== '').sort();
}

/** The number by which servers before 2.0 call a usage. */
export function keyUsageNumber(usage: KeyUsage): number {
  return KEY_USAGES.indexOf(usage) + 1;
}

/** The name by which servers from 2.0 on call a usage. */
export function keyUsageServerName(usage: KeyUsage): string {
  return SERVER_SPELLINGS[usage] ?? usage;
}
