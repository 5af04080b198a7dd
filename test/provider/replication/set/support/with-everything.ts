/**
 * Completes the values of a set: every secondary without a paths filter gets `everything = true`.
 */
export function withEverything<T extends object>(set: T): T {
  const { secondaries } = set as { readonly secondaries?: Readonly<Record<string, object | null>> };
  if (!secondaries) return set;
  const entries = Object.entries(secondaries).map(([name, secondary]) => [
    name,
    secondary === null || 'paths_filter' in secondary ? secondary : { everything: true, ...secondary },
  ]);
  return { ...set, secondaries: Object.fromEntries(entries) as unknown };
}
