import type { Medians } from './measure';

/** A ratio of two contenders of one race, and what it should be. */
export interface Comparison {
  readonly what: string;
  readonly medians: Medians;
  readonly ours: string;
  readonly rival: string;
  readonly unit: 'ms' | 'per second';
  /** Without one, it is for information. */
  readonly target?: Target;
}

/** The ratio is at most (`max`) or at least (`min`) so much, or ours is at most so many milliseconds more (`beyond`). */
export type Target = { readonly max: number } | { readonly min: number } | { readonly beyond: number };

/** Prints the comparisons as a Markdown table, ready for the README. */
export function report(comparisons: readonly Comparison[]): void {
  console.log('| what | ours | rival | ratio | target | |');
  console.log('|---|---|---|---|---|---|');
  for (const comparison of comparisons) console.log(row(comparison));
}

function row({ what, medians, ours, rival, unit, target }: Comparison): string {
  const ourValue = medians[ours] ?? NaN;
  const rivalValue = medians[rival] ?? NaN;
  const ratio = ourValue / rivalValue;
  const wanted = target ? targetText(target) : '';
  const verdict = !target ? '' : holds(ourValue, rivalValue, target) ? 'met' : '**missed**';
  const ourCell = `${ours}: ${figure(ourValue, unit)}`;
  const rivalCell = `${rival}: ${figure(rivalValue, unit)}`;
  return `| ${what} | ${ourCell} | ${rivalCell} | ${ratio.toFixed(2)} | ${wanted} | ${verdict} |`;
}

function targetText(target: Target): string {
  if ('beyond' in target) return `≤ ${target.beyond} ms more`;
  return 'max' in target ? `≤ ${target.max}` : `≥ ${target.min}`;
}

function holds(ours: number, rival: number, target: Target): boolean {
  if ('beyond' in target) return ours - rival <= target.beyond;
  const ratio = ours / rival;
  return 'max' in target ? ratio <= target.max : ratio >= target.min;
}

function figure(value: number, unit: Comparison['unit']): string {
  return unit === 'ms' ? `${value.toFixed(0)} ms` : `${Math.round(value)} /s`;
}
