import type { Medians } from './measure';

/** A ratio of two contenders of one race, with its target. */
export interface Comparison {
  readonly what: string;
  readonly medians: Medians;
  readonly ours: string;
  readonly comparedWith: string;
  readonly unit: 'ms' | 'per second';
  /** The target. Without one, the ratio is informative. */
  readonly target?: Target;
}

/**
 * The ratio is at most `max`, or at least `min`; or ours takes at most `beyond` milliseconds more
 * than the other.
 */
export type Target = { readonly max: number } | { readonly min: number } | { readonly beyond: number };

/** Returns the comparisons as the lines of a Markdown table. */
export function tableOf(comparisons: readonly Comparison[]): readonly string[] {
  return [
    '| what | ours | compared with | ratio | target | |',
    '|---|---|---|---|---|---|',
    ...comparisons.map(row),
  ];
}

function row({ what, medians, ours, comparedWith, unit, target }: Comparison): string {
  const ourValue = medians[ours] ?? NaN;
  const otherValue = medians[comparedWith] ?? NaN;
  const ratio = ourValue / otherValue;
  const wanted = target ? targetText(target) : '';
  const verdict = !target ? '' : holds(ourValue, otherValue, target) ? 'met' : '**missed**';
  const ourCell = `${ours}: ${figure(ourValue, unit)}`;
  const otherCell = `${comparedWith}: ${figure(otherValue, unit)}`;
  return `| ${what} | ${ourCell} | ${otherCell} | ${ratio.toFixed(2)} | ${wanted} | ${verdict} |`;
}

function targetText(target: Target): string {
  if ('beyond' in target) return `≤ ${target.beyond} ms more`;
  return 'max' in target ? `≤ ${target.max}` : `≥ ${target.min}`;
}

function holds(ours: number, comparedWith: number, target: Target): boolean {
  if ('beyond' in target) return ours - comparedWith <= target.beyond;
  const ratio = ours / comparedWith;
  return 'max' in target ? ratio <= target.max : ratio >= target.min;
}

function figure(value: number, unit: Comparison['unit']): string {
  return unit === 'ms' ? `${value.toFixed(0)} ms` : `${Math.round(value)} /s`;
}
