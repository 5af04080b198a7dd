import { readDuration } from './duration-value';
import type { PathArguments } from './path-arguments';

/** The bounds of a path's response wrapping in seconds; 0 for none. */
export function wrappingTtls(
  { minWrappingTtl, maxWrappingTtl }: Pick<PathArguments, 'minWrappingTtl' | 'maxWrappingTtl'>,
  refuse: (message: string) => Error,
): { readonly min: number; readonly max: number } {
  const min = readDuration(minWrappingTtl, (problem) => refuse(`error parsing min_wrapping_ttl: ${problem}`));
  const max = readDuration(maxWrappingTtl, (problem) => refuse(`error parsing max_wrapping_ttl: ${problem}`));
  return { min, max };
}
